import { createHash } from 'node:crypto';
import { request } from 'node:http';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { Hash } from '@prime/primitives';
import type { GatewayOptions } from '../gateway.ts';
import type { GatewayLimits } from '../gatewayLimits.ts';
import { type RunningGateway, startGateway } from '../testing/testGateway.ts';
import type { ApiKeyGrant } from './apiKeys.ts';

/** Keys, clients and their limits, over HTTP. */

const running: RunningGateway[] = [];
afterEach(() => Promise.all(running.splice(0).map(({ gateway }) => gateway.close())));

async function start(options: Partial<GatewayOptions>, limits: Partial<GatewayLimits> = {}): Promise<RunningGateway> {
  const gateway = await startGateway({ options, limits });
  running.push(gateway);
  return gateway;
}

const keyed = (name: string, changes: Partial<ApiKeyGrant> = {}): ApiKeyGrant => ({
  name,
  hash: createHash('sha256').update(`secret-of-${name}`).digest(),
  requestsPerSecond: null,
  concurrency: null,
  methods: [],
  operator: false,
  ...changes,
});
const bearer = (name: string) => ({ authorization: `Bearer secret-of-${name}` });

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: { readonly result?: unknown; readonly error?: Record<string, unknown> };
}

/** One call; `fetch` would not let a test set every header. */
const call = (url: string, method: string, headers: Record<string, string> = {}, params: readonly unknown[] = []) =>
  post(url, JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }), headers);

const post = (url: string, body: string, headers: Record<string, string> = {}): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const sent = request(
      url,
      { method: 'POST', headers: { 'content-type': 'application/json', ...headers } },
      (response) => {
        let text = '';
        response.on('data', (data) => (text += String(data)));
        response.on('end', () => {
          const { statusCode: status = 0 } = response;
          try {
            resolve({ status, headers: response.headers, body: JSON.parse(text) as never });
          } catch {
            reject(new Error(`${status} and no JSON: ${text}`));
          }
        });
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });

describe('API keys', () => {
  it('access = keys: nobody without a key, and either header carries one', async () => {
    const { url } = await start({ access: 'keys', apiKeys: [keyed('web'), keyed('bot')] });
    const refused = await call(url, 'eth_chainId');
    expect(refused).toMatchObject({ status: 401, body: { error: { code: -32001 } } });
    expect(refused.headers['www-authenticate']).toBe('Bearer');
    expect(await call(url, 'eth_chainId', bearer('web'))).toMatchObject({ status: 200, body: { result: '0x1eef' } });
    expect(await call(url, 'eth_chainId', { 'x-api-key': 'secret-of-bot' })).toMatchObject({ status: 200 });
  });

  it('an unknown key is refused, also where none is needed', async () => {
    const { url } = await start({ access: 'open', apiKeys: [keyed('web')] });
    expect(await call(url, 'eth_chainId')).toMatchObject({ status: 200 });
    for (const key of ['secret-of-nobody', 'x', 'secret-of-web2', '0'.repeat(3_000)])
      expect([key, await call(url, 'eth_chainId', { 'x-api-key': key })]).toMatchObject([
        key,
        { status: 401, body: { error: { code: -32001, message: 'unknown API key' } } },
      ]);
    const basic = { authorization: `Basic ${Buffer.from('proxy:password').toString('base64')}` };
    expect(await call(url, 'eth_chainId', basic)).toMatchObject({ status: 200 });
  });

  it('allows the methods that it names, and no others', async () => {
    const { url } = await start({ apiKeys: [keyed('web', { methods: ['eth_*', 'net_version'] })] });
    for (const method of ['eth_chainId', 'net_version'])
      expect(await call(url, method, bearer('web'))).toMatchObject({ body: { result: expect.anything() } });
    for (const method of ['net_listening', 'prime_chainId'])
      expect(await call(url, method, bearer('web'))).toMatchObject({
        status: 200,
        body: { error: { code: -32001, message: `API key web does not permit ${method}` } },
      });
  });
});

describe('the rate of a client', () => {
  it('used up: 429 and -32005 with the limit; others are not concerned', async () => {
    const { url } = await start(
      { apiKeys: [keyed('slow', { requestsPerSecond: 2 }), keyed('fast')] },
      { clientRequestsPerSecond: 0 },
    );
    for (let asked = 0; asked < 2; asked++)
      expect(await call(url, 'eth_chainId', bearer('slow'))).toMatchObject({ status: 200 });
    const answer = await call(url, 'eth_chainId', bearer('slow'));
    expect(answer).toMatchObject({
      status: 429,
      body: { id: 1, error: { code: -32005, data: { limit: 'requestsPerSecond', maximum: 2 } } },
    });
    expect(Number(answer.headers['retry-after'])).toBeGreaterThanOrEqual(1);
    expect(await call(url, 'eth_chainId', bearer('fast'))).toMatchObject({ status: 200 });
    expect(await call(url, 'eth_chainId')).toMatchObject({ status: 200 });
  });

  it('counts the items of a batch one by one', async () => {
    const { url } = await start({}, { clientRequestsPerSecond: 1, clientBurst: 3 });
    const batch = Array.from({ length: 5 }, (_, id) => ({ jsonrpc: '2.0', id, method: 'eth_chainId' }));
    const { status, body } = await post(url, JSON.stringify(batch));
    const items = body as unknown as { error?: { code: number } }[];
    expect([status, items.map(({ error }) => error?.code ?? 0)]).toEqual([200, [0, 0, 0, -32005, -32005]]);
  });

  it('is one per address behind a trusted proxy, and one for all behind any other', async () => {
    const limits = { clientRequestsPerSecond: 1, clientBurst: 1 };
    const trusting = await start({ trustedProxies: ['127.0.0.1'] }, limits);
    const statuses = async (url: string): Promise<number[]> => {
      const found: number[] = [];
      for (const address of ['203.0.113.1', '203.0.113.2', '203.0.113.1'])
        found.push((await call(url, 'eth_chainId', { 'x-forwarded-for': address })).status);
      return found;
    };
    expect(await statuses(trusting.url)).toEqual([200, 200, 429]);
    const other = await start({}, limits);
    expect(await statuses(other.url)).toEqual([200, 429, 429]);
  });

  it('concurrency used up: refused until a call has been answered', async () => {
    const { url, node, gateway } = await start({}, { clientConcurrency: 1 });
    let release: (hash: Hash) => void = () => undefined;
    const asked = new Promise<void>((resolve) => {
      node.onAction = () => {
        resolve();
        return new Promise((settle) => {
          release = settle;
        });
      };
    });
    const slow = call(url, 'primeorders_cancelOrder', {}, ['0x1']);
    await asked;
    expect(await call(url, 'eth_chainId')).toMatchObject({
      status: 429,
      body: { error: { code: -32005, data: { limit: 'concurrency', maximum: 1 } } },
    });
    const hash = `0x${'66'.repeat(32)}` as Hash;
    const refused = { ok: false, error: { code: 'CLOB_UNKNOWN_ORDER', message: 'unknown order', data: {} } } as const;
    gateway.applyDelta(node.commit({ actions: [{ hash, result: refused }] }));
    release(hash);
    await slow;
    expect(await call(url, 'eth_chainId')).toMatchObject({ status: 200 });
  });
});

describe("the operator's surface", () => {
  it('this machine needs no key; another one, or one behind a proxy, needs an operator key', async () => {
    const { operatorUrl } = await start({
      access: 'keys',
      apiKeys: [keyed('admin', { operator: true }), keyed('web')],
      trustedProxies: ['127.0.0.1'],
    });
    expect(await call(operatorUrl, 'eth_chainId')).toMatchObject({ status: 200 });
    const remote = { 'x-forwarded-for': '203.0.113.7' };
    expect(await call(operatorUrl, 'eth_chainId', remote)).toMatchObject({ status: 401 });
    expect(await call(operatorUrl, 'eth_chainId', { ...remote, ...bearer('web') })).toMatchObject({ status: 401 });
    expect(await call(operatorUrl, 'eth_chainId', { ...remote, ...bearer('admin') })).toMatchObject({ status: 200 });
  });

  it('a proxy that nobody trusts is not this machine', async () => {
    const { operatorUrl } = await start({});
    expect(await call(operatorUrl, 'eth_chainId', { 'x-forwarded-for': '127.0.0.1' })).toMatchObject({ status: 401 });
  });

  it('no page calls it', async () => {
    const { operatorUrl } = await start({ corsOrigins: ['*'] });
    expect(await call(operatorUrl, 'eth_chainId', { origin: 'http://evil.example' })).toMatchObject({ status: 403 });
  });
});

describe('pages of other origins', () => {
  it('listed ones may call, with the headers that carry a key', async () => {
    const { url } = await start({ corsOrigins: ['https://app.example'] });
    const preflight = await fetch(url, { method: 'OPTIONS', headers: { origin: 'https://app.example' } });
    expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([
      204,
      'https://app.example',
    ]);
    expect(preflight.headers.get('access-control-allow-headers')).toBe('*, Authorization, X-Api-Key');
    expect(preflight.headers.get('vary')).toBe('Origin');
    const foreign = await fetch(url, { method: 'OPTIONS', headers: { origin: 'https://evil.example' } });
    expect(foreign.headers.get('access-control-allow-origin')).toBeNull();
    expect(foreign.headers.get('access-control-allow-headers')).toBeNull();
  });
});

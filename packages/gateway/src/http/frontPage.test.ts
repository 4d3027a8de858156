import { createHash } from 'node:crypto';
import { request } from 'node:http';
import { afterEach, describe, expect, it } from '@jest/globals';
import { WebSocket } from 'ws';
import type { GatewayOptions } from '../gateway.ts';
import type { GatewayLimits } from '../gatewayLimits.ts';
import { type RunningGateway, startGateway } from '../testing/testGateway.ts';

/** What the port of JSON-RPC says to a browser, and that programs see nothing of it. */

const running: RunningGateway[] = [];
afterEach(() => Promise.all(running.splice(0).map(({ gateway }) => gateway.close())));

async function start(
  options: Partial<GatewayOptions> = {},
  limits: Partial<GatewayLimits> = {},
): Promise<RunningGateway> {
  const gateway = await startGateway({ options, limits });
  running.push(gateway);
  return gateway;
}

/** As Chromium and Firefox send it. */
const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

interface Asked {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** `fetch` would add headers of its own. */
const ask = (url: string, { method = 'GET', headers = {}, body }: Asked = {}): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const sent = request(url, { method, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (data) => (text += String(data)));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }));
    });
    sent.on('error', reject);
    sent.end(body);
  });
const look = (url: string, method = 'GET'): Promise<Answer> => ask(url, { method, headers: { accept: browser } });

const only = {
  status: 405,
  text: '{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"only POST is allowed"}}',
};

describe('a browser at the port of JSON-RPC', () => {
  it('is told what this port is, which network, how high, and where to go on', async () => {
    const { url, node, gateway } = await start({ networkName: 'prime-7', explorerUrl: 'https://explorer.example/' });
    expect((await look(url)).text).toContain('<dd>block 0</dd>');
    gateway.applyDelta(node.commit({}));
    const { status, headers, text } = await look(url);
    expect(status).toBe(200);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    for (const part of [
      '<dd>prime-7</dd>',
      '<dd>7919 (0x1eef)</dd>',
      '<dd>block 1</dd>',
      '<dd>prime/0.1.0</dd>',
      '<a href="https://explorer.example/">https://explorer.example/</a>',
      '<a href="https://explorer.example/developer">',
      'rpc.discover',
      'docs/rpc',
    ])
      expect(text).toContain(part);
  });

  it('loads nothing and runs nothing: its one style is allowed by its hash', async () => {
    const { headers, text } = await look((await start()).url);
    const style = /<style>([^]*?)<\/style>/.exec(text)![1]!;
    const hash = createHash('sha256').update(style).digest('base64');
    expect(headers['content-security-policy']).toBe(
      `default-src 'none'; style-src 'sha256-${hash}'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    );
    expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' });
    expect(headers).toMatchObject({ vary: 'Accept', 'cache-control': 'no-store' });
    expect(text).not.toMatch(/<script|<img|<link (?!rel="icon" href="data:,")|\ssrc=|\sstyle=|\son\w+=/i);
    expect(text).not.toContain('explorer');
  });

  it.each([
    '<script>alert(1)</script>',
    '</title><img src=x onerror=alert(1)>',
    `"'><svg/onload=alert(1)>`,
    '&lt;b&gt; & &#60;i&#62;',
    '</style><style>*{display:none}',
    '\u2028{{7*7}}${7*7}<!--',
  ])('a network called %j is text and no markup', async (networkName) => {
    const { url } = await start({ networkName, explorerUrl: `https://a.example/"><script>'&` });
    const { text } = await look(url);
    const plain = await look((await start({ networkName: 'x', explorerUrl: 'https://a.example' })).url);
    const tags = (page: string): string[] =>
      page.match(/<[!/a-zA-Z][^>]*>/g)!.map((tag) => tag.replace(/^<a href=.*/, '<a>'));
    expect(tags(text)).toEqual(tags(plain.text));
    expect(text).not.toContain('<script>');
    const read = (escaped: string): string =>
      escaped.replace(/&(?:lt|gt|quot|#39|amp);/g, (entity) => entities[entity]!);
    const entities: Record<string, string> = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'", '&amp;': '&' };
    expect(read(/<dt>network<\/dt><dd>([^]*?)<\/dd>/.exec(text)![1]!)).toBe(networkName);
  });

  it('HEAD: the same headers and the length of the page, without it', async () => {
    const { url } = await start();
    const [page, head] = [await look(url), await look(url, 'HEAD')];
    expect([head.status, head.text]).toEqual([200, '']);
    expect(head.headers['content-length']).toBe(`${Buffer.byteLength(page.text)}`);
    expect({ ...head.headers, date: '' }).toEqual({ ...page.headers, date: '' });
  });

  it('where callers need a key nothing of the chain is told', async () => {
    const { text } = await look((await start({ access: 'keys' })).url);
    expect(text).toContain('Calls need an API key');
    expect(text).not.toContain('block 0');
  });

  it("the operator's surface has no page", async () => {
    expect(await look((await start()).operatorUrl)).toMatchObject(only);
  });

  it('an overloaded node refuses it like everything else', async () => {
    // No timer comes earlier than that.
    const { url } = await start({}, { overloadDelayMs: 0 });
    expect(await look(url)).toMatchObject({ status: 503, headers: { 'content-type': 'application/json' } });
  });
});

const json = { 'content-type': 'application/json' };
const chainId = '{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}';

describe('programs at the same port', () => {
  it.each(['*/*', '', 'application/json', 'text/plain, */*', 'text/*', 'text/html;q=0', 'text/html; q=0.000, */*'])(
    'GET and HEAD that accept %j: 405 in JSON, as ever',
    async (accept) => {
      const { url } = await start({ explorerUrl: 'https://explorer.example' });
      const headers = accept === '' ? {} : { accept };
      const got = await ask(url, { headers });
      expect(got).toMatchObject(only);
      expect(got.headers).toMatchObject({ allow: 'POST, OPTIONS', 'content-type': 'application/json' });
      expect(got.headers).not.toHaveProperty('vary');
      const head = await ask(url, { method: 'HEAD', headers });
      expect([head.status, head.text]).toEqual([405, '']);
      expect(head.headers['content-length']).toBe(`${only.text.length}`);
    },
  );

  it.each([browser, 'text/html', '*/*'])('POST, OPTIONS and other paths do not look at Accept: %s', async (accept) => {
    const { url } = await start();
    expect(await ask(url, { method: 'POST', headers: { ...json, accept }, body: chainId })).toMatchObject({
      status: 200,
      text: '{"jsonrpc":"2.0","id":1,"result":"0x1eef"}',
    });
    const preflight = await ask(url, { method: 'OPTIONS', headers: { accept, origin: 'https://a.example' } });
    expect(preflight).toMatchObject({ status: 204, headers: { 'access-control-allow-origin': '*' } });
    expect(await ask(`${url}page`, { headers: { accept } })).toMatchObject({ status: 404 });
    expect(await ask(url, { method: 'PUT', headers: { accept } })).toMatchObject(only);
  });

  it('a WebSocket opens, whatever it accepts', async () => {
    const { gateway } = await start();
    const socket = new WebSocket(`ws://127.0.0.1:${gateway.surfaces.port}/`, { headers: { accept: browser } });
    await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
    const answer = new Promise((resolve) => socket.once('message', (data: Buffer) => resolve(data.toString())));
    socket.send(chainId);
    expect(await answer).toBe('{"jsonrpc":"2.0","id":1,"result":"0x1eef"}');
    socket.terminate();
  });

  it('keys and limits are those of before: the page costs no call of anybody', async () => {
    const { url } = await start({ access: 'keys' }, { clientRequestsPerSecond: 1, clientBurst: 1 });
    for (let times = 0; times < 5; times++) expect((await look(url)).status).toBe(200);
    const headers = { ...json, accept: browser };
    expect(await ask(url, { method: 'POST', headers, body: chainId })).toMatchObject({ status: 401 });
    const open = await start({}, { clientRequestsPerSecond: 1, clientBurst: 1 });
    for (let times = 0; times < 5; times++) expect((await look(open.url)).status).toBe(200);
    const statuses: number[] = [];
    for (let times = 0; times < 2; times++)
      statuses.push((await ask(open.url, { method: 'POST', headers, body: chainId })).status);
    expect(statuses).toEqual([200, 429]);
  });

  it('pages of the explorer may call where others may not, over HTTP and WebSocket', async () => {
    const { url, gateway } = await start({ corsOrigins: [], explorerUrl: 'https://explorer.example/prime' });
    const allowed = async (origin: string): Promise<unknown> =>
      (await ask(url, { method: 'POST', headers: { ...json, origin }, body: chainId })).headers[
        'access-control-allow-origin'
      ];
    expect(await allowed('https://explorer.example')).toBe('https://explorer.example');
    expect(await allowed('https://evil.example')).toBeUndefined();
    const connects = (origin: string): Promise<boolean> =>
      new Promise((resolve) => {
        const socket = new WebSocket(`ws://127.0.0.1:${gateway.surfaces.port}/`, { origin });
        socket.once('open', () => {
          socket.terminate();
          resolve(true);
        });
        socket.once('error', () => resolve(false));
      });
    expect([await connects('https://explorer.example'), await connects('https://evil.example')]).toEqual([true, false]);
  });
});

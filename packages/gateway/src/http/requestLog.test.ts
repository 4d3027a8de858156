import { createHash } from 'node:crypto';
import { expect, it } from '@jest/globals';
import type { AnsweredRequest } from '@prime/rpc';
import type { GatewayOptions } from '../gateway.ts';
import type { GatewayRequestLog, TurnedAway } from './requestLog.ts';
import { connect, refusedUpgrade } from '../testing/socketClient.ts';
import { useGateways } from '../testing/streams.ts';
import { askAt } from '../testing/testGateway.ts';

/** The log of requests, over HTTP and WebSocket. */

const { start } = useGateways();

const secret = 'c0ffee-of-bot';
const param = `0x${'ab'.repeat(20)}`;

/** A log that can be turned on and off, with what was told. */
class Told implements GatewayRequestLog {
  isOn = true;
  clockReads = 0;
  readonly lines: AnsweredRequest[] = [];
  readonly away: TurnedAway[] = [];
  nowMs(): number {
    return ++this.clockReads;
  }
  answered(line: AnsweredRequest): void {
    this.lines.push(line);
  }
  turnedAway(line: TurnedAway): void {
    this.away.push(line);
  }
}

const withLog = (requestLog: Told, options: Partial<GatewayOptions> = {}) => ({
  options: { hooks: { requestLog }, trustedProxies: ['127.0.0.1'], ...options },
});
const keyed = {
  name: 'bot',
  hash: createHash('sha256').update(secret).digest(),
  requestsPerSecond: null,
  concurrency: null,
  methods: [],
  operator: false,
};

async function post(url: string, body: string, headers: Record<string, string> = {}): Promise<string> {
  const init = { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body };
  return (await fetch(url, init)).text();
}

const common = { surface: 'public', transport: 'http', address: '127.0.0.1', apiKey: null, batch: null };

it('a line tells method, caller, time, sizes and outcome of a request, and neither parameters nor keys', async () => {
  const log = new Told();
  const { url } = await start(withLog(log, { apiKeys: [keyed] }));
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_getBalance', params: [param, 'latest'] });
  const answer = await post(url, body, { 'x-forwarded-for': '203.0.113.9' });
  const forwarded = { address: '203.0.113.9', bodyLength: body.length, answerLength: answer.length };
  expect(log.lines).toEqual([{ ...common, ...forwarded, method: 'eth_getBalance', ms: 1, error: null }]);
  await askAt(url, 'eth_getBalance', [param, 'x'], { 'x-api-key': secret });
  await askAt(url, 'eth_getBalance', [`${param}0`, 'latest']);
  await askAt(url, `eth_${'x'.repeat(200)}`, []);
  await post(url, '{');
  await post(url, 'null');
  expect(log.lines.slice(1)).toMatchObject([
    { method: 'eth_getBalance', apiKey: 'bot', address: '127.0.0.1', error: -32602 },
    { ...common, method: 'eth_getBalance', error: -32602 },
    { method: `eth_${'x'.repeat(96)}`, error: -32601 },
    { method: null, error: -32700, bodyLength: 1 },
    { method: null, error: -32600 },
  ]);
  const text = JSON.stringify(log);
  expect([text.includes(param), text.includes(secret)]).toEqual([false, false]);
});

it('each request of a batch has a line, also a notification and what fits into no answer', async () => {
  const log = new Told();
  const { url } = await start({
    ...withLog(log),
    limits: { responseLengthMax: 100, answerLengthMax: 100, batchItemsMax: 3 },
  });
  const chainId = { jsonrpc: '2.0', method: 'eth_chainId' };
  const batch = (count: number) => JSON.stringify(Array.from({ length: count }, (_, id) => ({ ...chainId, id })));
  await post(url, batch(3));
  await post(url, JSON.stringify([chainId]));
  await post(url, batch(4));
  await post(url, '[]');
  expect(log.lines).toMatchObject([
    { method: 'eth_chainId', batch: 3, bodyLength: batch(3).length, answerLength: 42, error: null },
    { method: 'eth_chainId', batch: 3, error: null },
    { method: 'eth_chainId', batch: 3, error: -32005 },
    { method: 'eth_chainId', batch: 1, error: null },
    { method: null, batch: 4, error: -32005 },
    { method: null, batch: 0, error: -32600 },
  ]);
});

it('a WebSocket has lines of its own, late answers too', async () => {
  const log = new Told();
  const { url, node } = await start(withLog(log));
  node.backends.consensus.poolStatus = async () => ({ pending: 0, queued: 0 });
  const client = await connect(url, { headers: { 'x-forwarded-for': '2001:db8::7' } });
  await client.call('txpool_status');
  await client.failure('eth_subscribe', 'nothing');
  client.socket.close();
  await client.closed;
  const of = { surface: 'public', transport: 'webSocket', address: '2001:db8::7', apiKey: null };
  expect(log.lines).toMatchObject([
    { ...of, method: 'txpool_status', error: null },
    { ...of, method: 'eth_subscribe', error: -32601 },
  ]);
});

it('who is turned away before a request was read has a line with the status', async () => {
  const log = new Told();
  const { url, operatorUrl } = await start({
    ...withLog(log, { access: 'keys', apiKeys: [keyed] }),
    limits: { bodyBytesMax: 100 },
  });
  await post(url, '{}');
  await refusedUpgrade(url);
  await fetch(`${url}path`);
  await post(operatorUrl, 'x'.repeat(101));
  await post(url, '{}', { 'x-api-key': secret, 'content-type': 'text/plain' });
  const of = { surface: 'public', transport: 'http', address: '127.0.0.1' };
  expect(log.away).toEqual([
    { ...of, status: '401 Unauthorized' },
    { ...of, transport: 'webSocket', status: '401 Unauthorized' },
    { ...of, status: '404 Not Found' },
    { ...of, surface: 'operator', status: '413 Payload Too Large' },
    { ...of, status: '415 Unsupported Media Type' },
  ]);
  expect(log.lines).toEqual([]);
});

it('nothing is noted or measured while the log is off', async () => {
  const log = new Told();
  const { url } = await start(withLog(log));
  log.isOn = false;
  expect(await askAt(url, 'eth_chainId', [])).toMatchObject({ result: '0x1eef' });
  await post(url, '[]');
  await fetch(`${url}path`);
  expect([log.lines, log.away, log.clockReads]).toEqual([[], [], 0]);
  log.isOn = true;
  await askAt(url, 'eth_chainId', []);
  expect(log.lines).toHaveLength(1);
});

import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { errorFromObject } from '@prime/primitives';
import type { GatewayLimits } from '../gatewayLimits.ts';
import { type RunningGateway, startGateway } from '../testing/testGateway.ts';
import { connect as openSocket } from '../testing/socketClient.ts';

/** What an operator sees of requests that were shed or hit a limit: one count for each, with its reason. */

const running: RunningGateway[] = [];
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await Promise.all(running.splice(0).map(({ gateway }) => gateway.close()));
});

async function start(
  limits: Partial<GatewayLimits>,
): Promise<{ readonly url: string; readonly counted: string[] } & RunningGateway> {
  const counted: string[] = [];
  const gateway = await startGateway({ limits, options: { hooks: { onLimited: (reason) => counted.push(reason) } } });
  running.push(gateway);
  return { ...gateway, counted };
}

const post = (url: string, body: string): Promise<Response> =>
  fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
const call = (method: string, id = 1): string => JSON.stringify({ jsonrpc: '2.0', id, method, params: [] });

describe('limits are counted by their reason', () => {
  it('rate: each refused item of a batch', async () => {
    const { url, counted } = await start({ clientRequestsPerSecond: 1, clientBurst: 1 });
    await post(url, `[${call('eth_chainId', 1)},${call('eth_chainId', 2)},${call('eth_chainId', 3)}]`);
    expect(counted).toEqual(['rate', 'rate']);
  });

  it('size: a body, a batch and an answer that are too large', async () => {
    const { url, counted } = await start({ bodyBytesMax: 200, batchItemsMax: 1, answerLengthMax: 60 });
    expect((await post(url, ' '.repeat(300))).status).toBe(413);
    await post(url, `[${call('eth_chainId', 1)},${call('eth_chainId', 2)}]`);
    await post(url, call('txpool_status'));
    expect(counted).toEqual(['size', 'size', 'size']);
  });

  it('quota: filters, and connections of a client', async () => {
    const { url, counted } = await start({ filtersPerClientMax: 0, connectionsPerClientMax: 0 });
    await post(url, call('eth_newBlockFilter'));
    await openSocket(url).catch(() => undefined);
    expect(counted).toEqual(['quota', 'quota']);
  });

  it('slow: a body that does not come', async () => {
    const { url, counted } = await start({ bodyTimeoutMs: 20 });
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    sockets.push(socket);
    const answered = new Promise((resolve) => socket.once('data', resolve));
    socket.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{');
    await answered;
    expect(counted).toEqual(['slow']);
  });

  it('busy: heavy calls while the node is late; the light ones are answered', async () => {
    const { url, counted } = await start({ busyDelayMs: 0 });
    await post(url, JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_call', params: [{}] }));
    await post(url, call('eth_chainId'));
    expect(counted).toEqual(['busy']);
  });

  it('overload: whatever comes, over HTTP and for WebSockets', async () => {
    const { url, counted } = await start({ overloadDelayMs: 0 });
    expect((await post(url, call('eth_chainId'))).status).toBe(503);
    await openSocket(url).catch(() => undefined);
    expect(counted).toEqual(['overload', 'overload']);
  });

  it('queue: another part of the node has no room', async () => {
    const { url, counted, node } = await start({});
    node.onSubmit = () => {
      throw errorFromObject({ code: 'ENGINE_BUSY', message: 'busy', detail: { code: 'ENGINE_BUSY' } });
    };
    await post(url, JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_sendRawTransaction', params: ['0x02c0'] }));
    expect(counted).toEqual(['queue']);
  });

  it('a call that fails for a reason of its own is none of them', async () => {
    const { url, counted } = await start({});
    await post(url, call('eth_noSuchThing'));
    await post(url, call('eth_getBalance'));
    await post(url, '{');
    expect(counted).toEqual([]);
  });
});

import { createServer, type RequestListener, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { call, callAll, RefusedCall } from './rpcClient.ts';

let server: Server;
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

/** A node that answers in its own way. @returns its URL */
async function serve(answer: RequestListener): Promise<string> {
  server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

describe('a client that expects the worst', () => {
  it('an answer, a refusal, and a batch in the order of the calls', async () => {
    let answer = '';
    const url = await serve((_request, response) => response.end(answer));
    answer = '{"id":1,"result":"0x7"}';
    expect(await call(url, 'eth_blockNumber')).toBe('0x7');
    answer = '{"id":1,"error":{"code":-32000,"message":"no"}}';
    await expect(call(url, 'eth_blockNumber')).rejects.toEqual(
      new RefusedCall('eth_blockNumber', { code: -32_000, message: 'no' }),
    );
    answer = '[{"id":1,"result":"b"},{"id":0,"result":"a"}]';
    const asked = ['one', 'two'].map((method) => ({ method, params: [] }));
    expect(await callAll(url, asked)).toEqual(['a', 'b']);
  });

  it('no answer, or half of one: the call fails at its deadline', async () => {
    let isBegun = false;
    const url = await serve((_request, response) => {
      if (isBegun) response.write('{"id":1,');
    });
    await expect(call(url, 'eth_blockNumber', [], 100)).rejects.toThrow('did not answer within 100 ms');
    isBegun = true;
    await expect(call(url, 'eth_blockNumber', [], 100)).rejects.toThrow(/did not answer within 100 ms|aborted/);
  });

  it('a node that is killed, before it answers or in the middle of it: the call fails at once', async () => {
    let isBegun = false;
    const url = await serve((request, response) => {
      if (isBegun) response.write('{"id":1,', () => request.socket.destroy());
      else request.socket.destroy();
    });
    for (isBegun of [false, true])
      await expect(call(url, 'eth_blockNumber')).rejects.toThrow(/socket hang up|ECONNRESET|aborted/);
  });

  it('connections are kept', async () => {
    const ports = new Set<number | undefined>();
    const url = await serve((request, response) => {
      ports.add(request.socket.remotePort);
      response.end('{"id":1,"result":null}');
    });
    for (let index = 0; index < 3; index++) await call(url, 'eth_blockNumber');
    expect(ports.size).toBe(1);
  });
});

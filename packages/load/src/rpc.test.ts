import { createServer, type RequestListener, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from '@jest/globals';
import { patientRpc, rpc, rpcAll, RpcError } from './rpc.ts';

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

describe('rpc', () => {
  it('an answer, a refusal, and a batch in the order of the calls', async () => {
    let answer = '';
    const url = await serve((_request, response) => response.end(answer));
    answer = '{"id":1,"result":"0x7"}';
    expect(await rpc(url, 'eth_blockNumber')).toBe('0x7');
    answer = '{"id":1,"error":{"code":-32000,"message":"no","data":{"kind":"why"}}}';
    const refused = await rpc(url, 'eth_blockNumber').catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(RpcError);
    expect(refused).toMatchObject({
      message: 'eth_blockNumber: no (-32000)',
      code: -32_000,
      words: 'no',
      data: { kind: 'why' },
    });
    answer = '[{"id":1,"result":"b"},{"id":0,"result":"a"}]';
    const asked = ['one', 'two'].map((method) => ({ method, params: [] }));
    expect(await rpcAll(url, asked)).toEqual(['a', 'b']);
  });

  it('no answer, or half of one: the call fails at its deadline', async () => {
    let isBegun = false;
    const url = await serve((_request, response) => {
      if (isBegun) response.write('{"id":1,');
    });
    await expect(rpc(url, 'eth_blockNumber', [], 100)).rejects.toThrow('did not answer within 100 ms');
    isBegun = true;
    await expect(rpc(url, 'eth_blockNumber', [], 100)).rejects.toThrow(/did not answer within 100 ms|aborted/);
  });

  it('a node that is killed, before it answers or in the middle of it: the call fails at once', async () => {
    let isBegun = false;
    const url = await serve((request, response) => {
      if (isBegun) response.write('{"id":1,', () => request.socket.destroy());
      else request.socket.destroy();
    });
    for (isBegun of [false, true])
      await expect(rpc(url, 'eth_blockNumber')).rejects.toThrow(/socket hang up|ECONNRESET|aborted/);
  });

  it('connections are kept', async () => {
    const ports = new Set<number | undefined>();
    const url = await serve((request, response) => {
      ports.add(request.socket.remotePort);
      response.end('{"id":1,"result":null}');
    });
    for (let index = 0; index < 3; index++) await rpc(url, 'eth_blockNumber');
    expect(ports.size).toBe(1);
  });

  it('answers of a batch belong to their calls by id: one that is left out fails the batch', async () => {
    const url = await serve((_request, response) => response.end('[{"id":1,"result":"b"}]'));
    const asked = ['one', 'two'].map((method) => ({ method, params: [] }));
    await expect(rpcAll(url, asked)).rejects.toThrow('left out the answer to one');
  });

  it('a node that is busy is asked again by who has time, and by nobody else', async () => {
    const busy = (id: number | null): string =>
      `{"id":${id},"error":{"code":-32005,"message":"the node is overloaded, try again later"}}`;
    // The call alone, one of a batch, and a batch as a whole.
    const answers = [busy(1), `[${busy(0)}]`, busy(null), '[{"id":0,"result":"0x7"}]'];
    const url = await serve((_request, response) => response.end(answers.shift()));
    await expect(rpc(url, 'eth_sendTransaction')).rejects.toMatchObject({ code: -32_005 });
    expect(await patientRpc(url, 'eth_sendTransaction')).toBe('0x7');
    expect(answers).toEqual([]);
  });

  it('what does not fit into a batch is asked for alone, once', async () => {
    const tooLong = (id: number): string =>
      `{"id":${id},"error":{"code":-32005,"message":"response too large","data":{"limit":"responseSize"}}}`;
    const alone: string[] = [];
    const url = await serve((request, response) => {
      void text(request).then((body) => {
        if (body.startsWith('[')) return response.end(`[{"id":0,"result":"a"},${tooLong(1)},${tooLong(2)}]`);
        const { method } = JSON.parse(body) as { method: string };
        alone.push(method);
        return response.end(method === 'large' ? '{"id":1,"result":"b"}' : tooLong(1));
      });
    });
    const asked = ['small', 'large', 'huge'].map((method) => ({ method, params: [] }));
    const answers = await rpcAll(url, asked);
    expect(answers.slice(0, 2)).toEqual(['a', 'b']);
    expect(answers[2]).toBeInstanceOf(RpcError);
    expect(alone).toEqual(['large', 'huge']);
  });

  describe('a kept connection that the node closes under a call', () => {
    /** Answers the first request of a connection, and closes under its second. @returns the methods that came */
    async function closing(): Promise<{ readonly url: string; readonly heard: string[] }> {
      const heard: string[] = [];
      const known = new Set<unknown>();
      const url = await serve((request, response) => {
        void text(request).then((body) => {
          heard.push((JSON.parse(body) as { method: string }).method);
          if (known.has(request.socket)) request.socket.resetAndDestroy();
          else response.end('{"id":1,"result":null}');
          known.add(request.socket);
        });
      });
      await rpc(url, 'eth_chainId');
      return { url, heard };
    }

    const twice = ['eth_blockNumber', 'primeorders_getOrder', 'primeorders_isLiquidatable', 'eth_sendRawTransaction'];
    it.each(twice)('%s can be asked twice, and is asked over another connection', async (method) => {
      const { url, heard } = await closing();
      expect(await rpc(url, method)).toBeNull();
      expect(heard).toEqual(['eth_chainId', method, method]);
    });

    const once = [
      'eth_sendTransaction',
      'prime_sendTransaction',
      'primeorders_submitOrder',
      'primebridge_dequeueEvmToOrders',
    ];
    it.each(once)('%s is not asked twice: the node signs, and may have heard the first one', async (method) => {
      const { url, heard } = await closing();
      await expect(rpc(url, method)).rejects.toThrow(/ECONNRESET/);
      expect(heard).toEqual(['eth_chainId', method]);
    });
  });
});

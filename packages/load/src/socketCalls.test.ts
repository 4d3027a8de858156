import { afterEach, describe, expect, it } from '@jest/globals';
import type { WebSocket } from 'ws';
import type { LoadError } from './errors.ts';
import { SocketCalls } from './socketCalls.ts';
import { serveSockets } from './testing/socketServer.ts';

const open: (() => void)[] = [];
afterEach(() => {
  for (const close of open.splice(0)) close();
});

interface Request {
  readonly id: number;
  readonly method: string;
  readonly params: unknown[];
}

async function callsTo(
  onRequest: (request: Request, socket: WebSocket) => void,
  onLost?: (error: LoadError) => void,
): Promise<SocketCalls> {
  const server = await serveSockets(onRequest);
  const calls = await SocketCalls.open({
    url: server.url,
    onNotification: () => undefined,
    ...(onLost !== undefined && { onLost }),
  });
  open.push(() => {
    calls.close();
    server.close();
  });
  return calls;
}
const detailOf = (promise: Promise<unknown>) =>
  promise.then(
    () => null,
    ({ detail }: LoadError) => detail,
  );

describe('SocketCalls', () => {
  it('gives each call its result, and reaches the server in the order of the calls', async () => {
    const heard: unknown[] = [];
    const { call } = await callsTo(({ id, params }, socket) => {
      heard.push(params[0]);
      // The answers come the other way round.
      if (heard.length === 3)
        for (const back of [2, 1, 0]) socket.send(JSON.stringify({ id: id - 2 + back, result: heard[back] }));
    });
    expect(await Promise.all([call('m', ['a']), call('m', ['b']), call('m', ['c'])])).toEqual(['a', 'b', 'c']);
    expect(heard).toEqual(['a', 'b', 'c']);
  });

  it('rejects with what the server refused, and with what is no answer', async () => {
    const { call } = await callsTo(({ id, method }, socket) =>
      socket.send(
        method === 'broken'
          ? `{"id":${id},`
          : `{"id":${id},"error":{"code":-32005,"message":"wait","data":{"limit":"rate"}}}`,
      ),
    );
    expect(await detailOf(call('m', []))).toEqual({
      code: 'LOAD_CALL_REFUSED',
      method: 'm',
      rpcCode: -32005,
      words: 'wait',
      data: { limit: 'rate' },
    });
    expect(await detailOf(call('broken', []))).toMatchObject({ code: 'LOAD_ANSWER_MALFORMED' });
  });

  it('rejects what waits, and what comes later, when the connection ends', async () => {
    let lost = 0;
    const { call } = await callsTo(
      (_, socket) => socket.terminate(),
      () => lost++,
    );
    expect(await detailOf(call('m', []))).toMatchObject({ code: 'LOAD_CONNECTION_LOST' });
    expect(await detailOf(call('m', []))).toMatchObject({ code: 'LOAD_CONNECTION_LOST' });
    expect(lost).toBe(1);
  });

  it('rejects what waits when it is closed', async () => {
    let hear!: () => void;
    const heard = new Promise<void>((resolve) => (hear = resolve));
    const calls = await callsTo(() => hear());
    const waiting = detailOf(calls.call('m', []));
    await heard;
    calls.close();
    expect(await waiting).toEqual({ code: 'LOAD_CONNECTION_LOST', unanswered: 1 });
    expect(await detailOf(calls.call('m', []))).toMatchObject({ code: 'LOAD_CONNECTION_LOST' });
  });
});

import { afterEach, describe, expect, it } from '@jest/globals';
import type { WebSocket } from 'ws';
import type { LoadError } from './errors.ts';
import { SocketChannel } from './socketChannel.ts';
import { serveSockets } from './testing/socketServer.ts';

const open: (() => void)[] = [];
afterEach(() => {
  for (const close of open.splice(0)) close();
});

interface Request {
  readonly id: number;
  readonly method: string;
}

async function serve(onRequest: (request: Request, socket: WebSocket) => void): Promise<string> {
  const { url, close } = await serveSockets(onRequest);
  open.push(close);
  return url;
}

async function channelTo(url: string) {
  const notified: string[] = [];
  let onLost!: (error: LoadError) => void;
  const lost = new Promise<LoadError>((resolve) => (onLost = resolve));
  const onNotification = (message: Buffer): void => void notified.push(message.toString());
  const channel = await SocketChannel.open({ url, onLost, onNotification });
  open.push(() => channel.close());
  const ask = (id: number, method = 'm'): Promise<string> =>
    new Promise((resolve) =>
      channel.send(id, JSON.stringify({ jsonrpc: '2.0', id, method }), (body) => resolve(body.toString())),
    );
  return { channel, ask, lost, notified };
}

describe('SocketChannel', () => {
  it('gives each request its own answer, in whichever order they come and wherever the id stands', async () => {
    const held: (() => void)[] = [];
    const url = await serve(({ id }, socket) => {
      const forms = [
        `{"jsonrpc":"2.0","id":${id},"result":{"id":0}}`,
        `{"id":${id},"result":1}`,
        `{"result":{"id":${id + 1}},"id":${id},"jsonrpc":"2.0"}`,
        ` {"jsonrpc": "2.0", "error": {"code": 1}, "id": ${id}}`,
      ];
      held.push(() => socket.send(forms[id % forms.length]!));
      if (held.length === 40) for (const answer of held.splice(0).reverse()) answer();
    });
    const { channel, ask } = await channelTo(url);
    const asked = Array.from({ length: 40 }, (_, id) => ask(id));
    expect(channel.unanswered).toBe(40);
    const answers = (await Promise.all(asked)).map((text) => (JSON.parse(text) as Request).id);
    expect(answers).toEqual(asked.map((_, id) => id));
    expect(channel.unanswered).toBe(0);
  });

  it('hands out notifications, and whatever else belongs to no request', async () => {
    const others = [
      '{"jsonrpc":"2.0","method":"eth_subscription","params":{"id":7}}',
      '{"id":8}',
      '{"id":"7"}',
      'x',
      '',
    ];
    const url = await serve(({ id }, socket) => {
      for (const other of others) socket.send(other);
      socket.send(`{"id":${id}}`);
    });
    const { ask, notified } = await channelTo(url);
    expect(await ask(7)).toBe('{"id":7}');
    expect(notified).toEqual(others);
  });

  it('says how many requests had no answer when the server ends the connection, and why', async () => {
    const url = await serve(({ id }, socket) => {
      if (id === 0) socket.send('{"id":0}');
      else if (id === 3) socket.close(1013, 'too slow');
    });
    const { ask, lost } = await channelTo(url);
    const first = ask(0);
    for (const id of [1, 2, 3]) void ask(id);
    expect(await first).toBe('{"id":0}');
    const error = await lost;
    expect(error).toMatchObject({ code: 'LOAD_CONNECTION_LOST', detail: { unanswered: 3 } });
    expect(error.message).toMatch(/ended with 1013: too slow$/);
  });

  it('tells where nobody listens', async () => {
    const { url, close } = await serveSockets(() => undefined);
    close();
    await expect(channelTo(url)).rejects.toMatchObject({
      code: 'LOAD_CONNECTION_LOST',
      message: expect.stringMatching(/ECONNREFUSED/),
    });
  });

  it('sends nothing and is silent once it is closed', async () => {
    let heard = 0;
    const url = await serve(() => heard++);
    const { channel, ask, lost } = await channelTo(url);
    let told = 0;
    void lost.then(() => told++);
    channel.close();
    void ask(1).then(() => told++);
    const second = await channelTo(url);
    void second.ask(2);
    await new Promise<void>((resolve) => {
      const look = (): void => (heard === 0 ? void setImmediate(look) : resolve());
      look();
    });
    expect([heard, told]).toEqual([1, 0]);
  });
});

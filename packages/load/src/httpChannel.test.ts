import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, createServer as createRawServer, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { endpointOf, requestWriter } from './endpoint.ts';
import type { LoadError } from './errors.ts';
import { HttpChannel } from './httpChannel.ts';

const open: (() => void)[] = [];
afterEach(() => {
  for (const close of open.splice(0)) close();
});

const urlOf = (server: { address(): ReturnType<Server['address']> }): string =>
  `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  open.push(() => server.close());
  return urlOf(server);
}
async function serveRaw(onSocket: (socket: Socket) => void): Promise<string> {
  const server = createRawServer((socket) => {
    socket.on('error', () => undefined);
    open.push(() => socket.destroy());
    onSocket(socket);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  open.push(() => server.close());
  return urlOf(server);
}

function channelTo(url: string) {
  const endpoint = endpointOf(url);
  const write = requestWriter(endpoint);
  let onLost!: (error: LoadError) => void;
  const lost = new Promise<LoadError>((resolve) => (onLost = resolve));
  const channel = new HttpChannel({ endpoint, onLost });
  open.push(() => channel.close());
  const ask = (body: string): Promise<string> =>
    new Promise((resolve) => channel.send(write(body), (status, answer) => resolve(`${status} ${answer.toString()}`)));
  return { channel, ask, lost };
}

describe('HttpChannel', () => {
  it('gives each request its own answer, in the order in which they were sent', async () => {
    const url = await serve((request, response) => {
      let body = '';
      request.on('data', (chunk) => (body += String(chunk)));
      // Every third one as chunks, since it does not know its length.
      request.on('end', () => {
        if (Number(body) % 3 === 0) response.write('<');
        response.statusCode = 200;
        response.end(`${body}>`);
      });
    });
    const { channel, ask } = channelTo(url);
    const asked = Array.from({ length: 300 }, (_, index) => ask(String(index)));
    expect(channel.unanswered).toBe(300);
    const answers = await Promise.all(asked);
    expect(answers).toEqual(asked.map((_, index) => `200 ${index % 3 === 0 ? '<' : ''}${index}>`));
    expect(channel.unanswered).toBe(0);
    expect(await ask('1')).toBe('200 1>');
  });

  it('keeps the order while some requests always wait, over more of them than its list holds', async () => {
    const url = await serve((request, response) => {
      let body = '';
      request.on('data', (chunk) => (body += String(chunk)));
      request.on('end', () => response.end(body));
    });
    const { channel } = channelTo(url);
    const write = requestWriter(endpointOf(url));
    const [count, depth] = [9_001, 7];
    const answers: number[] = [];
    let sent = 0;
    await new Promise<void>((resolve) => {
      const next = (): void => {
        const own = sent++;
        channel.send(write(String(own)), (_status, body) => {
          answers.push(Number(body));
          if (sent < count) next();
          else if (channel.unanswered === 0) resolve();
        });
      };
      for (let under = 0; under < depth; under++) next();
    });
    expect(answers).toEqual(Array.from({ length: count }, (_, index) => index));
  });

  it('what is sent while answers are handed out comes behind them', async () => {
    const url = await serve((request, response) => {
      request.resume().on('end', () => response.end('x'));
    });
    const { channel } = channelTo(url);
    const write = requestWriter(endpointOf(url));
    let left = 500;
    await new Promise<void>((resolve) => {
      const next = (): void => {
        if (--left === 0) resolve();
        else channel.send(write('1'), next);
      };
      channel.send(write('1'), next);
    });
    expect([left, channel.unanswered]).toEqual([0, 0]);
  });

  it('says how many requests had no answer when the server ends the connection', async () => {
    const url = await serveRaw((socket) => {
      let seen = '';
      socket.on('data', (chunk) => {
        seen += chunk.toString('latin1');
        // Two of four, and half of the third.
        if (seen.split('POST').length === 5)
          socket.end(`${'HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx'.repeat(2)}HTTP/1.1 200 OK\r\nContent-Le`);
      });
    });
    const { ask, lost } = channelTo(url);
    const answers: string[] = [];
    for (let index = 0; index < 4; index++) void ask('1').then((answer) => answers.push(answer));
    expect(await lost).toMatchObject({ code: 'LOAD_CONNECTION_LOST', detail: { unanswered: 2 } });
    expect(answers).toEqual(['200 x', '200 x']);
  });

  it.each([
    ['what is no HTTP', '220 mail.example\r\n\r\n'],
    ['more answers than requests', 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'.repeat(2)],
  ])('ends a connection that brings %s', async (_name, text) => {
    const url = await serveRaw((socket) => socket.once('data', () => socket.write(text)));
    const { ask, lost } = channelTo(url);
    void ask('1');
    expect(await lost).toMatchObject({ code: 'LOAD_ANSWER_MALFORMED' });
  });

  it('tells where nobody listens', async () => {
    const server = createRawServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = urlOf(server);
    server.close();
    await once(server, 'close');
    const { ask, lost } = channelTo(url);
    void ask('1');
    const error = await lost;
    expect(error.message).toMatch(/ECONNREFUSED/);
    expect(error).toMatchObject({ code: 'LOAD_CONNECTION_LOST', detail: { unanswered: 1 } });
  });

  it('is silent once it is closed', async () => {
    const url = await serve((request, response) => {
      request.resume().on('end', () => response.end('x'));
    });
    const { channel, ask, lost } = channelTo(url);
    await ask('1');
    let told = 0;
    channel.send('POST', () => told++);
    channel.close();
    channel.send('POST', () => told++);
    void lost.then(() => told++);
    await new Promise((resolve) => setImmediate(resolve));
    expect(told).toBe(0);
  });
});

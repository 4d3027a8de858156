import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Hash } from '@prime/primitives';
import { type RunningGateway, startGateway } from '../testing/testGateway.ts';

/** Everything that is wrong below JSON-RPC: raw sockets against the real server. */

interface Answer {
  readonly status: number;
  readonly body: string;
  readonly closed: boolean;
}

let running: RunningGateway;
beforeAll(async () => {
  running = await startGateway({ limits: { bodyBytesMax: 10_000, requestsMax: 50 } });
});
afterAll(async () => running.gateway.close());

/** Writes the parts one after the other; resolves with everything that came back until `done` or the end. */
function exchange(
  parts: readonly (string | Uint8Array)[],
  done: (text: string) => boolean,
  { gateway } = running,
): Promise<{ text: string; closed: boolean }> {
  return new Promise((resolve) => {
    const socket = connect(gateway.surfaces.port, '127.0.0.1');
    socket.setNoDelay(true);
    let text = '';
    const finish = (closed: boolean): void => {
      socket.destroy();
      resolve({ text, closed });
    };
    socket.on('data', (data) => {
      text += data.toString();
      if (done(text)) finish(false);
    });
    socket.on('close', () => resolve({ text, closed: true }));
    socket.on('error', () => finish(true));
    let index = 0;
    const next = (): void => {
      const part = parts[index++];
      if (part !== undefined && !socket.destroyed) socket.write(part, () => setImmediate(next));
    };
    socket.on('connect', next);
  });
}

/** For requests that the server lets lie until its idle timeout: the test does not wait for that. */
const writeAndLeave = (text: string): Promise<void> =>
  new Promise((resolve) => {
    const socket = connect(running.gateway.surfaces.port, '127.0.0.1', () =>
      socket.write(text, () => {
        socket.destroy();
        resolve();
      }),
    );
    socket.on('error', () => resolve());
  });

/** Asks until the answer is as wished; the server hears of a closed connection a moment after its client. */
async function eventually<T>(ask: () => Promise<T>, isGood: (answer: T) => boolean): Promise<T> {
  let last = await ask();
  for (let round = 0; round < 1_000 && !isGood(last); round++) last = await ask();
  return last;
}

const wholeAnswer = (text: string): boolean => {
  const end = text.indexOf('\r\n\r\n');
  const length = /content-length: (\d+)/i.exec(text)?.[1];
  return end >= 0 && length !== undefined && text.length >= end + 4 + Number(length);
};

async function rawAt(at: RunningGateway, ...parts: readonly (string | Uint8Array)[]): Promise<Answer> {
  const { text, closed } = await exchange(parts, wholeAnswer, at);
  return { status: statusOf(text), body: text.slice(text.indexOf('\r\n\r\n') + 4), closed };
}

const raw = (...parts: readonly (string | Uint8Array)[]): Promise<Answer> => rawAt(running, ...parts);
const statusOf = (text: string): number => Number(text.split(' ')[1]);

const head = (...lines: readonly string[]): string =>
  ['POST / HTTP/1.1', 'Host: prime', 'Content-Type: application/json', ...lines, '', ''].join('\r\n');
const post = (body: string | Uint8Array): [string, string | Uint8Array] => [
  head(`Content-Length: ${body.length}`),
  body,
];
const chainId = '{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}';
const answer = '{"jsonrpc":"2.0","id":1,"result":"0x1eef"}';

describe('HTTP server', () => {
  it('answers a body that comes in pieces, with its length or chunked', async () => {
    expect(await raw(head(`Content-Length: ${chainId.length}`), ...chainId.split(''))).toMatchObject({
      status: 200,
      body: answer,
    });
    const chunks = chainId.split('').map((character) => `1\r\n${character}\r\n`);
    expect(await raw(head('Transfer-Encoding: chunked'), ...chunks, '0\r\n\r\n')).toMatchObject({
      status: 200,
      body: answer,
    });
  });

  it('serves one request after the other on a connection', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const ask = (): Promise<{ text: string; reused: boolean }> =>
      new Promise((resolve, reject) => {
        const headers = { 'content-type': 'application/json' };
        const call = request(running.url, { method: 'POST', agent, headers }, (response) => {
          let text = '';
          response.on('data', (data: Buffer) => (text += data.toString()));
          response.on('end', () => resolve({ text, reused: call.reusedSocket }));
        });
        call.on('error', reject);
        call.end(chainId);
      });
    expect(await ask()).toEqual({ text: answer, reused: false });
    expect(await ask()).toEqual({ text: answer, reused: true });
    agent.destroy();
  });

  it('answers bodies that killed other nodes, and lives on', async () => {
    const bodies = ['null', '1', '"x"', 'true', '[]', '[[]]', '{', '', '['.repeat(5000) + ']'.repeat(4000)];
    for (const body of bodies) {
      const { status, body: text } = await raw(...post(body));
      expect([body.slice(0, 10), status, JSON.parse(text)]).toMatchObject([body.slice(0, 10), 200, {}]);
    }
    expect(await raw(...post(chainId))).toMatchObject({ status: 200, body: answer });
  });

  it('answers -32700 to invalid UTF-8 and takes the last of two equal keys', async () => {
    const { body } = await raw(...post(Uint8Array.from([0x22, 0xff, 0xfe, 0x22])));
    expect(JSON.parse(body)).toMatchObject({ error: { code: -32700 } });
    const twice = '{"jsonrpc":"2.0","id":7,"id":1,"method":"eth_mining","method":"eth_chainId"}';
    expect(await raw(...post(twice))).toMatchObject({ status: 200, body: answer });
  });

  it('refuses what is too large with 413, whether it is announced or not', async () => {
    const large = ' '.repeat(20_000);
    expect(await raw(...post(large))).toMatchObject({ status: 413 });
    expect(await raw(head('Content-Length: 999999999'), 'x')).toMatchObject({ status: 413 });
    const chunk = `1000\r\n${' '.repeat(4096)}\r\n`;
    const endless = Array.from({ length: 30 }, () => chunk);
    const { text } = await exchange([head('Transfer-Encoding: chunked'), ...endless], wholeAnswer);
    expect(text).toMatch(/^HTTP\/1.1 413/);
    expect(text).toContain('"maximum":10000');
    expect(await raw(...post(' '.repeat(9000) + chainId))).toMatchObject({ status: 200, body: answer });
  });

  it('refuses a body that does not come to an end', async () => {
    const hasty = await startGateway({ limits: { bodyTimeoutMs: 50 } });
    expect(await rawAt(hasty, head('Content-Length: 100'), '{')).toMatchObject({ status: 408 });
    await hasty.gateway.close();
  });

  it('refuses other methods, types and paths', async () => {
    const { url } = running;
    expect((await fetch(url)).status).toBe(405);
    expect((await fetch(url)).headers.get('allow')).toBe('POST, OPTIONS');
    expect((await fetch(url, { method: 'HEAD' })).status).toBe(405);
    expect((await fetch(url, { method: 'PUT', body: 'x' })).status).toBe(405);
    expect((await fetch(url, { method: 'POST', body: chainId })).status).toBe(415);
    expect(
      (await fetch(`${url}other`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: chainId }))
        .status,
    ).toBe(404);
    const typed = { method: 'POST', headers: { 'content-type': 'Application/JSON; charset=utf-8' }, body: chainId };
    expect((await fetch(url, typed)).status).toBe(200);
  });

  it('allows pages of other origins to call', async () => {
    const preflight = await fetch(running.url, { method: 'OPTIONS', headers: { origin: 'http://page.example' } });
    expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([204, '*']);
    expect(preflight.headers.get('access-control-allow-headers')).toBe('*, Authorization, X-Api-Key');
  });

  it('answers a body of notifications with nothing', async () => {
    const { status, body } = await raw(...post('{"jsonrpc":"2.0","method":"eth_chainId"}'));
    expect([status, body]).toEqual([200, '']);
  });

  it('drops what is not HTTP and pipelined requests without harm', async () => {
    await writeAndLeave('\u0000\u0001 nonsense\r\n\r\n');
    await writeAndLeave('GET / HTTP/1.0\r\n\r\n');
    await writeAndLeave('POST / HTTP/1.1\r\nHost: prime\r\nContent-Length: -5\r\n\r\n{}');
    // Asked behind an answer that takes its time, so that the second request meets the first unfinished.
    running.node.onAction = () => new Promise(() => undefined);
    const slow = post('{"jsonrpc":"2.0","id":1,"method":"primeorders_cancelOrder","params":["0x1"]}').join('');
    expect(await exchange([slow + post(chainId).join('')], wholeAnswer)).toEqual({ text: '', closed: true });
    expect(await raw(...post(chainId))).toMatchObject({ status: 200, body: answer });
  });

  it('answers pipelined requests in their order when each is answered at once', async () => {
    const three = [1, 2, 3].map((id) => post(chainId.replace('"id":1', `"id":${id}`)).join('')).join('');
    const { text } = await exchange([three], (received) => received.split('0x1eef').length === 4);
    expect([...text.matchAll(/"id":(\d)/g)].map(([, id]) => id)).toEqual(['1', '2', '3']);
  });

  it('lets a client that waits for it send its body', async () => {
    const parts: string[] = [head('Expect: 100-continue', `Content-Length: ${chainId.length}`)];
    const socket = connect(running.gateway.surfaces.port, '127.0.0.1', () => socket.write(parts[0]!));
    let text = '';
    await new Promise<void>((resolve) => {
      socket.on('data', (data) => {
        text += data.toString();
        if (text === 'HTTP/1.1 100 Continue\r\n\r\n') socket.write(chainId);
        if (text.endsWith(answer)) resolve();
      });
    });
    socket.destroy();
    expect(text).toContain('HTTP/1.1 200 OK');
  });

  it('closes a connection whose client says that nothing more comes, in the middle of a request', async () => {
    const socket = connect({ port: running.gateway.surfaces.port, host: '127.0.0.1', allowHalfOpen: true }, () =>
      socket.end(`${head('Content-Length: 100')}{`),
    );
    let text = '';
    socket.on('data', (data) => (text += data.toString()));
    await new Promise((resolve) => socket.once('end', resolve));
    socket.destroy();
    expect(text).toBe('');
  });

  it('keeps a bound on answers that nobody takes, and serves again when they are gone', async () => {
    const large = `0x${'60'.repeat(12_000_000)}`;
    const stingy = await startGateway({ limits: { bufferedBytesMax: 40_000_000 } });
    stingy.node.backends.reader.code = async () => large as never;
    const body =
      '{"jsonrpc":"2.0","id":1,"method":"eth_getCode","params":["0x00000000000000000000000000000000000000aa"]}';
    const ask = () =>
      fetch(stingy.url, { method: 'POST', headers: { 'content-type': 'application/json' }, body }).then(
        async (response) => [response.status, (await response.text()).length],
      );
    expect(await ask()).toEqual([200, large.length + '{"jsonrpc":"2.0","id":1,"result":""}'.length]);
    const lazy = connect(stingy.gateway.surfaces.port, '127.0.0.1');
    const begun = new Promise((resolve) => lazy.once('readable', resolve));
    lazy.write(post(body).join(''));
    await begun;
    expect((await ask())[0]).toBe(503);
    const gone = new Promise((resolve) => lazy.once('close', resolve));
    lazy.destroy();
    await gone;
    expect(await eventually(ask, ([status]) => status === 200)).toMatchObject([200, expect.anything()]);
    await stingy.gateway.close();
  });

  it('survives clients that leave before the answer', async () => {
    let release: (hash: Hash) => void = () => undefined;
    const asked = new Promise<void>((resolve) => {
      running.node.onAction = () => {
        resolve();
        return new Promise((settle) => {
          release = settle;
        });
      };
    });
    const body = '{"jsonrpc":"2.0","id":1,"method":"primeorders_cancelOrder","params":["0x1"]}';
    const socket = connect(running.gateway.surfaces.port, '127.0.0.1', () => socket.write(post(body).join('')));
    await asked;
    const gone = new Promise((resolve) => socket.once('close', resolve));
    socket.destroy();
    await gone;
    const hash = `0x${'77'.repeat(32)}` as Hash;
    release(hash);
    const refused = {
      ok: false,
      error: { code: 'CLOB_UNKNOWN_ORDER', message: 'unknown order 0x1', data: {} },
    } as const;
    running.gateway.applyDelta(running.node.commit({ actions: [{ hash, result: refused }] }));
    expect(await raw(...post(chainId))).toMatchObject({ status: 200, body: answer });
  });

  it('sheds load with 503 above its limit of requests, and takes requests again afterwards', async () => {
    let answered: () => void = () => undefined;
    const requests = Array.from({ length: 60 }, () => {
      const request = { socket: connect(running.gateway.surfaces.port, '127.0.0.1'), text: '' };
      request.socket.on('data', (data) => {
        request.text += data.toString();
        answered();
      });
      request.socket.write(head(`Content-Length: ${chainId.length}`) + chainId.slice(0, 1));
      return request;
    });
    const whole = () => requests.filter(({ text }) => wholeAnswer(text));
    const until = async (count: number): Promise<void> => {
      while (whole().length < count)
        await new Promise<void>((resolve) => {
          answered = resolve;
        });
    };
    await until(10);
    expect(whole().map(({ text }) => statusOf(text))).toEqual(Array(10).fill(503));
    for (const { socket, text } of requests) if (text === '') socket.write(chainId.slice(1));
    await until(60);
    expect(whole().filter(({ text }) => statusOf(text) === 200)).toHaveLength(50);
    for (const { socket } of requests) socket.destroy();
    expect(await raw(...post(chainId))).toMatchObject({ status: 200, body: answer });
  });

  it('does not take a port that is in use', async () => {
    await expect(
      startGateway({ options: { listen: { host: '127.0.0.1', port: running.gateway.surfaces.port } } }),
    ).rejects.toMatchObject({
      code: 'GATEWAY_LISTEN_FAILED',
    });
  });

  it('finishes running requests when it closes, and lets its thread end', async () => {
    const source = `
      const { parentPort } = require('node:worker_threads');
      import(${JSON.stringify(new URL('../testing/testGateway.js', import.meta.url).href)}).then(async ({ startGateway }) => {
        const { gateway, node } = await startGateway();
        node.onAction = async () => { parentPort.postMessage('asked'); return '0x${'55'.repeat(32)}'; };
        parentPort.once('message', () => gateway.close());
        parentPort.postMessage(gateway.surfaces.port);
      });`;
    const worker = new Worker(source, { eval: true });
    const message = (): Promise<unknown> => new Promise((resolve) => worker.once('message', resolve));
    const port = (await message()) as number;
    const asked = message();
    const response = fetch(`http://127.0.0.1:${port}/`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"jsonrpc":"2.0","id":1,"method":"primeorders_cancelOrder","params":["0x1"]}',
    });
    await asked;
    const ended = new Promise((resolve) => worker.once('exit', resolve));
    worker.postMessage('close');
    expect(await (await response).json()).toMatchObject({
      error: { code: -32000, data: { hash: `0x${'55'.repeat(32)}` } },
    });
    expect(await ended).toBe(0);
  });
});

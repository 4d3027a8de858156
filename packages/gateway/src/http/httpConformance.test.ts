import { type ChildProcess, fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type HttpCase, httpCases, httpTable, type Outcome } from '../testing/httpCases.ts';

/** Raw HTTP against the build of uWebSockets.js that loads here, in a process like a node's. */

interface Listening {
  readonly port: number;
  readonly library: string;
}

let server: ChildProcess;
let listening: Listening;
const told: unknown[] = [];
let onTold: () => void = () => undefined;

async function next(kind: string): Promise<unknown> {
  for (;;) {
    const index = told.findIndex((message) => (message as { kind: string }).kind === kind);
    if (index >= 0) return told.splice(index, 1)[0];
    await new Promise<void>((resolve) => {
      onTold = resolve;
    });
  }
}

interface Seen extends Outcome {
  readonly text: string;
  readonly ms: number;
}

/** How long a connection that is expected to stay open is watched, and one that is to be closed by the library's clock. */
const quietMs = 400;
const patienceMs = 30_000;

const statusesOf = (text: string): number[] =>
  [...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, code]) => Number(code));

/** Writes a case and says what came of it: an open connection is one on which nothing more happens. */
function play({ parts }: Pick<HttpCase, 'parts'>, expected: Outcome): Promise<Seen> {
  return new Promise((resolve) => {
    const begun = performance.now();
    const socket = connect(listening.port, '127.0.0.1');
    socket.setNoDelay(true);
    let text = '';
    let quiet: ReturnType<typeof setTimeout> | undefined;
    const finish = (isClosed: boolean): void => {
      clearTimeout(quiet);
      socket.destroy();
      const ms = performance.now() - begun;
      const statuses = statusesOf(text);
      const end = isClosed ? (statuses.length === 0 && ms > 7_000 ? 'silent' : 'closed') : 'open';
      resolve({ statuses, end, text, ms });
    };
    const listen = (ms: number): void => {
      clearTimeout(quiet);
      quiet = setTimeout(() => finish(false), ms);
    };
    listen(patienceMs);
    socket.on('data', (data) => {
      text += data.toString('latin1');
      if (
        (expected.or ?? expected).end === 'open' &&
        statusesOf(text).length >= (expected.or ?? expected).statuses.length
      )
        listen(quietMs);
    });
    socket.on('close', () => finish(true));
    socket.on('error', () => finish(true));
    // A second segment is one when the first has been read; the system may also join them, which must make no difference.
    socket.on('connect', () => {
      const write = (index: number): void => {
        const part = parts[index];
        if (part !== undefined && !socket.destroyed) socket.write(part, () => setTimeout(() => write(index + 1), 20));
      };
      write(0);
    });
  });
}

const request = (id: number, method = 'eth_chainId', params = '[]'): string => {
  const body = `{"jsonrpc":"2.0","id":${id},"method":"${method}","params":${params}}`;
  const head = ['POST / HTTP/1.1', 'Host: prime', 'Content-Type: application/json', `Content-Length: ${body.length}`];
  return [...head, '', body].join('\r\n');
};
/** One that is answered when its server is told to. */
const slow = request(1, 'primeorders_cancelOrder', '["0x1"]');
const idsOf = (text: string): number[] => [...text.matchAll(/"id":(\d+)/g)].map(([, id]) => Number(id));

/** Writes, and resolves with all that came until the end or `count` answers. */
function talk(text: string, count: number): { readonly socket: Socket; readonly received: Promise<string> } {
  const socket = connect({ port: listening.port, host: '127.0.0.1', allowHalfOpen: true });
  socket.on('connect', () => socket.write(text));
  const received = new Promise<string>((resolve) => {
    let all = '';
    socket.on('data', (data) => {
      all += data.toString();
      if (idsOf(all).length >= count) resolve(all);
    });
    socket.on('end', () => resolve(all));
    socket.on('error', () => resolve(all));
  });
  return { socket, received };
}

const seen = new Map<HttpCase, Seen>();
let idle: Seen;
const expectedOf = ({ former, current }: HttpCase): Outcome =>
  listening.library.endsWith('20.57.0') ? current : former;

beforeAll(async () => {
  const file = fileURLToPath(new URL('../testing/httpServer.main.js', import.meta.url));
  server = fork(file, { execArgv: [], env: { ...process.env, UWS_HTTP_MAX_HEADERS_SIZE: '16384' } });
  server.on('message', (message) => {
    told.push(message);
    onTold();
  });
  listening = (await next('listening')) as Listening;
  // All at once: those that wait for the library's clock wait together.
  const kept = play({ parts: [request(1)] }, { statuses: [200], end: 'closed' });
  await Promise.all(httpCases.map(async (one) => void seen.set(one, await play(one, expectedOf(one)))));
  idle = await kept;
}, 60_000);
afterAll(async () => {
  const gone = new Promise((resolve) => server.once('exit', resolve));
  server.send('stop');
  await gone;
});

describe('HTTP, case by case', () => {
  it.each(httpCases.map((one) => [`${one.name} (${one.section})`, one] as const))('%s', (_name, one) => {
    const { statuses, end } = seen.get(one)!;
    const { or, ...expected } = expectedOf(one);
    expect(or === undefined ? [expected] : [expected, or]).toContainEqual({ statuses, end });
  });

  it('docs/http.md has the table', () => {
    const page = readFileSync(new URL('../../../../docs/http.md', import.meta.url), 'utf8');
    expect(page).toContain(httpTable());
  });
});

describe('HTTP, one request behind another', () => {
  it('what comes behind a request that takes time waits for it, and is answered in its order', async () => {
    const { socket, received } = talk(slow, 3);
    await next('asked');
    await new Promise((resolve) => socket.write(request(2), resolve));
    await new Promise((resolve) => socket.write(request(3), resolve));
    server.send('release');
    expect(idsOf(await received)).toEqual([1, 2, 3]);
    socket.destroy();
  });

  it('in one segment with it, it closes the connection: the library reads on to the end of a segment', async () => {
    const { socket, received } = talk(slow + request(2), 2);
    await next('asked');
    server.send('release');
    expect(await received).toBe('');
    socket.destroy();
  });

  it('a client that says that it writes no more gets its answer', async () => {
    const { socket, received } = talk(slow, 1);
    await next('asked');
    await new Promise<void>((resolve) => socket.end(resolve));
    server.send('release');
    expect(idsOf(await received)).toEqual([1]);
    socket.destroy();
  });

  it('a client that is gone before its answer does no harm', async () => {
    const { socket } = talk(slow, 1);
    await next('asked');
    socket.destroy();
    server.send('release');
    const { socket: other, received } = talk(request(2), 1);
    expect(idsOf(await received)).toEqual([2]);
    other.destroy();
  });

  it('a connection without a request is kept for as long as the answer says', () => {
    const told = Number(/Keep-Alive: timeout=(\d+)/.exec(idle.text)?.[1]);
    // Of the 14 s that are asked for, or of the 10 s that the older build has, without a turn of its clock and a second.
    expect(told).toBe(listening.library.endsWith('20.57.0') ? 11 : 7);
    expect(idle.ms).toBeGreaterThan(told * 1_000);
    expect(idle.end).toBe('closed');
  });
});

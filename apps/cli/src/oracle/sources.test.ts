import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { readSource } from './sources.ts';

const now = 1_700_000_000_000;
const read = (source: Parameters<typeof readSource>[0]) => readSource(source, 2, () => now);

describe('a source over HTTP', () => {
  let server: Server;
  let answer: RequestListener;
  beforeEach(async () => {
    server = createServer((request, response) => answer(request, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterEach(() => {
    server.close().closeAllConnections();
  });
  const source = (more = {}) => ({
    kind: 'http' as const,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    path: 'data.0.price',
    timeout_ms: 300,
    max_bytes: 100,
    ...more,
  });

  it('is asked for the number at its path', async () => {
    answer = (_, response) => response.end('{"data": [{"price": "30.25"}]}');
    expect(await read(source())).toEqual({ price: 3025n, observedAtMs: now });
  });

  it.each<[string, RequestListener, string]>([
    ['another status', (_, response) => response.writeHead(503).end('{}'), 'HTTP 503'],
    ['another address', (_, response) => response.writeHead(302, { location: '/' }).end(), 'HTTP 302'],
    ['no JSON', (_, response) => response.end('<html>'), 'JSON'],
    ['nothing at the path', (_, response) => response.end('{"data": []}'), 'there is no number at data.0.price'],
    ['a price of 0', (_, response) => response.end('{"data": [{"price": 0}]}'), '"0" is no price'],
    ['too much', (_, response) => response.end(' '.repeat(101)), 'the answer is longer than 100 bytes'],
    ['nothing in time', () => undefined, 'timeout'],
  ])('that answers %s fails', async (_, listener, words) => {
    answer = listener;
    await expect(read(source())).rejects.toThrow(words);
  });
});

describe('a source on this machine', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'prime-source-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('that is a file is as old as the file', async () => {
    const file = join(folder, 'price.json');
    await writeFile(file, '12.5');
    await utimes(file, now / 1000, (now - 7000) / 1000);
    expect(await read({ kind: 'file', file, path: '' })).toEqual({ price: 1250n, observedAtMs: now - 7000 });
    await expect(read({ kind: 'file', file: join(folder, 'none'), path: '' })).rejects.toThrow('ENOENT');
  });

  it('that is a program is what it prints', async () => {
    const program = (script: string) => ({
      kind: 'exec' as const,
      command: [process.execPath, '-e', script],
      path: 'usd',
      timeout_ms: 5_000,
    });
    expect(await read(program('console.log(JSON.stringify({ usd: 4 }))'))).toEqual({ price: 400n, observedAtMs: now });
    await expect(read(program('process.exit(3)'))).rejects.toThrow('Command failed');
    await expect(read({ ...program('setInterval(() => {}, 1000)'), timeout_ms: 200 })).rejects.toThrow(
      'Command failed',
    );
  });
});

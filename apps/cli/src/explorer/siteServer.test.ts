import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readSite } from './site.ts';
import { type SiteServer, serveSite } from './siteServer.ts';

const script = `console.log(${JSON.stringify('x'.repeat(5_000))});`;
const files: Readonly<Record<string, string | Buffer>> = {
  'index.html': `<!doctype html><title>Explorer</title>${'<p>'.repeat(1_000)}`,
  'favicon.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
  'assets/app-B2kx_9-Z.js': script,
  'assets/chunks/wallet-abcdefgh.css': 'p{}',
  'assets/plain.js': '1;',
  'assets/logo-abcdefgh.png': Buffer.alloc(4_096),
  'something-notahash1.js': '2;',
  // Bytes that no packing makes smaller.
  'assets/noise-abcdefgh.wasm': randomBytes(2_000),
  'config.json': '{"rpc":"http://evil.example"}',
  '.env': 'SECRET=1',
  '.git/config': 'secret',
};

let folder: string;
let server: SiteServer;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'prime-site-'));
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
  await symlink('/etc/passwd', join(folder, 'link.txt'));
  server = await serveSite({
    listen: { host: '127.0.0.1', port: 0 },
    site: await readSite(folder),
    rpcUrls: ['http://127.0.0.1:8545', 'https://rpc.example/path'],
    anyNode: false,
  });
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}
const ask = (path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const sent = request(`${server.url}`, { path, headers, method }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        resolve({ status: response.statusCode!, headers: response.headers, body: Buffer.concat(chunks) }),
      );
    });
    sent.on('error', reject);
    sent.end();
  });

describe('the pages of an explorer', () => {
  it.each(['/', '/market/ETH-USD', '/tx/0x00', '/address/0x01?rpc=http://a', '/nowhere/'])(
    '%s is the start page, which is asked for each time',
    async (path) => {
      const { status, headers, body } = await ask(path);
      expect(status).toBe(200);
      expect(headers).toMatchObject({ 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-cache' });
      expect(body.toString()).toBe(files['index.html']);
    },
  );

  it.each([
    ['/assets/app-B2kx_9-Z.js', 'text/javascript; charset=utf-8', true],
    ['/assets/chunks/wallet-abcdefgh.css', 'text/css; charset=utf-8', true],
    ['/assets/logo-abcdefgh.png', 'image/png', true],
    ['/assets/noise-abcdefgh.wasm', 'application/wasm', true],
    ['/assets/plain.js', 'text/javascript; charset=utf-8', false],
    ['/something-notahash1.js', 'text/javascript; charset=utf-8', false],
    ['/favicon.svg', 'image/svg+xml', false],
    ['/index.html', 'text/html; charset=utf-8', false],
  ])('%s is %s, kept for ever: %s', async (path, type, isKept) => {
    const { status, headers, body } = await ask(path);
    expect([status, headers['content-type']]).toEqual([200, type]);
    expect(headers['cache-control']).toBe(isKept ? 'public, max-age=31536000, immutable' : 'no-cache');
    expect(body).toEqual(Buffer.from(files[path.slice(1)]!));
  });

  it.each(['/assets/gone-abcdefgh.js', '/robots.txt', '/.env', '/.git/config', '/link.txt', '/assets/.', '/a.b'])(
    '%s is not there',
    async (path) => {
      const { status, body } = await ask(path);
      expect([404, 400]).toContain(status);
      expect(body.toString()).not.toMatch(/secret|root:/i);
    },
  );

  it.each(['POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH', 'TRACE'])('%s: 405', async (method) => {
    expect(await ask('/', {}, method)).toMatchObject({ status: 405, headers: { allow: 'GET, HEAD' } });
  });

  it('config.json names the nodes that it was started with, whatever lies in the folder', async () => {
    const { headers, body } = await ask('/config.json');
    expect(JSON.parse(body.toString())).toEqual({
      rpc: 'http://127.0.0.1:8545',
      rpcs: ['http://127.0.0.1:8545', 'https://rpc.example/path'],
    });
    expect(headers).toMatchObject({ 'content-type': 'application/json', 'cache-control': 'no-store' });
  });

  it('/health answers while it serves', async () => {
    expect(await ask('/health')).toMatchObject({ status: 200, headers: { 'cache-control': 'no-store' } });
  });

  it.each([
    ['/', 'GET'],
    ['/config.json', 'GET'],
    ['/assets/app-B2kx_9-Z.js', 'GET'],
    ['/gone.js', 'GET'],
    ['/%00', 'GET'],
    ['/', 'POST'],
  ])('%s with %s says what a browser may do with it', async (path, method) => {
    const { headers } = await ask(path, {}, method);
    expect(headers).toMatchObject({
      'content-security-policy':
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; " +
        "connect-src 'self' http://127.0.0.1:8545 ws://127.0.0.1:8545 https://rpc.example wss://rpc.example; " +
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
      'cross-origin-opener-policy': 'same-origin',
    });
  });
});

describe('pages that may ask any node', () => {
  it('are told so to the browser, and nothing else changes', async () => {
    const listen = { host: '127.0.0.1', port: 0 };
    const free = await serveSite({ listen, site: await readSite(folder), rpcUrls: ['http://a'], anyNode: true });
    const { headers } = await fetch(free.url);
    expect(headers.get('content-security-policy')).toContain("; connect-src 'self' http: https: ws: wss:; base-uri");
    expect(await (await fetch(`${free.url}/config.json`)).json()).toEqual({ rpc: 'http://a' });
    await free.close();
  });
});

describe('how they are sent', () => {
  const path = '/assets/app-B2kx_9-Z.js';

  it('packed as the client takes it, and told apart by caches', async () => {
    const br = await ask(path, { 'accept-encoding': 'gzip, br' });
    expect(br.headers).toMatchObject({ 'content-encoding': 'br', vary: 'Accept-Encoding' });
    expect(brotliDecompressSync(br.body).toString()).toBe(script);
    const gzip = await ask(path, { 'accept-encoding': 'gzip' });
    expect(gzip.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'Accept-Encoding' });
    expect(gunzipSync(gzip.body).toString()).toBe(script);
    const plain = await ask(path);
    expect(plain.headers).not.toHaveProperty('content-encoding');
    expect(new Set([br, gzip, plain].map(({ headers }) => headers['etag'])).size).toBe(3);
    for (const { headers, body } of [br, gzip, plain]) expect(headers['content-length']).toBe(`${body.length}`);
  });

  it.each(['/favicon.svg', '/assets/logo-abcdefgh.png', '/assets/noise-abcdefgh.wasm'])(
    '%s as it is: packing would save nothing',
    async (plain) => {
      const { headers, body } = await ask(plain, { 'accept-encoding': 'gzip, br' });
      expect(headers).not.toHaveProperty('content-encoding');
      expect(body).toEqual(Buffer.from(files[plain.slice(1)]!));
    },
  );

  it('304 for what the client has, by the bytes and not by the time', async () => {
    const { headers } = await ask('/', { 'accept-encoding': 'br' });
    const etag = headers['etag'] as string;
    const again = await ask('/market/X', { 'accept-encoding': 'br', 'if-none-match': `"other", W/${etag}` });
    expect([again.status, again.body.length]).toEqual([304, 0]);
    expect(again.headers).toMatchObject({ etag, 'cache-control': 'no-cache', vary: 'Accept-Encoding' });
    expect((await ask('/', { 'accept-encoding': 'br', 'if-none-match': '"other"' })).status).toBe(200);
    expect((await ask('/', { 'if-none-match': etag })).status).toBe(200);
  });

  it('HEAD: what GET says, without the bytes', async () => {
    const asked = { 'accept-encoding': 'br' };
    const [get, head] = [await ask(path, asked), await ask(path, asked, 'HEAD')];
    expect([head.status, head.body.length]).toEqual([200, 0]);
    expect({ ...head.headers, date: '' }).toEqual({ ...get.headers, date: '' });
  });

  it('as a whole: ranges are not offered, and not needed', async () => {
    const { status, headers, body } = await ask(path, { range: 'bytes=0-1' });
    expect([status, body.length]).toEqual([200, script.length]);
    expect(headers).not.toHaveProperty('accept-ranges');
  });
});

describe('what is no request of a browser', () => {
  const raw = (target: string): Promise<string> =>
    new Promise((resolve) => {
      const { port } = new URL(server.url);
      const socket = connect(Number(port), '127.0.0.1', () =>
        socket.write(`GET ${target} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`),
      );
      let text = '';
      socket.on('data', (data) => (text += data.toString()));
      socket.on('close', () => resolve(text));
    });

  it.each([
    '/../../../../etc/passwd',
    '/assets/../../../../etc/passwd',
    '/%2e%2e/%2e%2e/etc/passwd',
    '/..%2f..%2fetc%2fpasswd',
    '/%252e%252e%252fetc/passwd',
    '/..%c0%af..%c0%afetc/passwd',
    '//etc/passwd',
    '/assets/..\\..\\x',
    '/index.html%00.js',
    'http://127.0.0.1/index.html',
    '*',
  ])('%s: 400', async (target) => {
    const text = await raw(target);
    expect(text).toMatch(/^HTTP\/1\.1 400 /);
    expect(text).not.toContain('root:');
  });

  it('20 KB of address: 431, and the next request is answered', async () => {
    expect(await raw(`/${'a'.repeat(20_000)}`)).toMatch(/^HTTP\/1\.1 431 /);
    expect((await ask('/')).status).toBe(200);
  });
});

describe('a server that can not be', () => {
  it('a port that is taken: CLI_LISTEN_FAILED with what to do', async () => {
    const listen = { host: '127.0.0.1', port: Number(new URL(server.url).port) };
    await expect(
      serveSite({ listen, site: await readSite(folder), rpcUrls: ['http://a'], anyNode: false }),
    ).rejects.toMatchObject({
      code: 'CLI_LISTEN_FAILED',
      message: `the explorer can not listen on 127.0.0.1:${listen.port}: the port is taken; --listen names another one, and port 0 takes any`,
    });
  });

  it('a folder without a start page: CLI_NOT_FOUND with its name', async () => {
    const none = join(folder, 'assets');
    await expect(readSite(none)).rejects.toMatchObject({ code: 'CLI_NOT_FOUND', detail: { what: none } });
    await expect(readSite(join(folder, 'nowhere'))).rejects.toMatchObject({ code: 'CLI_NOT_FOUND' });
  });

  it('a folder that is no site: 10,000 files and 64 MiB are the most', async () => {
    const large = await mkdtemp(join(tmpdir(), 'prime-site-'));
    try {
      await writeFile(join(large, 'index.html'), '');
      await writeFile(join(large, 'a'), Buffer.alloc(64 * 1024 * 1024));
      expect((await readSite(large)).size).toBe(2);
      await writeFile(join(large, 'b'), 'x');
      await expect(readSite(large)).rejects.toMatchObject({ code: 'CLI_USAGE' });
    } finally {
      await rm(large, { recursive: true, force: true });
    }
  });
});

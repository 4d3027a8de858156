import { type ChildProcess, execFileSync, fork, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { WebSocket } from 'ws';

/**
 * Real proxies before a gateway, with the lines of docs/operator.md and with their defaults. `.ci/run` installs them where it may; a test whose
 * proxy is not here is skipped.
 */

const isHere = (program: string, ...args: readonly string[]): boolean => {
  try {
    execFileSync(program, args, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};
const here = { nginx: isHere('nginx', '-v'), haproxy: isHere('haproxy', '-v'), caddy: isHere('caddy', 'version') };
const withProxy = (name: keyof typeof here): typeof it.skip => {
  if (here[name]) return it;
  console.log(`skipped: ${name} is not installed`);
  return it.skip;
};

let gateway: ChildProcess;
let rpc: number;
let library: string;
let admin: Server;
let folder: string;
const running: ChildProcess[] = [];

/** A port that nobody has now: a proxy can not be told 0 and say what it got. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** The block of the operator guide that begins with a line. */
function documented(firstLine: string): string {
  const guide = readFileSync(new URL('../../../docs/operator.md', import.meta.url), 'utf8');
  const blocks = guide.split('```').filter((_, index) => index % 2 === 1);
  const block = blocks.find((text) => text.trim().startsWith(firstLine));
  if (block === undefined) throw new Error(`docs/operator.md has no block that begins with ${firstLine}`);
  return block;
}

function replaced(text: string, ...pairs: readonly (readonly [from: string | RegExp, to: string])[]): string {
  let result = text;
  for (const [from, to] of pairs) {
    const next = result.replace(from, to);
    if (next === result) throw new Error(`the documented lines lack ${from}`);
    result = next;
  }
  return result;
}

const nginxFile = (
  server: string,
): string => `daemon off; master_process off; pid ${folder}/nginx.pid; error_log stderr;
events {}
http {
  access_log off;
  client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/proxy; fastcgi_temp_path ${folder}/f;
  uwsgi_temp_path ${folder}/u; scgi_temp_path ${folder}/s;
  ${server}
}
`;

/** Starts a proxy with a file of its own; resolves when it takes connections. */
async function start(program: string, args: readonly string[], port: number): Promise<void> {
  const proxy = spawn(program, args, { stdio: 'ignore', env: { ...process.env, HOME: folder, XDG_DATA_HOME: folder } });
  running.push(proxy);
  const ended = new Promise<never>((_, reject) => {
    proxy.once('exit', (code) => reject(new Error(`${program} ended with ${code}`)));
    proxy.once('error', reject);
  });
  ended.catch(() => undefined);
  const takes = (): Promise<boolean> =>
    new Promise((resolve) => {
      const socket = connect(port, '127.0.0.1', () => resolve(true));
      socket.on('error', () => resolve(false));
      socket.on('connect', () => socket.destroy());
    });
  for (;;) {
    const isUp = await Promise.race([takes(), ended]);
    if (isUp) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

function write(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

const ask = async (port: number, body: unknown): Promise<{ status: number; text: string }> => {
  const response = await fetch(`http://127.0.0.1:${port}/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', cookie: 'c'.repeat(6_000) },
    body: JSON.stringify(body),
  });
  return { status: response.status, text: await response.text() };
};
const call = (id: number) => ({ jsonrpc: '2.0', id, method: 'eth_chainId', params: [] });
const answered = (id: number) => ({ status: 200, text: `{"jsonrpc":"2.0","id":${id},"result":"0x1eef"}` });

/** What clients do through a proxy: requests one after the other and at once, large ones, after a pause, and a WebSocket. */
async function serves(port: number): Promise<void> {
  for (let id = 1; id <= 20; id++) expect(await ask(port, call(id))).toEqual(answered(id));
  const ids = Array.from({ length: 50 }, (_, index) => index + 1);
  expect(await Promise.all(ids.map((id) => ask(port, call(id))))).toEqual(ids.map(answered));
  const large = await ask(port, { ...call(1), pad: 'x'.repeat(900_000) });
  expect(large.status).toBe(200);
  // Longer than the older build keeps a connection: the proxy must not take one that is gone.
  await new Promise((resolve) => setTimeout(resolve, 13_000));
  for (let id = 1; id <= 5; id++) expect(await ask(port, call(id))).toEqual(answered(id));
  const socket = new WebSocket(`ws://127.0.0.1:${port}/`);
  await new Promise((resolve, reject) => {
    socket.once('open', resolve);
    socket.once('error', reject);
  });
  const message = new Promise((resolve) => socket.once('message', (data: Buffer) => resolve(data.toString())));
  socket.send(JSON.stringify(call(7)));
  expect(await message).toBe(answered(7).text);
  socket.terminate();
}

/** A proxy that speaks HTTP/1.0 hands on what the build says to it; a newer one speaks HTTP/1.1 by itself. */
async function isRefusedOrServed(port: number): Promise<void> {
  const { status } = await ask(port, call(1));
  expect([200, library.endsWith('20.57.0') ? 505 : 502]).toContain(status);
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'prime-proxies-'));
  gateway = fork(fileURLToPath(new URL('./testing/httpServer.main.js', import.meta.url)), {
    execArgv: [],
    env: { ...process.env, UWS_HTTP_MAX_HEADERS_SIZE: '16384' },
  });
  const told = await new Promise<{ port: number; library: string }>((resolve) =>
    gateway.once('message', (message) => resolve(message as { port: number; library: string })),
  );
  rpc = told.port;
  library = told.library;
  admin = createServer((request, response) => response.writeHead(request.url === '/ready' ? 200 : 404).end());
  await new Promise<void>((resolve) => admin.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  for (const proxy of running) {
    const gone = new Promise((resolve) => proxy.once('exit', resolve));
    if (proxy.exitCode === null && proxy.kill('SIGKILL')) await gone;
  }
  const gone = new Promise((resolve) => gateway.once('exit', resolve));
  gateway.send('stop');
  await gone;
  await new Promise((resolve) => admin.close(resolve));
  rmSync(folder, { recursive: true, force: true });
});

describe('proxies before a node', () => {
  withProxy('nginx')('nginx with the lines of the operator guide', async () => {
    const port = await freePort();
    const lines = replaced(
      documented('map $http_upgrade'),
      ['server 127.0.0.1:8545', `server 127.0.0.1:${rpc}`],
      ['listen 443 ssl;', `listen 127.0.0.1:${port};`],
      ['http2 on;', ''],
      [/ssl_certificate .*\n/, ''],
      [/ssl_certificate_key .*\n/, ''],
    );
    await start('nginx', ['-c', write('nginx.conf', nginxFile(lines))], port);
    await serves(port);
  });

  withProxy('nginx')('nginx with nothing but proxy_pass: HTTP/1.0 before 1.29.7', async () => {
    const port = await freePort();
    const server = `server { listen 127.0.0.1:${port}; location / { proxy_pass http://127.0.0.1:${rpc}; } }`;
    await start('nginx', ['-c', write('plain.conf', nginxFile(server))], port);
    await isRefusedOrServed(port);
  });

  withProxy('haproxy')('HAProxy with the lines of the operator guide', async () => {
    const port = await freePort();
    const { port: adminPort } = admin.address() as { port: number };
    const lines = replaced(
      documented('defaults'),
      [/bind :443 .*\n/, `bind 127.0.0.1:${port}\n`],
      ['127.0.0.1:8545 check port 9100', `127.0.0.1:${rpc} check port ${adminPort}`],
    );
    await start('haproxy', ['-db', '-f', write('haproxy.cfg', `${lines.trim()}\n`)], port);
    await serves(port);
  });

  withProxy('caddy')('Caddy with the lines of the operator guide', async () => {
    const port = await freePort();
    const lines = replaced(
      documented('rpc.example.org {'),
      ['rpc.example.org {', `http://127.0.0.1:${port} {`],
      ['127.0.0.1:8545', `127.0.0.1:${rpc}`],
    );
    const file = write('Caddyfile', `{\n  admin off\n  auto_https off\n}\n${lines.trim()}\n`);
    await start('caddy', ['run', '--adapter', 'caddyfile', '--config', file], port);
    await serves(port);
  });
});

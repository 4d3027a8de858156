import { type ChildProcess, execFileSync, fork, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { isAtHand } from '@prime/testkit';
import { WebSocket } from 'ws';

/** Real proxies before a gateway, with the lines of docs/operate/proxies.md and with their defaults. A test whose proxy is not here is skipped; CI has all. */

const isHere = (program: string, ...args: readonly string[]): boolean => {
  try {
    execFileSync(program, args, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};
/** Of Debian and what comes from it. */
const apacheModules = '/usr/lib/apache2/modules';
const here = {
  nginx: isAtHand('nginx', isHere('nginx', '-v')),
  haproxy: isAtHand('haproxy', isHere('haproxy', '-v')),
  caddy: isAtHand('caddy', isHere('caddy', 'version')),
  apache2: isAtHand('apache2', isHere('apache2', '-v') && existsSync(apacheModules)),
};
const withProxy = (name: keyof typeof here): typeof it.skip => (here[name] ? it : it.skip);

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

/** The block of the page on proxies that begins with a line. */
function documented(firstLine: string): string {
  const guide = readFileSync(new URL('../../../../docs/operate/proxies.md', import.meta.url), 'utf8');
  const blocks = guide.split('```').filter((_, index) => index % 2 === 1);
  const block = blocks.find((text) => text.trim().startsWith(firstLine));
  if (block === undefined) throw new Error(`docs/operate/proxies.md has no block that begins with ${firstLine}`);
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

let pids = 0;
const nginxFile = (
  server: string,
): string => `daemon off; master_process off; pid ${folder}/nginx-${++pids}.pid; error_log stderr;
events {}
http {
  access_log off;
  client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/proxy; fastcgi_temp_path ${folder}/f;
  uwsgi_temp_path ${folder}/u; scgi_temp_path ${folder}/s;
  ${server}
}
`;

/** What a Debian system has around the lines of a site. */
const apacheFile = (port: number, site: string): string => {
  const names = 'mpm_event authz_core proxy proxy_http proxy_wstunnel headers env setenvif'.split(' ');
  const load = names.map((name) => [name, join(apacheModules, `mod_${name}.so`)] as const);
  return `ServerRoot ${folder}
ServerName 127.0.0.1
PidFile ${folder}/apache.pid
ErrorLog /dev/stderr
DefaultRuntimeDir ${folder}
Mutex file:${folder}
Listen 127.0.0.1:${port}
${load.map(([name, path]) => (existsSync(path) ? `LoadModule ${name}_module ${path}` : '')).join('\n')}
<VirtualHost *:*>
${site.trim()}
</VirtualHost>
`;
};

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
  // The proxy must not take a connection that the node has given up.
  await idleConnectionEnds();
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

/** Resolves when the node ends a connection that was used now: those that were used before are gone then, too. */
async function idleConnectionEnds(): Promise<void> {
  const socket = connect(rpc, '127.0.0.1');
  const body = JSON.stringify(call(1));
  const head = `POST / HTTP/1.1\r\nHost: node\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;
  socket.write(head + body);
  let received = '';
  socket.on('data', (data: Buffer) => (received += data.toString()));
  await once(socket, 'close');
  expect(received).toContain(answered(1).text);
}

/** A proxy that speaks HTTP/1.0 hands on what the build says to it; a newer one speaks HTTP/1.1 by itself. */
async function isRefusedOrServed(port: number): Promise<void> {
  const { status } = await ask(port, call(1));
  expect([200, library.endsWith('20.57.0') ? 505 : 502]).toContain(status);
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'prime-proxies-'));
  gateway = fork(fileURLToPath(new URL('../testing/httpServer.main.js', import.meta.url)), {
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

/** How each proxy is started, and what is looked at; all at the same time, because most of it is waiting for the same pause. */
const cases = {
  nginx: {
    'nginx with the lines of the operator guide': async () => {
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
    },
    'nginx with nothing but proxy_pass: HTTP/1.0 before 1.29.7': async () => {
      const port = await freePort();
      const server = `server { listen 127.0.0.1:${port}; location / { proxy_pass http://127.0.0.1:${rpc}; } }`;
      await start('nginx', ['-c', write('plain.conf', nginxFile(server))], port);
      await isRefusedOrServed(port);
    },
  },
  haproxy: {
    'HAProxy with the lines of the operator guide': async () => {
      const port = await freePort();
      const { port: adminPort } = admin.address() as { port: number };
      const lines = replaced(
        documented('defaults'),
        [/bind :443 .*\n/, `bind 127.0.0.1:${port}\n`],
        ['127.0.0.1:8545 check port 9100', `127.0.0.1:${rpc} check port ${adminPort}`],
      );
      await start('haproxy', ['-db', '-f', write('haproxy.cfg', `${lines.trim()}\n`)], port);
      await serves(port);
    },
  },
  caddy: {
    'Caddy with the lines of the operator guide': async () => {
      const port = await freePort();
      const lines = replaced(
        documented('rpc.example.org {'),
        ['rpc.example.org {', `http://127.0.0.1:${port} {`],
        ['127.0.0.1:8545', `127.0.0.1:${rpc}`],
      );
      const file = write('Caddyfile', `{\n  admin off\n  auto_https off\n}\n${lines.trim()}\n`);
      await start('caddy', ['run', '--adapter', 'caddyfile', '--config', file], port);
      await serves(port);
    },
  },
  apache2: {
    'Apache with the lines of the operator guide': async () => {
      const port = await freePort();
      const lines = replaced(documented('ProxyPass '), [/127\.0\.0\.1:8545/g, `127.0.0.1:${rpc}`]);
      await start('apache2', ['-X', '-f', write('apache.conf', apacheFile(port, lines))], port);
      await serves(port);
    },
  },
} as const satisfies Record<string, Readonly<Record<string, () => Promise<void>>>>;

describe('proxies before a node', () => {
  const outcomes = new Map<string, Promise<void>>();
  beforeAll(() => {
    for (const [proxy, scenes] of Object.entries(cases))
      if (here[proxy as keyof typeof cases])
        for (const [name, scene] of Object.entries(scenes)) {
          const outcome = scene();
          // Told by its own test, which may come later.
          outcome.catch(() => undefined);
          outcomes.set(name, outcome);
        }
  });

  for (const [proxy, scenes] of Object.entries(cases))
    for (const name of Object.keys(scenes))
      withProxy(proxy as keyof typeof cases)(name, async () => {
        await outcomes.get(name);
      });
});

/** deploy/nginx/explorer.conf under a real nginx: it answers what `prime explorer` answers. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { freeBasePort, isAtHand, until } from '@prime/testkit';
import { root } from '../../repo/repository.ts';
import { writeSite } from './explorerSite.ts';
import { cli } from '../operations/program.ts';

const hasNginx = isAtHand('nginx', spawnSync('nginx', ['-v']).error === undefined);
/** Nobody listens there, and nobody has to. */
const rpc = 'http://127.0.0.1:1';

let folder: string;
const children: ChildProcess[] = [];
/** Their addresses. */
const servers = { nginx: '', prime: '' };

beforeAll(async () => {
  if (!hasNginx) return;
  folder = await mkdtemp(join(tmpdir(), 'prime-nginx-'));
  const site = await writeSite(join(folder, 'site'));
  await writeFile(join(site, '.env'), 'secret');
  await writeFile(join(site, 'assets', 'plain.js'), '1;');
  const port = await freeBasePort(1);
  await writeFile(join(folder, 'nginx.conf'), await nginxFile(site, port));
  const nginx = spawn('nginx', ['-p', folder, '-c', join(folder, 'nginx.conf')], { stdio: 'ignore' });
  const prime = spawn(process.execPath, [
    cli,
    'explorer',
    '--json',
    '--rpc',
    rpc,
    '--listen',
    '127.0.0.1:0',
    '--site',
    site,
  ]);
  children.push(nginx, prime);
  const [line] = (await once(createInterface({ input: prime.stdout }), 'line')) as [string];
  servers.prime = (JSON.parse(line) as { url: string }).url;
  servers.nginx = `http://127.0.0.1:${port}`;
  await until('nginx answers', async () => (await ask('nginx', '/health')).status === 200);
});
afterAll(async () => {
  await Promise.all(
    children.map(async (child) => {
      const gone = once(child, 'close');
      if (child.exitCode === null && child.kill('SIGTERM')) await gone;
    }),
  );
  if (hasNginx) await rm(folder, { recursive: true, force: true });
});

/** What a Debian system has around the lines of a site, with the places of this test. */
async function nginxFile(site: string, port: number): Promise<string> {
  let text = await readFile(join(root, 'deploy/nginx/explorer.conf'), 'utf8');
  for (const [from, to] of [
    ['listen 80;', `listen 127.0.0.1:${port};`],
    ['root /srv/explorer;', `root ${site};`],
    ['"https://rpc.example.org wss://rpc.example.org"', `"${rpc} ${rpc.replace('http', 'ws')}"`],
    [`'{"rpc":"https://rpc.example.org"}'`, `'{"rpc":"${rpc}"}'`],
  ] as const) {
    if (!text.includes(from)) throw new Error(`deploy/nginx/explorer.conf lacks ${from}`);
    text = text.replace(from, to);
  }
  return `daemon off; master_process off; pid ${folder}/nginx.pid; error_log ${folder}/error.log;
events {}
http {
  include /etc/nginx/mime.types;
  default_type application/octet-stream;
  access_log off;
  client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/proxy; fastcgi_temp_path ${folder}/f;
  uwsgi_temp_path ${folder}/u; scgi_temp_path ${folder}/s;
  ${text}
}
`;
}

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}
const ask = (
  server: keyof typeof servers,
  path: string,
  { method = 'GET', headers = {} }: { readonly method?: string; readonly headers?: Record<string, string> } = {},
): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const sent = request(servers[server], { path, method, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        resolve({ status: response.statusCode!, headers: response.headers, body: Buffer.concat(chunks) }),
      );
    });
    sent.on('error', reject);
    sent.end();
  });

const sameHeaders = [
  'content-security-policy',
  'x-content-type-options',
  'referrer-policy',
  'permissions-policy',
  'cross-origin-opener-policy',
  'cross-origin-resource-policy',
];
const policies = ({ headers }: Answer): unknown => sameHeaders.map((name) => headers[name]);
/** `application/javascript` and `text/javascript` are one type (RFC 9239). */
const typeOf = ({ headers }: Answer): string | undefined =>
  headers['content-type']?.toString().split(';')[0]!.replace('application/javascript', 'text/javascript');

(hasNginx ? describe : describe.skip)('nginx with the lines of deploy/', () => {
  it.each(
    ['/', '/market/ETH-USD', '/block/1?rpc=x', '/index.html', '/config.json', '/health', '/assets/plain.js'].concat([
      '/assets/app-bbbbbbbb.js',
      '/assets/style-aaaaaaaa.css',
    ]),
  )('%s: as prime explorer', async (path) => {
    const [nginx, prime] = [await ask('nginx', path), await ask('prime', path)];
    expect([nginx.status, typeOf(nginx), nginx.body.toString()]).toEqual([200, typeOf(prime), prime.body.toString()]);
    expect(nginx.headers['cache-control']).toBe(prime.headers['cache-control']);
    expect(policies(nginx)).toEqual(policies(prime));
    expect(policies(nginx)).not.toContain(undefined);
  });

  it.each([
    ['/robots.txt', 404],
    ['/assets/gone-bbbbbbbb.js', 404],
    ['/.env', 404],
    ['/.git/config', 404],
    ['/%2e%2e/%2e%2e/etc/passwd', 400],
    ['/assets/..%2f..%2f..%2fetc/passwd', 400],
    ['/%00', 400],
  ])('%s: refused by both', async (path, status) => {
    const [nginx, prime] = [await ask('nginx', path), await ask('prime', path)];
    expect(prime.status).toBe(status);
    expect([400, 404]).toContain(nginx.status);
    expect(`${nginx.body.toString()}${prime.body.toString()}`).not.toMatch(/secret|root:/);
  });

  it.each(['POST', 'PUT', 'DELETE', 'OPTIONS'])('%s: 405', async (method) => {
    const [nginx, prime] = [await ask('nginx', '/', { method }), await ask('prime', '/', { method })];
    expect([nginx.status, prime.status]).toEqual([405, 405]);
    expect(policies(nginx)).toEqual(policies(prime));
  });

  it('HEAD, packed answers and 304', async () => {
    expect(await ask('nginx', '/', { method: 'HEAD' })).toMatchObject({ status: 200, body: Buffer.alloc(0) });
    const path = '/assets/style-aaaaaaaa.css';
    const packed = await ask('nginx', path, { headers: { 'accept-encoding': 'gzip' } });
    expect(packed.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'Accept-Encoding' });
    expect(gunzipSync(packed.body)).toEqual((await ask('prime', path)).body);
    const etag = (await ask('nginx', '/')).headers['etag'] as string;
    const again = await ask('nginx', '/block/2', { headers: { 'if-none-match': etag } });
    expect([again.status, again.headers['cache-control']]).toEqual([304, 'no-cache']);
  });
});

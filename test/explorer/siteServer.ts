/** The built explorer as any static server serves it: files, `/config.json`, and index.html for paths without a dot. */
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';
import { root } from '../repo/repository.ts';

const sitePath = join(root, 'apps', 'explorer', 'dist', 'site');

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
};

/** As strict as a server can be: what the page cannot do without. */
const policyFor = (rpc: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    `connect-src 'self' ${rpc} ${rpc.replace(/^http/, 'ws')}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

export interface SiteServer {
  readonly url: string;
  close(): Promise<void>;
}

/** @param rpc node that the pages read unless their address names another one */
export async function serveSite(rpc: string): Promise<SiteServer> {
  const headers = { 'content-security-policy': policyFor(rpc), 'x-content-type-options': 'nosniff' };
  const server = createServer((request, response) => {
    const path = normalize(new URL(request.url ?? '/', 'http://site').pathname);
    if (path === '/config.json') {
      response.writeHead(200, { ...headers, 'content-type': types['.json'] }).end(JSON.stringify({ rpc }));
      return;
    }
    const file = extname(path) === '' ? '/index.html' : path;
    readFile(join(sitePath, file)).then(
      (content) => response.writeHead(200, { ...headers, 'content-type': types[extname(file)] }).end(content),
      () => response.writeHead(404, headers).end(),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

import { createServer, type IncomingMessage, type OutgoingHttpHeaders, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { isPrimeError } from '@prime/primitives';
import { formatListenAddress, type ListenAddress } from '@prime/config';
import { CliError } from '../errors.ts';
import { acceptedCodings, hasTag, namesFile, readPath } from './requests.ts';
import type { Coding, Site, SiteFile } from './site.ts';
import { startPage } from './sitePlace.ts';

/** The pages, where they are served, and which nodes browsers may ask. */
export interface SiteServerOptions {
  readonly listen: ListenAddress;
  readonly site: Site;
  /** Nodes that the pages ask, best first; all of one network. */
  readonly rpcUrls: readonly [string, ...string[]];
  /** Whether browsers let the pages ask every other node, too, which somebody names in their address. */
  readonly anyNode: boolean;
}

/** Whom the pages may ask. */
type Asked = Pick<SiteServerOptions, 'rpcUrls' | 'anyNode'>;

/** The explorer as it listens. */
export interface SiteServer {
  /** As a browser on this machine opens it. */
  readonly url: string;
  /** Lets answers that are on their way end. */
  close(): Promise<void>;
}

/** How long answers may take to end when the server closes, ms. */
const closeTimeoutMs = 2_000;
const connectionsMax = 1_000;
/** A year, in seconds: what stands for ever in RFC 8246. */
const forEver = 'public, max-age=31536000, immutable';

interface Answer {
  readonly status: number;
  readonly headers: OutgoingHttpHeaders;
  readonly body: Buffer;
}

/**
 * The node's origins are named, because pages of one origin may ask another one only where both sides say so.
 *
 * @param asked whose addresses have hosts that {@link parseRpcUrls} has looked at
 */
function contentSecurityPolicy({ rpcUrls, anyNode }: Asked): string {
  const named = rpcUrls.flatMap((url) => {
    const { origin } = new URL(url);
    return [origin, origin.replace(/^http/, 'ws')];
  });
  const origins = anyNode ? ['http:', 'https:', 'ws:', 'wss:'] : named;
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    `connect-src 'self' ${[...new Set(origins)].join(' ')}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** Of every answer. deploy/nginx/explorer.conf has the same. */
const securityHeaders = (asked: Asked): OutgoingHttpHeaders => ({
  'Content-Security-Policy': contentSecurityPolicy(asked),
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
});

const words = (status: number, text: string, headers: OutgoingHttpHeaders = {}): Answer => ({
  status,
  headers: { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store', ...headers },
  body: Buffer.from(`${text}\n`),
});

/** Answers requests from a site in memory. */
function answers({ site, rpcUrls }: Pick<SiteServerOptions, 'site' | 'rpcUrls'>) {
  const [rpc] = rpcUrls;
  const config: Answer = {
    status: 200,
    headers: { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' },
    body: Buffer.from(JSON.stringify(rpcUrls.length === 1 ? { rpc } : { rpc, rpcs: rpcUrls })),
  };
  const own: Readonly<Record<string, Answer>> = { '/config.json': config, '/health': words(200, 'ok') };
  const start = site.get(`/${startPage}`)!;
  return async ({ method = '', url = '', headers }: IncomingMessage): Promise<Answer> => {
    if (method !== 'GET' && method !== 'HEAD') return words(405, 'only GET and HEAD', { Allow: 'GET, HEAD' });
    const path = readPath(url);
    if (path === null) return words(400, 'no path of this site');
    if (Object.hasOwn(own, path)) return own[path]!;
    const file = site.get(path) ?? (namesFile(path) ? undefined : start);
    return file === undefined ? words(404, 'not found') : fileAnswer(file, headers);
  };
}

async function fileAnswer(file: SiteFile, asked: IncomingMessage['headers']): Promise<Answer> {
  const { coding, body } = await packedFor(file, asked['accept-encoding']);
  const tag = `"${file.digest}${coding === null ? '' : `-${coding}`}"`;
  const headers: OutgoingHttpHeaders = {
    'Cache-Control': file.isHashed ? forEver : 'no-cache',
    ETag: tag,
    Vary: 'Accept-Encoding',
  };
  if (hasTag(asked['if-none-match'], tag)) return { status: 304, headers, body: Buffer.alloc(0) };
  const packing = coding === null ? {} : { 'Content-Encoding': coding };
  return { status: 200, headers: { ...headers, ...packing, 'Content-Type': file.type }, body };
}

async function packedFor(
  file: SiteFile,
  header: string | undefined,
): Promise<{ readonly coding: Coding | null; readonly body: Buffer }> {
  for (const coding of acceptedCodings(header)) {
    const body = await file.packed(coding);
    if (body !== null) return { coding, body };
  }
  return { coding: null, body: file.bytes };
}

/** Serves the pages of the explorer, and nothing else. @throws CliError `CLI_LISTEN_FAILED` */
export async function serveSite(options: SiteServerOptions): Promise<SiteServer> {
  const answer = answers(options);
  const always = securityHeaders(options);
  const server = createServer((request, response) => {
    void answer(request).then(({ status, headers, body }) => {
      const length = status === 304 ? {} : { 'Content-Length': body.length };
      response.writeHead(status, { ...always, ...headers, ...length });
      response.end(request.method === 'HEAD' ? undefined : body);
    });
  });
  server.maxConnections = connectionsMax;
  await listen(server, options.listen);
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${formatListenAddress({ host: openedHost(options.listen.host), port })}`,
    close: () => close(server),
  };
}

/** A server on all addresses is opened at this machine's own. */
const openedHost = (host: string): string => (host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host);

async function listen(server: Server, { host, port }: ListenAddress): Promise<void> {
  server.listen(port, host);
  try {
    await once(server, 'listening');
  } catch (cause) {
    if (isPrimeError(cause)) throw cause;
    const place = formatListenAddress({ host, port });
    const { code = '' } = cause as { readonly code?: string };
    const why = reasons[code] ?? String(cause);
    throw new CliError(
      `the explorer can not listen on ${place}: ${why}`,
      { code: 'CLI_LISTEN_FAILED', host, port },
      { cause },
    );
  }
}

const reasons: Readonly<Record<string, string>> = {
  EADDRINUSE: 'the port is taken; --listen names another one, and port 0 takes any',
  EADDRNOTAVAIL: 'the address is no address of this machine',
  ENOTFOUND: 'the name of the host is not known',
  EACCES: 'this user may not take the port',
};

async function close(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeIdleConnections();
  const killer = setTimeout(() => server.closeAllConnections(), closeTimeoutMs);
  await closed;
  clearTimeout(killer);
}

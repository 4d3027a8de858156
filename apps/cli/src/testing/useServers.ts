import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { readFile, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { afterEach } from '@jest/globals';
import { homePaths } from '@prime/config';

/** An HTTP server of a test on a port of this machine. */
interface ServerInTest {
  readonly url: string;
  readonly port: number;
  /** Ends it before the test is over. */
  close(): Promise<void>;
}

/** What nodes answer, in tests without a node. */
export interface ServersInTest {
  /** @param port default: the system chooses */
  serve(listener: RequestListener, port?: number): Promise<ServerInTest>;
  /** JSON-RPC. @param resultOf undefined: there is no such method */
  serveRpc(resultOf: (method: string) => unknown): Promise<ServerInTest>;
}

/** HTTP servers for the tests of a file, each of which ends with its test. */
export function useServers(): ServersInTest {
  const servers = new Set<Server>();
  const close = async (server: Server): Promise<void> => {
    if (!servers.delete(server)) return;
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  };
  afterEach(() => Promise.all([...servers].map(close)));
  const serve = async (listener: RequestListener, wanted = 0): Promise<ServerInTest> => {
    const server = createServer(listener).listen(wanted, '127.0.0.1');
    servers.add(server);
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    return { url: `http://127.0.0.1:${port}`, port, close: () => close(server) };
  };
  const serveRpc: ServersInTest['serveRpc'] = (resultOf) =>
    serve((request, response) => {
      let body = '';
      request.on('data', (chunk) => (body += String(chunk)));
      request.on('end', () => {
        const { id, method } = JSON.parse(body) as { readonly id: number; readonly method: string };
        const result = resultOf(method);
        const answer = result === undefined ? { error: { code: -32_601, message: 'method not found' } } : { result };
        response.setHeader('content-type', 'application/json').end(JSON.stringify({ jsonrpc: '2.0', id, ...answer }));
      });
    });
  return { serve, serveRpc };
}

/** A port on which nothing listens: one that the system just gave and took back. */
export async function closedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** Lets the configuration of a home say that its admin endpoint is at a port of this machine; the usual port may be another network's. */
export async function setAdminPort(home: string, port: number): Promise<void> {
  const { config } = homePaths(home);
  const text = await readFile(config, 'utf8');
  await writeFile(config, text.replace(/^(\[admin\][^[]*?listen = ).*$/m, `$1"127.0.0.1:${port}"`));
}

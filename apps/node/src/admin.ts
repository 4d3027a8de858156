import { createServer, type Server } from 'node:http';
import { bytesToHex } from '@prime/primitives';
import { NodeError } from './errors.ts';

/** Answers of the admin endpoint, each computed when it is asked for. */
export interface AdminPorts {
  /** The event loops of all threads turn. */
  health(): Promise<boolean>;
  /** Caught up, and connected to enough of the validators for a quorum. */
  ready(): Promise<{ readonly ready: boolean; readonly reason: string | null }>;
  status(): Promise<unknown>;
  consensus(): Promise<unknown>;
  metrics(): Promise<string>;
}

export interface Admin {
  readonly port: number;
  close(): Promise<void>;
}

const json = (value: unknown): string => `${JSON.stringify(value, (_key, field: unknown) => readable(field), 2)}\n`;

function readable(field: unknown): unknown {
  if (typeof field === 'bigint') return field.toString();
  return field instanceof Uint8Array ? bytesToHex(field) : field;
}

/**
 * GET /health /ready /status /metrics /consensus for probes, operators and Prometheus. Loopback by default; it has no
 * authentication.
 *
 * @throws NodeError `ADMIN_LISTEN_FAILED`
 */
export function startAdmin(host: string, port: number, ports: AdminPorts): Promise<Admin> {
  return serveRoutes(host, port, {
    '/health': healthRoute(() => ports.health()),
    '/ready': async () => {
      const answer = await ports.ready();
      return { code: answer.ready ? 200 : 503, type: jsonType, body: json(answer) };
    },
    '/status': jsonRoute(() => ports.status()),
    '/consensus': jsonRoute(() => ports.consensus()),
    '/metrics': textRoute(() => ports.metrics()),
  });
}

type Route = () => Promise<{ readonly code: number; readonly type: string; readonly body: string }>;
const jsonType = 'application/json';

const healthRoute =
  (health: () => Promise<boolean>): Route =>
  async () => {
    const healthy = await health();
    return { code: healthy ? 200 : 503, type: jsonType, body: json({ healthy }) };
  };
const jsonRoute =
  (read: () => Promise<unknown>): Route =>
  async () => ({ code: 200, type: jsonType, body: json(await read()) });
const textRoute =
  (read: () => Promise<string>): Route =>
  async () => ({ code: 200, type: 'text/plain; version=0.0.4', body: await read() });

/**
 * The same for a remote signer: GET /health /status /metrics.
 *
 * @throws NodeError `ADMIN_LISTEN_FAILED`
 */
export const startSignerAdmin = (
  host: string,
  port: number,
  ports: Pick<AdminPorts, 'status' | 'metrics'>,
): Promise<Admin> =>
  serveRoutes(host, port, {
    '/health': healthRoute(async () => true),
    '/status': jsonRoute(() => ports.status()),
    '/metrics': textRoute(() => ports.metrics()),
  });

async function serveRoutes(host: string, port: number, routes: Readonly<Record<string, Route>>): Promise<Admin> {
  const server = createServer((request, response) => {
    const route = routes[(request.url ?? '').split('?', 1)[0] ?? ''];
    const answer = (code: number, type: string, body: string): void => {
      response.writeHead(code, { 'content-type': type, connection: 'close' }).end(body);
    };
    if (route === undefined) return answer(404, 'application/json', json({ paths: Object.keys(routes) }));
    if (request.method !== 'GET') return answer(405, 'application/json', json({ allowed: 'GET' }));
    route().then(
      ({ code, type, body }) => answer(code, type, body),
      (error: unknown) => answer(500, 'application/json', json({ error: String(error) })),
    );
    return undefined;
  });
  await listen(server, host, port);
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : port,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

const listen = (server: Server, host: string, port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', (cause) => {
      const address = `${host}:${port}`;
      reject(
        new NodeError(
          `the admin endpoint can not listen on ${address}: ${cause.message}`,
          { code: 'ADMIN_LISTEN_FAILED', address },
          { cause },
        ),
      );
    });
    server.listen(port, host, resolve);
  });

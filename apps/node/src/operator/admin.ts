import { createServer, type IncomingMessage, type Server } from 'node:http';
import { bytesToHex, isPrimeError } from '@prime/primitives';
import { NodeError } from '../errors.ts';
import { type OperatorRequest, operatorRequests } from './requests.ts';
import type { AdminToken } from './token.ts';

/** Answers of the admin endpoint, each computed when it is asked for. */
export interface AdminPorts {
  /** The event loops of all threads turn. */
  health(): Promise<boolean>;
  /** Caught up, and connected to enough of the validators for a quorum. */
  ready(): Promise<{ readonly ready: boolean; readonly reason: string | null }>;
  status(): Promise<unknown>;
  consensus(): Promise<unknown>;
  metrics(): Promise<string>;
  /** Stamps of stages, JSON text. @throws NodeError `OPERATOR_REQUEST_INVALID` */
  stages(query: URLSearchParams): string;
  /** Carries out what an operator asks. @throws NodeError for what is refused */
  operate(request: OperatorRequest): Promise<unknown>;
}

/** The admin endpoint as it listens, at the port that it has in the end where 0 was asked for. */
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
 * GET /health /ready /status /metrics /consensus /consensus/dump /peers /log/levels /stages for probes, operators and Prometheus. Loopback by default; reading needs no
 * authentication. POST to what `operatorRequests` names changes something, and needs the token of the running node.
 *
 * @throws NodeError `ADMIN_LISTEN_FAILED`
 */
export function startAdmin(
  host: string,
  port: number,
  ports: AdminPorts,
  token: Pick<AdminToken, 'matches'>,
): Promise<Admin> {
  const commands = Object.entries(operatorRequests).map(([path, parse]): [string, Route] => [
    path,
    commandRoute((body) => ports.operate(parse(body)), token),
  ]);
  return serveRoutes(host, port, {
    ...Object.fromEntries(commands),
    '/health': healthRoute(() => ports.health()),
    '/ready': getRoute(async () => {
      const answer = await ports.ready();
      return { code: answer.ready ? 200 : 503, type: jsonType, body: json(answer) };
    }),
    '/status': jsonRoute(() => ports.status()),
    '/consensus': jsonRoute(() => ports.consensus()),
    '/metrics': textRoute(() => ports.metrics()),
    '/peers': jsonRoute(() => ports.operate({ kind: 'peers' })),
    '/log/levels': jsonRoute(() => ports.operate({ kind: 'logLevels' })),
    '/consensus/dump': jsonRoute(() => ports.operate({ kind: 'dump' })),
    '/stages': queryRoute((query) => ports.stages(query)),
  });
}

interface Answer {
  readonly code: number;
  readonly type: string;
  readonly body: string;
}

interface Route {
  readonly method: 'GET' | 'POST';
  readonly answer: (request: IncomingMessage) => Promise<Answer>;
}

const jsonType = 'application/json';
const getRoute = (answer: Route['answer']): Route => ({ method: 'GET', answer });

const healthRoute = (health: () => Promise<boolean>): Route =>
  getRoute(async () => {
    const healthy = await health();
    return { code: healthy ? 200 : 503, type: jsonType, body: json({ healthy }) };
  });
const jsonRoute = (read: () => Promise<unknown>): Route =>
  getRoute(async () => ({ code: 200, type: jsonType, body: json(await read()) }));
const textRoute = (read: () => Promise<string>): Route =>
  getRoute(async () => ({ code: 200, type: 'text/plain; version=0.0.4', body: await read() }));

/** What is asked for stands behind a question mark; the answer is JSON text. */
const queryRoute = (read: (query: URLSearchParams) => string): Route =>
  getRoute(async ({ url = '' }) => {
    try {
      const [, query = ''] = url.split('?', 2);
      return { code: 200, type: jsonType, body: read(new URLSearchParams(query)) };
    } catch (error) {
      return refusalOf(error);
    }
  });

/** @throws what is no refusal */
function refusalOf(error: unknown): Answer {
  if (!isPrimeError(error)) throw error;
  const { code, message } = error;
  return {
    code: code === 'OPERATOR_UNAUTHORIZED' ? 401 : 400,
    type: jsonType,
    body: json({ error: { code, message } }),
  };
}

/** The body of a command, bytes. */
const bodyBytesMax = 16 * 1024;

const commandRoute = (carryOut: (body: unknown) => Promise<unknown>, token: Pick<AdminToken, 'matches'>): Route => ({
  method: 'POST',
  async answer(request) {
    try {
      if (!token.matches(request.headers.authorization))
        throw new NodeError('a command needs the token of the running node, which is in its home', {
          code: 'OPERATOR_UNAUTHORIZED',
        });
      return { code: 200, type: jsonType, body: json(await carryOut(await bodyOf(request))) };
    } catch (error) {
      return refusalOf(error);
    }
  },
});

/** @throws NodeError `OPERATOR_REQUEST_INVALID` */
async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const invalid = (reason: string): NodeError =>
    new NodeError(`the body of a command ${reason}`, { code: 'OPERATOR_REQUEST_INVALID', field: 'body' });
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Uint8Array>) {
    bytes += chunk.length;
    if (bytes > bodyBytesMax) throw invalid(`is at most ${bodyBytesMax} bytes`);
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch {
    throw invalid('is JSON');
  }
}

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
    if (request.method !== route.method) return answer(405, jsonType, json({ allowed: route.method }));
    route.answer(request).then(
      ({ code, type, body }) => answer(code, type, body),
      (error: unknown) => answer(500, jsonType, json({ error: isPrimeError(error) ? error.message : String(error) })),
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

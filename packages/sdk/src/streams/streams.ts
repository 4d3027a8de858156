import { defaultEnvironment, type StreamEnvironment } from './connection/environment.ts';
import { Session, type SessionStatus } from './connection/session.ts';
import { StreamError } from './errors.ts';

/** Times in ms. What is left out is as the defaults say. */
export interface StreamsOptions {
  /** Of nodes of one network, http(s) or ws(s); they are tried in turn. */
  readonly urls: readonly string[];
  /** Until a socket is open. Default 10 000. */
  readonly connectTimeoutMs?: number | undefined;
  /** Until a request is answered. Default 30 000. */
  readonly requestTimeoutMs?: number | undefined;
  /** Silence after which a node is asked for a sign of life. Default 10 000. */
  readonly heartbeatMs?: number | undefined;
  /** Until anything comes after that; then the node is given up. Default 5 000. */
  readonly heartbeatTimeoutMs?: number | undefined;
  /** First wait before connecting again when all nodes failed. Default 250. */
  readonly backoffBaseMs?: number | undefined;
  /** Longest wait. Default 15 000. */
  readonly backoffMaxMs?: number | undefined;
  /** A connection that lived so long was a good one. Default 10 000. */
  readonly stableMs?: number | undefined;
  /** A node that lacks more blocks than this of what was read is passed over. Default 16. */
  readonly behindBlocksMax?: number | undefined;
  /** Without a new block for so long the next node is asked. Default null: an idle chain may make none for long. */
  readonly staleMs?: number | null | undefined;
  /** Sockets, clock and chance; for tests, and for sockets that need headers. */
  readonly environment?: Partial<StreamEnvironment> | undefined;
}

/** One connection to one of several nodes, shared by all watchers that are given it. It is open while there are watchers. */
export interface Streams {
  readonly urls: readonly string[];
  readonly status: SessionStatus;
  /** @returns what ends it */
  onStatus(listener: (status: SessionStatus) => void): () => void;
  /** Ends all watchers with `STREAM_CLOSED`. */
  close(): void;
}

/** What watchers are given: streams, something that has them, or a viem client, whose transport tells the URLs. */
export type StreamsClient =
  | Streams
  | { readonly streams: Streams }
  | {
      readonly transport: object;
      readonly chain?:
        | {
            readonly rpcUrls: {
              readonly default: {
                readonly http: readonly string[];
                readonly webSocket?: readonly string[] | undefined;
              };
            };
          }
        | undefined;
    };

const toSocketUrl = (url: string): string => url.replace(/^http/, 'ws');

const sessions = new WeakMap<object, Session>();

/** Watches over several nodes; nothing is connected before the first watcher comes. */
export function createStreams(options: StreamsOptions): Streams {
  const urls = options.urls.map(toSocketUrl);
  const session = new Session({
    urls,
    connectTimeoutMs: options.connectTimeoutMs ?? 10_000,
    requestTimeoutMs: options.requestTimeoutMs ?? 30_000,
    heartbeatMs: options.heartbeatMs ?? 10_000,
    heartbeatTimeoutMs: options.heartbeatTimeoutMs ?? 5_000,
    backoff: { baseMs: options.backoffBaseMs ?? 250, maxMs: options.backoffMaxMs ?? 15_000 },
    stableMs: options.stableMs ?? 10_000,
    behindBlocksMax: options.behindBlocksMax ?? 16,
    staleMs: options.staleMs ?? null,
    environment: { ...defaultEnvironment, ...options.environment },
  });
  const streams: Streams = {
    urls,
    get status() {
      return session.status;
    },
    onStatus: (listener) => session.onStatus(listener),
    close: () => session.close(),
  };
  sessions.set(streams, session);
  return streams;
}

interface TransportLike {
  readonly type?: unknown;
  readonly url?: unknown;
  readonly transports?: readonly { readonly value?: TransportLike | undefined }[];
}

function urlsOfTransport({ url, transports = [] }: TransportLike): readonly string[] {
  const inner = transports.flatMap(({ value }) => (value === undefined ? [] : urlsOfTransport(value)));
  return typeof url === 'string' ? [url, ...inner] : inner;
}

function urlsOfClient(client: Extract<StreamsClient, { readonly transport: object }>): readonly string[] {
  const own = urlsOfTransport(client.transport);
  // viem's WebSocket transport keeps its URL to itself; the chain's may be of another node.
  if (own.length > 0 || (client.transport as TransportLike).type === 'webSocket') return own;
  const { webSocket, http } = client.chain?.rpcUrls.default ?? { webSocket: [], http: [] };
  return webSocket !== undefined && webSocket.length > 0 ? webSocket : http;
}

/**
 * The connection that belongs to a client: one for all of its watchers.
 *
 * @throws StreamError `STREAM_NO_URL` for a client that tells no URL, such as one of a browser's wallet
 */
export function sessionOf(client: StreamsClient): Session {
  const own = 'streams' in client ? client.streams : client;
  const known = sessions.get(own);
  if (known !== undefined) return known;
  const urls = 'transport' in own ? urlsOfClient(own) : [];
  if (urls.length === 0)
    throw new StreamError(
      'The client tells no URL for streams: give the watcher createStreams({ urls: […] }) instead.',
      {
        code: 'STREAM_NO_URL',
      },
    );
  const session = sessions.get(createStreams({ urls }))!;
  sessions.set(own, session);
  return session;
}

import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, type TLSSocket } from 'node:tls';
import type { Clock } from '@prime/engine';
import { NetworkError } from '../errors.ts';
import { inboundMaxFrom, type NetworkLimits } from '../limits.ts';
import { handshakeTimeout } from '../session/session.ts';
import type { TlsSettings } from '../session/tlsOptions.ts';

/** An inbound connection's place among the limits. */
export interface Slot {
  readonly remote: string;
  /** What is left of the time for the handshake, ms. */
  readonly remainingMs: number;
  /** Frees the place among the unauthenticated. */
  authenticated(): void;
}

/** Where to listen, what to hold connections against, and who takes those that pass. */
export interface ListenerOptions {
  readonly listen: { readonly host: string; readonly port: number };
  readonly tls: TlsSettings;
  readonly limits: NetworkLimits;
  readonly clock: Clock;
  /** TLS is done. */
  readonly onSocket: (socket: TLSSocket, slot: Slot) => void;
  readonly onRefused: (remote: string, error: NetworkError) => void;
}

interface Unauthenticated {
  readonly socket: Socket;
  readonly remote: string;
  readonly deadlineMs: number;
  readonly cancel: () => void;
}

const remoteOf = (socket: Socket): string => `${socket.remoteAddress ?? '?'}:${socket.remotePort ?? 0}`;

/**
 * Accepts connections and holds them against the limits before any byte is read from them: a refused one costs an accept
 * and a close, no TLS. An accepted one holds a slot until it is authenticated, and its deadline runs from the accept, so
 * that a peer that stalls inside of TLS is cut off as well.
 */
export class Listener {
  readonly #options: ListenerOptions;
  readonly #front: Server;
  readonly #tls;
  readonly #unauthenticated = new Map<string, Unauthenticated>();
  readonly #perIp = new Map<string, number>();

  /** Binds nothing before it is started. */
  constructor(options: ListenerOptions) {
    this.#options = options;
    this.#front = createServer({ noDelay: true }, (socket) => this.#accept(socket));
    this.#tls = createTlsServer({ ...options.tls, requestCert: true }, (socket) => this.#secured(socket));
    this.#tls.on('tlsClientError', (error: NodeJS.ErrnoException, socket) => {
      const reason = error.code ?? error.message;
      this.#refuse(socket, { code: 'NETWORK_TLS_REFUSED', reason }, `TLS handshake failed: ${reason}`);
    });
  }

  /** @throws NetworkError `NETWORK_LISTEN_FAILED` */
  async start(): Promise<{ readonly host: string; readonly port: number }> {
    const { host, port } = this.#options.listen;
    await new Promise<void>((resolve, reject) => {
      this.#front.once('error', (cause) => {
        const detail = { code: 'NETWORK_LISTEN_FAILED', host, port } as const;
        reject(new NetworkError(`can not listen on ${host}:${port}: ${cause.message}`, detail, { cause }));
      });
      this.#front.listen({ host, port }, resolve);
    });
    // Such as running out of file descriptors: the connection is lost, the listener goes on.
    this.#front.on('error', (error: NodeJS.ErrnoException) => {
      const reason = error.code ?? error.message;
      this.#options.onRefused('?', new NetworkError(reason, { code: 'NETWORK_CONNECTION_FAILED', reason }));
    });
    return { host, port: (this.#front.address() as AddressInfo).port };
  }

  /** Stops accepting and ends connections that are not authenticated; the others belong to their sessions. */
  async close(): Promise<void> {
    for (const { socket } of this.#unauthenticated.values()) socket.destroy();
    if (this.#front.listening) await new Promise<void>((resolve) => this.#front.close(() => resolve()));
  }

  #accept(socket: Socket): void {
    const { limits, clock, onRefused } = this.#options;
    socket.on('error', () => socket.destroy());
    const ip = socket.remoteAddress;
    const remote = remoteOf(socket);
    const limit = this.#exceeded(ip);
    if (ip === undefined || limit !== null) {
      socket.destroy();
      if (limit !== null)
        onRefused(
          remote,
          new NetworkError(`too many connections (${limit})`, { code: 'NETWORK_INBOUND_LIMIT', limit }),
        );
      return;
    }
    const timeoutMs = limits.handshakeTimeoutMs;
    const cancel = clock.after(timeoutMs, () => {
      socket.destroy();
      onRefused(remote, handshakeTimeout(timeoutMs));
    });
    this.#perIp.set(ip, (this.#perIp.get(ip) ?? 0) + 1);
    this.#unauthenticated.set(remote, { socket, remote, deadlineMs: clock.monotonicMs() + timeoutMs, cancel });
    socket.once('close', () => {
      this.#release(remote);
      const count = (this.#perIp.get(ip) ?? 1) - 1;
      if (count === 0) this.#perIp.delete(ip);
      else this.#perIp.set(ip, count);
    });
    this.#tls.emit('connection', socket);
  }

  #exceeded(ip: string | undefined): 'ip' | 'unauthenticated' | null {
    const { limits } = this.#options;
    if (ip === undefined) return null;
    if ((this.#perIp.get(ip) ?? 0) >= inboundMaxFrom(limits, ip)) return 'ip';
    return this.#unauthenticated.size >= limits.unauthenticatedMax ? 'unauthenticated' : null;
  }

  #release(remote: string): void {
    this.#unauthenticated.get(remote)?.cancel();
    this.#unauthenticated.delete(remote);
  }

  #secured(socket: TLSSocket): void {
    const unauthenticated = this.#unauthenticated.get(remoteOf(socket));
    if (unauthenticated === undefined) {
      socket.destroy();
      return;
    }
    // From here on the session keeps the deadline; the slot stays taken until the Hello is verified or the socket closed.
    unauthenticated.cancel();
    this.#options.onSocket(socket, {
      remote: unauthenticated.remote,
      remainingMs: Math.max(1, unauthenticated.deadlineMs - this.#options.clock.monotonicMs()),
      authenticated: () => this.#release(unauthenticated.remote),
    });
  }

  #refuse(socket: Socket, detail: NetworkError['detail'], message: string): void {
    const remote = remoteOf(socket);
    const known = this.#unauthenticated.get(remote);
    socket.destroy();
    known?.socket.destroy();
    this.#options.onRefused(known?.remote ?? remote, new NetworkError(message, detail));
  }
}

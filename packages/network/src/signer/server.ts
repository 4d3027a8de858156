import { createServer, type Server, type TLSSocket } from 'node:tls';
import type { AddressInfo } from 'node:net';
import type { Clock, EngineLog } from '@prime/engine';
import { type Hash, isPrimeError } from '@prime/primitives';
import { NetworkError } from '../errors.ts';
import type { Endpoint } from '../options.ts';
import { spkiOfCertificate, type TlsIdentity } from '../session/tlsIdentity.ts';
import { createTlsSettings } from '../session/tlsOptions.ts';
import type { SigningDesk, SigningVerdict } from './desk.ts';
import { encodeSignerMessage, SignerFrames, type SignerMessage, signerProtocol, signerVersion } from './messages.ts';

/** A node that may ask. */
export interface AllowedNode {
  /** For logs. */
  readonly name: string;
  /** SHA-256 of the SubjectPublicKeyInfo of its TLS key, 0x and 64 hex digits. */
  readonly spki: string;
}

/** Where nodes are listened to, which of them may come, and the desk that answers. */
export interface SignerServerOptions {
  readonly listen: Endpoint;
  readonly tls: Pick<TlsIdentity, 'certificatePem' | 'privateKeyPem'>;
  readonly nodes: readonly AllowedNode[];
  readonly chainId: number;
  readonly genesisHash: Hash;
  readonly desk: SigningDesk;
  readonly clock: Clock;
  readonly log: EngineLog;
  /** The watermark can not be made durable: the process must end, and nothing is signed any more. */
  readonly onFatal: (error: unknown) => void;
}

/** Counts since start. */
export interface SignerServerStatus {
  /** Names of the nodes that are connected. */
  readonly nodes: readonly string[];
  readonly signed: number;
  readonly refused: number;
  /** Connections that were not let in. */
  readonly turnedAway: number;
}

/** Connections at once; a node has one, and a second one for a moment when it comes back. */
const connectionsMax = 16;
/** From the accept to a good hello, ms. */
const helloTimeoutMs = 2_000;
/** A node pings more often than that; one that is silent is gone, ms. */
const idleTimeoutMs = 15_000;
/** Bytes that a node may leave unread before it is cut off: thousands of answers. */
const unreadBytesMax = 1 << 20;

/** Lets pinned nodes ask a {@link SigningDesk}, over TLS 1.3 with both certificates pinned. */
export class SignerServer {
  readonly #options: SignerServerOptions;
  readonly #server: Server;
  /** The node at the other end, once it said hello. */
  readonly #sockets = new Map<TLSSocket, AllowedNode | null>();
  readonly #raw = new Set<{ destroy(): void }>();
  #signed = 0;
  #refused = 0;
  #turnedAway = 0;
  #failed = false;

  /** @throws NetworkError `NETWORK_CERTIFICATE_INVALID` */
  constructor(options: SignerServerOptions) {
    this.#options = options;
    const { settings } = createTlsSettings(options.tls, signerProtocol);
    const handshakeTimeout = helloTimeoutMs;
    this.#server = createServer({ ...settings, requestCert: true, handshakeTimeout }, (socket) =>
      this.#secured(socket),
    );
    this.#server.maxConnections = connectionsMax;
    this.#server.on('connection', (socket) => {
      this.#raw.add(socket);
      socket.on('error', () => socket.destroy());
      socket.once('close', () => this.#raw.delete(socket));
    });
    this.#server.on('tlsClientError', (error: NodeJS.ErrnoException, socket) =>
      this.#turnAway(socket, `TLS handshake failed: ${error.code ?? error.message}`),
    );
  }

  /** @returns the bound endpoint @throws NetworkError `NETWORK_LISTEN_FAILED` */
  async start(): Promise<Endpoint> {
    const { host, port } = this.#options.listen;
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', (cause) => {
        const detail = { code: 'NETWORK_LISTEN_FAILED', host, port } as const;
        reject(new NetworkError(`the signer can not listen on ${host}:${port}: ${cause.message}`, detail, { cause }));
      });
      this.#server.listen({ host, port }, resolve);
    });
    this.#server.on('error', (error) => this.#options.log.warn('the listener failed', { reason: error.message }));
    return { host, port: (this.#server.address() as AddressInfo).port };
  }

  async close(): Promise<void> {
    for (const socket of this.#raw) socket.destroy();
    if (this.#server.listening) await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  status(): SignerServerStatus {
    const nodes = [...this.#sockets.values()].flatMap((node) => node?.name ?? []);
    return { nodes, signed: this.#signed, refused: this.#refused, turnedAway: this.#turnedAway };
  }

  /** The desk has other keys: nodes that are connected are told by another welcome. */
  keysChanged(): void {
    for (const [socket, node] of this.#sockets) if (node !== null) this.#welcome(socket, node);
  }

  #turnAway(socket: { readonly remoteAddress?: string | undefined; destroy(): void }, reason: string): void {
    this.#turnedAway += 1;
    this.#options.log.warn('a connection is turned away', { remote: socket.remoteAddress ?? '?', reason });
    socket.destroy();
  }

  #secured(socket: TLSSocket): void {
    const certificate = socket.getPeerX509Certificate();
    const spki = certificate === undefined ? null : spkiOfCertificate(certificate);
    const node = this.#options.nodes.find((one) => one.spki === spki);
    if (socket.alpnProtocol !== signerProtocol || socket.isSessionReused())
      return this.#turnAway(socket, `it does not speak ${signerProtocol}`);
    if (node === undefined || spki === null)
      return this.#turnAway(socket, `the node with the TLS pin ${spki ?? 'none'} is not in the list of this signer`);
    this.#serve(socket, node);
    return undefined;
  }

  #serve(socket: TLSSocket, node: AllowedNode): void {
    const { clock, log } = this.#options;
    const frames = new SignerFrames();
    let isGreeted = false;
    const cancel = clock.after(helloTimeoutMs, () => {
      if (!isGreeted) this.#turnAway(socket, `${node.name} said no hello within ${helloTimeoutMs} ms`);
    });
    this.#sockets.set(socket, null);
    socket.setNoDelay(true);
    socket.setTimeout(idleTimeoutMs, () => socket.destroy());
    socket.once('close', () => {
      cancel();
      this.#sockets.delete(socket);
      if (isGreeted) log.info('a node has left', { node: node.name });
    });
    socket.on('data', (chunk) => {
      try {
        for (const message of frames.push(chunk)) {
          if (socket.destroyed || this.#failed) return;
          if (isGreeted) this.#answer(socket, node, message);
          else isGreeted = this.#greet(socket, node, message);
        }
      } catch (error) {
        if (!isPrimeError(error) || !error.code.startsWith('NETWORK_')) return this.#fail(error);
        this.#turnAway(socket, `${node.name}: ${error.message}`);
      }
    });
  }

  #fail(error: unknown): void {
    this.#failed = true;
    for (const socket of this.#raw) socket.destroy();
    this.#options.onFatal(error);
  }

  #greet(socket: TLSSocket, node: AllowedNode, message: SignerMessage): boolean {
    const { chainId, genesisHash, desk, log } = this.#options;
    if (message.kind !== 'hello') {
      this.#turnAway(socket, `${node.name} began with ${message.kind}, a hello comes first`);
      return false;
    }
    if (message.newest !== null && desk.raise(message.newest))
      log.warn('the watermark is raised: this node knew a newer signature of this key', {
        node: node.name,
        height: message.newest.height,
      });
    this.#welcome(socket, node);
    // Told first, so that the node can say what does not fit.
    if (message.version !== signerVersion || message.chainId !== chainId || message.genesisHash !== genesisHash) {
      this.#turnedAway += 1;
      log.warn('a node of another network or version is turned away', { node: node.name, version: message.version });
      socket.end();
      return false;
    }
    this.#sockets.set(socket, node);
    log.info('a node has come', { node: node.name });
    return true;
  }

  #welcome(socket: TLSSocket, { spki }: AllowedNode): void {
    const { chainId, genesisHash, desk } = this.#options;
    const [keys, newest] = [desk.credentials(spki), desk.newest()];
    this.#send(socket, { kind: 'welcome', version: signerVersion, chainId, genesisHash, keys, newest });
  }

  #answer(socket: TLSSocket, node: AllowedNode, message: SignerMessage): void {
    const { desk } = this.#options;
    switch (message.kind) {
      case 'ping':
        return this.#send(socket, { kind: 'pong', id: message.id });
      case 'sign':
        return this.#tell(socket, node, message.id, desk.sign(message));
      case 'signAction':
        return this.#tell(socket, node, message.id, desk.signAction(message));
      default:
        return this.#turnAway(socket, `${node.name} sent ${message.kind}, which a node does not send here`);
    }
  }

  #tell(socket: TLSSocket, node: AllowedNode, id: number, verdict: SigningVerdict): void {
    if (verdict.ok) {
      this.#signed += 1;
      return this.#send(socket, { kind: 'signature', id, signature: verdict.signature });
    }
    const { refusal, reason } = verdict;
    this.#refused += 1;
    // What is only late happens after every lost connection; the others mean that something is wrong.
    const level = refusal === 'behind' ? 'info' : 'warn';
    this.#options.log[level]('refused to sign', { node: node.name, refusal, reason });
    return this.#send(socket, { kind: 'refusal', id, refusal, reason });
  }

  #send(socket: TLSSocket, message: SignerMessage): void {
    socket.write(encodeSignerMessage(message));
    if (socket.writableLength > unreadBytesMax) socket.destroy();
  }
}

import type { TLSSocket } from 'node:tls';
import type { Clock, Peer, PeerMessage } from '@prime/engine';
import { byeReasonOf, Connection } from './connection.ts';
import type { Counters, DropReason } from '../counters.ts';
import { NetworkError } from '../errors.ts';
import { encodeFrame, type FrameName, type IncomingFrame, type OutgoingFrame } from '../wire/frame.ts';
import {
  type ChannelBinding,
  checkHello,
  decodeHello,
  encodeHello,
  exporterContext,
  exporterLabel,
  type Hello,
  type HelloRules,
  helloDigest,
  keyingMaterialBytes,
  type PinnedPeer,
  pinMismatch,
} from '../wire/hello.ts';
import type { NetworkLimits } from '../limits.ts';
import { decodeMessage } from '../wire/messages.ts';
import { spkiOfCertificate } from './tlsIdentity.ts';

/**
 * One connection from the end of TLS to its close: first the exchange of Hellos, then messages. A session becomes a peer when both the
 * Hello is verified and {@link SessionHost.admit} agrees.
 */
export interface Session {
  readonly connection: Connection;
  readonly direction: 'inbound' | 'outbound';
  /** The peer that was dialled; null for an inbound connection. */
  readonly expected: PinnedPeer | null;
  /** `ip:port` of the other end, for people. */
  readonly remote: string;
  /** null until the Hello is verified. */
  readonly hello: Hello | null;
  /** Whether the peer is in the configured list. */
  readonly pinned: boolean;
  /** What the peer counts as here; null until the Hello is verified. */
  readonly role: Peer['role'] | null;
  send(frame: OutgoingFrame): boolean;
}

/** The only version that is spoken, as `TLSSocket.getProtocol` names it. */
export const tlsProtocol = 'TLSv1.3';
/** What both ends have to agree on in ALPN (RFC 7301). */
export const alpnProtocol = 'prime/1';

/** What all sessions of a network share. */
export interface SessionContext {
  readonly rules: HelloRules;
  readonly limits: NetworkLimits;
  readonly clock: Clock;
  readonly counters: Counters;
  /** The own Hello but for the signature. */
  readonly greeting: () => Omit<Hello, 'signature'>;
  /** 65 bytes r | s | yParity by the hot key. */
  readonly sign: (digest: Uint8Array) => Uint8Array;
  /** In place of a signature, see {@link NodeIdentity.credential}. */
  readonly credential: (() => Uint8Array) | undefined;
}

/** Who owns the sessions: it admits peers and takes their messages. */
export interface SessionHost {
  /** The Hello is good. @throws NetworkError to refuse the peer */
  admit(session: Session, hello: Hello): void;
  message(session: Session, message: PeerMessage): void;
  /** The session is over, admitted or not. */
  ended(session: Session, error: NetworkError): void;
  /** A frame was not delivered in one of the two directions. */
  dropped(session: Session, frame: FrameName, reason: DropReason): void;
}

/** One connection that is past TLS. */
export interface SessionOptions {
  readonly socket: TLSSocket;
  readonly remote: string;
  /** The peer that was dialled; null for an inbound connection. */
  readonly expected: PinnedPeer | null;
  /** Until a verified Hello, ms. */
  readonly timeoutMs: number;
}

/**
 * Takes over a socket whose TLS handshake is done, and says Hello.
 *
 * @throws NetworkError `NETWORK_TLS_REFUSED`, `NETWORK_PIN_MISMATCH`; the socket is destroyed then
 */
export function createSession(context: SessionContext, host: SessionHost, options: SessionOptions): Session {
  try {
    const binding = bindChannel(context.rules, options);
    const session = new SocketSession(context, host, options, binding);
    session.greet();
    return session;
  } catch (error) {
    options.socket.destroy();
    throw error;
  }
}

interface ChannelKeys {
  readonly keyingMaterial: Uint8Array;
  readonly peerSpki: string;
}

/** Checks what TLS itself was not told to check. */
function bindChannel(rules: HelloRules, { socket, expected }: SessionOptions): ChannelKeys {
  const refuse = (reason: string): never => {
    throw new NetworkError(`TLS connection refused: ${reason}`, { code: 'NETWORK_TLS_REFUSED', reason });
  };
  if (socket.getProtocol() !== tlsProtocol) return refuse(`protocol is ${socket.getProtocol()}`);
  if (socket.alpnProtocol !== alpnProtocol) return refuse(`application protocol is ${socket.alpnProtocol}`);
  // Neither side keeps sessions; a resumed one would skip the proof of the certificate's key.
  if (socket.isSessionReused()) return refuse('resumed session');
  const certificate = socket.getPeerX509Certificate();
  if (certificate === undefined) return refuse('no certificate');
  const peerSpki = spkiOfCertificate(certificate);
  if (expected !== null && expected.spki !== peerSpki) throw pinMismatch(expected.spki, peerSpki);
  if (peerSpki === rules.self.spki)
    throw new NetworkError('the other end is this node', { code: 'NETWORK_SELF', address: rules.self.address });
  const keyingMaterial = socket.exportKeyingMaterial(keyingMaterialBytes, exporterLabel, Buffer.from(exporterContext));
  return { keyingMaterial: new Uint8Array(keyingMaterial), peerSpki };
}

/** Large answers, by their requests. */
const answers: Partial<Record<FrameName, FrameName>> = {
  blocksRequest: 'blocks',
  snapshotsRequest: 'snapshots',
  chunkRequest: 'chunk',
  headersRequest: 'headers',
};

class SocketSession implements Session {
  readonly connection: Connection;
  readonly direction: Session['direction'];
  readonly remote: string;
  hello: Hello | null = null;
  pinned = false;
  role: Peer['role'] | null = null;
  readonly #context: SessionContext;
  readonly #host: SessionHost;
  readonly expected: PinnedPeer | null;
  readonly #keys: ChannelKeys;
  readonly #cancelDeadline: () => void;
  /** Requests that may still be answered, by the answer. */
  readonly #expected = new Map<FrameName, number>();

  constructor(context: SessionContext, host: SessionHost, options: SessionOptions, keys: ChannelKeys) {
    const { limits, clock, counters } = context;
    this.#context = context;
    this.#host = host;
    this.expected = options.expected;
    this.#keys = keys;
    this.remote = options.remote;
    this.direction = options.expected === null ? 'inbound' : 'outbound';
    this.connection = new Connection({
      socket: options.socket,
      limits,
      clock,
      counters,
      onFrame: (frame) => this.#onFrame(frame),
      onDropped: (frame, reason) => host.dropped(this, frame, reason),
      onClose: (error) => {
        this.#cancelDeadline();
        host.ended(this, error);
      },
    });
    const { timeoutMs } = options;
    this.#cancelDeadline = clock.after(timeoutMs, () => this.connection.close(handshakeTimeout(timeoutMs), 'refused'));
  }

  greet(): void {
    const { greeting, sign, credential } = this.#context;
    const own = greeting();
    const signature = credential?.() ?? sign(helloDigest(own.role, this.#binding('own')));
    this.connection.send(encodeFrame('hello', encodeHello({ ...own, signature })));
  }

  send(frame: OutgoingFrame): boolean {
    if (!this.connection.send(frame)) return false;
    const answer = answers[frame.name];
    if (answer !== undefined) this.#expected.set(answer, (this.#expected.get(answer) ?? 0) + 1);
    return true;
  }

  #binding(sender: 'own' | 'peer'): ChannelBinding {
    const { self, chainId, genesisHash } = this.#context.rules;
    const { keyingMaterial, peerSpki } = this.#keys;
    const [senderSpki, receiverSpki] = sender === 'own' ? [self.spki, peerSpki] : [peerSpki, self.spki];
    return { keyingMaterial, chainId, genesisHash, senderSpki, receiverSpki };
  }

  #onFrame({ name, payload }: IncomingFrame): void {
    // A goodbye needs no introduction: it says why there will be none.
    if (name !== 'bye' && (name === 'hello') !== (this.hello === null)) throw unexpectedHello(name);
    switch (name) {
      case 'hello':
        return this.#onHello(decodeHello(payload, this.#context.rules.protocolVersion));
      case 'bye': {
        const reason = byeReasonOf(payload);
        return this.connection.close(new NetworkError(`peer left: ${reason}`, { code: 'NETWORK_BYE', reason }));
      }
      case 'ping':
      case 'pong':
        return undefined;
      case 'blocks':
      case 'snapshots':
      case 'chunk':
      case 'headers': {
        // An answer of up to 2 MiB is not even looked at unless it was asked for.
        const expected = this.#expected.get(name) ?? 0;
        if (expected === 0) return this.#host.dropped(this, name, 'unsolicited');
        this.#expected.set(name, expected - 1);
        return this.#host.message(this, decodeMessage(name, payload));
      }
      default:
        return this.#host.message(this, decodeMessage(name, payload));
    }
  }

  #onHello(hello: Hello): void {
    const { pinned, role } = checkHello(this.#context.rules, hello, this.#binding('peer'), this.expected);
    this.pinned = pinned;
    this.role = role;
    // Before the host hears of it: it may send, or even close, from inside of the call.
    this.hello = hello;
    this.#host.admit(this, hello);
    this.#cancelDeadline();
  }
}

/** The error with code `NETWORK_HANDSHAKE_TIMEOUT`, to be thrown. */
export function handshakeTimeout(timeoutMs: number): NetworkError {
  const detail = { code: 'NETWORK_HANDSHAKE_TIMEOUT', timeoutMs } as const;
  return new NetworkError(`no verified Hello within ${timeoutMs} ms`, detail);
}

function unexpectedHello(frame: string): NetworkError {
  const detail = { code: 'NETWORK_HELLO_UNEXPECTED', frame } as const;
  return new NetworkError(`unexpected ${frame}: a Hello comes first, and once`, detail);
}

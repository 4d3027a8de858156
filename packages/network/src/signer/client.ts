import { connect, type TLSSocket } from 'node:tls';
import type { Clock, EngineLog, RemoteSigner, SignRequest, SignStateRecord } from '@prime/engine';
import type { Address, Hash } from '@prime/primitives';
import { NetworkError, type SignerRefusal } from '../errors.ts';
import type { Endpoint } from '../options.ts';
import { spkiOfCertificate, type TlsIdentity } from '../session/tlsIdentity.ts';
import { createTlsSettings, type TlsSettings } from '../session/tlsOptions.ts';
import { encodeSignerMessage, type SignerKey, SignerFrames, type SignerMessage } from './messages.ts';
import { signerProtocol, signerVersion } from './messages.ts';

/** Where the remote signer is, how it is recognised, and what this node tells it. */
export interface SignerLinkOptions {
  readonly endpoint: Endpoint;
  /** Pin of the signer's TLS key. */
  readonly spki: string;
  /** Of this node: the signer has its pin. */
  readonly tls: Pick<TlsIdentity, 'certificatePem' | 'privateKeyPem'>;
  readonly chainId: number;
  readonly genesisHash: Hash;
  /** What this node knows as the newest signature. */
  readonly newest: () => SignStateRecord | null;
  /** The signer was reached, again or for the first time, or has other keys. */
  readonly onWelcome: (keys: readonly SignerKey[], newest: SignStateRecord | null) => void;
  readonly clock: Clock;
  /** Uniform in [0, 1). */
  readonly random: () => number;
  readonly log: EngineLog;
  readonly observe?: (event: SignerEvent) => void;
}

/** What happened on the link, for metrics. `seconds` is from request to answer. */
export type SignerEvent =
  | { readonly kind: 'connected' | 'disconnected' }
  | { readonly kind: 'answered'; readonly seconds: number }
  | { readonly kind: 'refused'; readonly refusal: SignerRefusal };

/** For operators. */
export interface SignerLinkStatus {
  readonly address: string;
  readonly connected: boolean;
  /** Requests without an answer. */
  readonly waiting: number;
  readonly signed: number;
  readonly refused: number;
  /** Why the last attempt or connection ended; null while it lasts. */
  readonly lastError: string | null;
}

const reconnectMinMs = 100;
const reconnectMaxMs = 5_000;
const connectTimeoutMs = 3_000;
const pingMs = 2_000;
/** Without a word of the signer for so long the connection is dead, ms. */
const deadMs = 6_000;
/** Messages that wait for the signer; a height that lasts makes two in a round, and the newest count. */
const requestsMax = 256;
/** Unsigned calls that wait. */
const actionsMax = 1_024;

interface Waiting {
  readonly message: SignerMessage & { readonly kind: 'sign' | 'signAction' };
  readonly isWanted: () => boolean;
  readonly deliver: (signature: Uint8Array) => void;
  readonly fail: (error: NetworkError) => void;
  sentMs: number;
}

/**
 * The node's end of a remote signer: dials, greets, asks, and dials again when the connection is lost.
 *
 * Requests of consensus outlive a connection: they are sent again in their order, and the signer answers the same message with the same
 * signature. Unsigned calls of clients do not: nobody may sign one twice, so that its client is told.
 */
export class SignerLink {
  readonly #options: SignerLinkOptions;
  readonly #tls: TlsSettings;
  readonly #waiting = new Map<number, Waiting>();
  #nextId = 1;
  #socket: TLSSocket | null = null;
  #isWelcome = false;
  #wasWelcome = false;
  #failedAttempts = 0;
  #lastError: string | null = 'not connected yet';
  #signed = 0;
  #refused = 0;
  #closed = false;
  readonly #cancels = new Set<() => void>();

  /** @throws NetworkError `NETWORK_CERTIFICATE_INVALID` */
  constructor(options: SignerLinkOptions) {
    this.#options = options;
    this.#tls = createTlsSettings(options.tls, signerProtocol).settings;
  }

  /** A key of the signer as the engine uses it. */
  key(address: Address): RemoteSigner {
    return {
      address,
      isReady: () => this.#wasWelcome,
      request: (request, isWanted, deliver) => this.#request(address, request, isWanted, deliver),
      signAction: (unsigned) => this.#signAction(address, unsigned),
    };
  }

  start(): void {
    this.#dial();
  }

  close(): void {
    this.#closed = true;
    this.#drop('closed');
  }

  status(): SignerLinkStatus {
    const { host, port } = this.#options.endpoint;
    return {
      address: `${host}:${port}`,
      connected: this.#isWelcome,
      waiting: this.#waiting.size,
      signed: this.#signed,
      refused: this.#refused,
      lastError: this.#isWelcome ? null : this.#lastError,
    };
  }

  #request(
    key: Address,
    { signBytes, lock }: SignRequest,
    isWanted: () => boolean,
    deliver: (signature: Uint8Array) => void,
  ): void {
    const requests = [...this.#waiting].filter(([, { message }]) => message.kind === 'sign');
    for (const [id, waiting] of requests) if (!waiting.isWanted()) this.#waiting.delete(id);
    if (requests.length >= requestsMax) this.#waiting.delete(requests[0]![0]);
    const id = this.#nextId++;
    this.#ask({ kind: 'sign', id, key, signBytes, lock }, { isWanted, deliver, fail: () => undefined });
  }

  #signAction(key: Address, unsigned: Uint8Array): Promise<Uint8Array> {
    return new Promise((deliver, fail) => {
      if (!this.#isWelcome) return fail(this.#away());
      if (this.#waiting.size >= actionsMax) return fail(this.#away(`${actionsMax} requests wait for it`));
      const id = this.#nextId++;
      return this.#ask({ kind: 'signAction', id, key, unsigned }, { isWanted: () => true, deliver, fail });
    });
  }

  #ask(message: Waiting['message'], parts: Omit<Waiting, 'message' | 'sentMs'>): void {
    this.#waiting.set(message.id, { ...parts, message, sentMs: this.#options.clock.monotonicMs() });
    if (this.#isWelcome) this.#send(message);
  }

  #send(message: SignerMessage): void {
    this.#socket?.write(encodeSignerMessage(message));
  }

  #dial(): void {
    if (this.#closed) return;
    const { endpoint, clock } = this.#options;
    const socket = connect({ ...this.#tls, host: endpoint.host, port: endpoint.port, servername: '' });
    this.#socket = socket;
    const lost = (reason: string): void => {
      if (this.#socket === socket) this.#drop(reason);
    };
    const frames = new SignerFrames();
    let heardMs = clock.monotonicMs();
    this.#after(connectTimeoutMs, () => {
      if (!this.#isWelcome) lost(`no welcome within ${connectTimeoutMs} ms`);
    });
    const ping = (): void => {
      if (this.#socket !== socket) return;
      if (clock.monotonicMs() - heardMs > deadMs) return lost(`it is silent for ${deadMs} ms`);
      if (this.#isWelcome) this.#send({ kind: 'ping', id: 0 });
      this.#after(pingMs, ping);
    };
    this.#after(pingMs, ping);
    socket.setNoDelay(true);
    socket.on('error', (error: NodeJS.ErrnoException) => lost(error.code ?? error.message));
    socket.on('close', () => lost('the signer closed the connection: is this node in its list?'));
    socket.on('secureConnect', () => {
      const reason = this.#refusalOf(socket);
      if (reason !== null) return lost(reason);
      const { chainId, genesisHash, newest } = this.#options;
      return this.#send({ kind: 'hello', version: signerVersion, chainId, genesisHash, newest: newest() });
    });
    socket.on('data', (chunk) => {
      heardMs = clock.monotonicMs();
      try {
        for (const message of frames.push(chunk)) if (this.#socket === socket) this.#take(message);
      } catch (error) {
        if (!(error instanceof NetworkError)) throw error;
        lost(error.message);
      }
    });
  }

  #refusalOf(socket: TLSSocket): string | null {
    const certificate = socket.getPeerX509Certificate();
    const spki = certificate === undefined ? 'none' : spkiOfCertificate(certificate);
    if (spki !== this.#options.spki) return `its TLS pin is ${spki}, and signer.spki is ${this.#options.spki}`;
    return socket.alpnProtocol === signerProtocol ? null : `it does not speak ${signerProtocol}`;
  }

  #take(message: SignerMessage): void {
    switch (message.kind) {
      case 'welcome':
        return this.#onWelcome(message);
      case 'signature':
        return this.#onAnswer(message.id, ({ deliver, isWanted }) => {
          this.#signed += 1;
          if (isWanted()) deliver(message.signature);
        });
      case 'refusal':
        return this.#onAnswer(message.id, ({ fail }) => {
          const { refusal, reason } = message;
          this.#refused += 1;
          this.#options.observe?.({ kind: 'refused', refusal });
          // A place behind the newest signature is what a message is that was asked for again after a lost connection.
          this.#options.log[refusal === 'behind' ? 'info' : 'warn']('the signer refuses', { refusal, reason });
          fail(
            new NetworkError(`the remote signer refuses: ${reason}`, {
              code: 'NETWORK_SIGNER_REFUSED',
              refusal,
              reason,
            }),
          );
        });
      case 'pong':
        return undefined;
      default:
        return this.#drop(`it sent ${message.kind}, which a signer does not send`);
    }
  }

  #onWelcome(message: SignerMessage & { readonly kind: 'welcome' }): void {
    const { chainId, genesisHash } = this.#options;
    if (message.version !== signerVersion)
      return this.#drop(`it speaks version ${message.version}, this node version ${signerVersion}`);
    if (message.chainId !== chainId || message.genesisHash !== genesisHash)
      return this.#drop(`it is for chain ${message.chainId} with genesis ${message.genesisHash}, another network`);
    if (this.#isWelcome) {
      this.#options.log.info('the keys of the remote signer changed', { keys: message.keys.length });
      return this.#options.onWelcome(message.keys, message.newest);
    }
    this.#isWelcome = true;
    this.#wasWelcome = true;
    this.#failedAttempts = 0;
    this.#options.log.info('connected to the remote signer', { address: this.status().address });
    this.#options.observe?.({ kind: 'connected' });
    // Before anything is asked for again: it may be signed already.
    this.#options.onWelcome(message.keys, message.newest);
    for (const [id, waiting] of this.#waiting) {
      if (waiting.isWanted()) this.#send(waiting.message);
      else this.#waiting.delete(id);
    }
    return undefined;
  }

  #onAnswer(id: number, take: (waiting: Waiting) => void): void {
    const waiting = this.#waiting.get(id);
    if (waiting === undefined) return;
    this.#waiting.delete(id);
    const seconds = (this.#options.clock.monotonicMs() - waiting.sentMs) / 1_000;
    this.#options.observe?.({ kind: 'answered', seconds });
    take(waiting);
  }

  #away(reason: string | null = this.#lastError): NetworkError {
    const { address } = this.status();
    const words = reason ?? 'the connection was lost';
    return new NetworkError(`the remote signer ${address} is away: ${words}`, {
      code: 'NETWORK_SIGNER_UNAVAILABLE',
      address,
      reason: words,
    });
  }

  /** The connection is over; the next attempt comes by itself. */
  #drop(reason: string): void {
    const { random, log, observe } = this.#options;
    const wasConnected = this.#isWelcome;
    this.#isWelcome = false;
    this.#lastError = reason;
    const socket = this.#socket;
    this.#socket = null;
    socket?.destroy();
    for (const cancel of this.#cancels) cancel();
    this.#cancels.clear();
    for (const [id, { message, fail }] of this.#waiting) {
      if (message.kind !== 'signAction') continue;
      this.#waiting.delete(id);
      fail(this.#away(`${reason}; the outcome is unknown`));
    }
    if (wasConnected) observe?.({ kind: 'disconnected' });
    if (this.#closed) return;
    const fullMs = Math.min(reconnectMaxMs, reconnectMinMs * 2 ** Math.min(this.#failedAttempts, 10));
    // Once, and not with every attempt.
    if (wasConnected || this.#failedAttempts === 0)
      log.warn('the remote signer is away: nothing is signed until it is back', {
        address: this.status().address,
        reason,
      });
    this.#failedAttempts += 1;
    this.#after(fullMs * (1 - random() / 4), () => this.#dial());
  }

  /** Until the connection is over. */
  #after(delayMs: number, work: () => void): void {
    const cancel = this.#options.clock.after(delayMs, () => {
      this.#cancels.delete(cancel);
      work();
    });
    this.#cancels.add(cancel);
  }
}

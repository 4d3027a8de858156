import type { Clock, EngineLog } from '@prime/engine';
import type { Address } from '@prime/primitives';
import type { NetworkError, NetworkErrorCode } from '../errors.ts';

/** Why a peer is not connected, as of the newest attempt. */
export interface PeerTrouble {
  readonly code: NetworkErrorCode;
  readonly reason: string;
  /** How long it has been so, ms. */
  readonly forMs: number;
}

/** A failed connection: to whom it was, where that is known, and where the other end is. */
interface FailedConnection {
  readonly peer: Address | null;
  /** `host:port` that was dialled, or `ip:port` of who came. */
  readonly remote: string;
  readonly direction: 'inbound' | 'outbound';
}

interface TroubleRecord {
  readonly code: NetworkErrorCode;
  readonly sinceMs: number;
  toldMs: number | null;
  reason: string;
}

/** The same trouble with the same peer is told again after so long, ms. */
const againMs = 600_000;
/** A peer that is down, or starts, is no trouble before it has been so for this long, ms. */
const patienceMs = 10_000;
const recordsMax = 256;

/** What passes by itself: the other end is not there, or busy. */
const passing: ReadonlySet<NetworkErrorCode> = new Set<NetworkErrorCode>([
  'NETWORK_CONNECTION_FAILED',
  'NETWORK_HANDSHAKE_TIMEOUT',
  'NETWORK_BYE',
  'NETWORK_IDENTITY_IN_USE',
]);
/** What is nobody's mistake, or said elsewhere. */
const silent: ReadonlySet<NetworkErrorCode> = new Set<NetworkErrorCode>([
  'NETWORK_CLOSED',
  'NETWORK_DUPLICATE',
  'NETWORK_BANNED',
  'NETWORK_INBOUND_LIMIT',
]);

/**
 * Tells an operator why peers are not connected: one warning per peer and reason, and again while it lasts. Who came and was refused has no name that
 * is proven: it goes by its address on the network.
 */
export class PeerTroubles {
  readonly #clock: Clock;
  readonly #log: Pick<EngineLog, 'warn'>;
  readonly #records = new Map<string, TroubleRecord>();

  constructor(clock: Clock, log: Pick<EngineLog, 'warn'>) {
    this.#clock = clock;
    this.#log = log;
  }

  add({ peer, remote, direction }: FailedConnection, { code, message }: NetworkError): void {
    if (silent.has(code)) return;
    // Strangers that give up, or that never were nodes, are no mistake of this operator.
    if (peer === null && (passing.has(code) || code === 'NETWORK_TLS_REFUSED')) return;
    const key = peer ?? `${remote.slice(0, remote.lastIndexOf(':'))} ${code}`;
    const nowMs = this.#clock.monotonicMs();
    const known = this.#records.get(key);
    const record = known?.code === code ? known : { code, sinceMs: nowMs, toldMs: null, reason: message };
    record.reason = message;
    this.#keep(key, record);
    const isDue =
      record.toldMs === null
        ? !passing.has(code) || nowMs - record.sinceMs >= patienceMs
        : nowMs - record.toldMs >= againMs;
    if (!isDue) return;
    record.toldMs = nowMs;
    this.#log.warn('a peer can not be connected', {
      ...(peer !== null && { peer }),
      direction,
      remote,
      code,
      reason: message,
    });
  }

  /** The peer is connected. */
  clear(peer: Address): void {
    this.#records.delete(peer);
  }

  of(peer: Address): PeerTrouble | null {
    const record = this.#records.get(peer);
    if (record === undefined) return null;
    return { code: record.code, reason: record.reason, forMs: this.#clock.monotonicMs() - record.sinceMs };
  }

  #keep(key: string, record: TroubleRecord): void {
    this.#records.delete(key);
    this.#records.set(key, record);
    const [oldest] = this.#records.keys();
    if (this.#records.size > recordsMax && oldest !== undefined) this.#records.delete(oldest);
  }
}

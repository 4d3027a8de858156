import type { Address, Hash } from '@prime/primitives';
import { createGossipBatch, createHashGossip } from './gossip.ts';
import { PeerAllowance } from '../peers/peerAllowance.ts';
import type { Clock, PeerMessage, PooledHashes } from '../ports.ts';

/** One kind of what waits for a block, as the exchange sees it. */
export interface PooledKind {
  /** Whether it waits for a block, or for the check of its signature. */
  isKnown(hash: Hash): boolean;
  /** The bytes that a peer asks for; null when they are not here (any more). */
  bytes(hash: Hash): Uint8Array | null;
  /** How many more can wait for their check. */
  room(): number;
}

/** What is known of each kind of item, and the way to ask peers for the others. */
export interface PooledExchangeOptions {
  readonly transactions: PooledKind;
  readonly actions: PooledKind;
  readonly clock: Pick<Clock, 'monotonicMs'>;
  readonly send: (to: Address, message: PeerMessage) => void;
}

/** Peers tell hashes of what they told before, or what others may have told; who lacks something asks for it. */
export interface PooledExchange {
  /** Asks for what is not known. @returns what is */
  onHashes(from: Address, message: PooledHashes): PooledHashes;
  onRequest(from: Address, message: PeerMessage & { readonly kind: 'pooledRequest' }): void;
  onPeerGone(peer: Address): void;
}

/** Answers that a peer gets in a second, and bytes of one. Each is as much as peers may ask for in a message, of small ones. */
const answersPerSecond = 8;
const answerBytesMax = 1 << 20;
/** For how many hashes of one peer this node asks in a second; an honest one tells a few thousand when it connects. */
const askedPerSecond = 10_000;
/** For how long nobody else is asked for the same, ms. */
const askedForMs = 1_000;
/** Hashes that are remembered as asked for. */
const askedMax = 32_768;

const kinds = ['transactions', 'actions'] as const;

/** Limits what each peer can make this node ask and answer per second, and asks for a hash only once in a while. */
export function createPooledExchange({ clock, send, ...of }: PooledExchangeOptions): PooledExchange {
  const asks = new PeerAllowance(askedPerSecond);
  const answers = new PeerAllowance(answersPerSecond);
  const asked = new RecentlyAsked();

  /** Whether to ask this peer for it. */
  const isWanted = (from: Address, hash: Hash, nowMs: number): boolean =>
    !asked.has(hash, nowMs) && asks.take(from, nowMs) && asked.add(hash);

  return {
    onHashes(from, message) {
      const nowMs = clock.monotonicMs();
      const request = createHashGossip('pooledRequest', (wanted) => send(from, wanted));
      const known = { transactions: [] as Hash[], actions: [] as Hash[] };
      for (const kind of kinds) {
        let room = of[kind].room();
        for (const hash of message[kind])
          if (of[kind].isKnown(hash)) known[kind].push(hash);
          else if (room > 0 && isWanted(from, hash, nowMs)) {
            request.add(kind, hash);
            room -= 1;
          }
      }
      request.flush();
      return { kind: 'pooledHashes', ...known };
    },
    onRequest(from, message) {
      if (!answers.take(from, clock.monotonicMs())) return;
      let bytes = 0;
      for (const kind of kinds) {
        const batch = createGossipBatch(kind, (bodies) => send(from, bodies));
        for (const hash of message[kind]) {
          const raw = of[kind].bytes(hash);
          if (raw === null) continue;
          bytes += raw.length;
          if (bytes > answerBytesMax) break;
          batch.add(raw);
        }
        batch.flush();
      }
    },
    onPeerGone(peer) {
      asks.forget(peer);
      answers.forget(peer);
    },
  };
}

/** Two generations: the older one ends when the newer one is as old as an answer may take. */
class RecentlyAsked {
  #newer = new Set<Hash>();
  #older = new Set<Hash>();
  #sinceMs = Number.NEGATIVE_INFINITY;

  has(hash: Hash, nowMs: number): boolean {
    if (nowMs - this.#sinceMs >= askedForMs) {
      this.#older = nowMs - this.#sinceMs >= 2 * askedForMs ? new Set() : this.#newer;
      this.#newer = new Set();
      this.#sinceMs = nowMs;
    }
    return this.#newer.has(hash) || this.#older.has(hash);
  }

  /** False when there is no room. */
  add(hash: Hash): boolean {
    if (this.#newer.size >= askedMax) return false;
    this.#newer.add(hash);
    return true;
  }
}

import type { VerifiedAction, VerifiedTransaction } from '@prime/codec';
import type { Hash } from '@prime/primitives';

/** Something that a client of this node sent and that is in no block yet. */
export type LocalItem =
  | { readonly kind: 'transactions'; readonly item: VerifiedTransaction }
  | { readonly kind: 'actions'; readonly item: VerifiedAction };

/** How long a block may take before peers are told again, ms. */
const dueAfterMs = 10_000;
/** When this node stops to care, ms. */
const lifetimeMs = 3 * 3_600_000;
/** The oldest makes room: under such load nothing waits because a peer has not heard of it. */
const itemsMax = 20_000;

interface Tracked {
  readonly local: LocalItem;
  readonly sinceMs: number;
  readonly dueMs: number;
}

/**
 * What this node has to see into a block: a peer may have been away, or busy, or its pool full when it was told, and this node's
 * own pool may have given a transaction up for one that paid more. What is not in a block after a while is looked at again.
 */
export class LocalItems {
  /** By due time: what is told again goes to the end. */
  readonly #tracked = new Map<Hash, Tracked>();

  /** @param nowMs monotonic, as everywhere here */
  track(local: LocalItem, nowMs: number): void {
    const { hash } = local.item;
    this.#tracked.delete(hash);
    this.#tracked.set(hash, { local, sinceMs: nowMs, dueMs: nowMs + dueAfterMs });
    if (this.#tracked.size <= itemsMax) return;
    for (const oldest of this.#tracked.keys()) {
      this.#tracked.delete(oldest);
      return;
    }
  }

  /** They are in a block, or can never be in one. */
  forget(hashes: Iterable<Hash>): void {
    if (this.#tracked.size === 0) return;
    for (const hash of hashes) this.#tracked.delete(hash);
  }

  find(hash: Hash): LocalItem['item'] | null {
    return this.#tracked.get(hash)?.local.item ?? null;
  }

  /** What has waited for too long since it was told last, the longest first. @param countMax how many at most */
  due(nowMs: number, countMax: number): LocalItem[] {
    const due: LocalItem[] = [];
    for (const [hash, tracked] of this.#tracked) {
      if (tracked.dueMs > nowMs || due.length >= countMax) break;
      this.#tracked.delete(hash);
      if (nowMs - tracked.sinceMs > lifetimeMs) continue;
      due.push(tracked.local);
      this.#tracked.set(hash, { ...tracked, dueMs: nowMs + dueAfterMs });
    }
    return due;
  }
}

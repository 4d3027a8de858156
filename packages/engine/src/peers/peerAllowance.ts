import type { Address } from '@prime/primitives';

const windowMs = 1_000;

/** How often a peer may make this node work for it: a count for each second, each peer by itself. */
export class PeerAllowance {
  readonly #perSecond: number;
  readonly #used = new Map<Address, { readonly sinceMs: number; count: number }>();

  constructor(perSecond: number) {
    this.#perSecond = perSecond;
  }

  /** Takes one of what is left; false when nothing is. @param nowMs monotonic */
  take(peer: Address, nowMs: number): boolean {
    const used = this.#used.get(peer);
    if (used === undefined || nowMs - used.sinceMs >= windowMs) {
      this.#used.set(peer, { sinceMs: nowMs, count: 1 });
      return true;
    }
    used.count += 1;
    return used.count <= this.#perSecond;
  }

  /** The peer is gone. */
  forget(peer: Address): void {
    this.#used.delete(peer);
  }
}

import { decodeSnapshotManifest, snapshotFormat, type SnapshotManifest, snapshotId } from '@prime/codec';
import { type Address, type Hash, isPrimeError } from '@prime/primitives';

/** How long peers are asked before one snapshot is chosen, ms: others may have a newer one. */
const discoveryMs = 1_000;
/** A snapshot of which nothing came for so long is set aside for as long, and another one is tried, ms. */
export const stallMs = 30_000;
/** Snapshots of one peer that are looked at. */
const offersPerPeer = 16;
/** Peers that have a snapshot before one counts as had by several: one alone may have made it up. */
const severalPeers = 2;
/** Peers that are remembered because their snapshots led nowhere. */
const stallsMax = 256;
/** Chunks of one snapshot: a frame holds the manifest. */
const chunksMax = 50_000;

/** A snapshot that peers say they have. */
interface Offer {
  readonly manifest: SnapshotManifest;
  readonly peers: Set<Address>;
}

/** A snapshot that is to be fetched. */
export interface ChosenSnapshot {
  /** Its name: keccak256 of its manifest. */
  readonly id: Hash;
  readonly manifest: SnapshotManifest;
}

const nobody: ReadonlySet<Address> = new Set();

/** Which snapshots peers offer, and which of them is tried next. */
export class SnapshotOffers {
  readonly #offers = new Map<Hash, Offer>();
  readonly #refused = new Set<Hash>();
  /** Until when a snapshot is not tried again. */
  readonly #aside = new Map<Hash, number>();
  /** How many snapshots of a peer led nowhere. Survives its connection. */
  readonly #stalls = new Map<Address, number>();
  #firstOfferMs: number | null = null;

  /** Who offers a snapshot. */
  peersOf(id: Hash): ReadonlySet<Address> {
    return this.#offers.get(id)?.peers ?? nobody;
  }

  /**
   * A peer said which snapshots it has: no others but the one that is being fetched, if it had that.
   *
   * @param fetched the one that is being fetched; null when none is
   * @returns false when one of them is malformed
   */
  take(from: Address, manifests: readonly Uint8Array[], fetched: Hash | null, nowMs: number): boolean {
    for (const id of this.#offers.keys()) if (id !== fetched) this.withdraw(id, from);
    for (const bytes of manifests.slice(0, offersPerPeer)) {
      const manifest = decoded(bytes);
      if (manifest === null || manifest.chunkHashes.length > chunksMax) return false;
      // Of a later version: nothing to hold against the peer.
      if (manifest.format !== snapshotFormat || manifest.chunkHashes.length === 0) continue;
      const id = snapshotId(manifest);
      if (this.#refused.has(id)) continue;
      const offer = this.#offers.get(id) ?? { manifest, peers: new Set() };
      offer.peers.add(from);
      this.#offers.set(id, offer);
      this.#firstOfferMs ??= nowMs;
    }
    return true;
  }

  /**
   * What to fetch now; null when nothing is offered, or others may still offer something better.
   *
   * Peers whose snapshots led nowhere come last: they could offer newer ones for ever. Then a snapshot that several peers have goes before one that only one
   * says it has; then the newest; of several of one height the one that more peers have.
   */
  choose(nowMs: number): ChosenSnapshot | null {
    if (this.#firstOfferMs === null || nowMs - this.#firstOfferMs < discoveryMs) return null;
    const [best] = [...this.#offers]
      .filter(([id]) => (this.#aside.get(id) ?? 0) <= nowMs)
      .toSorted(
        ([, a], [, b]) =>
          this.#stallsOf(a) - this.#stallsOf(b) ||
          Math.min(b.peers.size, severalPeers) - Math.min(a.peers.size, severalPeers) ||
          b.manifest.height - a.manifest.height ||
          b.peers.size - a.peers.size,
      );
    if (best !== undefined) return { id: best[0], manifest: best[1].manifest };
    // Whoever answers first from now on is not to decide what is tried next.
    this.#firstOfferMs = null;
    return null;
  }

  /** It can not be of the chain. @returns who offered it */
  refuse(id: Hash): readonly Address[] {
    const liars = [...this.peersOf(id)];
    this.#refused.add(id);
    this.#offers.delete(id);
    return liars;
  }

  /** Nothing of it came for a while: who offers it comes behind others from now on. */
  stalled(id: Hash, nowMs: number): void {
    for (const peer of this.peersOf(id)) {
      const count = this.#stalls.get(peer) ?? 0;
      this.#stalls.delete(peer);
      this.#stalls.set(peer, count + 1);
    }
    for (const peer of this.#stalls.keys()) {
      if (this.#stalls.size <= stallsMax) break;
      this.#stalls.delete(peer);
    }
    this.setAside(id, nowMs);
  }

  /** It may be there later, or nobody has it: whoever offers it is believed in other things. */
  setAside(id: Hash, nowMs: number): void {
    this.#aside.set(id, nowMs + stallMs);
    this.#offers.delete(id);
  }

  /** A peer does not have it (any more). */
  withdraw(id: Hash, peer: Address): void {
    const offer = this.#offers.get(id);
    offer?.peers.delete(peer);
    if (offer?.peers.size === 0) this.#offers.delete(id);
  }

  /** A peer is gone, and what it alone offered with it. */
  forget(peer: Address): void {
    for (const id of this.#offers.keys()) this.withdraw(id, peer);
  }

  /** Of the peer among them whose snapshots led nowhere the fewest times. */
  #stallsOf({ peers }: Offer): number {
    return Math.min(...[...peers].map((peer) => this.#stalls.get(peer) ?? 0));
  }
}

function decoded(bytes: Uint8Array): SnapshotManifest | null {
  try {
    return decodeSnapshotManifest(bytes);
  } catch (error) {
    if (!isPrimeError(error)) throw error;
    return null;
  }
}

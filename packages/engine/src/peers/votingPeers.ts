import type { Vote } from '@prime/codec';
import type { Address, Height } from '@prime/primitives';

/** The newest height in which each peer voted, as it says itself: what it votes on follows a block that it has. */
export class VotingPeers {
  readonly #newest = new Map<Address, Height>();

  /** Only a peer's own vote counts, whatever its signature: who says too much of itself hears less. */
  onVote(from: Address, { validator, height }: Vote): void {
    if (validator === from && height > this.votedAt(from)) this.#newest.set(from, height);
  }

  /** 0 for who did not vote since it connected. */
  votedAt(peer: Address): Height {
    return this.#newest.get(peer) ?? (0 as Height);
  }

  /** It disconnected. */
  forget(peer: Address): void {
    this.#newest.delete(peer);
  }
}

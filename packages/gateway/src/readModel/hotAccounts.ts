import type { AccountChange, AccountState } from '@prime/codec';
import type { Address } from '@prime/primitives';

/**
 * Balances and nonces at the head of the accounts that clients asked for lately. Blocks tell what changed, so an entry stays
 * right without being read again.
 *
 * Bounded by two generations: a full young one becomes the old one, whose accounts are forgotten unless somebody asks for them again.
 * Unlike a list in the order of use, that costs nothing where the same accounts are asked for again and again.
 */
export class HotAccounts {
  private readonly generationMax: number;
  private young = new Map<Address, AccountState>();
  private old = new Map<Address, AccountState>();

  /** @param capacity accounts kept, at least 2 */
  constructor(capacity: number) {
    this.generationMax = Math.max(1, capacity >> 1);
  }

  get(address: Address): AccountState | undefined {
    const state = this.young.get(address);
    if (state !== undefined) return state;
    const older = this.old.get(address);
    if (older !== undefined) this.put(address, older);
    return older;
  }

  /** Keeps what was read at the head; the caller made sure that the head is still the same. */
  put(address: Address, state: AccountState): void {
    if (this.young.size >= this.generationMax && !this.young.has(address)) {
      this.old = this.young;
      this.young = new Map();
    }
    this.young.set(address, state);
  }

  /** The head moved. */
  apply(changes: readonly AccountChange[]): void {
    for (const { address, nonce, balance } of changes)
      for (const generation of [this.young, this.old])
        if (generation.has(address)) generation.set(address, { nonce, balance });
  }
}

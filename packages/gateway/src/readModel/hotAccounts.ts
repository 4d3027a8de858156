import type { AccountChange } from '@prime/codec';
import type { Address } from '@prime/primitives';
import type { AccountState } from '@prime/rpc';

/**
 * Balances and nonces at the head of the accounts that clients asked for lately. Blocks tell what changed, so an entry stays
 * right without being read again. Bounded: the account that was used longest ago makes room.
 */
export class HotAccounts {
  private readonly capacity: number;
  private readonly entries = new Map<Address, AccountState>();

  constructor(capacity: number) {
    this.capacity = capacity;
  }

  get(address: Address): AccountState | undefined {
    const state = this.entries.get(address);
    if (state === undefined) return undefined;
    // A Map iterates in order of insertion, so the first is the one that was used longest ago.
    this.entries.delete(address);
    this.entries.set(address, state);
    return state;
  }

  /** Keeps what was read at the head; the caller made sure that the head is still the same. */
  put(address: Address, state: AccountState): void {
    this.entries.set(address, state);
    if (this.entries.size <= this.capacity) return;
    for (const oldest of this.entries.keys()) {
      this.entries.delete(oldest);
      return;
    }
  }

  /** The head moved. */
  apply(changes: readonly AccountChange[]): void {
    for (const { address, nonce, balance } of changes)
      if (this.entries.has(address)) this.entries.set(address, { nonce, balance });
  }
}

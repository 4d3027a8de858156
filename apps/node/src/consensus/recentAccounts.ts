import type { AccountChange, CommitOutcome } from '@prime/codec';
import type { AccountReader } from '@prime/engine';
import { type Address, assert } from '@prime/primitives';

/**
 * Accounts as of the newest block whose results are known. It may not be in the database yet; the one before it is, because a block is executed after its
 * parent is written.
 */
export class RecentAccounts implements AccountReader {
  #stored: AccountReader | null = null;
  #changed: ReadonlyMap<Address, AccountChange> = new Map();

  /** The database is open. */
  over(stored: AccountReader): this {
    this.#stored = stored;
    return this;
  }

  onCommit({ accounts }: Pick<CommitOutcome, 'accounts'>): void {
    this.#changed = new Map(accounts.map((change) => [change.address, change]));
  }

  account(address: Address): ReturnType<AccountReader['account']> {
    assert(this.#stored !== null, 'accounts were read before the database was open');
    const stored = this.#stored.account(address);
    const changed = this.#changed.get(address);
    return changed === undefined ? stored : { ...stored, nonce: changed.nonce, balance: changed.balance };
  }
}

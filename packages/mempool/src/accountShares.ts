import type { VerifiedAction } from '@prime/codec';
import type { Address } from '@prime/primitives';

/** What waits of an account. */
export interface Share {
  readonly count: number;
  readonly bytes: number;
}

const none: Share = { count: 0, bytes: 0 };

/** How many actions of each account wait, whoever signed them: one key of a validator vouches for all of its unsigned callers. */
export class AccountShares {
  readonly #shares = new Map<Address, Share>();

  of(account: Address): Share {
    return this.#shares.get(account) ?? none;
  }

  add(action: VerifiedAction): void {
    this.#change(action, 1);
  }

  take(action: VerifiedAction): void {
    this.#change(action, -1);
  }

  #change({ raw, transaction: { account } }: VerifiedAction, by: 1 | -1): void {
    const { count, bytes } = this.of(account);
    if (count + by === 0) this.#shares.delete(account);
    else this.#shares.set(account, { count: count + by, bytes: bytes + by * raw.length });
  }
}

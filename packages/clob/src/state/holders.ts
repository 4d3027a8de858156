import { type Account, hasPosition, isShort, owesAnywhere } from './accounts.ts';
import { Rankings } from './rankings.ts';

/**
 * Which accounts hold a position, or owe something. Nobody else can be liquidated, deleveraged or insolvent, or has losses to be settled, so
 * these questions look at them instead of at everybody who ever came.
 *
 * Kept as of the last commit; what the open block changed is in its dirty accounts, so fills do not have to tell. Who asks sorts by an
 * order of his own, or asks for no order.
 */
export class Holders {
  readonly rankings = new Rankings();
  readonly #committed = new Set<Account>();
  readonly #short = new Set<Account>();

  /** Takes accounts as they are now. */
  commit(accounts: Iterable<Account>): void {
    for (const account of accounts) {
      if (holds(account)) this.#committed.add(account);
      else this.#committed.delete(account);
      if (isShort(account)) this.#short.add(account);
      else this.#short.delete(account);
    }
  }

  /** Who owed something at the last commit, or had given away more than he had. */
  get short(): Iterable<Account> {
    return this.#short;
  }

  /** Each account that may hold something, once. @param changed the dirty accounts of the open block */
  *of(changed: Iterable<Account>): Iterable<Account> {
    yield* this.#committed;
    for (const account of changed) if (!this.#committed.has(account)) yield account;
  }
}

const holds = (account: Account): boolean => account.collateral < 0n || hasPosition(account) || owesAnywhere(account);

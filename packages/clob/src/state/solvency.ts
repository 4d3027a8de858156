import type { Account } from './accounts.ts';
import type { Journal } from './journal.ts';

/**
 * Which accounts have negative equity. While there is one, the realized profit of somebody else is not backed by anything yet,
 * so nobody may withdraw.
 *
 * The first question of a block looks at every account that holds something; mark prices stand still during a block, so later ones look only at
 * those that changed since. A block without withdrawals pays nothing.
 */
export class Solvency {
  #insolvent: Set<Account> | null = null;
  readonly #changed = new Set<Account>();

  /** Whether changes have to be told. */
  get watching(): boolean {
    return this.#insolvent !== null;
  }

  /** An account changes, and does so again when that is undone. */
  note(account: Account, journal: Journal): void {
    this.#changed.add(account);
    journal.push(() => void this.#changed.add(account));
  }

  /** Forgets everything: prices moved. */
  reset(): void {
    this.#insolvent = null;
    this.#changed.clear();
  }

  /**
   * Whether there is one.
   *
   * @param holders everybody who may have negative equity @param isInsolvent whether an account has it now
   */
  any(holders: Iterable<Account>, isInsolvent: (account: Account) => boolean): boolean {
    const look = this.#insolvent === null ? holders : this.#changed;
    const insolvent = this.#insolvent ?? new Set<Account>();
    for (const account of look) {
      if (isInsolvent(account)) insolvent.add(account);
      else insolvent.delete(account);
    }
    this.#insolvent = insolvent;
    this.#changed.clear();
    return insolvent.size > 0;
  }
}

import type { Account } from '../state/accounts.ts';

/** Who has a position on one side of a market that is being settled. */
export interface SettledSide {
  readonly accounts: readonly Account[];
  /** Before it all are closed. */
  next: number;
}

/** Where the settlement of a market stands. No record holds it: who has a position follows from the accounts. */
export interface Settlement {
  /** Who had positions when the last order was gone, by address; null before that, and after a block that was taken back. */
  sides: { readonly longs: SettledSide; readonly shorts: SettledSide } | null;
}

/** A settlement whose accounts are to be looked for. */
export const createSettlement = (): Settlement => ({ sides: null });

/** A side of which nothing is closed. @param accounts in the order of their turns */
export const createSide = (accounts: readonly Account[]): SettledSide => ({ accounts, next: 0 });

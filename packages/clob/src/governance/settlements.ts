import type { Heap } from '@prime/primitives';
import type { Account } from '../state/accounts.ts';

/** Where the settlement of a market stands. No record holds it: who has a position follows from the accounts. */
export interface Settlement {
  /**
   * Who had positions when the last order was gone, the first one by address on top; null before that, and after a block that was taken back. Heaps, since
   * a block reaches few of them: a hundred thousand holders are not sorted in one.
   */
  sides: { readonly longs: Heap<Account>; readonly shorts: Heap<Account> } | null;
}

/** A settlement whose accounts are to be looked for. */
export const createSettlement = (): Settlement => ({ sides: null });

import type { Address } from '@prime/primitives';
import { SortedIndex } from '../book/sortedIndex.ts';

/** When the orders of accounts are to end. scheduleChanges.ts is what changes it. */
export class Schedules {
  /** Block time, ms. */
  readonly timeOf = new Map<Address, number>();
  /** Accounts by their place; the first one is last. */
  readonly byTime = new SortedIndex<bigint>();
  /** Whose record the open block changed. */
  readonly dirty = new Set<Address>();

  /** Place of the account whose time comes first, and of equal ones that with the lowest address; -1 where there is none. */
  first(): number {
    return this.byTime.last();
  }
}

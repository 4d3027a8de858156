import type { Account } from '../state/accounts.ts';
import type { Exposure } from '../book/exposure.ts';
import { endWithPosition } from './endTriggers.ts';
import { cutToPosition } from '../orders/reduceOnly.ts';
import type { ClobState } from '../state/state.ts';

/** Brings what an account's position bounds in line with a position that changed: its reduce-only orders, then the triggers that go with it. */
export function followPosition(state: ClobState, account: Account, exposure: Exposure): void {
  cutToPosition(state, exposure);
  endWithPosition(state, account, exposure);
}

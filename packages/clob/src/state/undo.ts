import { type StateMark, step } from './journal.ts';
import { adjustOrder, putBack, unlinkOrder } from './openOrders.ts';
import type { ClobState } from './state.ts';

/** Takes back everything that was changed since a mark. */
export function undoTo(state: ClobState, { steps, events, ends }: StateMark): void {
  state.journal.undoTo(steps, state, undoStep);
  state.log.truncate(events);
  state.memory.truncate(ends);
}

/** Takes back a step that is numbers. */
function undoStep(state: ClobState, code: number, handle: number, amount: number): void {
  if (code === step.accountSaved) return state.saved.restoreAccount();
  if (code === step.exposureSaved) return state.saved.restoreExposure();
  const { orders } = state;
  const owner = state.accounts[orders.owner[handle]!]!;
  // Its room may have been measured with what is taken back: in the middle of an action only owners of orders are asked for theirs.
  owner.room.regime = 0;
  if (code === step.filled) return adjustOrder(state, handle, amount);
  if (code === step.removed) return putBack(state, handle);
  unlinkOrder(state, handle, state.bookOf(handle), owner);
  orders.discard(handle);
}

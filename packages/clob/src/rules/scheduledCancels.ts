import type { ActionResult } from '@prime/codec';
import type { Address } from '@prime/primitives';
import { isBlockFull } from './blockRoom.ts';
import { cancelOrder } from '../orders/cancelOrder.ts';
import { ensureAccount } from '../state/changes.ts';
import { refusal } from './errors.ts';
import { endTrigger } from '../triggers/endTriggers.ts';
import { triggersOf } from '../triggers/triggerChanges.ts';
import { noOrder } from '../book/orderPool.ts';
import { nextSchedule, setSchedule } from '../state/scheduleChanges.ts';
import type { ClobState } from '../state/state.ts';

/**
 * Cancels of all orders at a time that their owner set: who is cut off from the network, and can not set a later one, is out of the market then.
 *
 * @see docs/protocol/clob.md, Cancels at a time
 */

/** A block ends the orders of so many accounts; those whose turn did not come are the first of the next one. */
const accountsPerBlockMax = 1000;
/** How far ahead of block time one has to be, ms. */
const aheadMs = 5000;

const done: ActionResult = { ok: true, value: { type: 'done' } };

/** Sets when all orders of an account end, in the place of what was set before. @param atMs block time; 0 for never */
export function scheduleCancel(state: ClobState, address: Address, atMs: number): ActionResult {
  const earliest = state.timestampMs + aheadMs;
  if (atMs !== 0 && atMs < earliest) return refusal.badSchedule(atMs, earliest);
  if ((state.schedules.timeOf.get(address) ?? 0) === atMs) return done;
  setSchedule(state, ensureAccount(state, address), atMs);
  state.emit('cancel_scheduled', { account: address, at_ms: atMs });
  return done;
}

/** Ends the orders of the accounts whose time has come: by time, then by address. */
export function runScheduledCancels(state: ClobState): void {
  for (let count = 0; count < accountsPerBlockMax; count++) {
    const next = nextSchedule(state);
    // Who has ten thousand orders costs a block more than others.
    if (next === null || next.atMs > state.timestampMs || isBlockFull(state)) return;
    const { account, atMs } = next;
    while (account.firstOrder !== noOrder) cancelOrder(state, account.firstOrder, 'scheduled');
    for (const trigger of triggersOf(state, account)) endTrigger(state, trigger, 'scheduled');
    setSchedule(state, account, 0);
    state.emit('scheduled_cancel', { account: account.address, at_ms: atMs });
  }
}

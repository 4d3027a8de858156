import { noEvents, noRecords, noResults } from '@prime/codec';
import type { OrderId } from '@prime/primitives';
import { intervalEndMs } from '../margin/funding.ts';
import type { ClobBlock, ClobRest, EncodedOutcome } from '../ports.ts';
import { nextProposalHeight } from '../governance/proposals.ts';
import { nextSchedule } from '../state/scheduleChanges.ts';
import type { ClobState } from '../state/state.ts';

/**
 * When the order book needs not be asked about a block.
 *
 * A block that changed nothing has shown that what the order book does by itself does nothing to this state: a block after it, with nothing
 * for the order book, begins with the same state and does the same again. Only its time and its height are others. What looks at
 * them without being asked ends the rest: funding intervals, expiries and scheduled cancels at a time, memories and proposals at a height.
 *
 * Nothing else may look at time or height in a block without actions; `rest.property.test.ts` compares with an order book that is
 * asked about every block.
 *
 * @see docs/adr/0114-order-book-at-rest.md
 */

/** To be asked of an open block at its end. */
export function restAfter(state: ClobState): ClobRest | null {
  // An index moves, is told and goes stale by time alone.
  if (state.params.oracle !== undefined) return null;
  // What is remembered of refusals is not in the journal; each is an event.
  if (!state.journal.isEmpty || state.log.eventCount > 0 || state.triggers.queued > 0) return null;
  const { height, memory, refused } = state;
  return {
    untilMs: Math.min(
      intervalEndMs(state),
      nextExpiryMs(state),
      nextTriggerExpiryMs(state),
      nextSchedule(state)?.atMs ?? Number.POSITIVE_INFINITY,
    ),
    untilHeight: Math.min(memory.nextForgotten(height), refused.nextForgotten(height), nextProposalHeight(state)),
  };
}

/** The first time at which an order is expired, ms; Infinity while none will be. */
function nextExpiryMs({ expiries, orders }: ClobState): number {
  const handle = expiries.last();
  return handle < 0 ? Number.POSITIVE_INFINITY : (orders.expiresAt[handle]! + 1) * 1000;
}

/** The same of triggers. */
function nextTriggerExpiryMs({ triggers: { byId, expiries } }: ClobState): number {
  const trigger = byId.get(expiries.last() as OrderId);
  return trigger === undefined ? Number.POSITIVE_INFINITY : (trigger.expiresAt + 1) * 1000;
}

/** Whether a block finds nothing to do, by itself or because somebody asked. @param rest of the block before, or of the last one that was carried out */
export const isAtRest = (
  { untilMs, untilHeight }: ClobRest,
  { height, timestampMs, actions, contractActions = [] }: ClobBlock,
): boolean => actions.length === 0 && contractActions.length === 0 && timestampMs < untilMs && height < untilHeight;

/** What a block at rest comes to. @param before of the block that the order book rests since */
export const outcomeAtRest = ({
  ordersRoot,
  escrow,
  rest,
}: Pick<EncodedOutcome, 'ordersRoot' | 'escrow' | 'rest'>): EncodedOutcome => ({
  ordersRoot,
  results: noResults,
  events: noEvents,
  writes: noRecords,
  credits: [],
  escrow,
  escrowChange: 0n,
  rest,
});

import type { BracketFields, BracketLeg, TriggerFields } from '@prime/codec';
import type { Address, OrderId } from '@prime/primitives';
import { type Answer, isRefused } from '../records/blockLog.ts';
import { ensureAccount } from '../state/changes.ts';
import { closeAttached, growAttached } from './attached.ts';
import { enterTrigger, refusedCount, refusedFields } from './placeTrigger.ts';
import type { Market } from '../state/markets.ts';
import { placeOrder } from '../orders/placeOrder.ts';
import { refusal } from '../rules/errors.ts';
import type { ClobState } from '../state/state.ts';
import type { Refused } from '../state/takerOrder.ts';

/**
 * Orders that come with the triggers that close what they fill.
 *
 * @see docs/protocol/clob.md, Brackets
 */

/** Takes an order in, and behind it the triggers that are attached to it. An order that ends at once without a fill leaves none. */
export function placeBracket(state: ClobState, owner: Address, fields: BracketFields): Answer {
  const market = state.market(fields.marketId);
  if (market === undefined) return refusal.unknownMarket(fields.marketId);
  const account = ensureAccount(state, owner);
  const legs = legsOf(fields);
  const refused = refusedLegs(state, market, { fields, legs }) ?? refusedCount(state, account, market, legs.length);
  if (refused !== null) return refused;
  const orderId = state.globals.nextOrderId;
  const placed = placeOrder(state, owner, fields);
  if (isRefused(placed)) return placed;
  const { filled, isOpen } = outcomeOf(state, placed, orderId);
  if (!isOpen && filled === 0n) return placed;
  for (const leg of legs) enterTrigger(state, account, { ...leg, size: filled }, { orderId, isOpen: true });
  if (!isOpen) closeAttached(state, orderId);
  return placed;
}

/** Brings the triggers of an order that came in the place of another one in line with what became of it. @param placed the answer to it */
export function followReplacement(state: ClobState, orderId: OrderId, placed: Answer): void {
  if (isRefused(placed) || !state.triggers.ofOrder.has(orderId)) return;
  const { filled, isOpen } = outcomeOf(state, placed, orderId);
  if (filled > 0n) growAttached(state, orderId, filled);
  if (!isOpen) closeAttached(state, orderId);
}

function outcomeOf(
  { log, orders }: ClobState,
  placed: Answer,
  orderId: OrderId,
): { readonly filled: bigint; readonly isOpen: boolean } {
  const answer = log.answer(placed);
  const filled = answer.ok && answer.value.type === 'order' ? answer.value.filled : 0n;
  return { filled, isOpen: orders.byId.get(orderId) !== undefined };
}

/** As triggers that have no size yet, the stop first. */
function legsOf({ marketId, side, selfTrade, stop, takeProfit }: BracketFields): TriggerFields[] {
  const legOf = (kind: TriggerFields['kind'], { triggerPrice, limitPrice }: BracketLeg): TriggerFields => ({
    marketId,
    side: side === 'buy' ? 'sell' : 'buy',
    kind,
    triggerPrice,
    limitPrice,
    size: 0n,
    tif: limitPrice === 0n ? 'ioc' : 'gtc',
    reduceOnly: true,
    position: false,
    selfTrade,
    clientId: null,
    expiresAt: 0,
    group: 0,
  });
  return [
    ...(stop === null ? [] : [legOf('stop', stop)]),
    ...(takeProfit === null ? [] : [legOf('take_profit', takeProfit)]),
  ];
}

function refusedLegs(
  state: ClobState,
  market: Market,
  { fields, legs }: { readonly fields: BracketFields; readonly legs: readonly TriggerFields[] },
): Refused | null {
  const { stop, takeProfit, side, reduceOnly } = fields;
  if (legs.length === 0) return refusal.badFlags('a bracket has a stop, a take-profit, or both');
  if (reduceOnly) return refusal.badFlags('a bracket is for an order that is not reduce-only');
  for (const leg of legs) {
    const refused = refusedFields(state, market, leg);
    if (refused !== null) return refused;
  }
  if (stop !== null && takeProfit !== null) {
    const gain = takeProfit.triggerPrice - stop.triggerPrice;
    if (side === 'buy' ? gain <= 0n : gain >= 0n)
      return refusal.badFlags('the stop of a bracket is on the losing side of its take-profit');
  }
  return null;
}

import type { OrderFields } from '@prime/codec';
import { bigintAbs, bigintMax, ceilDiv, floorDiv } from '@prime/primitives';
import type { Account } from '../state/accounts.ts';
import { cancelOrder } from '../orders/cancelOrder.ts';
import { isBlockFull } from '../rules/blockRoom.ts';
import { endTrigger } from './endTriggers.ts';
import { gateOf, type Market } from '../state/markets.ts';
import { placeOrder } from '../orders/placeOrder.ts';
import { heldAgainst } from './heldAgainst.ts';
import { isRefused } from '../records/blockLog.ts';
import type { ClobState } from '../state/state.ts';
import { removeTrigger, replaceTrigger, triggersOf } from './triggerChanges.ts';
import type { Attachment, MarketTriggers, Trigger } from './triggers.ts';
import { undoTo } from '../state/undo.ts';

/** When triggers fire, and what becomes of them then. */

const bpsBase = 10_000n;

/** A market whose price can be relied on: elsewhere triggers wait, also those whose turn it is. */
const isFit = (market: Market): boolean => market.markPrice !== null && gateOf(market) === 'open';

/** Gives a turn to the triggers whose condition holds at the marks of the next block. Costs what that are, and nothing for those that go on waiting. */
export function queueTriggers(state: ClobState): void {
  const { byId, ofMarket } = state.triggers;
  if (byId.size === 0) return;
  for (const market of state.markets) {
    const own = ofMarket.get(market.id);
    if (own === undefined || !isFit(market)) continue;
    const mark = market.markPrice!;
    for (;;) {
      const trigger = reached(byId, own, mark);
      if (trigger === undefined) break;
      const distance = bigintAbs(mark - trigger.triggerPrice);
      replaceTrigger(state, trigger, { ...trigger, queued: { height: state.height, distance } });
    }
  }
}

/** A trigger whose condition holds. */
function reached(byId: ReadonlyMap<number, Trigger>, own: MarketTriggers, mark: bigint): Trigger | undefined {
  const rising = byId.get(own.lowest());
  if (rising !== undefined && rising.triggerPrice <= mark) return rising;
  const falling = byId.get(own.highest());
  return falling !== undefined && falling.triggerPrice >= mark ? falling : undefined;
}

/** Fires the triggers whose turn it is, as many as a block may: by the block in which their turn came, market, how far the mark had passed them, and id. */
export function fireTriggers(state: ClobState): void {
  const { perBlockMax } = state.params.trigger ?? { perBlockMax: 0 };
  for (let count = 0; count < perBlockMax; count++) {
    const trigger = state.triggers.queued === 0 ? undefined : nextInTurn(state);
    // What the block has no room for any more keeps its turn.
    if (trigger === undefined || isBlockFull(state)) return;
    fire(state, trigger);
  }
}

function nextInTurn({ markets, triggers: { byId, ofMarket } }: ClobState): Trigger | undefined {
  let first: Trigger | undefined;
  for (const market of markets) {
    const own = ofMarket.get(market.id);
    const trigger = own === undefined ? undefined : byId.get(own.next() as Trigger['id']);
    if (trigger === undefined || !isFit(market)) continue;
    if (first === undefined || trigger.queued!.height < first.queued!.height) first = trigger;
  }
  return first;
}

/** The order takes the place of its trigger, and of the others of its group or bracket. One that may not come in ends its trigger alone. */
function fire(state: ClobState, trigger: Trigger): void {
  const { id, marketId, account, group } = trigger;
  const market = state.market(marketId)!;
  const before = state.mark();
  removeTrigger(state, trigger, 'fired');
  state.emit('trigger_fired', {
    order_id: id,
    market_id: marketId,
    owner: account.address,
    mark_price: market.markPrice!,
    placed_order_id: state.globals.nextOrderId,
  });
  if (trigger.attached !== null) endBracket(state, account, trigger.attached);
  const answer = placeOrder(state, account.address, orderOf(state, market, trigger));
  if (isRefused(answer)) {
    undoTo(state, before);
    endTrigger(state, trigger, 'refused', String(answer.error.data['kind']));
    return;
  }
  if (group === 0) return;
  for (const other of triggersOf(state, account)) if (other.group === group) endTrigger(state, other, 'group');
}

/** Before the order comes in, which must not meet what is left of the one that it closes. */
function endBracket(state: ClobState, account: Account, { orderId, isOpen }: Attachment): void {
  for (const other of triggersOf(state, account))
    if (other.attached?.orderId === orderId) endTrigger(state, other, 'group');
  if (isOpen) cancelOrder(state, state.orders.byId.get(orderId)!, 'group');
}

function orderOf(state: ClobState, market: Market, trigger: Trigger): OrderFields {
  const { marketId, side, limitPrice, tif, position, selfTrade, clientId, expiresAt } = trigger;
  return {
    marketId,
    side,
    price: limitPrice === 0n ? marketLimit(state, market, side) : limitPrice,
    size: position ? heldAgainst(trigger.account, trigger) : trigger.size,
    tif,
    postOnly: false,
    reduceOnly: position || trigger.reduceOnly,
    selfTrade,
    clientId,
    expiresAt,
  };
}

/** Limit of an order without one: as far from the mark as the network allows, on the grid, and above 0. */
function marketLimit({ params }: ClobState, { markPrice, tickSize }: Market, side: Trigger['side']): bigint {
  const bps = BigInt(params.trigger!.slippageBps);
  const ticks =
    side === 'buy'
      ? floorDiv(markPrice! * (bpsBase + bps), bpsBase * tickSize)
      : ceilDiv(markPrice! * (bpsBase - bps), bpsBase * tickSize);
  return bigintMax(1n, ticks) * tickSize;
}

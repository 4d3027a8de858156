import {
  type ActionResult,
  type CancelReason,
  type ClosedOrder,
  type OrderFields,
  type OrderStatus,
  timesInForce,
} from '@prime/codec';
import type { Address, OrderId } from '@prime/primitives';
import { admit, type Admitted, checkMargin } from './admission.ts';
import { fitsNarrow, minus, widened } from '../book/book.ts';
import { changeGlobals, ensureExposure, replaceBook } from '../state/changes.ts';
import type { Market } from '../state/markets.ts';
import { match } from '../book/match.ts';
import { restOrder } from '../state/openOrders.ts';
import type { Quantity, SideIndex } from '../book/orderPool.ts';
import type { ClobState } from '../state/state.ts';
import { type TakerOrder, TakerPolicy } from './takers.ts';
import { undoTo } from '../state/undo.ts';

/**
 * Takes an order in: checks it, matches it, and rests what is left of a gtc order.
 *
 * On a refusal the caller takes the state back to where it was. A killed fok order takes back its own trades and cancellations
 * and is a success: it used up its id.
 *
 * @see docs/protocol/clob.md, Orders
 */
export function placeOrder(state: ClobState, owner: Address, fields: OrderFields): ActionResult {
  const admitted = admit(state, owner, fields);
  if ('ok' in admitted) return admitted;
  const { market, account, side, size } = admitted;
  const orderId = changeGlobals(state).nextOrderId;
  state.globals.nextOrderId = (orderId + 1) as OrderId;
  state.emit('order_accepted', {
    order_id: orderId,
    market_id: market.id,
    owner,
    side: fields.side,
    price: fields.price,
    size: fields.size,
    tif: fields.tif,
    client_id: fields.clientId,
    post_only: fields.postOnly,
    reduce_only: fields.reduceOnly,
    stp: fields.selfTrade,
    expires_at: fields.expiresAt,
  });
  const ticks = fields.price / market.tickSize;
  const lots = size / market.lotSize;
  widenIfNeeded(state, market, side, ticks, lots);
  const { book } = market;
  const [limit, quantity] = [book.of(ticks), book.of(lots)];
  const { selfTrade } = fields;
  const taker: TakerOrder = {
    id: orderId,
    market,
    account,
    side,
    selfTrade,
    cut: fields.size - size,
    isJudged: admitted.short !== null,
  };
  if (fields.tif === 'fok') return fillOrKill(state, admitted, taker, limit, quantity);
  const policy = new TakerPolicy(state, taker);
  const left = match(book, side, limit, quantity, policy);
  if (admitted.short !== null && left === quantity) return admitted.short;
  return finishOrder(state, admitted, taker, policy, limit, quantity, left);
}

function fillOrKill(
  state: ClobState,
  admitted: Admitted,
  taker: TakerOrder,
  limit: Quantity,
  lots: Quantity,
): ActionResult {
  const { book } = taker.market;
  const opposite = (1 - taker.side) as SideIndex;
  // Cheap and never wrong: makers may still be in the way (own, expired, without margin), which only matching finds out.
  if (book.holds(opposite, limit, lots)) {
    const mark = state.mark();
    const policy = new TakerPolicy(state, taker);
    const left = match(book, taker.side, limit, lots, policy);
    if (left === book.zero && policy.decremented === book.zero)
      return finishOrder(state, admitted, taker, policy, limit, lots, left);
    if (policy.poor) return admitted.short!;
    undoTo(state, mark);
  }
  const remaining = admitted.fields.size;
  dropped(state, admitted, taker, { end: 'fok', filled: 0n, remaining });
  return answer(taker, { filled: 0n, remaining, trades: [], status: 'killed', decremented: 0n, reason: 'fok' });
}

/** What becomes of an order after its match, and the answer to it. */
export function finishOrder(
  state: ClobState,
  admitted: Admitted,
  taker: TakerOrder,
  policy: TakerPolicy,
  limit: Quantity,
  lots: Quantity,
  left: Quantity,
): ActionResult {
  const { fields, market } = admitted;
  const { book, lotSize } = market;
  const { trades, stopped, exhausted } = policy;
  const gone = policy.decremented;
  const decremented = BigInt(gone) * lotSize;
  const filled = BigInt(minus(minus(lots, left), gone)) * lotSize;
  // What a reduce-only order was cut down by is dropped with the rest.
  const remaining = BigInt(left) * lotSize + taker.cut;
  // What stopped in the middle may stand across the book: it can not rest.
  const rests =
    fields.tif === 'gtc' && !stopped && !exhausted && left > book.zero && mayRest(state, admitted, policy, left);
  if (rests) {
    restRemainder(state, admitted, taker, limit, { size: minus(lots, gone), remaining: left });
    const status = filled > 0n ? 'partially_filled' : 'open';
    return answer(taker, { filled, remaining, trades, status, decremented, reason: null });
  }
  if (remaining === 0n && decremented === 0n) {
    noteEnd(state, admitted, taker, { end: 'filled', filled, remaining });
    return answer(taker, { filled, remaining, trades, status: 'filled', decremented, reason: null });
  }
  const reason = endOf(policy, left === book.zero);
  dropped(state, admitted, taker, { end: reason, filled, remaining });
  return answer(taker, { filled, remaining, trades, status: 'cancelled', decremented, reason });
}

/** Whether what is left of a reducing order that was judged by its fills is covered at its limit; else the order ends for want of margin. */
function mayRest(state: ClobState, admitted: Admitted, policy: TakerPolicy, left: Quantity): boolean {
  if (admitted.short === null) return true;
  const { market, account, side, fields } = admitted;
  const rest = { side, size: BigInt(left) * market.lotSize, price: fields.price, market };
  if (checkMargin(state, account, ensureExposure(state, account, market.id), rest) === null) return true;
  policy.poor = true;
  return false;
}

/** Why an order ended that is neither filled nor rests. @param isThrough whether nothing was left to match */
function endOf({ stopped, poor, decremented }: TakerPolicy, isThrough: boolean): CancelReason {
  if (poor) return 'margin';
  if (stopped || (isThrough && decremented > 0)) return 'self_trade';
  return isThrough ? 'reduce_only' : 'ioc';
}

/** Puts what is left of an order into the book. */
function restRemainder(
  state: ClobState,
  { fields, account, side, market }: Admitted,
  taker: TakerOrder,
  ticks: Quantity,
  quantities: { readonly size: Quantity; readonly remaining: Quantity },
): void {
  const row = {
    id: taker.id,
    market: market.id,
    side,
    owner: account.index,
    expiresAt: fields.expiresAt,
    createdBlock: state.height,
    postOnly: fields.postOnly,
    selfTrade: fields.selfTrade,
    clientId: fields.clientId,
  };
  account.room.regime = 0;
  restOrder(state, row, ticks, quantities.size, quantities.remaining);
}

type TakerEnd = Pick<ClosedOrder, 'end' | 'filled' | 'remaining'>;

/** Remembers how an order ended that never rested, or not with all of it. */
function noteEnd(
  { memory, height }: ClobState,
  { fields, market, account, side }: Admitted,
  { id }: TakerOrder,
  { end, filled, remaining }: TakerEnd,
): void {
  const { price, size, tif, clientId, expiresAt } = fields;
  memory.note({
    orderId: id,
    marketId: market.id,
    owner: account,
    side,
    price,
    size,
    tif: timesInForce.indexOf(tif),
    end,
    filled,
    remaining,
    clientId,
    createdBlock: height,
    expiresAt,
  });
}

function dropped(state: ClobState, admitted: Admitted, taker: TakerOrder, end: TakerEnd): void {
  noteEnd(state, admitted, taker, end);
  state.emit('order_cancelled', {
    order_id: taker.id,
    market_id: admitted.market.id,
    owner: admitted.account.address,
    remaining: end.remaining,
    reason: end.end,
  });
}

function answer(
  { id: orderId, market }: TakerOrder,
  value: {
    readonly filled: bigint;
    readonly remaining: bigint;
    readonly trades: TakerPolicy['trades'];
    readonly status: OrderStatus;
    readonly decremented: bigint;
    readonly reason: CancelReason | null;
  },
): ActionResult {
  return { ok: true, value: { type: 'order', orderId, marketId: market.id, ...value } };
}

/** Moves a market to the book of bigints before an order comes in that numbers can not count. */
function widenIfNeeded(state: ClobState, market: Market, side: SideIndex, ticks: bigint, lots: bigint): void {
  if (market.book.zero === 0n || fitsNarrow(market.book, side, ticks, lots)) return;
  replaceBook(state, market, widened(state.orders, market.book));
}

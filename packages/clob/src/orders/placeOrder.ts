import { type CancelReason, type OrderEnd, type OrderFields, type OrderStatus, timesInForce } from '@prime/codec';
import type { Address, OrderId } from '@prime/primitives';
import { admit, checkMargin, crosses } from './admission.ts';
import type { Answer } from '../records/blockLog.ts';
import { changeGlobals } from '../state/changes.ts';
import { baseUnits, priceOf } from '../state/markets.ts';
import { match } from '../book/match.ts';
import { restOrder } from '../state/openOrders.ts';
import type { SideIndex } from '../book/orderPool.ts';
import { reducibleBy } from './reduceOnly.ts';
import { tellReduced } from './shrinkOrder.ts';
import { minus, type Quantity } from '../book/quantity.ts';
import type { ClobState } from '../state/state.ts';
import type { AdmittedOrder } from '../state/takerOrder.ts';
import { policyOf, type TakerPolicy } from './takers.ts';
import { tellAccepted, tellCancelled, tellRemaining } from './tellOrders.ts';
import { undoTo } from '../state/undo.ts';

/**
 * Checks an order, and takes it in. On a refusal the caller takes the state back to where it was.
 *
 * @see docs/protocol/clob.md, Orders
 */
export function placeOrder(state: ClobState, owner: Address, fields: OrderFields): Answer {
  const admitted = admit(state, owner, fields);
  return 'ok' in admitted ? admitted : takeIn(state, admitted);
}

/**
 * Takes an order in that may come: matches it, and rests what is left of a gtc order.
 *
 * A killed fok order takes back its own trades and cancellations and is a success: it used up its id.
 *
 * @returns a refusal only for an order with {@link AdmittedOrder.short}
 */
export function takeIn(state: ClobState, order: AdmittedOrder): Answer {
  changeGlobals(state).nextOrderId = (order.id + 1) as OrderId;
  const from = state.log.eventCount;
  tellAccepted(state, order);
  if (order.tif === 'fok') return fillOrKill(state, order, from);
  const { market, side, ticks, lots, short } = order;
  const policy = crosses(market.book, side, ticks) ? policyOf(state, order) : null;
  const left = policy === null ? lots : match(market.book, side, ticks, lots, policy);
  policy?.settle();
  if (short !== null && left === lots) return short;
  return finish(state, order, policy, left, from);
}

/** @param from number of events before those of the order */
function fillOrKill(state: ClobState, order: AdmittedOrder, from: number): Answer {
  const { market, side, ticks, lots } = order;
  const { book } = market;
  // Cheap and never wrong: makers may still be in the way (own, expired, without margin), which only matching finds out.
  if (book.holds((1 - side) as SideIndex, ticks, lots)) {
    const mark = state.mark();
    const policy = policyOf(state, order);
    const left = match(book, side, ticks, lots, policy);
    policy.settle();
    if (left === book.zero && policy.decremented === book.zero) return finish(state, order, policy, left, from);
    if (policy.poor) return order.short!;
    undoTo(state, mark);
  }
  dropRest(state, order, lots, book.zero, 'fok');
  return answer(
    state,
    order,
    { filled: book.zero, left: lots, cut: order.cut, decremented: book.zero, status: 'killed', reason: 'fok' },
    from,
  );
}

/** What becomes of an order after its match, and the answer to it. @param policy null when it met nobody @param left lots */
function finish(
  state: ClobState,
  order: AdmittedOrder,
  policy: TakerPolicy | null,
  left: Quantity,
  from: number,
): Answer {
  const { market, lots, tif } = order;
  const { zero } = market.book;
  const decremented = policy === null ? zero : policy.decremented;
  const filled = minus(minus(lots, left), decremented);
  const isThrough = left === zero;
  // What stopped in the middle may stand across the book.
  const isStopped = policy !== null && (policy.stopped || policy.exhausted);
  const rest = tif !== 'gtc' || isThrough || isStopped ? zero : restOf(order, left);
  let status: OrderStatus = 'cancelled';
  let reason: CancelReason | null = null;
  if (rest > zero && (policy === null || mayRest(state, order, policy, rest))) {
    const gone = minus(left, rest);
    restOrder(state, order, minus(minus(lots, decremented), gone), rest);
    tellCut(state, order, gone, rest);
    status = filled === zero ? 'open' : 'partially_filled';
    return answer(state, order, { filled, left: rest, cut: 0n, decremented, status, reason }, from);
  }
  if (isThrough && order.cut === 0n && decremented === zero) {
    noteEnd(state, order, left, filled, 'filled');
    status = 'filled';
  } else {
    const isUseless = tif === 'gtc' && !isThrough && !isStopped && rest === zero;
    reason = isUseless ? 'reduce_only' : endOf(policy, isThrough);
    dropRest(state, order, left, filled, reason);
  }
  return answer(state, order, { filled, left, cut: order.cut, decremented, status, reason }, from);
}

/** Lots that come to rest of those that are left: of a reduce-only order, what the position has need of beside the others that rest. */
function restOf({ reduceOnly, exposure, side, market }: AdmittedOrder, left: Quantity): Quantity {
  if (!reduceOnly) return left;
  const most = reducibleBy(exposure, side) / market.lotSize;
  return BigInt(left) <= most ? left : market.book.of(most);
}

/** Tells what a reduce-only order does not rest with. @param gone lots that were left, as @param rest */
function tellCut(state: ClobState, order: AdmittedOrder, gone: Quantity, rest: Quantity): void {
  const { lotSize } = order.market;
  const amount = BigInt(gone) * lotSize + order.cut;
  if (amount > 0n) tellReduced(state, order, 'reduce_only', amount, BigInt(rest) * lotSize);
}

/** Whether what is left of an order may rest: what is left of a reducing one that was judged by its fills only if it is covered at its limit. */
function mayRest(state: ClobState, order: AdmittedOrder, policy: TakerPolicy, left: Quantity): boolean {
  if (order.short === null) return true;
  const { market, account, exposure, side, ticks, reduceOnly } = order;
  const size = BigInt(left) * market.lotSize;
  const rest = { side, size, price: BigInt(ticks) * market.tickSize, market, reduceOnly };
  if (checkMargin(state, account, exposure, rest) === null) return true;
  policy.poor = true;
  return false;
}

/** Why an order ended that is neither filled nor rests. @param isThrough whether nothing was left to match */
function endOf(policy: TakerPolicy | null, isThrough: boolean): CancelReason {
  if (policy?.poor) return 'margin';
  if (policy !== null && (policy.stopped || (isThrough && policy.decremented > 0))) return 'self_trade';
  return isThrough ? 'reduce_only' : 'ioc';
}

/** Ends an order that does not rest, and tells why. @param left lots */
function dropRest(
  state: ClobState,
  order: AdmittedOrder,
  left: Quantity,
  filled: Quantity,
  reason: CancelReason,
): void {
  noteEnd(state, order, left, filled, reason);
  const { id, market, account, cut } = order;
  if (cut === 0n) tellCancelled(state, id, market, account, left, reason);
  else tellRemaining(state, id, market, account, BigInt(left) * market.lotSize + cut, reason);
}

/** Remembers how an order ended that never rested, or not with all of it. @param left lots, as @param filled */
function noteEnd(state: ClobState, order: AdmittedOrder, left: Quantity, filled: Quantity, end: OrderEnd): void {
  const { id, market, account, side, ticks, lots, tif, clientId, expiresAt } = order;
  state.memory.note({
    orderId: id,
    marketId: market.id,
    owner: account,
    side,
    price: priceOf(market, ticks),
    size: withCut(order, lots),
    tif: timesInForce.indexOf(tif),
    end,
    filled: baseUnits(market, filled),
    remaining: withCut(order, left),
    clientId,
    createdBlock: state.height,
    expiresAt,
  });
}

/** Lots and what a reduce-only order's position had no need of, base units. */
const withCut = ({ market, cut }: AdmittedOrder, lots: Quantity): Quantity =>
  cut === 0n ? baseUnits(market, lots) : BigInt(lots) * market.lotSize + cut;

/** What became of an order, in lots. */
interface OrderOutcome {
  readonly filled: Quantity;
  readonly left: Quantity;
  /** Base units of {@link AdmittedOrder.cut} that are left, too. */
  readonly cut: bigint;
  /** What self-trade prevention took off it. */
  readonly decremented: Quantity;
  readonly status: OrderStatus;
  readonly reason: CancelReason | null;
}

/** The answer to an order: a row where all of it is numbers. */
function answer(
  { log }: ClobState,
  { id: orderId, market }: AdmittedOrder,
  { filled, left, cut, decremented, status, reason }: OrderOutcome,
  from: number,
): Answer {
  if (typeof left === 'number' && cut === 0n && decremented === 0)
    return log.ordered(market, orderId, filled as number, left, status, reason, from);
  const { id: marketId, lotSize } = market;
  return {
    ok: true,
    value: {
      type: 'order',
      orderId,
      marketId,
      filled: BigInt(filled) * lotSize,
      remaining: BigInt(left) * lotSize + cut,
      trades: log.trades(from, log.eventCount),
      status,
      decremented: BigInt(decremented) * lotSize,
      reason,
    },
  };
}

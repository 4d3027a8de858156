import {
  type ActionResult,
  type CancelReason,
  type ClosedOrder,
  type OrderFields,
  type OrderStatus,
  timesInForce,
} from '@prime/codec';
import { type Address, bigintMax, bigintMin, type OrderId } from '@prime/primitives';
import { type Account, type Exposure, findExposure, type MarginTerms, type Stake } from './accounts.ts';
import { fitsNarrow, minus, reaches, widened } from './book.ts';
import { refusal } from './errors.ts';
import { feeReserve } from './fees.ts';
import { fundingIndexOf } from './funding.ts';
import { exposureTerms, worstSize } from './margin.ts';
import { marginSums } from './marginSums.ts';
import { type Market, marginPrice } from './markets.ts';
import { match } from './match.ts';
import { buySide, type Quantity, type SideIndex, sellSide } from './orderPool.ts';
import { costOf, grossOf, takeRoom } from './room.ts';
import type { ClobState } from './state.ts';
import { type TakerOrder, TakerPolicy } from './takers.ts';

/** Positions and what open orders could make of them stay below this, base units: half of what a record can hold. */
const positionMax = 1n << 127n;
/** The same for notional, wei. */
const notionalMax = 1n << 255n;

/** Latest second to which an order may live, in the year 5138: a number above it is a time in milliseconds. */
const expirySecondsMax = 100_000_000_000;

type Refused = Extract<ActionResult, { readonly ok: false }>;

/** An order that was found valid, in the book's numbers. */
interface Admitted {
  readonly fields: OrderFields;
  readonly market: Market;
  readonly account: Account;
  readonly side: SideIndex;
  /** Base units that may be matched: the size, or what a reduce-only order may close. */
  readonly size: bigint;
  /** Of an order that only reduces and could not pay for all of it at its limit: what it is refused with when it can not trade at all. */
  readonly short: Refused | null;
}

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
  const orderId = state.changeGlobals().nextOrderId;
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
    state.undoTo(mark);
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
    restOrder(state, admitted, taker, limit, { size: minus(lots, gone), remaining: left });
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
  if (checkMargin(state, account, state.exposure(account, market.id), rest) === null) return true;
  policy.poor = true;
  return false;
}

/** Why an order ended that is neither filled nor rests. @param isThrough whether nothing was left to match */
function endOf({ stopped, poor, decremented }: TakerPolicy, isThrough: boolean): CancelReason {
  if (poor) return 'margin';
  if (stopped || (isThrough && decremented > 0)) return 'self_trade';
  return isThrough ? 'reduce_only' : 'ioc';
}

function restOrder(
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
  state.rest(row, ticks, quantities.size, quantities.remaining);
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

/** Checks an order against the rules of its market and the margin of its owner. */
function admit(state: ClobState, owner: Address, fields: OrderFields): Admitted | Refused {
  const market = state.market(fields.marketId);
  if (market === undefined) return refusal.unknownMarket(fields.marketId);
  const malformed = checkFields(state, market, fields, closableBy(state, owner, fields));
  if (malformed !== null) return malformed;
  const account = state.account(owner);
  const side = fields.side === 'buy' ? buySide : sellSide;
  if (fields.clientId !== null) {
    const live = account.clientIds.get(fields.clientId);
    const known = live === undefined ? account.endedClientIds?.get(fields.clientId) : state.orders.id[live]!;
    if (known !== undefined) return refusal.duplicateClientId(known);
  }
  const { maxOpenOrders } = state.params;
  if (fields.tif === 'gtc' && account.openOrders >= maxOpenOrders) return refusal.tooManyOpenOrders(maxOpenOrders);
  if (fields.postOnly && crosses(market, side, fields.price)) return refusal.postOnlyWouldCross();
  let { size } = fields;
  if (fields.reduceOnly) {
    const closable = closableBy(state, owner, fields);
    if (closable <= 0n) return refusal.reduceOnlyWouldIncrease();
    size = bigintMin(size, closable);
  }
  const exposure = state.exposure(account, market.id);
  const refused = checkMargin(state, account, exposure, { side, size, price: fields.price, market });
  if (refused === null) return { fields, market, account, side, size, short: null };
  const held = side === buySide ? -exposure.size : exposure.size;
  const open = side === buySide ? exposure.buySize : exposure.sellSize;
  const isSunk = account.collateral + marginSums(state, account).profit < 0n;
  const mayFill = held >= open + size && !isSunk && refused.error.code === 'CLOB_INSUFFICIENT_MARGIN';
  return mayFill ? { fields, market, account, side, size, short: refused } : refused;
}

/** Base units of a position that an order is against; 0 or less where there is none. */
function closableBy({ accountOf }: ClobState, owner: Address, { marketId, side }: OrderFields): bigint {
  const account = accountOf.get(owner);
  const held = account === undefined ? 0n : (findExposure(account, marketId)?.size ?? 0n);
  return side === 'buy' ? -held : held;
}

/** @param closable base units of the position that the order is against */
function checkFields(state: ClobState, market: Market, fields: OrderFields, closable: bigint): Refused | null {
  const { price, size, tif } = fields;
  const { tickSize, lotSize } = market;
  if (market.status !== 'open') return refusal.marketClosed();
  if (price <= 0n) return refusal.badPrice(price, tickSize);
  if (size <= 0n) return refusal.badSize(size, lotSize);
  if (price % tickSize !== 0n) return refusal.priceOffTick(price, tickSize);
  if (size % lotSize !== 0n) return refusal.sizeOffLot(size, lotSize);
  // What closes a position, or a part of it, may be small: else nobody could get rid of a small one.
  const mayBeSmall = fields.reduceOnly ? closable > 0n : size <= closable;
  if (!mayBeSmall && price * size < state.params.minNotional) return refusal.notionalTooSmall(state.params.minNotional);
  if (fields.postOnly && tif !== 'gtc') return refusal.badFlags('post-only order must be gtc');
  if (fields.reduceOnly && tif === 'gtc') return refusal.badFlags('reduce-only order must be ioc or fok');
  if (fields.expiresAt > expirySecondsMax) return refusal.badExpiry(fields.expiresAt);
  if (fields.expiresAt !== 0 && fields.expiresAt < state.timeSeconds) return refusal.orderExpired();
  return null;
}

function crosses({ book, tickSize }: Market, side: SideIndex, price: bigint): boolean {
  const opposite = (1 - side) as SideIndex;
  const best = book.bestTicks(opposite);
  return best !== undefined && reaches<bigint>(opposite, BigInt(best), price / tickSize);
}

/** What filling orders of a side at their limits would lose against a price, wei. @param notional size * limit of them together */
const lossAt = (side: SideIndex, size: bigint, notional: bigint, price: bigint): bigint =>
  bigintMax(0n, side === buySide ? notional - size * price : size * price - notional);

const sideLoss = (exposure: Stake, side: SideIndex, price: bigint): bigint =>
  side === buySide
    ? lossAt(side, exposure.buySize, exposure.buyNotional, price)
    : lossAt(side, exposure.sellSize, exposure.sellNotional, price);

/**
 * An order is admitted when free collateral with all of it open, and its own loss taken for itself, is not negative. One that can
 * only reduce is admitted at the price of margin or better while equity is not negative, and at a worse one when equity covers the loss.
 */
function checkMargin(
  state: ClobState,
  account: Account,
  exposure: Exposure,
  order: { readonly side: SideIndex; readonly size: bigint; readonly price: bigint; readonly market: Market },
): Refused | null {
  const { side, size } = order;
  const held = side === buySide ? -exposure.size : exposure.size;
  const open = side === buySide ? exposure.buySize : exposure.sellSize;
  const onlyReduces = held >= open + size;
  if (state.sharing !== null && state.sharing.takeRoom !== null) return checkInShard(state, account, exposure, order);
  const price = marginPrice(order.market);
  const lossOfOrder = price === null ? 0n : lossAt(side, size, size * order.price, price);
  const sums = marginSums(state, account);
  // Who has less than nothing does not trade, see takers.ts.
  if (onlyReduces && lossOfOrder === 0n && account.collateral + sums.profit >= 0n) return null;
  // What only reduces needs no initial margin, but may not give away more than there is.
  const own = exposure.kept.terms;
  const freeWith = ({ profit, openLoss, initial }: MarginTerms): bigint => {
    const equity = account.collateral + (sums.profit - own.profit + profit);
    const needed = onlyReduces ? 0n : sums.initial - own.initial + initial;
    return equity - (sums.openLoss - own.openLoss + openLoss) - needed;
  };
  const before = freeWith(own);
  const lossBefore = price === null ? 0n : sideLoss(exposure, side, price);
  const after = withOrder(exposure, side, size, size * order.price);
  const lossOfAll = price === null ? 0n : sideLoss(after, side, price);
  // The order may fill at once. What older orders of its side would gain, if they ever filled, must not hide what it loses.
  const hidden = lossBefore + lossOfOrder - lossOfAll;
  const { fees } = state.params;
  // What only reduces is charged no more than there is.
  const fee = fees === undefined || onlyReduces ? 0n : feeReserve(size * order.price, fees);
  const terms = exposureTerms(after, price, state.marginParams(order.market), fundingIndexOf(order.market));
  const free = freeWith(terms) - hidden - fee;
  if (!withinLimits(after, price)) return refusal.positionTooLarge();
  return free >= 0n ? null : refusal.insufficientMargin(before - free, before);
}

/** Takes for granted that the margin is there: what the order may cost at most is looked at where all of the account is. */
function checkInShard(
  state: ClobState,
  account: Account,
  exposure: Exposure,
  {
    side,
    size,
    price,
    market,
  }: { readonly side: SideIndex; readonly size: bigint; readonly price: bigint; readonly market: Market },
): Refused | null {
  const [ticks, lots] = [Number(price / market.tickSize), Number(size / market.lotSize)];
  takeRoom(state, account, costOf(state, market, side === buySide, ticks, lots), grossOf(market, lots));
  return withinLimits(withOrder(exposure, side, size, size * price), marginPrice(market))
    ? null
    : refusal.positionTooLarge();
}

/** A stake with one more open order. */
function withOrder(
  { marketId, size, entry, fundingIndex, buySize, buyNotional, sellSize, sellNotional }: Stake,
  side: SideIndex,
  added: bigint,
  notional: bigint,
): Stake {
  const position = { marketId, size, entry, fundingIndex };
  return side === buySide
    ? { ...position, sellSize, sellNotional, buySize: buySize + added, buyNotional: buyNotional + notional }
    : { ...position, buySize, buyNotional, sellSize: sellSize + added, sellNotional: sellNotional + notional };
}

/** Nothing that these orders can lead to leaves the ranges of the records. */
function withinLimits(exposure: Stake, price: bigint | null): boolean {
  const worst = worstSize(exposure);
  const notional = bigintMax(exposure.buyNotional, exposure.sellNotional) + exposure.entry;
  return worst < positionMax && notional < notionalMax && worst * (price ?? 0n) < notionalMax;
}

/** Moves a market to the book of bigints before an order comes in that numbers can not count. */
function widenIfNeeded(state: ClobState, market: Market, side: SideIndex, ticks: bigint, lots: bigint): void {
  if (market.book.zero === 0n || fitsNarrow(market.book, side, ticks, lots)) return;
  state.replaceBook(market, widened(state.orders, market.book));
}

import { isRefusedFor, type OrderFields } from '@prime/codec';
import { type Address, bigintMax, bigintMin } from '@prime/primitives';
import { type Account, findExposure } from '../state/accounts.ts';
import { type AnyBook, fitsNarrow, widened } from '../book/book.ts';
import { ensureAccount, ensureExposure, replaceBook } from '../state/changes.ts';
import { refusal } from '../rules/errors.ts';
import type { Exposure, MarginTerms, Stake } from '../book/exposure.ts';
import { feeReserve } from '../margin/fees.ts';
import { refusedByState } from './marketStates.ts';
import { checkLimits } from './marketLimits.ts';
import { closableBy } from './closable.ts';
import { exposureTerms, worstSize } from '../margin/margin.ts';
import { marginSums } from '../margin/marginSums.ts';
import { fundingIndexOf, gateOf, marginPrice, type Market } from '../state/markets.ts';
import { buySide, sellSide, type SideIndex } from '../book/orderPool.ts';
import type { Quantity } from '../book/quantity.ts';
import { costOf, grossOf, takeRoom } from '../margin/room.ts';
import { positionMax } from '../state/positionMax.ts';
import type { ClobState } from '../state/state.ts';
import type { AdmittedOrder, Refused } from '../state/takerOrder.ts';

/** Whether an order may come in: the rules of its market, and the margin of its owner. */

/** As positionMax, for notional, wei. */
const notionalMax = 1n << 255n;

/** Latest second to which an order may live, in the year 5138: a number above it is a time in milliseconds. */
const expirySecondsMax = 100_000_000_000;

/** Checks an order against the rules of its market and the margin of its owner. */
export function admit(state: ClobState, owner: Address, fields: OrderFields): AdmittedOrder | Refused {
  const market = state.market(fields.marketId);
  if (market === undefined) return refusal.unknownMarket(fields.marketId);
  const malformed = checkFields(state, market, fields, heldAgainst(state, owner, fields));
  if (malformed !== null) return malformed;
  const account = ensureAccount(state, owner);
  const side = fields.side === 'buy' ? buySide : sellSide;
  if (fields.clientId !== null) {
    const live = account.clientIds.get(fields.clientId);
    const known =
      live === undefined
        ? (account.triggers?.byClientId.get(fields.clientId) ?? account.endedClientIds?.get(fields.clientId))
        : state.orders.id[live]!;
    if (known !== undefined) return refusal.duplicateClientId(known);
  }
  const { maxOpenOrders } = state.params;
  if (fields.tif === 'gtc' && account.openOrders >= maxOpenOrders) return refusal.tooManyOpenOrders(maxOpenOrders);
  if (fields.postOnly && crosses(market.book, side, fields.price / market.tickSize))
    return refusal.postOnlyWouldCross();
  let { size } = fields;
  if (fields.reduceOnly) {
    const closable = heldAgainst(state, owner, fields);
    if (closable <= 0n) return refusal.reduceOnlyWouldIncrease();
    size = bigintMin(size, closable);
  }
  const exposure = ensureExposure(state, account, market.id);
  const limited = checkLimits(market, exposure, { side, size, price: fields.price }, fields);
  if (limited !== null) return limited;
  const { price, reduceOnly } = fields;
  const refused = checkMargin(state, account, exposure, { side, size, price, market, reduceOnly });
  if (refused === null) return admitted(state, account, exposure, fields, size, null);
  const isSunk = account.collateral + marginSums(state, account).profit < 0n;
  const mayFill =
    onlyReduces(exposure, { side, size, reduceOnly }) && !isSunk && isRefusedFor(refused, 'CLOB_INSUFFICIENT_MARGIN');
  return mayFill ? admitted(state, account, exposure, fields, size, refused) : refused;
}

/** @param size base units that may be matched */
function admitted(
  state: ClobState,
  account: Account,
  exposure: Exposure,
  fields: OrderFields,
  size: bigint,
  short: Refused | null,
): AdmittedOrder {
  const { tif, postOnly, reduceOnly, clientId, expiresAt, selfTrade } = fields;
  const market = state.market(fields.marketId)!;
  const side = fields.side === 'buy' ? buySide : sellSide;
  const [ticks, lots] = [fields.price / market.tickSize, size / market.lotSize];
  widenIfNeeded(state, market, side, ticks, lots);
  const { book } = market;
  // What was found out exactly is in no sum of room.ts.
  account.room.regime = 0;
  return {
    id: state.globals.nextOrderId,
    market,
    account,
    exposure,
    side,
    ticks: book.of(ticks),
    lots: book.of(lots),
    tif,
    postOnly,
    reduceOnly,
    selfTrade,
    clientId,
    expiresAt,
    cut: fields.size - size,
    isSure: false,
    isJudged: short !== null,
    short,
  };
}

/** Moves a market to the book of bigints before an order comes in that numbers can not count. */
function widenIfNeeded(state: ClobState, market: Market, side: SideIndex, ticks: bigint, lots: bigint): void {
  if (market.book.zero === 0n || fitsNarrow(market.book, side, ticks, lots)) return;
  replaceBook(state, market, widened(state.orders, market.book));
}

/** Base units of a position that an order is against; 0 or less where there is none. */
function heldAgainst({ accountOf }: ClobState, owner: Address, { marketId, side }: OrderFields): bigint {
  const account = accountOf.get(owner);
  const held = account === undefined ? 0n : (findExposure(account, marketId)?.size ?? 0n);
  return side === 'buy' ? -held : held;
}

/** @param closable base units of the position that the order is against */
function checkFields(state: ClobState, market: Market, fields: OrderFields, closable: bigint): Refused | null {
  const { price, size, tif } = fields;
  const { tickSize, lotSize } = market;
  const shut = refusedByGate(market, fields, closable);
  if (shut !== null) return shut;
  if (price <= 0n) return refusal.badPrice(price, tickSize);
  if (size <= 0n) return refusal.badSize(size, lotSize);
  if (price % tickSize !== 0n) return refusal.priceOffTick(price, tickSize);
  if (size % lotSize !== 0n) return refusal.sizeOffLot(size, lotSize);
  // What closes a position, or a part of it, may be small: else nobody could get rid of a small one.
  const mayBeSmall = fields.reduceOnly ? closable > 0n : size <= closable;
  if (!mayBeSmall && price * size < state.params.minNotional) return refusal.notionalTooSmall(state.params.minNotional);
  if (fields.postOnly && tif !== 'gtc') return refusal.badFlags('post-only order must be gtc');
  return refusedExpiry(state, fields.expiresAt);
}

/** Why an order, or a trigger, can not live to a time, seconds; 0 is for ever. */
export function refusedExpiry({ timeSeconds }: ClobState, expiresAt: number): Refused | null {
  if (expiresAt > expirySecondsMax) return refusal.badExpiry(expiresAt);
  return expiresAt !== 0 && expiresAt < timeSeconds ? refusal.orderExpired() : null;
}

/** What the market's state lets in; while the index is stale positions can only become smaller, then nothing trades for a while. */
function refusedByGate(market: Market, fields: OrderFields, closable: bigint): Refused | null {
  const { id, status, oracle } = market;
  if (gateOf(market) === 'open') return null;
  if (status === 'post_only' && !fields.postOnly) return refusal.postOnlyMarket(id, null);
  if (status !== 'trading' && status !== 'post_only') return refusedByState(market);
  const gate = gateOf({ status: 'trading', oracle });
  if (gate === 'postOnly') return fields.postOnly ? null : refusal.postOnlyMarket(id, oracle!.resumesAtMs);
  const mayComeIn = gate === 'open' || fields.reduceOnly || fields.size <= closable;
  return mayComeIn ? null : refusal.oracleStale(id);
}

/** Whether an order would trade at once. @param ticks its limit, in either kind of number */
export function crosses(book: AnyBook, side: SideIndex, ticks: Quantity): boolean {
  const best = book.bestTicks((1 - side) as SideIndex);
  return best !== undefined && (side === buySide ? best <= ticks : best >= ticks);
}

/** What filling orders of a side at their limits would lose against a price, wei. @param notional size * limit of them together */
const lossAt = (side: SideIndex, size: bigint, notional: bigint, price: bigint): bigint =>
  bigintMax(0n, side === buySide ? notional - size * price : size * price - notional);

const sideLoss = (exposure: Stake, side: SideIndex, price: bigint): bigint =>
  side === buySide
    ? lossAt(side, exposure.buySize, exposure.buyNotional, price)
    : lossAt(side, exposure.sellSize, exposure.sellNotional, price);

/** Whether an order can do nothing but make its owner's position smaller: it is reduce-only, or the position covers it beside all other orders of its side. */
function onlyReduces(
  exposure: Exposure,
  { side, size, reduceOnly }: { readonly side: SideIndex; readonly size: bigint; readonly reduceOnly: boolean },
): boolean {
  const open = side === buySide ? exposure.buySize : exposure.sellSize;
  return reduceOnly || closableBy(exposure, side) >= open + size;
}

/**
 * An order is admitted when free collateral with all of it open, and its own loss taken for itself, is not negative. One that can
 * only reduce is admitted at the price of margin or better while equity is not negative, and at a worse one when equity covers the loss.
 */
export function checkMargin(
  state: ClobState,
  account: Account,
  exposure: Exposure,
  order: {
    readonly side: SideIndex;
    readonly size: bigint;
    readonly price: bigint;
    readonly market: Market;
    readonly reduceOnly: boolean;
  },
): Refused | null {
  const { side, size } = order;
  if (state.sharing !== null && state.sharing.takeRoom !== null) return checkInShard(state, account, exposure, order);
  const reduces = onlyReduces(exposure, order);
  const price = marginPrice(order.market);
  const lossOfOrder = price === null ? 0n : lossAt(side, size, size * order.price, price);
  const sums = marginSums(state, account);
  // Who has less than nothing does not trade, see takers.ts.
  if (reduces && lossOfOrder === 0n && account.collateral + sums.profit >= 0n) return null;
  // What only reduces needs no initial margin, but may not give away more than there is.
  const own = exposure.kept.terms;
  const freeWith = ({ profit, openLoss, initial }: MarginTerms): bigint => {
    const equity = account.collateral + (sums.profit - own.profit + profit);
    const needed = reduces ? 0n : sums.initial - own.initial + initial;
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
  const fee = fees === undefined || reduces ? 0n : feeReserve(size * order.price, fees);
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
  { marketId, size, entry, fundingIndex, claim, buySize, buyNotional, sellSize, sellNotional }: Stake,
  side: SideIndex,
  added: bigint,
  notional: bigint,
): Stake {
  const position = { marketId, size, entry, fundingIndex, claim };
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

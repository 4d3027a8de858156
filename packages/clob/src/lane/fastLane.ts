import {
  type ActionPayload,
  type ActionResult,
  type ClobParams,
  defaultClobParams,
  type OrderFields,
  type OrderStatus,
  type TimeInForce,
  timesInForce,
} from '@prime/codec';
import type { OrderId } from '@prime/primitives';
import type { Account } from '../state/accounts.ts';
import { isBlockFull, stopAt } from '../rules/blockRoom.ts';
import type { Book } from '../book/book.ts';
import { cancelOrder } from '../rules/cancelOrder.ts';
import { changeGlobals, ensureExposure } from '../state/changes.ts';
import type { Exposure } from '../book/exposure.ts';
import { matchFast, surelyFills } from './fastMatch.ts';
import { baseUnits, type Market, priceOf } from '../state/markets.ts';
import { match } from '../book/match.ts';
import { restOrder } from '../state/openOrders.ts';
import { buySide, type OrderRow, type Quantity, sellSide, type SideIndex } from '../book/orderPool.ts';
import { finishOrder } from '../rules/placeOrder.ts';
import { costOf, goneCostOf, grossOf, takeRoom } from './room.ts';
import type { ClobState } from '../state/state.ts';
import { TakerPolicy } from '../rules/takers.ts';

/**
 * The short way for what is nearly all of a busy book's traffic: orders, cancels and replacements whose numbers are exact and whose
 * owners have room (room.ts). Everything else, refusals included, goes the general way of placeOrder.ts and actions.ts, which is the
 * definition: this way takes an action only when it is sure of the general one's answer, changes the same state by the same steps, and
 * notes what it says in the block's log instead of making objects. A taker that meets what only the general way knows (an order of its own,
 * an expired one, an owner short of collateral) goes on there, in the middle of its match.
 *
 * Tests run every random stream through both: an engine with wide books never comes here.
 */

/** Whether orders of a network may come here: a parameter that is not known here may change anything. */
export function hasShortWay(params: ClobParams): boolean {
  const known = new Set([
    ...Object.keys(defaultClobParams),
    // What the insurance fund pays for and how often contracts may write is no order's affair; risk tiers are in the bounds of room.ts.
    'insuranceSlippageBps',
    'contractWritesPerBlock',
    'levelProofs',
    'orderChangesPerBlock',
    'ownersOnly',
    'riskTiers',
    'fees',
    'funding',
  ]);
  return Object.entries(params).every(([name, value]) => value === undefined || known.has(name));
}

/** @returns the answer's place in the block's log, or the answer; null when the action has to go the general way, and nothing happened */
export function runFast(state: ClobState, account: Account, payload: ActionPayload): number | ActionResult | null {
  if (!state.hasShortWay || isBlockFull(state)) return null;
  if (payload.type === 'order') return placeFields(state, account, payload);
  if (payload.type === 'cancel') return cancel(state, account, payload.orderId);
  return payload.type === 'modify' ? replace(state, account, payload.orderId, payload.price, payload.size) : null;
}

/** An order in the numbers of its market, as it is put into the book. */
interface FastOrder extends OrderRow {
  readonly side: SideIndex;
  readonly ticks: number;
  readonly lots: number;
  readonly tif: TimeInForce;
}

/** The order on its way; there is one at a time, and making an object for each would cost as much as matching it. */
const taken: { -readonly [K in keyof FastOrder]: FastOrder[K] } = {
  id: 0,
  market: 0,
  side: buySide,
  ticks: 0,
  lots: 0,
  tif: 'gtc',
  owner: 0,
  expiresAt: 0,
  createdBlock: 0,
  postOnly: false,
  selfTrade: 'cancel_maker',
  clientId: null,
};

const exactMax = Number.MAX_SAFE_INTEGER;

/** How often a value holds a unit; 0 when that is no whole number, not positive, or not exact. @param unit64 the unit in floating numbers */
function countOf(value: bigint, unit: bigint, unit64: number): number {
  // Numbers divide several times faster.
  const value64 = Number(value);
  if (value64 <= exactMax) {
    if (value64 <= 0 || unit64 > exactMax) return 0;
    const count = value64 / unit64;
    return Number.isInteger(count) && count * unit64 === value64 ? count : 0;
  }
  const count = value / unit;
  return count <= exactMax && count * unit === value ? Number(count) : 0;
}

function placeFields(state: ClobState, account: Account, fields: OrderFields): number | ActionResult | null {
  const market = state.markets[fields.marketId - 1];
  if (market === undefined || fields.reduceOnly || fields.expiresAt !== 0 || state.params.minNotional !== 0n)
    return null;
  const { clientId, tif } = fields;
  if (clientId !== null && (account.clientIds.has(clientId) || account.endedClientIds?.has(clientId))) return null;
  if (tif === 'gtc' ? account.openOrders >= state.params.maxOpenOrders : fields.postOnly) return null;
  taken.ticks = countOf(fields.price, market.tickSize, market.quick.tick);
  taken.lots = countOf(fields.size, market.lotSize, market.quick.lot);
  if (taken.ticks === 0 || taken.lots === 0) return null;
  taken.side = fields.side === 'buy' ? buySide : sellSide;
  taken.tif = tif;
  taken.postOnly = fields.postOnly;
  taken.selfTrade = fields.selfTrade;
  taken.clientId = clientId;
  return place(state, account, market, taken);
}

function place(state: ClobState, account: Account, market: Market, order: FastOrder): number | ActionResult | null {
  const { side, ticks, lots, tif } = order;
  const book = fastBook(market);
  if (book === null) return null;
  const exposure = ensureExposure(state, account, market.id);
  if (!fits(book, exposure, side, ticks, lots)) return null;
  if (order.postOnly && crosses(book, side, ticks)) return null;
  const isKilled = tif === 'fok' && !book.holds((1 - side) as SideIndex, ticks, lots);
  if (!hasRoom(state, account, market, side, ticks, lots)) return null;
  // What may fill whole, and may meet somebody who can not trade then, has to be taken back whole: the general way knows how.
  if (tif === 'fok' && !isKilled && !surelyFills(state, account, market, book, order)) return null;
  return enter(state, account, exposure, market, book, order, isKilled);
}

function hasRoom(
  state: ClobState,
  account: Account,
  market: Market,
  side: SideIndex,
  ticks: number,
  lots: number,
  besides = 0,
): boolean {
  const cost = costOf(state, market, side === buySide, ticks, lots);
  return takeRoom(state, account, cost + besides, grossOf(market, lots));
}

/** Takes in an order that surely may come in; a fok order that is not killed surely fills. */
function enter(
  state: ClobState,
  account: Account,
  exposure: Exposure,
  market: Market,
  book: Book<number>,
  order: FastOrder,
  isKilled: boolean,
): number | ActionResult {
  const { side, ticks, lots, tif, postOnly, selfTrade, clientId } = order;
  const globals = changeGlobals(state);
  const id = globals.nextOrderId;
  globals.nextOrderId = (id + 1) as OrderId;
  const from = state.log.eventCount;
  const { log, actionIndex } = state;
  log.accepted(actionIndex, id, market, account, side, ticks, lots, tif, postOnly, selfTrade, clientId);
  if (isKilled) {
    end(state, account, market, id, order, lots, 'fok');
    return state.log.ordered(market, id, 0, lots, 'killed', from);
  }
  const until = stopAt(state);
  const left = matchFast(state, account, exposure, market, book, id, side, ticks, lots, tif === 'fok', until);
  if (left < 0) return finishGenerally(state, account, market, book, id, order, -left, from, until);
  return settleRest(state, account, market, id, order, left, from);
}

/** The book of a market that the short way may touch: of numbers, at a mark that stands still during the block. */
function fastBook(market: Market): Book<number> | null {
  const { book, quick } = market;
  if (typeof book.zero !== 'number' || market.markPrice === null || market.status !== 'open') return null;
  // Beyond it sums of sizes may leave the ranges of the records, see withinLimits of admission.ts.
  return quick.tick <= unitMax && quick.lot <= unitMax ? (book as unknown as Book<number>) : null;
}
const unitMax = 2 ** 60;

/** Whether all sums stay exact with the order in them. */
function fits(book: Book<number>, exposure: Exposure, side: SideIndex, ticks: number, lots: number): boolean {
  const units = ticks * lots;
  if (units > exactMax || exposure.big !== null || book.lotsAt(side, ticks) + lots > exactMax) return false;
  const open = side === buySide ? exposure.buyLots : exposure.sellLots;
  const openUnits = side === buySide ? exposure.buyUnits : exposure.sellUnits;
  return Math.abs(exposure.lots) + open + lots <= exactMax && openUnits + units <= exactMax;
}

function crosses(book: Book<number>, side: SideIndex, ticks: number): boolean {
  const best = book.bestTicks((1 - side) as SideIndex);
  return best !== undefined && (side === buySide ? best <= ticks : best >= ticks);
}

/** What becomes of an order after its match. */
function settleRest(
  state: ClobState,
  account: Account,
  market: Market,
  id: OrderId,
  order: FastOrder,
  left: number,
  from: number,
): number {
  const filled = order.lots - left;
  let status: OrderStatus = 'filled';
  if (left === 0) note(state, account, market, id, order, 0, 'filled');
  else if (order.tif === 'gtc') {
    rest(state, account, market, id, left);
    status = filled > 0 ? 'partially_filled' : 'open';
  } else {
    end(state, account, market, id, order, left, 'ioc');
    status = 'cancelled';
  }
  return state.log.ordered(market, id, filled, left, status, from);
}

/** Puts what is left of the order on its way into the book. */
function rest(state: ClobState, account: Account, market: Market, id: OrderId, left: number): void {
  taken.id = id;
  taken.market = market.id;
  taken.owner = account.index;
  taken.createdBlock = state.height;
  restOrder(state, taken, taken.ticks, taken.lots, left);
}

/** Drops what is left of an order that never rested. */
function end(
  state: ClobState,
  account: Account,
  market: Market,
  id: OrderId,
  order: FastOrder,
  left: number,
  reason: 'ioc' | 'fok',
): void {
  note(state, account, market, id, order, left, reason);
  state.log.cancelled(state.actionIndex, id, market, account, left, reason);
}

function note(
  state: ClobState,
  account: Account,
  market: Market,
  id: OrderId,
  { side, ticks, lots, tif, clientId, expiresAt }: FastOrder,
  left: number,
  end: 'ioc' | 'fok' | 'filled',
): void {
  state.memory.note({
    orderId: id,
    marketId: market.id,
    owner: account,
    side,
    price: priceOf(market, ticks),
    size: baseUnits(market, lots),
    tif: timesInForce.indexOf(tif),
    end,
    filled: baseUnits(market, lots - left),
    remaining: baseUnits(market, left),
    clientId,
    createdBlock: state.height,
    expiresAt,
  });
}

/** Hands a taker over in the middle of its match. @param left lots @param until changes of orders at which it stops */
function finishGenerally(
  state: ClobState,
  account: Account,
  market: Market,
  book: Book<number>,
  id: OrderId,
  order: FastOrder,
  left: number,
  from: number,
  until: number,
): ActionResult {
  const { side, ticks, lots, tif, postOnly, selfTrade, clientId } = order;
  const taker = { id, market, account, side, selfTrade, cut: 0n, isJudged: false };
  const policy = new TakerPolicy(state, taker, until, state.log.trades(from, state.log.eventCount));
  account.room.regime = 0;
  const rest = match<Quantity>(book as unknown as Book<Quantity>, side, ticks, left, policy);
  const size = BigInt(lots) * market.lotSize;
  const fields: OrderFields = {
    marketId: market.id,
    side: side === buySide ? 'buy' : 'sell',
    price: BigInt(ticks) * market.tickSize,
    size,
    tif,
    postOnly,
    reduceOnly: false,
    selfTrade,
    clientId,
    expiresAt: 0,
  };
  return finishOrder(state, { fields, market, account, side, size, short: null }, taker, policy, ticks, lots, rest);
}

function cancel(state: ClobState, account: Account, orderId: OrderId): number | null {
  const { orders } = state;
  const handle = orders.byId.get(orderId);
  if (handle === undefined || orders.owner[handle] !== account.index) return null;
  const market = state.marketOf(handle);
  if (typeof market.book.zero !== 'number') return null;
  const left = market.book.columns.remaining[handle] as number;
  cancelOrder(state, handle, 'user');
  return state.log.dropped(market, orderId, left);
}

/** Another price, or more of an order: it leaves, and a new one comes. */
function replace(
  state: ClobState,
  account: Account,
  orderId: OrderId,
  price: bigint,
  size: bigint,
): number | ActionResult | null {
  const { orders } = state;
  const handle = orders.byId.get(orderId);
  if (handle === undefined || orders.owner[handle] !== account.index || orders.expiresAt[handle] !== 0) return null;
  const market = state.marketOf(handle);
  const book = fastBook(market);
  if (book === null || state.params.minNotional !== 0n) return null;
  const ticks = countOf(price, market.tickSize, market.quick.tick);
  const lots = countOf(size, market.lotSize, market.quick.lot);
  if (ticks === 0 || lots === 0 || (ticks === book.columns.ticks[handle] && lots <= book.columns.remaining[handle]!))
    return null;
  const side = orders.side[handle] as SideIndex;
  const exposure = orders.exposure(handle);
  const postOnly = orders.isPostOnly(handle);
  // All of the questions that could refuse it, before the old order leaves: that only makes room, but for the losses that it makes up for. They are
  // counted once more when it leaves, which is too careful and never wrong.
  if (account.openOrders > state.params.maxOpenOrders || !fits(book, exposure, side, ticks, lots)) return null;
  if (postOnly && crosses(book, side, ticks)) return null;
  const { ticks: allTicks, remaining } = book.columns;
  const gone = goneCostOf(state, market, exposure, side === buySide, allTicks[handle]!, remaining[handle]!);
  if (!hasRoom(state, account, market, side, ticks, lots, gone)) return null;
  taken.side = side;
  taken.ticks = ticks;
  taken.lots = lots;
  taken.tif = 'gtc';
  taken.postOnly = postOnly;
  taken.selfTrade = orders.selfTrade(handle);
  taken.clientId = orders.clientId(handle);
  cancelOrder(state, handle, 'user');
  return enter(state, account, exposure, market, book, taken, false);
}

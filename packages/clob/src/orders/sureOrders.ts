import { type ActionPayload, type ClobParams, defaultClobParams, type OrderFields } from '@prime/codec';
import type { OrderId } from '@prime/primitives';
import type { Account } from '../state/accounts.ts';
import { crosses } from './admission.ts';
import type { Answer } from '../records/blockLog.ts';
import { isBlockFull } from '../rules/blockRoom.ts';
import { cancelById, cancelOrder } from './cancelOrder.ts';
import { ensureExposure } from '../state/changes.ts';
import type { Exposure } from '../book/exposure.ts';
import { isWithinBounds } from './marketLimits.ts';
import { gateOf, type Market } from '../state/markets.ts';
import { type Change, replacement } from '../rules/modifyOrder.ts';
import { buySide, noOrder, sellSide, type SideIndex } from '../book/orderPool.ts';
import { takeIn } from './placeOrder.ts';
import { exactMax } from '../book/quantity.ts';
import { costOf, goneCostOf, grossOf, roomAnswers, takeRoom } from '../margin/room.ts';
import type { ClobState } from '../state/state.ts';
import type { AdmittedOrder } from '../state/takerOrder.ts';

/**
 * Orders that surely may come in: nearly all of a busy book's traffic. Their numbers are exact, and their owners have room (room.ts), so neither
 * margin is summed up nor a mark set to go back to. What is not sure, refusals included, is asked of admission.ts, which is the definition; what an
 * order then does is the same (placeOrder.ts).
 *
 * Tests run every random stream with and without it: an engine with wide books is never sure.
 */

/** Whether room can be asked for in a network: a parameter that is not known here may change anything. */
export function hasRooms(params: ClobParams): boolean {
  const known = new Set([
    ...Object.keys(defaultClobParams),
    // What the insurance fund pays for, how often contracts may write and how many accounts somebody has is no order's affair; risk tiers are in the bounds of room.ts.
    'insuranceSlippageBps',
    'liquidation',
    'contractWritesPerBlock',
    'levelProofs',
    'orderChangesPerBlock',
    'ownersOnly',
    'subAccountsMax',
    // What waits holds no margin; what fires is asked exactly.
    'trigger',
    'riskTiers',
    'fees',
    'funding',
    'oracle',
    // Asked of every order, see marketLimits.ts.
    'limits',
  ]);
  return Object.entries(params).every(([name, value]) => value === undefined || known.has(name));
}

/** Carries out what needs no mark to go back to. @returns null when it is not sure, and nothing happened; a refusal, too, changed nothing */
export function runSurely(state: ClobState, account: Account, payload: ActionPayload): Answer | null {
  if (!state.hasRooms || isBlockFull(state)) return null;
  if (payload.type === 'cancel') return cancelById(state, account, payload.orderId);
  if (payload.type === 'modify') return replaceSurely(state, account, payload);
  if (payload.type !== 'order') return null;
  const order = admitSurely(state, account, payload, noOrder);
  return order === null ? null : takeIn(state, order);
}

/** Another price, or more of an order: it leaves, and a new one comes. */
function replaceSurely(state: ClobState, account: Account, change: Change): Answer | null {
  const { orders } = state;
  const handle = orders.byId.get(change.orderId);
  if (handle === undefined || orders.owner[handle] !== account.index) return null;
  // What is attached to it goes over to the new one, see modifyOrder.ts.
  if (state.triggers.ofOrder.has(change.orderId)) return null;
  // All of the questions that could refuse it, before the old order leaves: that only makes room, but for the losses that it makes up for.
  const order = admitSurely(state, account, replacement(state, handle, change), handle);
  if (order === null) return null;
  cancelOrder(state, handle, 'user');
  return takeIn(state, order);
}

/** An order that surely may come in, for which room is taken. @param replaced the order that leaves for it, or {@link noOrder} */
function admitSurely(
  state: ClobState,
  account: Account,
  fields: OrderFields,
  replaced: number,
): AdmittedOrder<number> | null {
  const { tif, postOnly, reduceOnly, selfTrade, clientId, expiresAt } = fields;
  const { minNotional, maxOpenOrders } = state.params;
  const market = state.markets[fields.marketId - 1];
  if (market === undefined || !isPlain(state, market) || reduceOnly || expiresAt !== 0 || minNotional !== 0n)
    return null;
  const isNew = replaced === noOrder;
  if (isNew && clientId !== null && isTaken(account, clientId)) return null;
  const openOrders = isNew ? account.openOrders : account.openOrders - 1;
  if (tif === 'gtc' ? openOrders >= maxOpenOrders : postOnly) return null;
  const ticks = countOf(fields.price, market.tickSize, market.floats.tick);
  const lots = countOf(fields.size, market.lotSize, market.floats.lot);
  if (ticks === 0 || lots === 0 || (!isNew && keepsPlace(market, replaced, ticks, lots))) return null;
  const side = fields.side === 'buy' ? buySide : sellSide;
  const exposure = ensureExposure(state, account, market.id);
  if (!fits(market, exposure, side, ticks, lots) || (postOnly && crosses(market.book, side, ticks))) return null;
  if (!isWithinBounds(market, exposure, side, ticks, lots)) return null;
  const gone = isNew ? 0 : goneCost(state, market, exposure, replaced);
  const cost = costOf(state, market, side === buySide, ticks, lots) + gone;
  if (!takeRoom(state, account, cost, grossOf(market, lots))) return null;
  const order = sureOrder;
  order.id = state.globals.nextOrderId;
  order.market = market;
  order.account = account;
  order.exposure = exposure;
  order.side = side;
  order.ticks = ticks;
  order.lots = lots;
  order.tif = tif;
  order.postOnly = postOnly;
  order.selfTrade = selfTrade;
  order.clientId = clientId;
  return order as AdmittedOrder<number>;
}

/** Whether an order or a trigger of the account has a client id, or one that ended keeps it. */
const isTaken = ({ clientIds, endedClientIds, triggers }: Account, clientId: string): boolean =>
  clientIds.has(clientId) ||
  (endedClientIds !== null && endedClientIds.has(clientId)) ||
  (triggers !== null && triggers.byClientId.has(clientId));

type SureOrder = { -readonly [K in keyof AdmittedOrder<number>]: AdmittedOrder<number>[K] };

/** The order on its way; there is one at a time, and making an object for each would cost as much as matching it. */
const sureOrder: Omit<SureOrder, Whose> & { [K in Whose]: SureOrder[K] | null } = {
  id: 0 as OrderId,
  market: null,
  account: null,
  exposure: null,
  side: buySide,
  ticks: 0,
  lots: 0,
  tif: 'gtc',
  postOnly: false,
  reduceOnly: false,
  selfTrade: 'cancel_maker',
  clientId: null,
  expiresAt: 0,
  cut: 0n,
  isSure: true,
  isJudged: false,
  short: null,
};
type Whose = 'market' | 'account' | 'exposure';

/** Whether a changed order stays where it is. */
const keepsPlace = ({ book: { columns } }: Market, handle: number, ticks: number, lots: number): boolean =>
  ticks === columns.ticks[handle] && lots <= columns.remaining[handle]!;

/** What it may cost that an order leaves for another one: it is counted once more when it does, which is too careful and never wrong. */
function goneCost(state: ClobState, market: Market, exposure: Exposure, handle: number): number {
  const { ticks, remaining } = market.book.columns;
  const isBuy = state.orders.side[handle] === buySide;
  return goneCostOf(state, market, exposure, isBuy, Number(ticks[handle]!), Number(remaining[handle]!));
}

/** Whether an order of a market can be sure at all: it takes all orders, and room.ts answers there. */
const isPlain = (state: ClobState, market: Market): boolean =>
  gateOf(market) === 'open' &&
  roomAnswers(state, market) &&
  // Beyond it sums of sizes may leave the ranges of the records, see withinLimits of admission.ts.
  market.floats.tick <= unitMax &&
  market.floats.lot <= unitMax;
const unitMax = 2 ** 60;

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

/** Whether all sums stay exact with the order in them. */
function fits({ book }: Market, exposure: Exposure, side: SideIndex, ticks: number, lots: number): boolean {
  const units = ticks * lots;
  if (typeof book.zero !== 'number' || units > exactMax || exposure.big !== null) return false;
  if ((book.lotsAt(side, ticks) as number) + lots > exactMax) return false;
  const open = side === buySide ? exposure.buyLots : exposure.sellLots;
  const openUnits = side === buySide ? exposure.buyUnits : exposure.sellUnits;
  return Math.abs(exposure.lots) + open + lots <= exactMax && openUnits + units <= exactMax;
}

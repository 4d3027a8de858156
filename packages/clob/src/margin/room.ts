import type { Account, Room } from '../state/accounts.ts';
import type { Exposure } from '../book/exposure.ts';
import { unsettledFunding } from './funding.ts';
import { fundingIndexOf, marginPrice, type Market, type MarketFloats } from '../state/markets.ts';
import { buySide } from '../book/orderPool.ts';
import type { ClobState } from '../state/state.ts';
import type { Quantity } from '../book/quantity.ts';

/**
 * Free collateral from below, in floating numbers, for the question that every order asks: does it fit?
 *
 * Whether an order is admitted is decided by exact sums of bigints (admission.ts). Nearly always the answer is plain: the
 * account has far more than the order can need. So an account keeps a number that its free collateral is not below (`most`), and
 * adds up what its orders and fills may have taken from it at most since (`spent`). While the sum stays under the number, exact sums
 * would say yes, too; when it does not, they are asked. All roundings are in the account's disfavour and far larger than what
 * floating numbers lose, so the shortcut never changes an answer: it only saves finding it.
 *
 * What these bounds rest on, for one market with mark M and an order of size s at limit l:
 *  - to rest or to fill it raises the initial margin by no more than ceil(s * M * rate), and the loss of open orders, or the
 *    loss at once, by no more than s * max(0, l - M) of a buy, s * max(0, M - l) of a sell; its fee is no more than that of s * l;
 *    sells that fill at a price above their limit pay a fee of more, but gain more than that, as a fee is at most the notional;
 *  - a fill of an order that rested costs no more than that loss, and its fee: what its owner's margin was taken for stays worst;
 *  - an order, or a part of it, that goes without a fill takes no more than it would gain at the mark, s * max(0, M - l) of a buy, s * max(0, l - M) of a
 *    sell: losses of a side's orders are netted, so it may have made up for what others of its side lose. It takes nothing while the others lose nothing;
 *  - when marks move by no more than a part r, profit, losses of open orders and margin (whose rate is at most 1) together lose no more
 *    than 2 r times `gross`, what positions and open orders of both sides are worth. A fill does not make gross larger.
 * Anything else that changes an account, or a price, makes the number void (`regime`).
 */

/** Relative error of sums of some thousand products, with room: they lose less than 2^-40. */
const loss = 2 ** -30;

/**
 * Whether the account surely has `cost` wei of free collateral, which is then spent.
 *
 * @param gross by how much positions and open orders may grow, wei at the price of margin
 */
export function takeRoom(state: ClobState, account: Account, cost: number, gross: number): boolean {
  const { sharing } = state;
  if (sharing !== null && sharing.takeRoom !== null) return sharing.takeRoom(account, cost, gross);
  const { room } = account;
  if (room.regime === state.regime && room.drift !== state.drift) move(room, state.drift);
  if (room.regime !== state.regime || room.spent + cost > room.most) {
    if (room.regime === state.regime && room.spent === 0) return false;
    measure(state, account);
    if (!(cost <= room.most)) return false;
  }
  room.spent += cost * (1 + loss);
  room.gross += gross * (1 + loss);
  return true;
}

/** Whether room can be asked for in a market: its book counts in numbers, at a mark that stands still during the block, and nothing unknown decides. */
export const roomAnswers = ({ hasRooms, sharing }: ClobState, { book, markPrice }: Market): boolean =>
  hasRooms &&
  ((typeof book.zero === 'number' && markPrice !== null) || (sharing !== null && sharing.takeRoom !== null));

/** Free collateral that the account surely has, wei; minus infinity when nothing is known. */
export function roomOf(state: ClobState, { room }: Account): number {
  if (room.regime !== state.regime) return Number.NEGATIVE_INFINITY;
  if (room.drift !== state.drift) move(room, state.drift);
  return room.most - room.spent;
}

/** Counts what moves of mark prices may have cost: of profit, losses of open orders and margin, each at most the move's part of gross. */
function move(room: Room, drift: number): void {
  const grown = drift / room.drift;
  room.spent += room.gross * ((grown - 1) * 2 + loss * 2 ** -10);
  room.gross *= grown * (1 + loss);
  room.drift = drift;
}

/** What an order may take from free collateral at most, wei. The market has a mark. */
export function costOf(state: ClobState, market: Market, isBuy: boolean, ticks: number, lots: number): number {
  const floats = floatsOf(state, market);
  const size = lots * floats.lot;
  const price = ticks * floats.tick;
  const worse = isBuy ? price - floats.mark : floats.mark - price;
  const margin = size * floats.mark * floats.rate;
  const fee = size * price * floats.feeRate;
  return margin + (worse > 0 ? size * worse : 0) + fee + (size * (price + floats.mark) + margin + fee) * loss + 3;
}

/** What an order adds to its owner's gross, wei. */
export const grossOf = ({ floats }: Market, lots: number): number => lots * floats.lot * floats.mark;

/** What filling a resting order may take from its owner's free collateral at most, wei. */
export function fillCostOf(state: ClobState, market: Market, isBuy: boolean, ticks: number, lots: number): number {
  const floats = floatsOf(state, market);
  const price = ticks * floats.tick;
  const size = lots * floats.lot;
  const worse = isBuy ? price - floats.mark : floats.mark - price;
  const doubt = (price + floats.mark) * loss;
  const fee = floats.makerFeeRate === 0 ? 0 : size * price * floats.makerFeeRate * (1 + loss) + 1;
  return fee + (worse + doubt > 0 ? (worse + doubt) * size * (1 + loss) + 1 : 0);
}

/**
 * What free collateral may lose at most when lots of an open order go without a fill, wei.
 *
 * @param exposure of the owner, with these lots still open
 */
export function goneCostOf(
  state: ClobState,
  market: Market,
  exposure: Exposure,
  isBuy: boolean,
  ticks: number,
  lots: number,
): number {
  const floats = floatsOf(state, market);
  const price = ticks * floats.tick;
  const better = isBuy ? floats.mark - price : price - floats.mark;
  const doubt = (price + floats.mark) * loss;
  if (better + doubt <= 0) return 0;
  const gain = (better + doubt) * lots * floats.lot * (1 + loss) + 1;
  if (exposure.big !== null) return gain;
  const notional = (isBuy ? exposure.buyUnits : exposure.sellUnits) * floats.tick * floats.lot;
  const value = (isBuy ? exposure.buyLots : exposure.sellLots) * floats.lot * floats.mark;
  // Of what stays open; negative when it would gain.
  const left = (isBuy ? notional - value : value - notional) + gain + (notional + value) * loss;
  return left > 0 ? Math.min(gain, left) : 0;
}

/** Counts what it may cost its owner that lots of an open order go without a fill; they are still open. */
export function noteGone(state: ClobState, handle: number, lots: Quantity): void {
  const { orders } = state;
  const market = state.marketOf(handle);
  const account = state.accounts[orders.owner[handle]!]!;
  const ticks = Number(market.book.columns.ticks[handle]!);
  const isBuy = orders.side[handle] === buySide;
  const cost = goneCostOf(state, market, orders.exposure(handle), isBuy, ticks, Number(lots));
  if (cost === 0) return;
  account.room.spent += cost * (1 + loss);
  // What shards did with the account's orders was judged without it.
  if (state.sharing !== null && state.sharing.takeRoom === null) state.sharing.judged(account);
}

function floatsOf(state: ClobState, market: Market): MarketFloats {
  const { floats } = market;
  if (floats.pricing === state.pricing) return floats;
  floats.pricing = state.pricing;
  floats.mark = Number(marginPrice(market) ?? 0n);
  const { initialMarginBps, riskTiers } = state.marginParams(market);
  // The last tier has the highest rate: no part of a notional needs more.
  floats.rate = Math.max(initialMarginBps, riskTiers?.at(-1)?.initialMarginBps ?? 0) / 10_000;
  const { fees } = state.params;
  floats.feeRate = fees === undefined ? 0 : Math.max(fees.takerPpm, fees.makerPpm, 0) / 1_000_000;
  floats.makerFeeRate = fees === undefined ? 0 : Math.max(fees.makerPpm, 0) / 1_000_000;
  return floats;
}

/** Finds a number that free collateral is not below; may be far below it where numbers are large. */
function measure(state: ClobState, account: Account): void {
  state.sharing?.judged(account);
  const { room } = account;
  room.regime = state.regime;
  room.drift = state.drift;
  room.spent = 0;
  room.gross = 0;
  room.most = Number.NEGATIVE_INFINITY;
  let free = Number(account.collateral);
  let magnitude = Math.abs(free);
  for (const exposure of account.exposures) {
    const market = state.markets[exposure.marketId - 1]!;
    const floats = floatsOf(state, market);
    if (exposure.big !== null) return;
    const { lots, buyLots, sellLots } = exposure;
    if (lots === 0 && buyLots === 0 && sellLots === 0) continue;
    const unit = floats.tick * floats.lot;
    const buys = exposure.buyUnits * unit;
    const sells = exposure.sellUnits * unit;
    if (marginPrice(market) === null) {
      const margin = Math.max(buys, sells) * floats.rate;
      free -= margin + 1;
      magnitude += margin;
      continue;
    }
    const price = floats.lot * floats.mark;
    const entry = entryOf(exposure);
    const profit = lots >= 0 ? lots * price - entry : entry + lots * price;
    const worst = Math.max(Math.abs(lots), lots + buyLots, sellLots - lots);
    const losses = Math.max(0, buys - buyLots * price) + Math.max(0, sellLots * price - sells);
    const margin = worst * price * floats.rate;
    const index = fundingIndexOf(market);
    const funding = index === exposure.fundingIndex ? 0 : Number(unsettledFunding(exposure, index));
    free += profit + funding - losses - margin - 1;
    const gross = (Math.abs(lots) + buyLots + sellLots) * price;
    room.gross += gross * (1 + loss);
    // More than any of the products above.
    magnitude += entry + worst * price * 4 + buys + sells + gross + Math.abs(funding);
  }
  const least = free - magnitude * loss;
  if (Number.isFinite(least)) room.most = least;
}

const entryOf = ({ exactEntry, bigEntry }: Exposure): number => (bigEntry === null ? exactEntry : Number(bigEntry));

import type { OrderId } from '@prime/primitives';
import type { Account } from '../state/accounts.ts';
import { stopAt } from '../rules/blockRoom.ts';
import type { Book } from '../book/book.ts';
import { changeExposure, changeGlobals, changeMarket, touchAccount } from '../state/changes.ts';
import { floorOf } from './exact.ts';
import type { Exposure } from '../book/exposure.ts';
import { beginFees, insure, nextFees, surelyExact, takeFees } from './fastFees.ts';
import { fillPosition } from '../margin/fills.ts';
import { settleFunding } from '../margin/funding.ts';
import { fundingIndexOf, type Market } from '../state/markets.ts';
import { fillOrder, removeFilled } from '../state/openOrders.ts';
import { buySide, noOrder, type SideIndex } from '../book/orderPool.ts';
import { fillCostOf, takeRoom } from './room.ts';
import type { ClobState } from '../state/state.ts';

/** Matching and settling in exact numbers, for orders that fastLane.ts took in. */

const exactMax = Number.MAX_SAFE_INTEGER;

/** Whether all of the makers that an order would meet may trade; the room that they need for it is taken. */
export function surelyFills(
  state: ClobState,
  account: Account,
  market: Market,
  book: Book<number>,
  { side, lots }: { readonly side: SideIndex; readonly lots: number },
): boolean {
  const { orders } = state;
  const { ticks, remaining } = book.columns;
  const { fees } = state.params;
  let left = lots;
  let met = 0;
  const most = stopAt(state) - orders.changes;
  let cost = 0;
  let notional = 0;
  book.walk((1 - side) as SideIndex, (maker) => {
    if (orders.owner[maker] === account.index || orders.expiresAt[maker] !== 0 || met++ >= most) return false;
    const quantity = Math.min(left, remaining[maker]!);
    // Of all so far, also if they are of others: an owner may have several of them, and none has traded yet.
    cost += fillCostOf(state, market, orders.side[maker] === buySide, ticks[maker]!, quantity);
    if (!takeRoom(state, state.accounts[orders.owner[maker]!]!, cost, 0)) return false;
    notional += unitOf(market, ticks[maker]!) * quantity;
    if (fees !== undefined && !surelyExact(fees, notional)) return false;
    left -= quantity;
    return left > 0;
  });
  return left === 0;
}

/** Matches as long as it is plain. @param exposure of the account in the market @param isSure makers have been asked already @param until changes of orders at which it stops @returns what is left; negative when the general way has to go on with that much */
export function matchFast(
  state: ClobState,
  account: Account,
  exposure: Exposure,
  market: Market,
  book: Book<number>,
  id: OrderId,
  side: SideIndex,
  limit: number,
  lots: number,
  isSure: boolean,
  until: number,
): number {
  const opposite = (1 - side) as SideIndex;
  const { ticks, remaining } = book.columns;
  const { fees } = state;
  if (fees !== null) beginFees(fees);
  let left = lots;
  let traded = -1;
  while (left > 0) {
    const maker = book.best(opposite);
    if (maker === noOrder) break;
    const price = ticks[maker]!;
    if (side === buySide ? price > limit : price < limit) break;
    const available = remaining[maker]!;
    const quantity = available < left ? available : left;
    const isPlain = isSure || mayMeet(state, account, market, maker, price, quantity);
    if (
      !isPlain ||
      state.orders.changes >= until ||
      (fees !== null && !nextFees(fees, unitOf(market, price) * quantity))
    ) {
      left = -left;
      break;
    }
    trade(state, account, exposure, market, id, side, maker, price, quantity);
    if (available === quantity) removeFilled(state, maker);
    else fillOrder(state, maker, quantity);
    traded = price;
    left -= quantity;
  }
  if (fees !== null) insure(state, fees);
  if (traded >= 0) {
    changeMarket(state, market).lastPrice = BigInt(traded) * market.tickSize;
    market.tradedAt = state.height;
  }
  return left;
}

/** Whether a maker surely may trade. */
function mayMeet(
  state: ClobState,
  account: Account,
  market: Market,
  maker: number,
  price: number,
  lots: number,
): boolean {
  const { orders } = state;
  const owner = orders.owner[maker]!;
  if (owner === account.index || orders.expiresAt[maker] !== 0) return false;
  const cost = fillCostOf(state, market, orders.side[maker] === buySide, price, lots);
  return takeRoom(state, state.accounts[owner]!, cost, 0);
}

function trade(
  state: ClobState,
  taker: Account,
  exposure: Exposure,
  market: Market,
  id: OrderId,
  side: SideIndex,
  makerHandle: number,
  ticks: number,
  lots: number,
): void {
  const { orders, fees } = state;
  const maker = state.accounts[orders.owner[makerHandle]!]!;
  const signed = side === buySide ? lots : -lots;
  fill(state, maker, orders.exposure(makerHandle), market, -signed, ticks);
  fill(state, taker, exposure, market, signed, ticks);
  const tradeId = changeGlobals(state).nextTradeId++;
  state.log.traded(state.actionIndex, tradeId, market, ticks, lots, orders.id[makerHandle]!, id, maker, taker, side);
  if (fees !== null) takeFees(state, fees, market, tradeId, maker, taker);
}

/** Wei of one lot at a price; exact where the notional is. */
const unitOf = ({ quick }: Market, ticks: number): number => quick.lot * quick.tick * ticks;

/** Settles a position's funding, and a fill. @param lots negative for a sale */
function fill(
  state: ClobState,
  account: Account,
  exposure: Exposure,
  market: Market,
  lots: number,
  ticks: number,
): void {
  if (market.funding === undefined) return book(state, account, exposure, market, lots, ticks);
  settleFunding(state, account, exposure);
  book(state, account, exposure, market, lots, ticks);
  const isFlat = exposure.big === null ? exposure.lots === 0 : exposure.size === 0n;
  exposure.fundingIndex = isFlat ? 0n : fundingIndexOf(market);
}

/** Books a fill in numbers where all of it is exact, else as {@link fillPosition} does. */
function book(
  state: ClobState,
  account: Account,
  exposure: Exposure,
  market: Market,
  lots: number,
  ticks: number,
): void {
  touchAccount(state, account);
  changeExposure(state, account, exposure);
  const { tickSize, lotSize } = market;
  const { exactEntry: entry, lots: held } = exposure;
  const unit = unitOf(market, ticks);
  const amount = Math.abs(lots);
  const after = held + lots;
  if (exposure.big === null && exposure.bigEntry === null && (amount + Math.abs(held)) * unit + entry <= exactMax) {
    if (held === 0 || held > 0 === lots > 0) {
      exposure.lots = after;
      exposure.exactEntry = entry + amount * unit;
      return;
    }
    const size = Math.abs(held);
    const closed = amount < size ? amount : size;
    const share = entry * closed;
    if (share <= exactMax) {
      const released = floorOf(share, size);
      account.add(held > 0 ? closed * unit - released : released - closed * unit);
      exposure.lots = after;
      exposure.exactEntry = entry - released + (amount - closed) * unit;
      return;
    }
  }
  const {
    size,
    entry: opened,
    realized,
  } = fillPosition(exposure.size, exposure.entry, BigInt(lots) * lotSize, BigInt(ticks) * tickSize);
  account.collateral += realized;
  exposure.size = size;
  exposure.entry = opened;
}

import type { ActionResult, Deleverage, LiquidatedPosition, LiquidationValue, TradeValue } from '@prime/codec';
import {
  type Address,
  assert,
  bigintAbs,
  bigintMax,
  bigintMin,
  ceilDiv,
  compareStrings,
  floorDiv,
  type OrderId,
} from '@prime/primitives';
import type { Account } from '../state/accounts.ts';
import { refusedForRoom } from '../rules/blockRoom.ts';
import { cancelOrder } from '../orders/cancelOrder.ts';
import { changeAccount, changeGlobals } from '../state/changes.ts';
import { refusal } from '../rules/errors.ts';
import type { Exposure } from '../book/exposure.ts';
import { closeForValue, settleFill } from './fills.ts';
import { settleAllFunding } from './funding.ts';
import { isLiquidatable, type LiquidationState, liquidationState, maintenanceOf } from './margin.ts';
import type { Market } from '../state/markets.ts';
import { verdict } from '../book/match.ts';
import { buySide, noOrder, sellSide, type SideIndex } from '../book/orderPool.ts';
import { rankedAgainst } from './rankedAgainst.ts';
import type { ClobState } from '../state/state.ts';
import { policyOf } from '../orders/takers.ts';

/**
 * Liquidation.
 *
 * Positions are closed one after the other, riskiest first, until the account is healthy. Each position has a share of the
 * account's equity in proportion to its maintenance margin; the target is the money at which closing it uses that share up
 * exactly (its bankruptcy price). Closing better than that earns the insurance fund a fee, closing worse is paid by the fund, and what
 * neither the book nor the fund can close is closed against the most profitable opposite positions at the target. So equity
 * divided by maintenance margin never falls, and every account ends healthy or without positions.
 *
 * @see docs/protocol/clob.md, Liquidation
 */
export function liquidate(state: ClobState, address: Address): ActionResult {
  const account = state.accountOf.get(address);
  if (account === undefined || !isLiquidatable(liquidationState(account, state.marginMarket)))
    return refusal.notLiquidatable(address);
  return refusedForRoom(state, 'liquidate') ?? { ok: true, value: { type: 'liquidate', ...closeOut(state, account) } };
}

/** Liquidates what the block may liquidate by itself: least equity for its maintenance margin first, ties by address. */
export function liquidateRiskiest(state: ClobState): void {
  const { autoLiquidatePerBlock } = state.params;
  if (autoLiquidatePerBlock === 0) return;
  const candidates: (LiquidationState & { readonly account: Account })[] = [];
  for (const account of state.holders.of(state.dirtyAccounts)) {
    const health = liquidationState(account, state.marginMarket);
    if (isLiquidatable(health)) candidates.push({ account, ...health });
  }
  candidates.sort(
    (a, b) =>
      signOf(a.equity * b.maintenance - b.equity * a.maintenance) ||
      compareStrings(a.account.address, b.account.address),
  );
  // Deleveraging for one of them may have made the next one healthy.
  for (const { account } of candidates.slice(0, autoLiquidatePerBlock)) liquidate(state, account.address);
}

const signOf = (value: bigint): number => (value < 0n ? -1 : value > 0n ? 1 : 0);

function closeOut(state: ClobState, account: Account): LiquidationValue {
  const cancelledOrders = cancelOrders(state, account);
  settleAllFunding(state, account);
  const positions: LiquidatedPosition[] = [];
  for (;;) {
    const health = liquidationState(account, state.marginMarket);
    if (!isLiquidatable(health)) break;
    positions.push(closePosition(state, account, health));
  }
  const badDebt = coverDebt(state, account);
  return { address: account.address, positions, cancelledOrders, collateral: account.collateral, badDebt };
}

function cancelOrders(state: ClobState, account: Account): OrderId[] {
  const ids: OrderId[] = [];
  while (account.firstOrder !== noOrder) {
    ids.push(state.orders.id[account.firstOrder]! as OrderId);
    cancelOrder(state, account.firstOrder, 'liquidation');
  }
  return ids;
}

/** What is left to close of a position, and the money that closing it should bring in (long) or may cost (short). */
interface Slice {
  readonly isLong: boolean;
  left: bigint;
  target: bigint;
}

/** Share of the target that belongs to a part of the rest, rounded against whoever closes it. */
const baseOf = ({ isLong, left, target }: Slice, size: bigint): bigint =>
  isLong ? ceilDiv(target * size, left) : floorDiv(target * size, left);

/** A position on its way out. */
interface Closing {
  /** Of the order that its trades are told under. */
  readonly id: OrderId;
  readonly account: Account;
  readonly exposure: Exposure;
  readonly market: Market;
  /** Of margin, wei per base unit. */
  readonly price: bigint;
}

function take(slice: Slice, size: bigint, base: bigint): void {
  slice.left -= size;
  slice.target -= base;
}

function closePosition(
  state: ClobState,
  account: Account,
  { equity, maintenance }: LiquidationState,
): LiquidatedPosition {
  const { exposure, market, price, margin } = riskiestPosition(state, account);
  const { size } = exposure;
  const held = bigintAbs(size);
  const share = floorDiv(equity * margin, maintenance);
  const isLong = size > 0n;
  const slice: Slice = { isLong, left: held, target: held * price + (isLong ? -share : share) };
  const id = changeGlobals(state).nextOrderId;
  state.globals.nextOrderId = (id + 1) as OrderId;
  const closing: Closing = { id, account, exposure, market, price };
  const closedInBook = closeInBook(state, closing, slice);
  const { fee, insurancePaid } = closedInBook;
  const { address } = account;
  const position = { address, order_id: id, market_id: market.id };
  state.emit('liquidation', { ...position, size, fee, insurance_paid: insurancePaid });
  if (fee !== insurancePaid)
    state.emit('insurance_changed', { amount: fee - insurancePaid, balance: state.globals.insurance });
  const adl = deleverage(state, closing, slice);
  assert(slice.left === 0n && exposure.size === 0n, `liquidating ${address} left ${slice.left} in market ${market.id}`);
  return { marketId: market.id, size, closed: held, ...closedInBook, adl, remaining: 0n };
}

interface RiskiestPosition {
  readonly exposure: Exposure;
  readonly market: Market;
  readonly price: bigint;
  /** Its maintenance margin. */
  readonly margin: bigint;
}

/** The position with the largest maintenance margin; the first market of equal ones. */
function riskiestPosition(state: ClobState, account: Account): RiskiestPosition {
  let riskiest: RiskiestPosition | null = null;
  for (const exposure of account.exposures) {
    const { marketId, size } = exposure;
    const { price, params, liquidates } = state.marginMarket(marketId);
    if (size === 0n || price === null || !liquidates) continue;
    const margin = maintenanceOf(size, price, params);
    if (riskiest === null || margin > riskiest.margin)
      riskiest = { exposure, market: state.market(marketId)!, price, margin };
  }
  assert(riskiest !== null, `${account.address} is liquidatable without a position`);
  return riskiest;
}

/** Trades with the book at any price, as long as the insurance fund can pay for what is worse than the target. */
function closeInBook(
  state: ClobState,
  { id, account, exposure, market, price: mark }: Closing,
  slice: Slice,
): { readonly trades: readonly TradeValue[]; readonly fee: bigint; readonly insurancePaid: bigint } {
  const side = slice.isLong ? sellSide : buySide;
  const { book, tickSize, lotSize } = market;
  const policy = policyOf(state, {
    id,
    market,
    account,
    exposure,
    side,
    selfTrade: 'cancel_maker',
    cut: 0n,
    isSure: false,
    isJudged: false,
  });
  const from = state.log.eventCount;
  const sums = { fee: 0n, insurancePaid: 0n };
  while (slice.left > 0n) {
    const maker = book.best((1 - side) as SideIndex);
    if (maker === noOrder) break;
    const price = BigInt(book.columns.ticks[maker]!) * tickSize;
    const wanted = bigintMin(BigInt(book.columns.remaining[maker]!) * lotSize, slice.left);
    const size = bigintMin(wanted, affordable(slice, price, fundAt(state, slice, price, mark), lotSize));
    if (size === 0n) break;
    const lots = book.of(size / lotSize);
    const met = policy.meet(maker, lots, lots);
    if (met === verdict.stop) break;
    if (met === verdict.makerGone) continue;
    const base = baseOf(slice, size);
    const gain = slice.isLong ? price * size - base : base - price * size;
    const feeMax = floorDiv(price * size * BigInt(state.params.liquidationFeeBps), 10_000n);
    // A loss is a negative fee: the fund pays it.
    const fee = bigintMin(gain, feeMax);
    policy.trade(maker, lots, fee);
    policy.settle();
    if (fee > 0n) sums.fee += fee;
    else sums.insurancePaid -= fee;
    take(slice, size, base);
    if (size < wanted) break;
  }
  return { trades: state.log.trades(from, state.log.eventCount), ...sums };
}

/**
 * What the insurance fund pays at most at a price. Far from the mark nothing: whoever owns both sides of a thin book could otherwise be
 * liquidated against himself, and have the fund pay for the difference.
 */
function fundAt({ params, globals }: ClobState, { isLong }: Slice, price: bigint, mark: bigint): bigint {
  const { insuranceSlippageBps: bps } = params;
  if (bps === undefined) return globals.insurance;
  const distance = isLong ? mark - price : price - mark;
  return distance * 10_000n > mark * BigInt(bps) ? 0n : globals.insurance;
}

/**
 * The largest multiple of the lot for which the fund can pay the loss against the target at a price. The loss of q is
 * ceil(q * excess / left), where excess is what all of the rest would lose.
 */
function affordable({ isLong, left, target }: Slice, price: bigint, fund: bigint, lotSize: bigint): bigint {
  const excess = isLong ? target - price * left : price * left - target;
  if (excess <= 0n) return left;
  const size = (fund * left) / excess;
  return size - (size % lotSize);
}

/** Closes the rest against opposite positions, the most profitable for their owner's risk first. */
function deleverage(state: ClobState, { id, account, exposure, market, price }: Closing, slice: Slice): Deleverage[] {
  const closed: Deleverage[] = [];
  if (slice.left === 0n) return closed;
  for (const { account: other, exposure: theirs } of rankedAgainst(state, exposure, price)) {
    const size = bigintMin(slice.left, bigintAbs(theirs.size));
    const base = baseOf(slice, size);
    const value = bigintMax(0n, base);
    settleFill(state, other, theirs, closeForValue(theirs.size, theirs.entry, size, value));
    settleFill(state, account, exposure, closeForValue(exposure.size, exposure.entry, size, value));
    take(slice, size, base);
    const [address, signed] = [account.address, slice.isLong ? size : -size];
    state.emit('deleveraged', {
      address,
      order_id: id,
      counterparty: other.address,
      market_id: market.id,
      size: signed,
      value,
    });
    closed.push({ address: other.address, size, value });
    if (slice.left === 0n) break;
  }
  return closed;
}

/** The fund pays for an account that has nothing left but debt. @returns what remains unpaid, wei */
export function coverDebt(state: ClobState, account: Account): bigint {
  if (account.collateral >= 0n || account.exposures.some(({ size }) => size !== 0n)) return 0n;
  const paid = bigintMin(-account.collateral, state.globals.insurance);
  if (paid > 0n) {
    changeAccount(state, account).collateral += paid;
    changeGlobals(state).insurance -= paid;
    state.emit('debt_covered', { address: account.address, amount: paid });
    state.emit('insurance_changed', { amount: -paid, balance: state.globals.insurance });
  }
  const debt = -account.collateral;
  if (debt > 0n) state.emit('bad_debt', { address: account.address, amount: debt });
  return debt;
}

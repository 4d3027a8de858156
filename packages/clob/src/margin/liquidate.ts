import type { ActionResult, LiquidatedPosition, LiquidationValue } from '@prime/codec';
import {
  type Address,
  bigintAbs,
  bigintMax,
  bigintMin,
  ceilDiv,
  compareStrings,
  type OrderId,
  zeroAddress,
} from '@prime/primitives';
import type { Account } from '../state/accounts.ts';
import { refusedForRoom } from '../rules/blockRoom.ts';
import { cancelOrder } from '../orders/cancelOrder.ts';
import { changeAccount, changeGlobals, ensureAccount } from '../state/changes.ts';
import { closeInBook, type ClosedInBook, type Closing, isOffered, type Position } from './closeInBook.ts';
import { coverLoss, deleverage, settleLoss, sharesOf } from './deleverage.ts';
import { refusal } from '../rules/errors.ts';
import { settleAllFunding } from './funding.ts';
import { fundFor } from './insurance.ts';
import { isLiquidatable, type LiquidationState, liquidationState, maintenanceOf } from './margin.ts';
import { noOrder } from '../book/orderPool.ts';
import type { ClobState } from '../state/state.ts';

/**
 * Liquidation.
 *
 * Who has too little margin, and not less than nothing, is closed against the book alone: in slices, near the mark, until he is healthy. What the
 * book does not take waits for the next time. Who has less than nothing at the mark is closed whole. The insurance fund pays
 * what he is short of. What it can not pay, profits on the other side of his losses do, none more than there is of it. What is left
 * then is a debt of the markets where it arose.
 *
 * @param sender who gets a part of the fee; null when a block does it by itself
 * @see docs/protocol/clob.md, Liquidation; docs/adr/0213-liquidation-in-steps.md
 */
export function liquidate(state: ClobState, address: Address, sender: Address | null): ActionResult {
  const account = state.accountOf.get(address);
  if (account === undefined || !isLiquidatable(liquidationState(account, state.marginMarket)))
    return refusal.notLiquidatable(address);
  const refused = refusedForRoom(state, 'liquidate');
  return refused ?? { ok: true, value: { type: 'liquidate', ...closeOut(state, account, sender) } };
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
  // Closing one of them may have made the next one healthy.
  for (const { account } of candidates.slice(0, autoLiquidatePerBlock)) liquidate(state, account.address, null);
}

const signOf = (value: bigint): number => (value < 0n ? -1 : value > 0n ? 1 : 0);

function closeOut(state: ClobState, account: Account, sender: Address | null): LiquidationValue {
  const cancelledOrders = cancelOrders(state, account);
  settleAllFunding(state, account);
  const { equity } = liquidationState(account, state.marginMarket);
  const { positions, badDebt } = equity >= 0n ? reduce(state, account) : closeAll(state, account);
  // Whoever sends without a signature is nobody.
  const isPaid = sender !== null && sender !== zeroAddress;
  const reward = isPaid ? payReward(state, account, sender, positions) : 0n;
  return { address: account.address, positions, cancelledOrders, collateral: account.collateral, badDebt, reward };
}

function cancelOrders(state: ClobState, account: Account): OrderId[] {
  const ids: OrderId[] = [];
  while (account.firstOrder !== noOrder) {
    ids.push(state.orders.id[account.firstOrder]! as OrderId);
    cancelOrder(state, account.firstOrder, 'liquidation');
  }
  return ids;
}

/** Positions that count for liquidation, the largest maintenance margin first, then by market. */
function positionsOf(state: ClobState, account: Account): Position[] {
  const found: (Position & { readonly margin: bigint })[] = [];
  for (const exposure of account.exposures) {
    const { marketId, size } = exposure;
    const { price, params, liquidates } = state.marginMarket(marketId);
    if (size === 0n || price === null || !liquidates) continue;
    const margin = maintenanceOf(size, price, params);
    found.push({ account, exposure, market: state.market(marketId)!, price, margin });
  }
  return found.sort((a, b) => signOf(b.margin - a.margin));
}

/** Takes an order id, under which the trades of a position are told. */
function named(state: ClobState, position: Position): Closing {
  const id = changeGlobals(state).nextOrderId;
  state.globals.nextOrderId = (id + 1) as OrderId;
  return { ...position, id };
}

/** What became of positions. */
interface Closed {
  readonly positions: LiquidatedPosition[];
  readonly badDebt: bigint;
}

/** Closes slices of positions until the account is healthy, or the book has no more for any of them. */
function reduce(state: ClobState, account: Account): Closed {
  const positions: LiquidatedPosition[] = [];
  const isNeeded = (): boolean => isLiquidatable(liquidationState(account, state.marginMarket));
  for (const position of positionsOf(state, account)) {
    if (!isNeeded()) break;
    // Nothing is said of a position, block after block, that nobody takes.
    if (!isOffered(state, position, false)) continue;
    const closing = named(state, position);
    const { size } = closing.exposure;
    const book = closeInBook(state, closing, { slice: sliceOf(state, closing), isNeeded, hasFund: false });
    positions.push(tellClosed(state, closing, size, book));
  }
  return { positions, badDebt: 0n };
}

/** Base units that are closed before the account is judged again, in whole lots. */
function sliceOf({ params }: ClobState, { exposure, market, price }: Position): bigint {
  const held = bigintAbs(exposure.size);
  const { sliceBps = 0, sliceNotionalMin = 0n } = params.liquidation ?? {};
  if (sliceBps === 0) return held;
  const part = bigintMax(ceilDiv(held * BigInt(sliceBps), bpsBase), ceilDiv(sliceNotionalMin, price));
  return bigintMin(held, ceilDiv(part, market.lotSize) * market.lotSize);
}

const bpsBase = 10_000n;

/** Closes all of an account that has less than nothing. */
function closeAll(state: ClobState, account: Account): Closed {
  const open = positionsOf(state, account);
  const told = open.map((position) => {
    const closing = named(state, position);
    const { size } = closing.exposure;
    return { closing, position: tellClosed(state, closing, size, closeFunded(state, closing)) };
  });
  const shares = sharesOf(open, coverLoss(state, account));
  const positions = told.map(({ closing, position }, index): LiquidatedPosition => {
    const adl = deleverage(state, closing, shares[index]!);
    const closed = adl.reduce((sum, { size }) => sum + size, position.closed);
    return { ...position, closed, adl, remaining: bigintAbs(closing.exposure.size) };
  });
  return { positions, badDebt: settleLoss(state, account, open[0]!.market) };
}

const nothingClosed: ClosedInBook = { trades: [], fee: 0n, insurancePaid: 0n };

/** Closes in the book where the fund can pay what the account is short of: else profits on the other side are asked. */
function closeFunded(state: ClobState, closing: Closing): ClosedInBook {
  const { account, exposure } = closing;
  if (liquidationState(account, state.marginMarket).equity + fundFor(state, account) < 0n) return nothingClosed;
  return closeInBook(state, closing, { slice: bigintAbs(exposure.size), isNeeded: () => true, hasFund: true });
}

/** @param size of the position before */
function tellClosed(
  state: ClobState,
  { id, account, exposure, market }: Closing,
  size: bigint,
  { trades, fee, insurancePaid }: ClosedInBook,
): LiquidatedPosition {
  const { address } = account;
  state.emit('liquidation', { address, order_id: id, market_id: market.id, size, fee, insurance_paid: insurancePaid });
  if (fee !== insurancePaid)
    state.emit('insurance_changed', { amount: fee - insurancePaid, balance: state.globals.insurance });
  const remaining = bigintAbs(exposure.size);
  return {
    marketId: market.id,
    size,
    closed: bigintAbs(size) - remaining,
    trades,
    fee,
    insurancePaid,
    adl: [],
    remaining,
  };
}

/** Gives the sender his part of the fees. */
function payReward(
  state: ClobState,
  { address }: Account,
  sender: Address,
  positions: readonly LiquidatedPosition[],
): bigint {
  const fees = positions.reduce((sum, { fee }) => sum + fee, 0n);
  const reward = (fees * BigInt(state.params.liquidation?.rewardBps ?? 0)) / bpsBase;
  if (reward === 0n) return 0n;
  changeGlobals(state).insurance -= reward;
  changeAccount(state, ensureAccount(state, sender)).collateral += reward;
  state.emit('liquidation_reward', { address, liquidator: sender, amount: reward });
  state.emit('insurance_changed', { amount: -reward, balance: state.globals.insurance });
  return reward;
}

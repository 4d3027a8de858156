import type { TradeValue } from '@prime/codec';
import { bigintAbs, bigintMax, bigintMin, floorDiv, type OrderId } from '@prime/primitives';
import { type Account, ownOf } from '../state/accounts.ts';
import type { Exposure } from '../book/exposure.ts';
import { fundFor } from './insurance.ts';
import { liquidationState } from './margin.ts';
import type { Market } from '../state/markets.ts';
import { verdict } from '../book/match.ts';
import { buySide, noOrder, sellSide, type SideIndex } from '../book/orderPool.ts';
import type { ClobState } from '../state/state.ts';
import { policyOf } from '../orders/takers.ts';

/** Closing positions of liquidated accounts in the book. */

/** A position in liquidation. */
export interface Position {
  readonly account: Account;
  readonly exposure: Exposure;
  readonly market: Market;
  /** Of margin, wei per base unit. */
  readonly price: bigint;
}

/** A position on its way out. */
export interface Closing extends Position {
  /** Of the order that its trades are told under. */
  readonly id: OrderId;
}

/** How far closing goes. */
interface CloseTerms {
  /** Base units after which is asked whether more is needed. */
  readonly slice: bigint;
  isNeeded(): boolean;
  /** Whether the insurance fund pays for what is worse than the mark; else the account has to be able to. */
  readonly hasFund: boolean;
}

/** What the book took of a position. */
export interface ClosedInBook {
  readonly trades: readonly TradeValue[];
  /** Wei that the account paid to the fund, and the fund for the account. */
  readonly fee: bigint;
  readonly insurancePaid: bigint;
}

const opposite = ({ exposure }: Position): SideIndex => (exposure.size > 0n ? buySide : sellSide);

/** Whether the best order of the book is near enough, and some of it payable. */
export function isOffered(state: ClobState, position: Position, hasFund: boolean): boolean {
  const { market, exposure } = position;
  const maker = market.book.best(opposite(position));
  return maker !== noOrder && payable(state, position, priceOf(market, maker), bigintAbs(exposure.size), hasFund) > 0n;
}

const priceOf = ({ book, tickSize }: Market, maker: number): bigint => BigInt(book.columns.ticks[maker]!) * tickSize;

/** Trades with the book, slice by slice. */
export function closeInBook(
  state: ClobState,
  closing: Closing,
  { slice, isNeeded, hasFund }: CloseTerms,
): ClosedInBook {
  const { market, exposure } = closing;
  const { book, lotSize } = market;
  const makers = opposite(closing);
  const policy = policyOf(state, { ...closing, side: (1 - makers) as SideIndex, ...plainTaker });
  const from = state.log.eventCount;
  const sums = { fee: 0n, insurancePaid: 0n };
  let part = slice;
  while (exposure.size !== 0n) {
    const maker = book.best(makers);
    if (maker === noOrder) break;
    const price = priceOf(market, maker);
    const wanted = bigintMin(
      bigintMin(BigInt(book.columns.remaining[maker]!) * lotSize, part),
      bigintAbs(exposure.size),
    );
    const size = payable(state, closing, price, wanted, hasFund);
    if (size === 0n) break;
    const lots = book.of(size / lotSize);
    const met = policy.meet(maker, lots, lots);
    if (met === verdict.stop) break;
    if (met === verdict.makerGone) continue;
    const charged = hasFund ? -fundPays(state, closing, price, size) : feeOf(state, closing, price, size);
    policy.trade(maker, lots, charged);
    policy.settle();
    if (charged > 0n) sums.fee += charged;
    else sums.insurancePaid -= charged;
    part -= size;
    if (size < wanted) break;
    if (part > 0n) continue;
    if (!isNeeded()) break;
    part = slice;
  }
  return { trades: state.log.trades(from, state.log.eventCount), ...sums };
}

const plainTaker = { selfTrade: 'cancel_maker', cut: 0n, isSure: false, isJudged: false } as const;

/** By how much a price is worse than the mark for whoever closes, wei per base unit; negative where it is better. */
const slippageOf = ({ exposure, price: mark }: Position, price: bigint): bigint =>
  exposure.size > 0n ? mark - price : price - mark;

/** How much of a size may be closed at a price, in whole lots: the price is near enough, and nobody is asked for more than there is. */
function payable(state: ClobState, position: Position, price: bigint, size: bigint, hasFund: boolean): bigint {
  const slippage = slippageOf(position, price);
  if (slippage <= 0n) return size;
  const { liquidation, insuranceSlippageBps } = state.params;
  const isFar = (bps: number): boolean => slippage * 10_000n > position.price * BigInt(bps);
  const { bandBps = 0 } = liquidation ?? {};
  if (
    (bandBps !== 0 && isFar(bandBps)) ||
    (hasFund && insuranceSlippageBps !== undefined && isFar(insuranceSlippageBps))
  )
    return 0n;
  const { equity } = liquidationState(position.account, state.marginMarket);
  const most = bigintMax(0n, (hasFund ? equity + fundFor(state, position.account) : equity) / slippage);
  return bigintMin(size, most - (most % position.market.lotSize));
}

/** Fee of a trade: never more than the account has left, and has of its own. */
function feeOf(state: ClobState, closing: Closing, price: bigint, size: bigint): bigint {
  const { equity } = liquidationState(closing.account, state.marginMarket);
  const after = equity - slippageOf(closing, price) * size;
  const left = bigintMax(0n, bigintMin(after, ownOf(closing.account)));
  return bigintMin(left, floorDiv(price * size * BigInt(state.params.liquidationFeeBps), 10_000n));
}

/** What the fund pays for a trade that is worse than the mark. */
function fundPays(state: ClobState, closing: Closing, price: bigint, size: bigint): bigint {
  const { equity } = liquidationState(closing.account, state.marginMarket);
  return bigintMax(0n, slippageOf(closing, price) * size - bigintMax(0n, equity));
}

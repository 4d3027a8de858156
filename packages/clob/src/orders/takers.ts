import type { OrderId } from '@prime/primitives';
import type { Account } from '../state/accounts.ts';
import { stopAt } from '../rules/blockRoom.ts';
import { cancelOrder } from './cancelOrder.ts';
import { changeAccount, changeGlobals, changeMarket, reprice } from '../state/changes.ts';
import type { Exposure } from '../book/exposure.ts';
import { makerFeeMax, OrderFees } from '../margin/fees.ts';
import { bookFill, type FillOutcome, fillPosition } from '../margin/fills.ts';
import { settleFunding, unsettledFunding } from '../margin/funding.ts';
import { afterFill } from '../margin/margin.ts';
import { marginSums } from '../margin/marginSums.ts';
import { fundingIndexOf } from '../state/markets.ts';
import type { Trade } from '../records/logRows.ts';
import { type MatchPolicy, type Verdict, verdict } from '../book/match.ts';
import { fillOrder, removeFilled } from '../state/openOrders.ts';
import { buySide } from '../book/orderPool.ts';
import { minus, negated, plus, type Quantity } from '../book/quantity.ts';
import { fillCostOf, roomAnswers, takeRoom } from '../margin/room.ts';
import { closeAttached, growAttached } from '../triggers/attached.ts';
import { followPosition } from '../triggers/followPosition.ts';
import { shrinkOrder, tellReduced } from './shrinkOrder.ts';
import type { ClobState } from '../state/state.ts';
import type { TakerOrder } from '../state/takerOrder.ts';
import { tellTrade } from './tellOrders.ts';

/** With the maker that was met last. */
class LatestTrade implements Trade {
  taker!: TakerOrder;
  maker!: Account;
  makerExposure!: Exposure;
  makerOrder = 0 as OrderId;
  ticks: Quantity = 0;
  lots: Quantity = 0;
  isMakerSure = false;
}

/**
 * Judges the makers that one taker meets, and books its trades.
 *
 * A maker is judged at the moment of the match, because its margin may have gone since its order was accepted: by expiry, by
 * owner (self-trade), by margin. The taker was admitted at its full size and is not judged again.
 */
export class TakerPolicy implements MatchPolicy<Quantity> {
  /** The taker met its own order and may not go on. */
  stopped = false;
  /** It has cost the block as much as one order may. */
  exhausted = false;
  /** A fill would have taken the account below zero, or what is left of the order at its limit. */
  poor = false;
  /** Lots that self-trade prevention took off the taker. */
  decremented: Quantity = 0;
  #state!: ClobState;
  #taker!: TakerOrder;
  #until = Number.POSITIVE_INFINITY;
  readonly #fees = new OrderFees();
  /** Whether room.ts may answer for the makers. */
  #hasRooms = false;
  readonly #trade = new LatestTrade();
  /** Ticks of the latest trade whose price the market does not have yet. */
  #traded: Quantity | null = null;

  /** Begins with an order; nothing of the one before stays. */
  begin(state: ClobState, taker: TakerOrder): void {
    this.stopped = false;
    this.exhausted = false;
    this.poor = false;
    this.decremented = taker.market.book.zero;
    this.#state = state;
    this.#taker = taker;
    this.#until = stopAt(state);
    this.#fees.begin();
    this.#hasRooms = roomAnswers(state, taker.market);
    this.#trade.taker = taker;
    this.#traded = null;
  }

  meet(maker: number, quantity: Quantity, left: Quantity): Verdict {
    const state = this.#state;
    if (state.orders.changes >= this.#until) {
      this.exhausted = true;
      return verdict.stop;
    }
    if (state.isExpired(maker)) {
      cancelOrder(state, maker, 'expired');
      return verdict.makerGone;
    }
    if (state.orders.owner[maker] === this.#taker.account.index) return this.#meetSelf(maker, quantity, left);
    const isSure = this.#hasRooms && this.#hasRoom(maker, quantity);
    this.#trade.isMakerSure = isSure;
    if (!isSure && !this.#makerMayTrade(maker, quantity)) {
      cancelOrder(state, maker, 'margin');
      return verdict.makerGone;
    }
    if (!this.#taker.isJudged || this.#takerMayReduce(maker, quantity)) return verdict.trade;
    this.poor = true;
    this.stopped = true;
    return verdict.stop;
  }

  /** @param liquidationFee wei that go from the taker to the insurance fund instead of a fee; negative: the fund pays them */
  trade(maker: number, quantity: Quantity, liquidationFee: bigint | null = null): void {
    const state = this.#state;
    const { market, account, exposure, side, isSure } = this.#taker;
    const { orders } = state;
    const { columns } = market.book;
    const owner = state.accounts[orders.owner[maker]!]!;
    const ofOwner = orders.exposure(maker);
    const ticks = columns.ticks[maker]!;
    const trade = this.#trade;
    trade.maker = owner;
    trade.makerExposure = ofOwner;
    trade.makerOrder = orders.id[maker]! as OrderId;
    trade.ticks = ticks;
    trade.lots = quantity;
    const bought = side === buySide ? quantity : negated(quantity);
    this.#fill(owner, ofOwner, negated(bought), ticks, trade.isMakerSure);
    this.#fill(account, exposure, bought, ticks, isSure);
    // Nothing is left of it when it leaves, so that undoing brings back the order as it was.
    if (columns.remaining[maker] === quantity) removeFilled(state, maker);
    else fillOrder(state, maker, quantity);
    this.#traded = ticks;
    // Margin of a market without a mark is computed at the last price, which just changed.
    if (market.markPrice === null) {
      this.#setLastPrice();
      reprice(state);
    }
    this.#charge(liquidationFee);
    if (state.triggers.ofOrder.size > 0) this.#followMaker(trade.makerOrder, quantity);
    followPosition(state, owner, ofOwner);
    followPosition(state, account, exposure);
  }

  /** Has the triggers of a maker's bracket follow its fill. */
  #followMaker(orderId: OrderId, quantity: Quantity): void {
    const state = this.#state;
    growAttached(state, orderId, BigInt(quantity) * this.#taker.market.lotSize);
    if (state.orders.byId.get(orderId) === undefined) closeAttached(state, orderId);
  }

  /** Brings the market and the insurance fund up to date with the trades so far. */
  settle(): void {
    this.#setLastPrice();
    this.#fees.payInsurance(this.#state);
  }

  #setLastPrice(): void {
    if (this.#traded === null) return;
    const { market } = this.#taker;
    changeMarket(this.#state, market).lastPrice = BigInt(this.#traded) * market.tickSize;
    market.tradedAt = this.#state.height;
    this.#traded = null;
  }

  #fill(account: Account, exposure: Exposure, lots: Quantity, ticks: Quantity, isSure: boolean): void {
    const state = this.#state;
    const { market } = this.#taker;
    if (market.funding !== undefined) settleFunding(state, account, exposure);
    bookFill(state, account, exposure, market, lots, ticks, isSure);
  }

  /** Takes what the trade costs, and tells of it. */
  #charge(liquidationFee: bigint | null): void {
    const state = this.#state;
    const trade = this.#trade;
    const { fees: params } = state.params;
    if (liquidationFee === null) {
      if (params !== undefined) this.#fees.charge(state, params, trade);
      return tellTrade(state, trade, params === undefined ? null : this.#fees, null);
    }
    changeAccount(state, trade.taker.account).collateral -= liquidationFee;
    changeGlobals(state).insurance += liquidationFee;
    const earned = liquidationFee > 0n ? liquidationFee : 0n;
    if (params !== undefined) this.#fees.chargeLiquidation(state, params, trade, earned);
    tellTrade(state, trade, params === undefined ? null : this.#fees, earned);
  }

  #meetSelf(maker: number, quantity: Quantity, left: Quantity): Verdict {
    const state = this.#state;
    const mode = this.#taker.selfTrade;
    if (mode === 'decrement') {
      if (this.#taker.market.book.columns.remaining[maker] === quantity) cancelOrder(state, maker, 'self_trade');
      else shrinkOrder(state, maker, quantity, 'decrement');
      this.decremented = plus(this.decremented, quantity);
      const { lotSize } = this.#taker.market;
      const remaining = BigInt(minus(left, quantity)) * lotSize + this.#taker.cut;
      tellReduced(state, this.#taker, 'decrement', BigInt(quantity) * lotSize, remaining);
      return verdict.decrement;
    }
    if (mode !== 'cancel_taker') cancelOrder(state, maker, 'self_trade');
    if (mode === 'cancel_maker') return verdict.makerGone;
    this.stopped = true;
    return verdict.stop;
  }

  /** Whether the maker surely has collateral for the fill, which is then spent. */
  #hasRoom(maker: number, quantity: Quantity): boolean {
    const state = this.#state;
    const { market, side } = this.#taker;
    const ticks = Number(market.book.columns.ticks[maker]!);
    const cost = fillCostOf(state, market, side !== buySide, ticks, Number(quantity));
    return takeRoom(state, state.accounts[state.orders.owner[maker]!]!, cost, 0);
  }

  /**
   * A fill that only reduces the maker's position is allowed at the mark or better while equity is not negative, and when equity covers the
   * loss; any other needs the margin for the position after it.
   */
  #makerMayTrade(maker: number, quantity: Quantity): boolean {
    const state = this.#state;
    const { market, side } = this.#taker;
    const account = state.accounts[state.orders.owner[maker]!]!;
    const exposure = state.orders.exposure(maker);
    const { size } = exposure;
    const price = BigInt(market.book.columns.ticks[maker]!) * market.tickSize;
    const amount = BigInt(quantity) * market.lotSize;
    const signed = side === buySide ? -amount : amount;
    const fill = fillPosition(size, exposure.entry, signed, price);
    const reduces = size > 0n ? signed < 0n && size + signed >= 0n : signed > 0n && size + signed <= 0n;
    if (reduces) return this.#mayReduce(account, exposure, fill, signed > 0n, price);
    const after = this.#after(account, exposure, fill, price);
    const { fees } = state.params;
    const fee = fees === undefined ? 0n : makerFeeMax(price * amount, fees);
    return after.equity - fee >= after.required;
  }

  /** By the same rule as a maker that only reduces, because the order was not admitted at its limit. */
  #takerMayReduce(maker: number, quantity: Quantity): boolean {
    const { market, account, exposure, side } = this.#taker;
    const price = BigInt(market.book.columns.ticks[maker]!) * market.tickSize;
    const amount = BigInt(quantity) * market.lotSize;
    const signed = side === buySide ? amount : -amount;
    const fill = fillPosition(exposure.size, exposure.entry, signed, price);
    return this.#mayReduce(account, exposure, fill, side === buySide, price);
  }

  /** Whether a fill that only reduces a position leaves equity of 0 or more. */
  #mayReduce(account: Account, exposure: Exposure, fill: FillOutcome, buys: boolean, price: bigint): boolean {
    const { markPrice } = this.#taker.market;
    const isWorse = markPrice !== null && (buys ? price > markPrice : price < markPrice);
    // Who has less than nothing does not trade: what is lost would stay on the rest of the position, and with whoever it is closed against.
    if (!isWorse && account.collateral + marginSums(this.#state, account).profit >= 0n) return true;
    return this.#after(account, exposure, fill, price).equity >= 0n;
  }

  #after(account: Account, exposure: Exposure, fill: FillOutcome, price: bigint): ReturnType<typeof afterFill> {
    const state = this.#state;
    const { market } = this.#taker;
    const unsettled = unsettledFunding(exposure, fundingIndexOf(market));
    // Without a mark the price of margin is the last trade's, which this fill is about to be.
    const sums = marginSums(state, account);
    const held = { sums, own: exposure.kept.terms, unsettled };
    return afterFill(account, held, fill, market.markPrice ?? price, state.marginParams(market));
  }
}

/**
 * The policy of the order on its way; there is one at a time. One object for all of them: with the last object of a shape goes, at each large collection,
 * what the compiler made of it.
 */
const policy = new TakerPolicy();

/** The policy of an order that begins to match. It is good until the next order begins. */
export function policyOf(state: ClobState, taker: TakerOrder): TakerPolicy {
  policy.begin(state, taker);
  return policy;
}

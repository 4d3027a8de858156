import { type SelfTradeMode, sides, type TradeValue } from '@prime/codec';
import type { OrderId } from '@prime/primitives';
import type { Account } from '../state/accounts.ts';
import { stopAt } from './blockRoom.ts';
import { minus, plus } from '../book/book.ts';
import { cancelOrder } from './cancelOrder.ts';
import { changeAccount, changeGlobals, changeMarket, ensureExposure, reprice } from '../state/changes.ts';
import type { Exposure } from '../book/exposure.ts';
import { type ChargedFees, chargeFees, makerFeeMax, takerFeeOf } from '../margin/fees.ts';
import { type FillOutcome, fillPosition, settleFill } from '../margin/fills.ts';
import { unsettledFunding } from '../margin/funding.ts';
import { afterFill } from '../margin/margin.ts';
import { marginSums } from '../margin/marginSums.ts';
import { fundingIndexOf, type Market } from '../state/markets.ts';
import { type MatchPolicy, type Verdict, verdict } from '../book/match.ts';
import { fillOrder, removeFilled } from '../state/openOrders.ts';
import { buySide, type Quantity, type SideIndex } from '../book/orderPool.ts';
import { fillCostOf, takeRoom } from '../lane/room.ts';
import { shrinkOrder, tellReduced } from './shrinkOrder.ts';
import type { ClobState } from '../state/state.ts';

/** The order that is being matched. */
export interface TakerOrder {
  readonly id: OrderId;
  readonly market: Market;
  readonly account: Account;
  readonly side: SideIndex;
  readonly selfTrade: SelfTradeMode;
  /** Base units of a reduce-only order that its position has no need of: they do not match, and go when it ends. */
  readonly cut: bigint;
  /** Whether it only reduces and its limit says nothing: each of its fills has to leave equity of 0 or more. */
  readonly isJudged: boolean;
}

/**
 * Judges the makers that one taker meets, and books its trades.
 *
 * A maker is judged at the moment of the match, because its margin may have gone since its order was accepted: by expiry, by
 * owner (self-trade), by margin. The taker was admitted at its full size and is not judged again.
 */
export class TakerPolicy implements MatchPolicy<Quantity> {
  readonly trades: TradeValue[];
  /** The taker met its own order and may not go on. */
  stopped = false;
  /** It has cost the block as much as one order may. */
  exhausted = false;
  /** A fill would have taken the account below zero, or what is left of the order at its limit. */
  poor = false;
  /** Lots that self-trade prevention took off the taker. */
  decremented: Quantity;
  readonly #state: ClobState;
  readonly #taker: TakerOrder;
  readonly #exposure: Exposure;
  readonly #until: number;
  /** Notional of its trades so far. */
  #traded = 0n;
  // Filled by meet for the trade that follows it.
  #makerFill: FillOutcome = { size: 0n, entry: 0n, realized: 0n };

  /** @param until changes of orders at which it stops, see blockRoom.ts @param trades that the order has made already */
  constructor(state: ClobState, taker: TakerOrder, until = stopAt(state), trades: TradeValue[] = []) {
    this.#until = until;
    this.trades = trades;
    for (const { price, size } of trades) this.#traded += price * size;
    this.#state = state;
    this.#taker = taker;
    this.#exposure = ensureExposure(state, taker.account, taker.market.id);
    this.decremented = taker.market.book.zero;
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
    if (!this.#makerMayTrade(maker, quantity)) {
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
    const { id, market, account, side } = this.#taker;
    const { orders } = state;
    const makerAccount = state.accounts[orders.owner[maker]!]!;
    const price = BigInt(market.book.columns.ticks[maker]!) * market.tickSize;
    const size = BigInt(quantity) * market.lotSize;
    settleFill(state, makerAccount, ensureExposure(state, makerAccount, market.id), this.#makerFill);
    const exposure = this.#exposure;
    const signed = side === buySide ? size : -size;
    settleFill(state, account, exposure, fillPosition(exposure.size, exposure.entry, signed, price));
    const makerOrderId = orders.id[maker]! as OrderId;
    if (market.book.columns.remaining[maker] === quantity) {
      // Nothing is left of it when it leaves, so that undoing brings back the order as it was.
      removeFilled(state, maker);
    } else fillOrder(state, maker, quantity);
    changeMarket(state, market).lastPrice = price;
    market.tradedAt = state.height;
    // Margin of a market without a mark is computed at the last price, which just changed.
    if (market.markPrice === null) {
      state.solvency.reset();
      reprice(state);
    }
    if (liquidationFee !== null) {
      changeAccount(state, account).collateral -= liquidationFee;
      changeGlobals(state).insurance += liquidationFee;
    }
    const earned = liquidationFee !== null && liquidationFee > 0n ? liquidationFee : 0n;
    const { fees } = state.params;
    let charged: ChargedFees | null = null;
    if (fees !== undefined) {
      const notional = price * size;
      const takerFee = liquidationFee === null ? takerFeeOf(this.#traded, notional, fees) : 0n;
      this.#traded += notional;
      charged = chargeFees(state, fees, {
        taker: account,
        maker: makerAccount,
        notional,
        takerFee,
        liquidationFee: earned,
      });
    }
    const fee = earned + (charged?.takerFee ?? 0n);
    const [makerAddress, taker] = [makerAccount.address, account.address];
    this.#record({ price, size, makerOrderId, takerOrderId: id, maker: makerAddress, taker, fee }, charged);
  }

  #record(trade: Omit<TradeValue, 'tradeId' | 'side'>, charged: ChargedFees | null): void {
    const state = this.#state;
    const tradeId = changeGlobals(state).nextTradeId++;
    const side = sides[this.#taker.side]!;
    const { maker, taker } = trade;
    this.trades.push({ tradeId, ...trade, side });
    state.emit('trade', {
      trade_id: tradeId,
      market_id: this.#taker.market.id,
      price: trade.price,
      size: trade.size,
      maker_order_id: trade.makerOrderId,
      taker_order_id: trade.takerOrderId,
      maker,
      taker,
      side,
      fees: trade.fee,
    });
    if (charged === null || (charged.takerFee === 0n && charged.makerFee === 0n)) return;
    state.emit('trade_fees', {
      trade_id: tradeId,
      market_id: this.#taker.market.id,
      taker,
      taker_fee: charged.takerFee,
      maker,
      maker_fee: charged.makerFee,
      insurance: charged.insurance,
      treasury: charged.treasury,
    });
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

  /**
   * A fill that only reduces the maker's position is allowed at the mark or better while equity is not negative, and when equity covers the
   * loss; any other needs the margin for the position after it.
   */
  #makerMayTrade(maker: number, quantity: Quantity): boolean {
    const state = this.#state;
    const { market } = this.#taker;
    const { orders } = state;
    const account = state.accounts[orders.owner[maker]!]!;
    const exposure = ensureExposure(state, account, market.id);
    const { size, entry } = exposure;
    const price = BigInt(market.book.columns.ticks[maker]!) * market.tickSize;
    const amount = BigInt(quantity) * market.lotSize;
    const signed = orders.side[maker] === buySide ? amount : -amount;
    const fill = fillPosition(size, entry, signed, price);
    this.#makerFill = fill;
    const reduces = size > 0n ? signed < 0n && size + signed >= 0n : signed > 0n && size + signed <= 0n;
    if (state.sharing !== null && state.sharing.takeRoom !== null)
      return takeRoom(
        state,
        account,
        fillCostOf(state, market, signed > 0n, Number(price / market.tickSize), Number(quantity)),
        0,
      );
    if (reduces) return this.#mayReduce(account, exposure, fill, signed > 0n, price);
    const after = this.#after(account, exposure, fill, price);
    const { fees } = state.params;
    const fee = fees === undefined ? 0n : makerFeeMax(price * amount, fees);
    return after.equity - fee >= after.required;
  }

  /** By the same rule as a maker that only reduces, because the order was not admitted at its limit. */
  #takerMayReduce(maker: number, quantity: Quantity): boolean {
    const { market, account, side } = this.#taker;
    const exposure = this.#exposure;
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

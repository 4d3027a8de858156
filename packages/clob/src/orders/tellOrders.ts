import { type OrderEnd, sides } from '@prime/codec';
import type { Account } from '../state/accounts.ts';
import { changeGlobals } from '../state/changes.ts';
import type { ChargedFees, Trade } from '../records/logRows.ts';
import type { Market } from '../state/markets.ts';
import { type Quantity, isZero } from '../book/quantity.ts';
import type { ClobState } from '../state/state.ts';
import type { AdmittedOrder } from '../state/takerOrder.ts';

/** Events of orders and trades: rows of the block's log where they are numbers, objects elsewhere. */

/** An order was taken in. */
export function tellAccepted(state: ClobState, order: AdmittedOrder): void {
  const { id, market, account, ticks, lots, cut, reduceOnly, expiresAt } = order;
  if (state.contract === null && typeof lots === 'number' && !reduceOnly && expiresAt === 0)
    return state.log.accepted(state.actionIndex, order as AdmittedOrder<number>);
  state.emit('order_accepted', {
    order_id: id,
    market_id: market.id,
    owner: account.address,
    side: sides[order.side]!,
    price: BigInt(ticks) * market.tickSize,
    size: BigInt(lots) * market.lotSize + cut,
    tif: order.tif,
    client_id: order.clientId,
    post_only: order.postOnly,
    reduce_only: reduceOnly,
    stp: order.selfTrade,
    expires_at: expiresAt,
  });
}

/** An order left before it was filled. @param lots that are left of it */
export function tellCancelled(
  state: ClobState,
  id: number,
  market: Market,
  account: Account,
  lots: Quantity,
  reason: OrderEnd,
): void {
  if (state.contract === null && typeof lots === 'number')
    state.log.cancelled(state.actionIndex, id, market, account, lots, reason);
  else tellRemaining(state, id, market, account, BigInt(lots) * market.lotSize, reason);
}

/** The same of any order. @param remaining base units */
export function tellRemaining(
  state: ClobState,
  id: number,
  market: Market,
  account: Account,
  remaining: bigint,
  reason: OrderEnd,
): void {
  state.emit('order_cancelled', { order_id: id, market_id: market.id, owner: account.address, remaining, reason });
}

/**
 * Two orders traded, by the next trade id.
 *
 * @param charged what it cost them @param liquidationFee wei that a liquidation brought the insurance fund with it; null for any other trade
 */
export function tellTrade(
  state: ClobState,
  trade: Trade,
  charged: ChargedFees | null,
  liquidationFee: bigint | null,
): void {
  const tradeId = changeGlobals(state).nextTradeId++;
  const { contract, actionIndex, log } = state;
  const isExact = typeof trade.lots === 'number' && (charged === null || typeof charged.takerFee === 'number');
  if (!isExact || contract !== null || liquidationFee !== null) {
    emitTrade(state, tradeId, trade, charged, liquidationFee ?? 0n);
    return;
  }
  log.traded(actionIndex, tradeId, trade as Trade<number>);
  if (charged === null || isFree(charged)) return;
  log.charged(actionIndex, tradeId, trade, charged as ChargedFees<number>);
}

/** @param earned wei of a liquidation */
function emitTrade(state: ClobState, tradeId: number, trade: Trade, charged: ChargedFees | null, earned: bigint): void {
  const { maker, taker } = trade;
  const { market, account } = taker;
  // Literals, without what both have in common: to spread an object takes as long as the whole trade.
  state.emit('trade', {
    trade_id: tradeId,
    market_id: market.id,
    price: BigInt(trade.ticks) * market.tickSize,
    size: BigInt(trade.lots) * market.lotSize,
    maker_order_id: trade.makerOrder,
    taker_order_id: taker.id,
    maker: maker.address,
    taker: account.address,
    side: sides[taker.side]!,
    fees: earned + BigInt(charged?.takerFee ?? 0n),
  });
  if (charged === null || isFree(charged)) return;
  state.emit('trade_fees', {
    trade_id: tradeId,
    market_id: market.id,
    taker: account.address,
    taker_fee: BigInt(charged.takerFee),
    maker: maker.address,
    maker_fee: BigInt(charged.makerFee),
    insurance: BigInt(charged.insurance),
    treasury: BigInt(charged.treasury),
  });
}

const isFree = ({ takerFee, makerFee }: ChargedFees): boolean => isZero(takerFee) && isZero(makerFee);

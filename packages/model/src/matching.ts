import type { OrderFields, TradeValue } from '@prime/codec';
import type { Address, OrderId } from '@prime/primitives';
import type { ModelClaims } from './margin/claims.ts';
import type { ModelFees } from './fees.ts';
import { tradeText } from './form.ts';
import { bestOf, keptOf, type ModelOrder, type ModelTaker, type RulesHost } from './state.ts';

/** What the rules of matching and liquidation need of the model's other rules. */
export interface ModelHost extends RulesHost {
  readonly fees: ModelFees;
  readonly claims: ModelClaims;
  readonly timeMs: number;
  changes: number;
  readonly most: number;
  fill(owner: string, market: number, quantity: bigint, price: bigint): void;
  makerMay(maker: Pick<ModelOrder, 'owner' | 'market' | 'buy' | 'price'>, quantity: bigint): boolean;
  cancel(order: ModelOrder, reason: string): unknown;
  expired(order: ModelOrder): boolean;
  settle(owner: string, market: number | null): void;
  /** What follows from a position that changed. */
  moved(owner: string, market: number): void;
  finished(id: number, filled: boolean, kept: string | null): void;
  /** What follows from a fill of an order that rested. */
  filledOf(id: number, size: bigint): void;
}

/** An order that has met nobody yet. @param effective what of its size is to be traded */
export const newTaker = (
  id: number,
  owner: Address,
  fields: OrderFields,
  effective: bigint,
  isJudged: boolean,
): ModelTaker => ({
  id,
  owner,
  fields,
  left: effective,
  decremented: 0n,
  stopped: false,
  exhausted: false,
  isJudged,
  poor: false,
  traded: 0n,
  cut: fields.size - effective,
  trades: [],
});

/** Meets an order with those that rest on the other side, best first, until it is filled or stops. */
export function matchAll(host: ModelHost, taker: ModelTaker): void {
  const { fields, owner } = taker;
  const buy = fields.side === 'buy';
  const until = host.changes + host.most;
  while (taker.left > 0n && !taker.stopped) {
    const maker = bestOf(host.state, fields.marketId, !buy);
    if (maker === undefined || (buy ? maker.price > fields.price : maker.price < fields.price)) return;
    const quantity = maker.remaining < taker.left ? maker.remaining : taker.left;
    if (host.changes >= until) {
      taker.exhausted = true;
      return;
    }
    if (host.expired(maker)) host.cancel(maker, 'expired');
    else if (maker.owner === owner) {
      if (fields.selfTrade === 'decrement') {
        if (maker.remaining === quantity) host.cancel(maker, 'self_trade');
        else {
          host.changes++;
          host.undo.add(maker, 'remaining', -quantity);
          host.undo.add(maker, 'size', -quantity);
          host.events.push(`reduced ${maker.id} decrement ${quantity} ${maker.remaining}`);
        }
        taker.left -= quantity;
        host.events.push(`reduced ${taker.id} decrement ${quantity} ${taker.left + taker.cut}`);
        taker.decremented += quantity;
        continue;
      }
      if (fields.selfTrade !== 'cancel_taker') host.cancel(maker, 'self_trade');
      taker.stopped = fields.selfTrade !== 'cancel_maker';
    } else if (host.makerMay(maker, quantity)) {
      const own = { owner, market: maker.market, buy, price: maker.price };
      if (taker.isJudged && !host.makerMay(own, quantity)) {
        taker.poor = true;
        taker.stopped = true;
        return;
      }
      trade(host, maker, taker, quantity);
      taker.left -= quantity;
    } else host.cancel(maker, 'margin');
  }
}

function trade(host: ModelHost, maker: ModelOrder, taker: ModelTaker, size: bigint): void {
  const { id, owner } = taker;
  const made = tradeWith(host, maker, { id, owner, size }, (notional) => {
    const owed = host.fees.ofTaker(taker.traded + notional) - host.fees.ofTaker(taker.traded);
    taker.traded += notional;
    const charged = host.fees.charge({
      market: maker.market,
      taker: owner,
      maker: maker.owner,
      notional,
      owed,
      rebateFrom: 0n,
    });
    return { fee: charged.fromTaker, events: charged.events };
  });
  taker.trades.push(made);
}

/**
 * Trades with an order that rests, at its price.
 *
 * @param charge takes what the trade costs, once both sides have their fills
 */
export function tradeWith(
  host: ModelHost,
  maker: ModelOrder,
  taker: { readonly id: number; readonly owner: Address; readonly size: bigint },
  charge: (notional: bigint) => { readonly fee: bigint; readonly events: readonly string[] },
): TradeValue {
  const { price, market, buy } = maker;
  const { size } = taker;
  host.fill(maker.owner, market, buy ? size : -size, price);
  host.fill(taker.owner, market, buy ? -size : size, price);
  host.changes++;
  host.undo.add(maker, 'remaining', -size);
  if (maker.remaining === 0n) {
    host.undo.drop(host.state.orders, maker.id);
    host.finished(maker.id, true, keptOf(maker));
  }
  const { fee, events } = charge(price * size);
  const made: TradeValue = {
    tradeId: host.undo.next(host.state, 'nextTrade'),
    price,
    size,
    makerOrderId: maker.id as OrderId,
    takerOrderId: taker.id as OrderId,
    maker: maker.owner,
    taker: taker.owner,
    side: buy ? 'sell' : 'buy',
    fee,
  };
  host.events.push(`trade ${tradeText(made)}`, ...events);
  host.filledOf(maker.id, size);
  for (const account of [maker.owner, taker.owner]) host.moved(account, market);
  return made;
}

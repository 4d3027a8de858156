import type { TradeValue } from '@prime/codec';
import type { OrderId } from '@prime/primitives';
import { tradeText } from './form.ts';
import type { ModelHost } from './liquidation.ts';
import { bestOf, keptOf, type ModelOrder, type ModelTaker } from './state.ts';

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
  const { price } = maker;
  host.fill(maker.owner, maker.market, maker.buy ? size : -size, price);
  host.fill(taker.owner, maker.market, maker.buy ? -size : size, price);
  host.changes++;
  host.undo.add(maker, 'remaining', -size);
  if (maker.remaining === 0n) {
    host.undo.drop(host.state.orders, maker.id);
    host.finished(maker.id, true, keptOf(maker));
  }
  const owed = host.fees.ofTaker(taker.traded + price * size) - host.fees.ofTaker(taker.traded);
  taker.traded += price * size;
  const charged = host.fees.charge({
    taker: taker.owner,
    maker: maker.owner,
    notional: price * size,
    owed,
    rebateFrom: 0n,
  });
  const made: TradeValue = {
    tradeId: host.undo.next(host.state, 'nextTrade'),
    price,
    size,
    makerOrderId: maker.id as OrderId,
    takerOrderId: taker.id as OrderId,
    maker: maker.owner,
    taker: taker.owner,
    side: taker.fields.side,
    fee: charged.fromTaker,
  };
  taker.trades.push(made);
  host.events.push(`trade ${tradeText(made)}`, ...charged.events);
}

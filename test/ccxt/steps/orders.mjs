/** Orders and trades over HTTP. */
import assert from 'node:assert/strict';
import ccxt from 'ccxt';
import { pro } from '@prime/ccxt';
import { createPublicClient, http } from 'viem';
import * as shipped from '../lib/shipped.mjs';
import * as check from '../lib/structures.mjs';
import {
  addressOf,
  checkOrder,
  checkTrades,
  limit,
  maker,
  near,
  open,
  refusal,
  symbol,
  taker,
  task,
  until,
} from '../lib/venue.mjs';

export const orders = {
  limitOrders: async () => {
    const bid = await checkOrder(await limit(maker, 'buy', 2990, 2, { timeInForce: 'PO', clientOrderId: 'bid-1' }));
    assert.deepEqual([bid.status, bid.filled, bid.clientOrderId, bid.postOnly], ['open', 0, 'bid-1', true]);
    const ask = await checkOrder(
      await limit(maker, 'sell', 3010, '2', { postOnly: true, clientOrderId: `0x${'ab'.repeat(16)}` }),
    );
    assert.equal(ask.clientOrderId, `0x${'ab'.repeat(16)}`);
    const far = await checkOrder(
      await limit(maker, 'sell', 3050.049, 1.5, { timeInForce: 'GTD', until: Date.now() + 3_600_000 }),
    );
    assert.deepEqual([far.price, far.amount], [3050.05, 1.5]);
    const book = await taker.fetchOrderBook(symbol);
    check.checkBook(book, symbol);
    assert.deepEqual(
      [book.bids, book.asks],
      [
        [[2990, 2]],
        [
          [3010, 2],
          [3050.05, 1.5],
        ],
      ],
    );
    assert.deepEqual((await taker.fetchOrderBook(symbol, 1)).asks, [[3010, 2]]);
    const found = await checkOrder(await maker.fetchOrder(bid.id, symbol));
    assert.deepEqual([found.price, found.amount, found.status], [2990, 2, 'open']);
    assert.equal((await maker.fetchOrder(undefined, symbol, { clientOrderId: 'bid-1' })).id, bid.id);
  },
  takerOrders: async () => {
    const part = await checkOrder(await limit(taker, 'buy', 3020, 0.5, { timeInForce: 'IOC' }));
    assert.deepEqual([part.status, part.filled, part.average, part.cost], ['closed', 0.5, 3010, 1505]);
    near(part.fee.cost, 1505 * 0.0005);
    assert.equal(part.fee.currency, 'USD');
    const whole = await checkOrder(await limit(taker, 'buy', 3010, 1, { timeInForce: 'FOK' }));
    assert.equal(whole.status, 'closed');
    const killed = await checkOrder(await limit(taker, 'buy', 3010, 1, { timeInForce: 'FOK' }));
    assert.deepEqual([killed.status, killed.filled], ['canceled', 0]);
    const market = await checkOrder(await taker.createMarketOrder(symbol, 'sell', 0.25));
    assert.deepEqual(
      [market.status, market.type, market.average, market.timeInForce],
      ['closed', 'market', 2990, 'IOC'],
    );
    const bounded = await checkOrder(await taker.createOrder(symbol, 'market', 'buy', 2, 3020));
    assert.deepEqual([bounded.status, bounded.filled, bounded.remaining], ['canceled', 0.5, 1.5]);
    const reduced = await checkOrder(
      await taker.createOrder(symbol, 'market', 'sell', 0.25, undefined, { reduceOnly: true }),
    );
    assert.deepEqual([reduced.reduceOnly, reduced.filled], [true, 0.25]);
  },
  myTrades: async () => {
    const trades = await checkTrades(await taker.fetchMyTrades(symbol));
    assert.deepEqual(
      trades.map(({ side, amount, takerOrMaker }) => [side, amount, takerOrMaker]),
      [
        ['buy', 0.5, 'taker'],
        ['buy', 1, 'taker'],
        ['sell', 0.25, 'taker'],
        ['buy', 0.5, 'taker'],
        ['sell', 0.25, 'taker'],
      ],
    );
    const made = await checkTrades(await maker.fetchMyTrades());
    assert.deepEqual(
      made.map(({ id }) => id),
      trades.map(({ id }) => id),
    );
    assert.ok(made.every(({ takerOrMaker, fee }) => takerOrMaker === 'maker' && fee.cost < 0));
    assert.deepEqual(
      (await taker.fetchMyTrades(symbol, undefined, 2)).map(({ id }) => id),
      trades.slice(-2).map(({ id }) => id),
    );
    const since = trades[2].timestamp;
    const later = await taker.fetchMyTrades(symbol, since, 1);
    assert.deepEqual(
      later.map(({ timestamp }) => timestamp),
      [since],
    );
    assert.deepEqual(await taker.fetchMyTrades('BTC/USD:USD'), []);
    const own = await taker.fetchOrderTrades(trades[1].order, symbol);
    assert.deepEqual(
      own.map(({ id }) => id),
      [trades[1].id],
    );
    const all = await checkTrades(await taker.fetchTrades(symbol));
    assert.deepEqual(
      all.map(({ id }) => id),
      trades.map(({ id }) => id),
    );
    assert.deepEqual(
      (await taker.fetchTrades(symbol, since)).map(({ id }) => id),
      trades.slice(2).map(({ id }) => id),
    );
    // What the trades say is what the chain says.
    const position = await taker.fetchPosition(symbol);
    near(
      position.contracts,
      trades.reduce((sum, { side, amount }) => sum + (side === 'buy' ? amount : -amount), 0),
    );
  },
  batches: async () => {
    const orders = [
      ...[2900, 2910, 2920].map((price) => ({ symbol, type: 'limit', side: 'buy', amount: 0.1, price })),
      { symbol, type: 'limit', side: 'buy', amount: 0.1, price: 3100, params: { postOnly: true } },
    ];
    const placed = await maker.createOrders(orders);
    for (const order of placed.slice(0, 3)) await checkOrder(order);
    assert.deepEqual(
      placed.map(({ status }) => status),
      ['open', 'open', 'open', 'rejected'],
    );
    assert.deepEqual([placed[3].info.name, placed[3].info.kind], ['OrderImmediatelyFillable', 'post_only']);
    const edited = await checkOrder(await maker.editOrder(placed[0].id, symbol, 'limit', 'buy', 0.05));
    assert.deepEqual([edited.id, edited.amount, edited.price], [placed[0].id, 0.05, 2900]);
    const moved = await checkOrder(await maker.editOrder(placed[1].id, symbol, 'limit', 'buy', 0.2, 2915));
    assert.notEqual(moved.id, placed[1].id);
    assert.deepEqual([moved.amount, moved.price], [0.2, 2915]);
    const gone = await maker.cancelOrders([placed[0].id, placed[1].id, moved.id], symbol);
    assert.deepEqual(
      gone.map(({ id, status }) => [id, status]),
      [
        [placed[0].id, 'canceled'],
        [placed[1].id, 'rejected'],
        [moved.id, 'canceled'],
      ],
    );
    const cancelled = await maker.cancelOrder(placed[2].id, symbol);
    assert.deepEqual([cancelled.id, cancelled.status, cancelled.symbol], [placed[2].id, 'canceled', symbol]);
    assert.equal((await maker.cancelOrderWithClientOrderId('bid-1', symbol)).status, 'canceled');
    assert.equal((await maker.fetchOrderWithClientOrderId('bid-1', symbol)).status, 'canceled');
    await limit(maker, 'buy', 2980, 1, { clientOrderId: 'bid-2' });
  },
  orders: async () => {
    const openOrders = await maker.fetchOpenOrders(symbol);
    for (const order of openOrders) await checkOrder(order);
    assert.deepEqual(
      openOrders.map(({ price, status }) => [price, status]),
      [
        [3050.05, 'open'],
        [2980, 'open'],
      ],
    );
    const closed = await taker.fetchClosedOrders(symbol);
    for (const order of closed) await checkOrder(order);
    assert.equal(closed.length, 4);
    assert.ok(closed.every(({ status }) => status === 'closed'));
    const canceled = await taker.fetchCanceledOrders(symbol);
    assert.deepEqual(
      canceled.map(({ filled }) => filled),
      [0, 0.5],
    );
    const all = await maker.fetchOrders(symbol);
    for (const order of all) await checkOrder(order);
    for (const wanted of ['canceled', 'closed', 'open'])
      assert.ok(
        all.some(({ status }) => status === wanted),
        wanted,
      );
    const ids = all.map(({ id }) => Number(id));
    assert.deepEqual(
      ids,
      ids.toSorted((a, b) => a - b),
    );
    const since = await maker.fetchOrders(symbol, all[2].timestamp, 2);
    assert.ok(since.length === 2 && since[0].timestamp === all[2].timestamp);
    assert.deepEqual(
      (await maker.fetchOrders(symbol, undefined, 2)).map(({ id }) => id),
      all.slice(-2).map(({ id }) => id),
    );
    const half = await maker.fetchOrder(undefined, symbol, { clientOrderId: 'bid-1' });
    assert.deepEqual([half.status, half.filled, half.cost, half.trades.length], ['canceled', 0.5, 1495, 2]);
  },
  shippedChecks: async () => {
    for (const method of Object.keys(shipped.shippedMethods)) await shipped.runShipped(taker, method, symbol);
    for (const method of ['fetchOrders', 'fetchOpenOrders', 'fetchClosedOrders', 'fetchMyTrades', 'fetchPositions'])
      await shipped.runShipped(maker, method, symbol);
  },
  errors: async () => {
    await refusal(limit(taker, 'buy', 3100, 1e4), ccxt.InsufficientFunds);
    await refusal(limit(taker, 'buy', 3100, 1e6), ccxt.InvalidOrder);
    await refusal(limit(taker, 'buy', 2950, 1e-16), ccxt.InvalidOrder);
    await refusal(limit(maker, 'buy', 3100, 1, { postOnly: true }), ccxt.OrderImmediatelyFillable);
    await refusal(limit(maker, 'buy', 2950, 1, { clientOrderId: 'bid-2' }), ccxt.DuplicateOrderId);
    await refusal(limit(maker, 'sell', 3200, 1, { reduceOnly: true }), ccxt.InvalidOrder);
    await refusal(limit(maker, 'buy', 2950, 1, { triggerPrice: 3000, stopLossPrice: 2900 }), ccxt.InvalidOrder);
    await refusal(limit(maker, 'buy', 2950, 1, { trailingPercent: 1 }), ccxt.NotSupported);
    await refusal(limit(maker, 'buy', 2950, 1, { clientOrderId: 'longer than sixteen' }), ccxt.InvalidOrder);
    await refusal(maker.createOrder('BTC/USD:USD', 'market', 'buy', 1), ccxt.OrderNotFillable);
    await refusal(maker.cancelOrder('999999999', symbol), ccxt.OrderNotFound);
    await refusal(maker.fetchOrder('999999999', symbol), ccxt.OrderNotFound);
    await refusal(maker.withdraw('USD', 1e9, addressOf(taker)), ccxt.InsufficientFunds);
    await refusal(maker.withdraw('USD', 1, '0x12'), ccxt.InvalidAddress);
    await refusal(open(undefined).createOrder(symbol, 'limit', 'buy', 1, 2950), ccxt.AuthenticationError);
    const nowhere = new pro.prime({ urls: { api: { rpc: 'http://127.0.0.1:1' } } });
    await assert.rejects(nowhere.fetchTime(), ccxt.NetworkError);
    await assert.rejects(maker.fetchOrderBook('XYZ/USD:USD'), ccxt.BadSymbol);
    await assert.rejects(maker.fetchMyTrades(symbol, 1_700_000_000), ccxt.BadRequest);
  },
  failover: async () => {
    const exchange = open(task.keys[0], { urls: { api: { rpc: ['http://127.0.0.1:1', task.rpcUrls[1]] } } });
    const order = await checkOrder(await limit(exchange, 'buy', 2960, 1));
    assert.equal((await exchange.cancelOrder(order.id, symbol)).status, 'canceled');
  },
  waitingOrders: async () => {
    const stop = await taker.createTriggerOrder(symbol, 'market', 'sell', 0.5, undefined, 1000);
    assert.deepEqual([stop.status, stop.type, stop.triggerPrice, stop.amount], ['open', 'market', 1000, 0.5]);
    const moved = await taker.editOrder(stop.id, symbol, 'market', 'sell', 0.25, undefined, { triggerPrice: 1100 });
    assert.deepEqual([moved.id, moved.triggerPrice, moved.amount], [stop.id, 1100, 0.25]);
    const entry = await checkOrder(
      await taker.createOrderWithTakeProfitAndStopLoss(symbol, 'limit', 'buy', 0.1, 1500, 4000, 1200),
    );
    assert.deepEqual([entry.status, entry.stopLossPrice, entry.takeProfitPrice], ['open', 1200, 4000]);
    const waiting = (await taker.fetchOpenOrders(symbol)).filter(({ triggerPrice }) => triggerPrice !== undefined);
    assert.deepEqual(
      waiting.map(({ triggerPrice, amount }) => [triggerPrice, amount]),
      [
        [1100, 0.25],
        [1200, 0],
        [4000, 0],
      ],
    );
    assert.equal((await taker.cancelOrder(stop.id, symbol)).status, 'canceled');
    assert.equal((await taker.fetchOrder(stop.id, symbol)).triggerPrice, 1100);
    // What sleeps ends with its order.
    await taker.cancelOrder(entry.id, symbol);
    const left = await taker.fetchOpenOrders(symbol);
    assert.ok(left.every(({ triggerPrice }) => triggerPrice === undefined));
  },
  cancelAllAfter: async () => {
    const order = await limit(maker, 'buy', 2001, 1);
    await refusal(maker.cancelAllOrdersAfter(1000), ccxt.BadRequest);
    const set = await maker.cancelAllOrdersAfter(3_600_000);
    assert.ok(set.triggerTime > Date.now() && set.triggerTime <= Date.now() + 3_610_000);
    const account = await maker.fetchBalance();
    assert.equal(account.info.scheduledCancelMs, set.triggerTime);
    assert.equal((await maker.cancelAllOrdersAfter(0)).triggerTime, undefined);
    assert.equal((await maker.fetchBalance()).info.scheduledCancelMs, null);
    await maker.cancelAllOrdersAfter(6_000);
    const ended = await until(
      () => maker.fetchOrder(order.id, symbol),
      ({ status }) => status === 'canceled',
    );
    assert.equal(ended.info.reason, 'scheduled');
  },
  cancelAll: async () => {
    await limit(maker, 'buy', 2000, 1);
    const gone = await maker.cancelAllOrders(symbol);
    assert.ok(gone.length >= 2 && gone.every(({ status }) => status === 'canceled'));
    assert.deepEqual(await maker.fetchOpenOrders(), []);
    const reader = createPublicClient({ transport: http(task.rpcUrls[0]) });
    assert.deepEqual(await reader.request({ method: 'primeorders_getOpenOrders', params: [addressOf(maker)] }), []);
  },
};

/** Streams. */
import assert from 'node:assert/strict';
import ccxt from 'ccxt';
import * as shipped from '../lib/shipped.mjs';
import * as check from '../lib/structures.mjs';
import {
  ask,
  checkOrder,
  checkTrades,
  limit,
  maker,
  open,
  symbol,
  taker,
  task,
  until,
  watcher,
} from '../lib/venue.mjs';

export const streams = {
  watchOrderBook: async () => {
    const first = await watcher.watchOrderBook(symbol);
    check.checkBook(first, symbol);
    await shipped.shippedBook(watcher, first, symbol);
    const order = await limit(maker, 'buy', 2965, 0.7);
    const book = await until(
      () => watcher.watchOrderBook(symbol, 5),
      ({ bids }) => bids.some(([price]) => price === 2965),
    );
    check.checkBook(book, symbol);
    assert.ok(book.nonce > first.nonce && /^0x[0-9a-f]+$/.test(book.checksum));
    assert.ok(book.timestamp > first.timestamp && book.datetime === watcher.iso8601(book.timestamp));
    assert.deepEqual(
      book.bids.find(([price]) => price === 2965),
      [2965, 0.7],
    );
    assert.equal(typeof book.limit, 'function');
    await maker.cancelOrder(order.id, symbol);
    const after = await until(
      () => watcher.watchOrderBook(symbol),
      ({ bids }) => !bids.some(([price]) => price === 2965),
    );
    const rest = await watcher.fetchOrderBook(symbol);
    assert.deepEqual([[...after.bids], [...after.asks]], [rest.bids, rest.asks]);
  },
  watchPrivate: async () => {
    const pending = {
      orders: watcher.watchOrders(symbol),
      myTrades: watcher.watchMyTrades(symbol),
      trades: watcher.watchTrades(symbol),
      balance: await watcher.watchBalance(),
      positions: await watcher.watchPositions(),
    };
    check.checkBalance(watcher, pending.balance);
    for (const position of pending.positions) check.checkPosition(watcher, position, symbol);
    // A stream tells what comes after it began; the first update shows that it did.
    const seen = [];
    let next = pending.orders;
    const collect = async (wanted) => {
      while (!seen.some(wanted)) {
        seen.push(...(await next));
        next = watcher.watchOrders(symbol);
      }
    };
    const resting = await limit(maker, 'buy', 2984, 0.4, { clientOrderId: 'seen' });
    await collect(({ id }) => id === resting.id);
    const [update] = seen.filter(({ id }) => id === resting.id);
    await checkOrder(update);
    assert.deepEqual([update.status, update.clientOrderId, update.timestamp], ['open', 'seen', resting.timestamp]);
    const sold = await taker.createOrder(symbol, 'market', 'sell', 0.4);
    await collect(({ id, status }) => id === resting.id && status === 'closed');
    // Nobody asks for it any more; it ends when the streams do.
    next.catch(() => undefined);
    for (const order of seen) check.checkOrder(watcher, order, symbol);
    const fills = await checkTrades(await pending.myTrades);
    assert.deepEqual(
      fills.map(({ order, amount, side, takerOrMaker }) => [order, amount, side, takerOrMaker]),
      [[resting.id, 0.4, 'buy', 'maker']],
    );
    const trades = await checkTrades(await pending.trades);
    assert.deepEqual(
      trades.map(({ id, side }) => [id, side]),
      [[sold.trades[0].id, 'sell']],
    );
    const short = (await maker.fetchPosition(symbol)).contracts;
    const positions = await until(
      () => watcher.watchPositions([symbol]),
      ([position]) => position?.contracts === short,
    );
    check.checkPosition(watcher, positions[0], symbol);
    const { USD } = await maker.fetchBalance();
    const balance = await until(
      () => watcher.watchBalance(),
      (now) => now.USD.total === USD.total,
    );
    assert.deepEqual(balance.USD, USD);
  },
  watchMarkets: async () => {
    const first = await watcher.watchTicker(symbol);
    check.checkTicker(watcher, first);
    const best = await until(
      async () => (await watcher.watchBidsAsks([symbol]))[symbol],
      (told) => told.bid === first.bid,
    );
    assert.equal(best.ask, first.ask);
    const all = await watcher.watchTickers();
    for (const ticker of Object.values(all)) check.checkTicker(watcher, ticker);
    check.checkCandles(
      await watcher.watchOHLCV(symbol, '1d', undefined, undefined, { price: 'mark' }),
      86_400_000,
      false,
    );
    const order = await limit(maker, 'buy', 2986, 0.2);
    await until(
      async () => (await watcher.watchBidsAsks([symbol]))[symbol],
      ({ bid, bidVolume }) => bid === 2986 && bidVolume === 0.2,
    );
    await taker.createOrder(symbol, 'market', 'sell', 0.2);
    await until(
      () => watcher.watchTicker(symbol),
      ({ last }) => last === 2986,
    );
    const candles = await until(
      () => watcher.watchOHLCV(symbol, '1d'),
      (rows) => rows.at(-1)[4] === 2986,
    );
    check.checkCandles(candles, 86_400_000, true);
    assert.equal((await maker.fetchOrder(order.id, symbol)).status, 'closed');
    const unwatched = assert.rejects(watcher.watchOHLCV(symbol, '5m'), ccxt.ExchangeClosedByUser);
    await watcher.unWatchOHLCV(symbol, '5m');
    await unwatched;
    await watcher.unWatchTicker(symbol);
    await watcher.unWatchTickers();
    await watcher.unWatchBidsAsks([symbol]);
  },
  restart: async () => {
    // Its only node is killed while others trade, and comes back.
    const alone = open(task.keys[0], { urls: { api: { rpc: task.rpcUrls[0] } } });
    const others = task.rpcUrls.slice(1);
    const [quoter, seller] = [0, 1].map((index) => open(task.keys[index], { urls: { api: { rpc: others } } }));
    const trade = async (rounds) => {
      for (let round = 0; round < rounds; round++) {
        await limit(quoter, 'buy', 2983, 0.1);
        await seller.createOrder(symbol, 'limit', 'sell', 0.1, 2983, { timeInForce: 'IOC' });
      }
    };
    const before = new Set((await quoter.fetchMyTrades(symbol)).map(({ id }) => id));
    const [fills, orders] = [[], []];
    const follow = async (watch, seen) => {
      for (;;) seen.push(...(await watch()));
    };
    const following = [
      follow(() => alone.watchMyTrades(symbol), fills),
      follow(() => alone.watchOrders(symbol), orders),
    ].map((promise) => assert.rejects(promise, ccxt.ExchangeClosedByUser));
    await until(
      () => trade(1).then(() => fills.length > 0 && orders.length > 0),
      (isFollowing) => isFollowing,
    );
    const first = fills[0].id;
    await ask('kill');
    await trade(3);
    await ask('start');
    await trade(2);
    const all = (await quoter.fetchMyTrades(symbol)).filter(({ id }) => !before.has(id));
    const wanted = all.slice(all.findIndex(({ id }) => id === first)).map(({ id }) => id);
    await until(
      () => fills.length,
      (count) => count >= wanted.length,
    );
    assert.deepEqual(
      fills.map(({ id }) => id),
      wanted,
    );
    const closedOrders = () => orders.filter(({ status }) => status === 'closed').map(({ id }) => id);
    const closed = await until(closedOrders, (ids) => fills.slice(1).every(({ order }) => ids.includes(order)));
    assert.equal(new Set(closed).size, closed.length);
    const balance = await until(
      () => alone.fetchBalance(),
      ({ USD }) => USD.total > 0,
    );
    assert.deepEqual(balance.USD, (await quoter.fetchBalance()).USD);
    await Promise.all([alone, quoter, seller].map((exchange) => exchange.close()));
    await Promise.all(following);
  },
  close: async () => {
    const waiting = [
      watcher.watchTrades('BTC/USD:USD'),
      watcher.watchOrders('BTC/USD:USD'),
      watcher.watchMyTrades('BTC/USD:USD'),
    ];
    const rejected = waiting.map((promise) => assert.rejects(promise, ccxt.ExchangeClosedByUser));
    await watcher.close();
    await Promise.all(rejected);
    const book = await watcher.watchOrderBook('BTC/USD:USD');
    assert.deepEqual([[...book.bids], [...book.asks]], [[], []]);
    const unwatched = assert.rejects(watcher.watchOrderBook('BTC/USD:USD'), ccxt.ExchangeClosedByUser);
    await watcher.unWatchOrderBook('BTC/USD:USD');
    await unwatched;
  },
};

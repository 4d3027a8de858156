/** What the exchange says of itself and of its markets. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import ccxt from 'ccxt';
import * as check from '../lib/structures.mjs';
import { maker, near, symbol, taker } from '../lib/venue.mjs';

export const markets = {
  describe: async () => {
    assert.ok(maker instanceof ccxt.Exchange);
    check.checkDescription(maker, ccxt.Exchange);
    assert.deepEqual([maker.id, maker.precisionMode, maker.pro, maker.has.ws], ['prime', 4, true, true]);
  },
  documentation: () => {
    // Each word of `has` stands in one row of docs/ccxt.md, with what the class says.
    const page = readFileSync(new URL('../../../docs/ccxt.md', import.meta.url), 'utf8');
    const told = {};
    for (const [, names, state] of page.matchAll(/^\| (`[^|]+`) \| (works|not offered) \|/gm))
      for (const [, name] of names.matchAll(/`(\w+)`/g)) {
        assert.ok(!(name in told), `${name} has one row`);
        told[name] = state === 'works';
      }
    const words = Object.entries(maker.has).filter(([name]) => !/Ws$|^(publicAPI|privateAPI|CORS|ws)$/.test(name));
    assert.deepEqual(told, Object.fromEntries(words));
    assert.ok(Object.entries(maker.has).every(([name, has]) => !name.endsWith('Ws') || has === false));
  },
  loadMarkets: async () => {
    const markets = await maker.loadMarkets();
    for (const market of Object.values(markets)) check.checkMarket(maker, market);
    for (const currency of Object.values(maker.currencies)) check.checkCurrency(maker, currency);
    assert.deepEqual(Object.keys(markets), ['ETH/USD:USD', 'BTC/USD:USD']);
    assert.deepEqual(markets[symbol].precision, { amount: 1e-15, price: 0.05 });
    assert.equal(maker.amountToPrecision('BTC/USD:USD', 3.7), '3');
    assert.equal(maker.priceToPrecision(symbol, 3000.07), '3000.05');
  },
  tickers: async () => {
    const ticker = await taker.fetchTicker(symbol);
    check.checkTicker(taker, ticker);
    assert.deepEqual([ticker.bid, ticker.bidVolume, ticker.ask, ticker.last], [2990, 1.5, 3050.05, 2990]);
    assert.ok(ticker.markPrice > 0 && ticker.baseVolume >= 2.5 && ticker.high === 3010 && ticker.low === 2990);
    assert.deepEqual(Object.keys(await taker.fetchTickers(['BTC/USD:USD'])), ['BTC/USD:USD']);
    const best = (await taker.fetchBidsAsks([symbol]))[symbol];
    check.checkTicker(taker, best);
    assert.deepEqual([best.bid, best.ask], [ticker.bid, ticker.ask]);
    assert.equal((await taker.fetchMarkPrice(symbol)).markPrice, ticker.markPrice);
    assert.equal((await taker.fetchLastPrices())[symbol].price, 2990);
    const interest = await taker.fetchOpenInterest(symbol);
    assert.deepEqual([interest.symbol, interest.openInterestAmount], [symbol, 1.5]);
    const time = await taker.fetchTime();
    assert.ok(time <= Date.now() && time > Date.now() - 600_000);
    assert.equal((await taker.fetchStatus()).status, 'ok');
    const fee = await taker.fetchTradingFee(symbol);
    assert.deepEqual([fee.taker, fee.maker], [0.0005, -0.0001]);
  },
  candles: async () => {
    const seconds = await taker.fetchOHLCV(symbol, '1s');
    check.checkCandles(seconds, 1000, true);
    near(
      seconds.reduce((sum, candle) => sum + candle[5], 0),
      (await taker.fetchTrades(symbol)).reduce((sum, { amount }) => sum + amount, 0),
    );
    const [first] = seconds;
    assert.deepEqual((await taker.fetchOHLCV(symbol, '1s', first[0], 1)).at(0), first);
    assert.deepEqual((await taker.fetchOHLCV(symbol, '1s', first[0] - 86_400_000, 1)).length <= 1, true);
    const marks = await taker.fetchMarkOHLCV(symbol, '1s');
    check.checkCandles(marks, 1000, false);
    assert.ok(marks.length >= seconds.length);
    // The markets of this network have no prices from outside.
    assert.deepEqual(await taker.fetchIndexOHLCV(symbol, '1s'), []);
    await assert.rejects(taker.fetchOHLCV(symbol, '2s'), ccxt.BadRequest);
    await assert.rejects(taker.fetchOHLCV(symbol, '1s', undefined, 1, { price: 'premiumIndex' }), ccxt.NotSupported);
  },
};

/** What the exchange says of itself and of its markets. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import ccxt from 'ccxt';
import * as check from '../lib/structures.mjs';
import { maker, symbol, taker } from '../lib/venue.mjs';

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
    assert.deepEqual(Object.keys(await taker.fetchTickers(['BTC/USD:USD'])), ['BTC/USD:USD']);
    const time = await taker.fetchTime();
    assert.ok(time <= Date.now() && time > Date.now() - 600_000);
    assert.equal((await taker.fetchStatus()).status, 'ok');
    const fee = await taker.fetchTradingFee(symbol);
    assert.deepEqual([fee.taker, fee.maker], [0.0005, -0.0001]);
  },
};

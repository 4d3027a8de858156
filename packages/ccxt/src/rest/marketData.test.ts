import { describe, expect, it } from '@jest/globals';
import { NodeError } from '../testing/fakeCcxt.ts';
import { hex } from '../testing/fakeHistory.ts';
import { fakePrime, timeOfBlock } from '../testing/fakeNode.ts';

const prices = (open: number) => ({ open: hex(open), high: hex(open + 10), low: hex(open - 10), close: hex(open) });
const nothing = { open: null, high: null, low: null, close: null };
const minuteMs = 60_000;

const candle = (minute: number, fields: object) => ({
  open_time_ms: hex(minute * minuteMs),
  close_time_ms: hex((minute + 1) * minuteMs),
  ...nothing,
  volume: '0x0',
  quote_volume: '0x0',
  trades: '0x0',
  mark: null,
  index: null,
  ...fields,
});

const candles = [
  candle(1, { ...prices(300_000), volume: hex(10n ** 16n), trades: '0x1', mark: prices(300_100) }),
  candle(2, { mark: prices(300_200), index: prices(300_300) }),
];

describe('candles', () => {
  const withCandles = () => fakePrime((method) => (method === 'primeorders_getCandles' ? candles : undefined));

  it('are of trades, of mark or of index; an interval without such a price is left out', async () => {
    const { exchange } = withCandles();
    const symbol = 'ETH/USD:USD';
    expect(await exchange.fetchOHLCV(symbol)).toEqual([[minuteMs, 3000, 3000.1, 2999.9, 3000, 1]]);
    expect(await exchange.fetchOHLCV(symbol, '1m', undefined, 2, { price: 'mark' })).toEqual([
      [minuteMs, 3001, 3001.1, 3000.9, 3001, undefined],
      [2 * minuteMs, 3002, 3002.1, 3001.9, 3002, undefined],
    ]);
    expect(await exchange.fetchOHLCV(symbol, '1m', undefined, 2, { price: 'index' })).toEqual([
      [2 * minuteMs, 3003, 3003.1, 3002.9, 3003, undefined],
    ]);
    await expect(exchange.fetchOHLCV(symbol, '7m')).rejects.toThrow(
      'has candles of 1s, 1m, 5m, 15m, 1h, 4h, 1d, not 7m',
    );
    const premium = exchange.fetchOHLCV(symbol, '1m', undefined, 2, { price: 'premiumIndex' });
    await expect(premium).rejects.toThrow('has candles of trades, mark and index, not of premiumIndex');
  });

  it('since a time are so many intervals from the first that begins then', async () => {
    const { exchange, asked } = withCandles();
    const since = timeOfBlock(0) - (timeOfBlock(0) % minuteMs);
    const rangeOf = async (...parameters: Parameters<typeof exchange.fetchOHLCV>) => {
      await exchange.fetchOHLCV(...parameters);
      return asked.at(-1)!.params;
    };
    expect(await rangeOf('ETH/USD:USD', '1m', since + 1, 3)).toEqual([
      1,
      '1m',
      { from_time_ms: since + minuteMs, to_time_ms: since + 3 * minuteMs, limit: 3 },
    ]);
    expect(await rangeOf('ETH/USD:USD', '1m', since, 3, { until: since + minuteMs })).toEqual([
      1,
      '1m',
      { from_time_ms: since, to_time_ms: since + minuteMs, limit: 3 },
    ]);
    expect(await rangeOf('ETH/USD:USD', '1m', undefined, 3, { until: since })).toEqual([
      1,
      '1m',
      { to_time_ms: since, limit: 3 },
    ]);
    expect(await rangeOf('ETH/USD:USD', '1h')).toEqual([1, '1h', { limit: 500 }]);
    expect(await exchange.fetchOHLCV('ETH/USD:USD', '1m', since, 3, { until: since - 1 })).toEqual([]);
  });

  it('begin with the oldest that the node keeps', async () => {
    const oldestMs = timeOfBlock(0) - (timeOfBlock(0) % minuteMs) + 7 * minuteMs;
    const { exchange, asked } = fakePrime((method, params) => {
      if (method !== 'primeorders_getCandles') return undefined;
      const { from_time_ms: from } = params[2] as { readonly from_time_ms: number };
      return from < oldestMs ? new NodeError(4444, 'pruned', { oldest_ms: hex(oldestMs) }) : candles;
    });
    expect(await exchange.fetchOHLCV('ETH/USD:USD', '1m', 0, 2)).toHaveLength(1);
    expect(asked.at(-1)!.params[2]).toEqual({ from_time_ms: oldestMs, to_time_ms: oldestMs + minuteMs, limit: 2 });
  });
});

const ticker = (marketId: number, fields: object = {}) => ({
  market_id: marketId,
  symbol: marketId === 1 ? 'ETH/USD' : 'BTC/USD',
  status: 'trading',
  last_price: null,
  mark_price: null,
  index_price: null,
  stale_since_ms: null,
  fair_price: null,
  best_bid: null,
  best_ask: null,
  open_interest: '0x0',
  day: {
    since_ms: '0x0',
    ...nothing,
    change: null,
    change_bps: null,
    volume: '0x0',
    quote_volume: '0x0',
    trades: '0x0',
  },
  ...fields,
});

describe('tickers', () => {
  const traded = ticker(1, {
    last_price: hex(300_000),
    mark_price: hex(300_100),
    index_price: hex(300_200),
    best_bid: { price: hex(299_900), size: hex(10n ** 16n) },
    open_interest: hex(2n * 10n ** 16n),
    day: {
      since_ms: '0x0',
      ...prices(299_000),
      change: '0x0',
      change_bps: '0x0',
      volume: hex(3n * 10n ** 16n),
      quote_volume: hex(9000n * 10n ** 18n),
      trades: '0x1',
    },
  });
  const withTickers = () =>
    fakePrime((method) => (method === 'primeorders_getTickers' ? [traded, ticker(2)] : undefined));

  it('have best prices, last, mark, index and the figures of the day, in one question for all markets', async () => {
    const { exchange, asked } = withTickers();
    const tickers = await exchange.fetchTickers();
    expect(Object.keys(tickers)).toEqual(['ETH/USD:USD', 'BTC/USD:USD']);
    expect(tickers['ETH/USD:USD']).toMatchObject({
      bid: '2999',
      bidVolume: '1',
      last: '3000',
      markPrice: '3001',
      indexPrice: '3002',
      open: '2990',
      high: '2990.1',
      low: '2989.9',
      baseVolume: '3',
      quoteVolume: '9000',
      timestamp: timeOfBlock(100),
    });
    expect(tickers['ETH/USD:USD']!['ask']).toBeUndefined();
    expect(asked.filter(({ method }) => method === 'primeorders_getTickers')).toHaveLength(1);
    expect(await exchange.fetchTicker('BTC/USD:USD')).toMatchObject({ symbol: 'BTC/USD:USD', baseVolume: '0' });
  });

  it('tell best prices, last prices and open interest alone', async () => {
    const { exchange } = withTickers();
    const [symbol, symbols] = ['ETH/USD:USD', ['ETH/USD:USD']] as const;
    expect(await exchange.fetchBidsAsks(symbols)).toMatchObject({ [symbol]: { bid: '2999', bidVolume: '1' } });
    expect(await exchange.fetchMarkPrices(symbols)).toMatchObject({ [symbol]: { markPrice: '3001' } });
    const last = await exchange.fetchLastPrices();
    expect([last[symbol]!['price'], last['BTC/USD:USD']!['price']]).toEqual([3000, undefined]);
    const interests = await exchange.fetchOpenInterests();
    expect(interests[symbol]).toMatchObject({ openInterestAmount: '2', openInterestValue: '6002' });
    expect(interests['BTC/USD:USD']!['openInterestValue']).toBeUndefined();
  });
});

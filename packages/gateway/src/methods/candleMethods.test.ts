import { describe, expect, it } from '@jest/globals';
import {
  accountRecordKey,
  type Candle,
  type CandleInterval,
  candleIntervalMs,
  type DomainEvent,
  encodeAccountRecord,
} from '@prime/codec';
import { type CandleQuery, candlesNotKept } from '@prime/rpc';
import { addressOf } from '../testing/fakeNode.ts';
import { marketWrite } from '../testing/marketWrite.ts';
import { tradeEvent } from '../testing/tradeEvent.ts';
import { commit, gone, market, marketId, order, useGateways } from '../testing/streams.ts';

/** What primeorders_getCandles and primeorders_getTickers ask for and show, and the stream of candles. */

const { start, open } = useGateways();
const withMarket = () => start({ options: { records: [[market.key, market.value]] } });
/** The fake node's blocks are a second apart. */
const genesisMs = 1_700_000_000_000;

const trade = (price: bigint, size: bigint): DomainEvent => tradeEvent({ marketId, price, size });

/** What history is asked for a call; undefined where it is not. */
async function asked(interval: CandleInterval, ...range: readonly object[]): Promise<CandleQuery | undefined> {
  const running = await withMarket();
  commit(running);
  const queries: CandleQuery[] = [];
  running.node.candles = (query) => {
    queries.push(query);
    return [];
  };
  expect(await running.call('primeorders_getCandles', marketId, interval, ...range)).toEqual([]);
  return queries[0];
}

describe('primeorders_getCandles', () => {
  const headMs = genesisMs + 1000;
  const lastMinute = headMs - (headMs % 60_000);

  it.each([
    ['1m', [], lastMinute - 499 * 60_000, lastMinute, true],
    ['1m', [{}], lastMinute - 499 * 60_000, lastMinute, true],
    ['1m', [{ limit: 1 }], lastMinute, lastMinute, true],
    ['1m', [{ limit: 999 }], lastMinute - 998 * 60_000, lastMinute, true],
    ['1m', [{ limit: 1000 }], lastMinute - 999 * 60_000, lastMinute, true],
    ['1s', [{ from_time_ms: headMs - 1, to_time_ms: headMs + 9 }], headMs - 1000, headMs, false],
    ['1s', [{ from_time_ms: `0x${headMs.toString(16)}`, to_time_ms: null }], headMs, headMs, false],
    ['1m', [{ from_time_ms: 0, limit: '0x2' }], lastMinute - 60_000, lastMinute, false],
    ['1d', [{ to_time_ms: 0, limit: 3 }], 0, 0, true],
  ] as const)('%s of %j: from %d to %d', async (interval, range, fromMs, toMs, mayBeCut) => {
    expect(await asked(interval, ...range)).toEqual({ marketId, interval, fromMs, toMs, mayBeCut });
  });

  it('what is yet to come has no candles, and nobody is asked', async () => {
    expect(await asked('1s', { from_time_ms: headMs + 1000 })).toBeUndefined();
  });

  it.each([
    [['1m', { limit: 0 }], /limit must be from 1 to 1000/],
    [['1m', { limit: 1001 }], /limit must be from 1 to 1000/],
    [['1m', { limit: -1 }], /range/],
    [['1m', { from_time_ms: headMs, to_time_ms: headMs - 1 }], /from_time_ms is after to_time_ms/],
    [['1m', { from_time_ms: 1_700_000_000 }], /from_time_ms is in milliseconds, and this is a time in seconds/],
    [['1m', { to_time_ms: 99_999_999_999 }], /to_time_ms is in milliseconds/],
    [['1m', { since: 1 }], /range.since is not a known field/],
    [['30m'], /must be one of 1s, 1m, 5m, 15m, 1h, 4h, 1d/],
    [[60], /must be one of/],
    [[], /interval/],
  ])('refuses %j', async (params, words) => {
    const { failure } = await withMarket();
    expect(await failure('primeorders_getCandles', marketId, ...params)).toMatchObject({
      code: -32602,
      message: expect.stringMatching(words),
    });
  });

  it('an unknown market, and a time that is not kept, are refused with their numbers', async () => {
    const { failure, node } = await withMarket();
    const unknown = await failure('primeorders_getCandles', 9, '1m');
    expect(unknown).toMatchObject({ code: -32010, data: { kind: 'unknown_market' } });
    node.candles = () => {
      throw candlesNotKept(60_000, 120_000);
    };
    expect(await failure('primeorders_getCandles', marketId, '1m', { from_time_ms: 0 })).toMatchObject({
      code: 4444,
      data: { oldest_ms: '0x1d4c0' },
    });
  });

  it('shows candles with the time until which they count', async () => {
    const { call, node } = await withMarket();
    const prices = { open: 1n, high: 4n, low: 1n, close: 2n };
    const traded = { ...prices, volume: 5n, quoteVolume: 9n, trades: 3 };
    const candle: Candle = { openTimeMs: 60_000, traded, mark: prices, index: null };
    const untraded: Candle = { openTimeMs: 360_000, traded: null, mark: null, index: prices };
    node.candles = () => [candle, untraded];
    const shown = { open: '0x1', high: '0x4', low: '0x1', close: '0x2' };
    expect(await call('primeorders_getCandles', '0x1', '5m')).toEqual([
      {
        open_time_ms: '0xea60',
        close_time_ms: `0x${(60_000 + candleIntervalMs['5m']).toString(16)}`,
        open: '0x1',
        high: '0x4',
        low: '0x1',
        close: '0x2',
        volume: '0x5',
        quote_volume: '0x9',
        trades: '0x3',
        mark: shown,
        index: null,
      },
      {
        open_time_ms: '0x57e40',
        close_time_ms: `0x${(360_000 + candleIntervalMs['5m']).toString(16)}`,
        open: null,
        high: null,
        low: null,
        close: null,
        volume: '0x0',
        quote_volume: '0x0',
        trades: '0x0',
        mark: null,
        index: shown,
      },
    ]);
  });
});

const holder = (name: string, size: bigint) => {
  const address = addressOf(name);
  const positions = size === 0n ? [] : [{ marketId, size, entry: 1n }];
  return {
    key: accountRecordKey(address),
    value: encodeAccountRecord({ address, collateral: 0n, locked: false, positions }),
  };
};

describe('primeorders_getTickers', () => {
  it('an empty market has nulls and zeros; an unknown one is refused', async () => {
    const { call, failure } = await withMarket();
    const empty = {
      market_id: 1,
      symbol: 'A/B',
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
        since_ms: expect.stringMatching(/^0x/),
        open: null,
        high: null,
        low: null,
        close: null,
        change: null,
        change_bps: null,
        volume: '0x0',
        quote_volume: '0x0',
        trades: '0x0',
      },
    };
    expect(await call('primeorders_getTickers')).toEqual([empty]);
    expect(await call('primeorders_getTickers', '0x1')).toEqual([empty]);
    expect(await failure('primeorders_getTickers', 2)).toMatchObject({ code: -32010 });
    expect(await (await start()).call('primeorders_getTickers')).toEqual([]);
  });

  it('follows book, trades and positions block by block', async () => {
    const running = await withMarket();
    const book = [order(1, 'buy', 99n), order(2, 'buy', 98n), order(3, 'sell', 101n, 7n)];
    commit(running, {
      records: [...book, holder('alice', 5n), holder('bob', -5n)],
      events: [trade(100n, 2n), trade(90n, 1n)],
    });
    expect(await running.call('primeorders_getTickers', 1)).toMatchObject([
      {
        best_bid: { price: '0x63', size: '0xa' },
        best_ask: { price: '0x65', size: '0x7' },
        open_interest: '0x5',
        day: { open: '0x64', high: '0x64', low: '0x5a', close: '0x5a', change: '-0xa', change_bps: '-0x3e8' },
      },
    ]);
    commit(running, { records: [gone(1), holder('alice', 0n), holder('bob', 2n)] });
    expect(await running.call('primeorders_getTickers', 1)).toMatchObject([
      {
        best_bid: { price: '0x62' },
        open_interest: '0x2',
        day: { volume: '0x3', quote_volume: '0x122', trades: '0x2' },
      },
    ]);
  });
});

describe('the stream of candles', () => {
  it('tells the candle as it is after each block with trades of the market', async () => {
    const running = await withMarket();
    const client = await open(running.url);
    const id = await client.call('prime_subscribe', 'candles', { market_id: 1, interval: '1d' });
    commit(running, { events: [trade(5n, 2n)] });
    commit(running);
    const hash = commit(running, { events: [trade(4n, 1n)] });
    expect(await client.untilTold(id, 2)).toMatchObject([
      { block_number: '0x1', market_id: 1, interval: '1d', candle: { close: '0x5', trades: '0x1' } },
      { block_number: '0x3', block_hash: hash, candle: { open: '0x5', close: '0x4', trades: '0x2' } },
    ]);
  });

  it('tells the candle after a block that moved the mark alone', async () => {
    const running = await withMarket();
    const client = await open(running.url);
    const id = await client.call('prime_subscribe', 'candles', { market_id: 1, interval: '1d' });
    commit(running, { records: [marketWrite(marketId, { markPrice: 7n })] });
    commit(running, { records: [marketWrite(marketId, { markPrice: 7n })] });
    commit(running, { records: [marketWrite(marketId, { markPrice: 6n })] });
    expect(await client.untilTold(id, 2)).toMatchObject([
      { block_number: '0x1', candle: { open: null, trades: '0x0', mark: { open: '0x7', close: '0x7' } } },
      { block_number: '0x3', candle: { close: null, mark: { open: '0x7', low: '0x6', close: '0x6' }, index: null } },
    ]);
  });

  it.each([
    [{ market_id: 1 }, -32602],
    [{ market_id: 1, interval: '2m' }, -32602],
    [{ interval: '1m' }, -32602],
    [{ market_id: 2, interval: '1m' }, -32010],
  ])('refuses %j', async (options, code) => {
    const client = await open((await withMarket()).url);
    expect(await client.failure('prime_subscribe', 'candles', options)).toMatchObject({ code });
  });
});

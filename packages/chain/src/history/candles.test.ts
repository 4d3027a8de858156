import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  type ActionPayload,
  type Candle,
  type CandleInterval,
  candleIntervalMs,
  candleIntervals,
  type DomainEvent,
  encodeEventFrames,
  statePrefix,
} from '@prime/codec';
import { createMemoryDatabase, type MemoryDatabase } from '@prime/evm/testing';
import type { MarketId, TimestampMs } from '@prime/primitives';
import fc from 'fast-check';
import { candleWrites } from './candles.ts';
import { oldestCandle, readCandles } from './candleHistory.ts';
import { metaKey, readOldest } from './history.ts';
import { archive, type Retention } from './pruner.ts';
import { action, alice, bob, copyOf, createTestChain, type TestChain, testGenesis, orderOf } from '../testing/chain.ts';

/** What is kept of trades by time, beside a model that looks at every trade. */

const market = 1 as MarketId;

interface Traded {
  readonly timeMs: number;
  readonly marketId: MarketId;
  readonly price: bigint;
  readonly size: bigint;
}

/** Candles as their definition says, from all trades. */
function naive(trades: readonly Traded[], marketId: MarketId, interval: CandleInterval): Candle[] {
  const length = candleIntervalMs[interval];
  const own = trades.filter((trade) => trade.marketId === marketId);
  const starts = [...new Set(own.map(({ timeMs }) => Math.floor(timeMs / length) * length))];
  return starts.map((openTimeMs) => {
    const inside = own.filter(({ timeMs }) => timeMs >= openTimeMs && timeMs < openTimeMs + length);
    const prices = inside.map(({ price }) => price);
    const sorted = prices.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0));
    return {
      openTimeMs,
      open: prices[0]!,
      high: sorted.at(-1)!,
      low: sorted[0]!,
      close: prices.at(-1)!,
      volume: inside.reduce((sum, { size }) => sum + size, 0n),
      quoteVolume: inside.reduce((sum, { price, size }) => sum + price * size, 0n),
      trades: inside.length,
    };
  });
}

const tradeEvent = ({ marketId, price, size }: Omit<Traded, 'timeMs'>): DomainEvent => ({
  domain: 'orders',
  kind: 'trade',
  actionIndex: 0,
  data: {
    trade_id: 1,
    market_id: marketId,
    price,
    size,
    maker_order_id: 1,
    taker_order_id: 2,
    maker: alice,
    taker: bob,
    side: 'buy',
    fees: 0n,
  },
});

const all = (database: MemoryDatabase, marketId: MarketId, interval: CandleInterval) =>
  readCandles(database, { marketId, interval, fromMs: 0, toMs: 2 ** 50 });

/** Prices and sizes of orders. */
const amounts = fc.bigInt({ min: 1n, max: 2n ** 128n - 1n });
/** Blocks some time apart, some of them with trades. */
const blocks = fc.array(
  fc.record({
    gapMs: fc.oneof(
      fc.integer({ min: 1, max: 1500 }),
      fc.constantFrom(59_000, 60_000, 3_599_999, 7_200_001, 86_400_000),
    ),
    trades: fc.array(
      fc.record({
        marketId: fc.constantFrom(1, 2, 0xffff_ffff).map((id) => id as MarketId),
        price: amounts,
        size: amounts,
      }),
      { maxLength: 4 },
    ),
  }),
  { maxLength: 40 },
);

describe('candles', () => {
  it('of each interval are those of a model that looks at every trade', async () => {
    await fc.assert(
      fc.asyncProperty(blocks, async (made) => {
        const database = createMemoryDatabase();
        const trades: Traded[] = [];
        let timeMs = 1_700_000_000_000;
        for (const block of made) {
          timeMs += block.gapMs;
          const own = block.trades.map((trade) => ({ ...trade, timeMs }));
          trades.push(...own);
          const writes = candleWrites(timeMs as TimestampMs, encodeEventFrames(own.map(tradeEvent)), database);
          // The database on disk takes none.
          expect(writes.filter(({ value }) => value?.length === 0)).toEqual([]);
          await database.write(writes, { sync: false });
        }
        for (const marketId of [1, 2, 3, 0xffff_ffff] as MarketId[])
          for (const interval of candleIntervals)
            expect(await all(database, marketId, interval)).toEqual(naive(trades, marketId, interval));
      }),
    );
  });

  it('a range has the candles that begin in it, the first and the last included', async () => {
    const database = createMemoryDatabase();
    const events = encodeEventFrames([tradeEvent({ marketId: market, price: 1n, size: 1n })]);
    for (const second of [10, 11, 12, 13])
      await database.write(candleWrites((second * 1000 + 999) as TimestampMs, events, database), { sync: false });
    const found = await readCandles(database, { marketId: market, interval: '1s', fromMs: 11_000, toMs: 12_000 });
    expect(found.map(({ openTimeMs }) => openTimeMs)).toEqual([11_000, 12_000]);
  });
});

const order = (side: 'buy' | 'sell', price: bigint): ActionPayload =>
  orderOf({ marketId: market, side, price, size: 1n, selfTrade: 'cancel_taker' });

const beginMs = 1_700_006_400_000;
/** A block so long after the begin, with a trade at a price, or without one. */
const tradeAt = (chain: TestChain, afterMs: number, price: bigint | null) =>
  chain.run({
    timestampMs: beginMs + afterMs,
    actions: price === null ? [] : [action(alice, order('sell', price)), action(bob, order('buy', price))],
  });

async function open(retention: Retention = archive): Promise<TestChain> {
  const chain = await createTestChain(testGenesis(), undefined, retention);
  await chain.run({
    timestampMs: beginMs,
    actions: [action(alice, { type: 'deposit', amount: 10_000n }), action(bob, { type: 'deposit', amount: 1000n })],
  });
  return chain;
}

const keysOf = async (database: MemoryDatabase, prefix: number): Promise<number> => {
  let count = 0;
  for await (const _ of database.entries(Uint8Array.of(prefix))) count++;
  return count;
};

describe('candles of a chain', () => {
  /** Minutes after the begin, and prices; null is a block without a trade. */
  const content = [
    ...([
      [1, 10n],
      [2, 12n],
      [3, null],
      [14, 9n],
      [15, 11n],
      [16, null],
    ] as const),
    ...([
      [61, 13n],
      [62, null],
      [1441, 8n],
      [1442, null],
      [1443, 9n],
    ] as const),
  ];

  async function run(retention: Retention): Promise<TestChain> {
    const chain = await open(retention);
    for (const [minutes, price] of content) await tradeAt(chain, minutes * 60_000, price);
    await chain.pipeline.close();
    return chain;
  }

  let whole: TestChain;
  beforeAll(async () => {
    whole = await run(archive);
  });

  it('hold what the blocks traded, and go on after a restart', async () => {
    const days = await all(whole.database, market, '1d');
    expect(days.map(({ open: first, close, trades }) => [first, close, trades])).toEqual([
      [10n, 13n, 5],
      [8n, 9n, 2],
    ]);
    const chain = await createTestChain(testGenesis(), await copyOf(whole.database));
    await tradeAt(chain, 1443 * 60_000 + 1, 20n);
    const last = (await all(chain.database, market, '1d')).at(-1);
    expect(last).toMatchObject({ open: 8n, close: 20n, high: 20n, trades: 3 });
    await chain.pipeline.close();
  });

  it.each([1, 2, 3, 4, 6, 9, 11])(
    'of a node that keeps %i blocks: whole from the oldest on, and none before',
    async (kept) => {
      const { database } = await run({ states: null, blocks: kept });
      expect(readOldest(database, 'oldestBlock')).toBe(13 - kept);
      for (const interval of candleIntervals) {
        const oldest = oldestCandle(database, interval);
        const expected = (await all(whole.database, market, interval)).filter(({ openTimeMs }) => openTimeMs >= oldest);
        const found = await all(database, market, interval);
        expect(found.filter(({ openTimeMs }) => openTimeMs >= oldest)).toEqual(expected);
        // A candle of a second is of use to no other.
        if (interval === '1s') expect(found).toEqual(expected);
      }
      expect(await keysOf(database, statePrefix.candle)).toBe(await keysOf(database, statePrefix.candleEnd));
    },
  );

  it('a node that keeps all has all; one that was there without candles has those that begin after them', async () => {
    for (const interval of candleIntervals) expect(oldestCandle(whole.database, interval)).toBe(0);
    const database = await copyOf(whole.database);
    await database.write([{ key: metaKey('candlesSince'), value: null }], { sync: false });
    const headMs = beginMs + 1443 * 60_000;
    expect(oldestCandle(database, '1m')).toBe(headMs + 60_000);
    const chain = await createTestChain(testGenesis(), database);
    await tradeAt(chain, 1443 * 60_000 + 30_000, 7n);
    expect(oldestCandle(database, '1s')).toBe(headMs + 30_000);
    expect(oldestCandle(database, '1m')).toBe(headMs + 60_000);
    await chain.pipeline.close();
  });
});

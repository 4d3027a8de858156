import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  type ActionPayload,
  type Candle,
  type CandleInterval,
  candleIntervalMs,
  candleIntervals,
  defaultMarketDecimals,
  type DomainEvent,
  encodeEventFrames,
  encodeMarketRecord,
  marketRecordKey,
  type Ohlc,
  prefixedKey,
  statePrefix,
} from '@prime/codec';
import { createMemoryDatabase, type MemoryDatabase } from '@prime/evm/testing';
import type { Hash, Height, MarketId, TimestampMs } from '@prime/primitives';
import fc from 'fast-check';
import { type CandleBlock, candleWrites } from './candles.ts';
import { oldestCandle, readCandles } from './candleHistory.ts';
import { executedWrites, metaKey, readOldest } from './history.ts';
import { archive, type Retention } from './pruner.ts';
import { action, alice, bob, copyOf, createTestChain, type TestChain, testGenesis, orderOf } from '../testing/chain.ts';

/** What is kept of trades and prices by time, beside a model that looks at every block. */

const market = 1 as MarketId;

interface Traded {
  readonly timeMs: number;
  readonly marketId: MarketId;
  readonly price: bigint;
  readonly size: bigint;
}

interface Prices {
  readonly mark: bigint | null;
  readonly index: bigint | null;
}
/** A block, with the prices of each market after it. */
interface Told {
  readonly timeMs: number;
  readonly trades: readonly Traded[];
  readonly prices: ReadonlyMap<MarketId, Prices>;
}

const pricesAfter = ({ prices }: Told, marketId: MarketId): Prices =>
  prices.get(marketId) ?? { mark: null, index: null };
const ascending = (values: readonly bigint[]): bigint[] => values.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0));
const ohlcOf = (values: readonly (bigint | null)[]): Ohlc | null => {
  const known = values.filter((value) => value !== null);
  if (known.length === 0) return null;
  return { open: known[0]!, high: ascending(known).at(-1)!, low: ascending(known)[0]!, close: known.at(-1)! };
};

/** Candles as their definition says, from all blocks: each interval in which something was traded or a price was set anew. */
function naive(blocks: readonly Told[], marketId: MarketId, interval: CandleInterval): Candle[] {
  const length = candleIntervalMs[interval];
  const starts = [...new Set(blocks.map(({ timeMs }) => Math.floor(timeMs / length) * length))];
  return starts.flatMap((openTimeMs): Candle[] => {
    const first = blocks.findIndex(({ timeMs }) => timeMs >= openTimeMs);
    const inside = blocks.filter(({ timeMs }) => timeMs >= openTimeMs && timeMs < openTimeMs + length);
    const before = first === 0 ? { mark: null, index: null } : pricesAfter(blocks[first - 1]!, marketId);
    const prices = [before, ...inside.map((block) => pricesAfter(block, marketId))];
    const own = inside.flatMap(({ trades }) => trades).filter((trade) => trade.marketId === marketId);
    const isStill = prices.every(({ mark, index }) => mark === before.mark && index === before.index);
    if (own.length === 0 && isStill) return [];
    const traded =
      own.length === 0
        ? null
        : {
            ...ohlcOf(own.map(({ price }) => price))!,
            volume: own.reduce((sum, { size }) => sum + size, 0n),
            quoteVolume: own.reduce((sum, { price, size }) => sum + price * size, 0n),
            trades: own.length,
          };
    return [
      {
        openTimeMs,
        traded,
        mark: ohlcOf(prices.map(({ mark }) => mark)),
        index: ohlcOf(prices.map(({ index }) => index)),
      },
    ];
  });
}

/** Record of a market with these prices. */
const marketWrite = (marketId: MarketId, { mark, index }: Prices) => ({
  key: marketRecordKey(marketId),
  value: encodeMarketRecord({
    marketId,
    symbol: 'A/B',
    tickSize: 1n,
    lotSize: 1n,
    ...defaultMarketDecimals,
    lastPrice: null,
    markPrice: mark,
    margin: null,
    status: 'trading',
    tradeBlocks: 0,
    ...(index === null
      ? {}
      : {
          oracle: {
            index,
            premium: 0n,
            staleSinceMs: null,
            resumesAtMs: 0 as TimestampMs,
            toldIndex: 0n,
            toldAtMs: 0 as TimestampMs,
            indexSum: 0n,
            premiumSum: 0n,
          },
        }),
  }),
});

/** What a block writes, and makes it the head. */
async function put(database: MemoryDatabase, block: CandleBlock, height: number): Promise<void> {
  const writes = candleWrites(block, database);
  // The database on disk takes none.
  expect(writes.filter(({ value }) => value?.length === 0)).toEqual([]);
  const keys = writes.map(({ key }) => String(key));
  expect(new Set(keys).size).toBe(keys.length);
  const zero = `0x${'00'.repeat(32)}` as Hash;
  const roots = { stateRoot: zero, receiptsRoot: zero, eventsRoot: zero, gasUsed: 0n };
  const record = { hash: zero, roots, nextBaseFee: 1n, timestampMs: block.timestampMs as TimestampMs };
  const records = block.records.map(({ key, value }) => ({ key: prefixedKey(statePrefix.clobRecord, key), value }));
  await database.write([...writes, ...records, ...executedWrites(height as Height, record)], { sync: false });
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
const ids = [1, 2, 0xffff_ffff].map((id) => id as MarketId);
/** Blocks some time apart, some of them with trades, some with other prices. */
const blocks = fc.array(
  fc.record({
    gapMs: fc.oneof(
      fc.integer({ min: 1, max: 1500 }),
      fc.integer({ min: 1, max: 100 }),
      fc.constantFrom(59_000, 60_000, 3_599_999, 7_200_001, 86_400_000),
    ),
    trades: fc.array(fc.record({ marketId: fc.constantFrom(...ids), price: amounts, size: amounts }), { maxLength: 4 }),
    /** A market's record is written with these. */
    prices: fc.uniqueArray(
      fc.record({
        marketId: fc.constantFrom(...ids),
        mark: fc.oneof(amounts, fc.bigInt({ min: 1n, max: 9n })),
        index: fc.option(fc.bigInt({ min: 1n, max: 9n })),
      }),
      { maxLength: 3, selector: ({ marketId }) => marketId },
    ),
  }),
  { maxLength: 40 },
);

describe('candles', () => {
  it('of each interval are those of a model that looks at every trade and every price', async () => {
    await fc.assert(
      fc.asyncProperty(blocks, async (made) => {
        const database = createMemoryDatabase();
        const told: Told[] = [];
        let timeMs = 1_700_000_000_000;
        for (const [at, block] of made.entries()) {
          const parentMs = timeMs;
          timeMs += block.gapMs;
          const trades = block.trades.map((trade) => ({ ...trade, timeMs }));
          const prices = new Map(told.at(-1)?.prices);
          // An index that there is stays one.
          for (const { marketId, mark, index } of block.prices)
            prices.set(marketId, { mark, index: index ?? prices.get(marketId)?.index ?? null });
          told.push({ timeMs, trades, prices });
          const events = encodeEventFrames(trades.map(tradeEvent));
          const records = block.prices.map(({ marketId }) => marketWrite(marketId, prices.get(marketId)!));
          await put(database, { timestampMs: timeMs, parentMs, events, records }, at + 1);
        }
        for (const marketId of [...ids, 3 as MarketId])
          for (const interval of candleIntervals)
            expect(await all(database, marketId, interval)).toEqual(naive(told, marketId, interval));
      }),
    );
  });

  it('a range has the candles that begin in it, the first and the last included', async () => {
    const database = createMemoryDatabase();
    const events = encodeEventFrames([tradeEvent({ marketId: market, price: 1n, size: 1n })]);
    for (const second of [10, 11, 12, 13]) {
      const records = [marketWrite(market, { mark: BigInt(second), index: null })];
      const timestampMs = second * 1000 + 999;
      await put(database, { timestampMs, parentMs: timestampMs - 1000, events, records }, second);
    }
    const found = await readCandles(database, { marketId: market, interval: '1s', fromMs: 11_000, toMs: 12_000 });
    expect(found.map(({ openTimeMs, mark }) => [openTimeMs, mark?.open, mark?.close])).toEqual([
      [11_000, 10n, 11n],
      [12_000, 11n, 12n],
    ]);
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
    expect(days.map(({ traded }) => [traded?.open, traded?.close, traded?.trades])).toEqual([
      [10n, 13n, 5],
      [8n, 9n, 2],
    ]);
    const chain = await createTestChain(testGenesis(), await copyOf(whole.database));
    await tradeAt(chain, 1443 * 60_000 + 1, 20n);
    const last = (await all(chain.database, market, '1d')).at(-1);
    expect(last).toMatchObject({ traded: { open: 8n, close: 20n, high: 20n, trades: 3 } });
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
        // Seconds are of use until their minute is over.
        if (interval === '1s') expect(found.every(({ openTimeMs }) => openTimeMs >= oldest - 60_000)).toBe(true);
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

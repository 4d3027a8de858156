import { describe, expect, it } from '@jest/globals';
import {
  decodeMarketRecord,
  defaultMarketDecimals,
  encodeMarketRecord,
  encodeOrderRecord,
  encodeReporterRecord,
  globalRecordKey,
  type MarketRecord,
  type OrderRecord,
  orderRecordKey,
  type RecordWrite,
  type ReporterRecord,
  reporterRecordKey,
} from '@prime/codec';
import type { Address, MarketId, OrderId } from '@prime/primitives';
import type { OrderBook } from '@prime/rpc';
import fc from 'fast-check';
import { addressOf } from '../testing/fakeNode.ts';
import { OrderBookModel } from './orderBooks.ts';
import { defaultTerms } from '../testing/defaultTerms.ts';
import { marketWrite } from '../testing/marketWrite.ts';

const markets = [1, 2] as MarketId[];
const owners = ['alice', 'bob'].map(addressOf);

const namedMarket = (marketId: MarketId): RecordWrite => marketWrite(marketId, { symbol: `M${marketId}/USD` });

const orderWrite = (order: OrderRecord): RecordWrite => ({
  key: orderRecordKey(order.orderId),
  value: encodeOrderRecord(order),
});

const anyOrder = fc
  .record({
    orderId: fc.integer({ min: 1, max: 12 }),
    marketId: fc.constantFrom(...markets),
    owner: fc.constantFrom(...owners),
    side: fc.constantFrom('buy' as const, 'sell' as const),
    price: fc.bigInt({ min: 1n, max: 5n }),
    remaining: fc.bigInt({ min: 1n, max: 9n }),
  })
  .map(
    (fields): OrderRecord => ({
      ...fields,
      orderId: fields.orderId as OrderId,
      size: 9n,
      ...defaultTerms,
      createdBlock: 1,
    }),
  );
type Change = { readonly put: OrderRecord } | { readonly remove: OrderId };
const anyChange: fc.Arbitrary<Change> = fc.oneof(
  anyOrder.map((put) => ({ put })),
  fc.integer({ min: 1, max: 12 }).map((id) => ({ remove: id as OrderId })),
);

/** The slow and obvious way: sum up all resting orders. */
function levels(
  orders: ReadonlyMap<OrderId, OrderRecord>,
  marketId: MarketId,
  side: 'buy' | 'sell',
): OrderBook['bids'] {
  const sums = new Map<bigint, bigint>();
  for (const order of orders.values())
    if (order.marketId === marketId && order.side === side)
      sums.set(order.price, (sums.get(order.price) ?? 0n) + order.remaining);
  return [...sums].map(([price, size]) => ({ price, size })).sort((a, b) => Number(a.price - b.price));
}

const times = { nowMs: 0, genesisMs: 0 };

describe('order book read model', () => {
  it('after any writes shows what summing up all orders shows', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(anyChange, { maxLength: 6 }), { maxLength: 12 }), async (blocks) => {
        const model = new OrderBookModel({ minTrades: 0 });
        model.load(
          markets.map(namedMarket).map(({ key, value }) => [key, value!] as const),
          0,
        );
        const orders = new Map<OrderId, OrderRecord>();
        for (const [index, block] of blocks.entries()) {
          for (const change of block) {
            if ('put' in change) orders.set(change.put.orderId, change.put);
            else orders.delete(change.remove);
          }
          model.apply(
            block.map((change) =>
              'put' in change ? orderWrite(change.put) : { key: orderRecordKey(change.remove), value: null },
            ),
            index + 1,
          );
          expect(model.standing(2, times).map((market) => market.orders)).toEqual(
            markets.map((id) => [...orders.values()].filter(({ marketId }) => marketId === id).length),
          );
          for (const id of markets)
            expect(await model.orderBook(id)).toEqual({
              bids: levels(orders, id, 'buy'),
              asks: levels(orders, id, 'sell'),
            });
          for (const owner of owners) {
            const expected = [...orders.values()]
              .filter((order) => order.owner === owner)
              .map((order) => order.orderId);
            const shown = (await model.openOrders(owner)).map((order) => order.orderId);
            expect(shown).toEqual(expected.sort((a, b) => a - b));
          }
          for (let id = 1; id <= 12; id++)
            expect(await model.orderOwner(id as OrderId)).toBe(orders.get(id as OrderId)?.owner ?? null);
        }
      }),
      { numRuns: 60 },
    );
  });

  it('tells of as many markets as are asked for, those with the lowest ids first', () => {
    const model = new OrderBookModel({ minTrades: 0 });
    const ids = [3, 1, 2] as MarketId[];
    model.apply(ids.map(namedMarket), 1);
    expect(model.marketCount).toBe(3);
    for (const count of [0, 2, 3, 4])
      expect(model.standing(count, times).map(({ id }) => id)).toEqual([1, 2, 3].slice(0, count));
    expect(model.standing(1, times)).toEqual([
      {
        id: 1,
        symbol: 'M1/USD',
        decimals: defaultMarketDecimals,
        bestBid: null,
        bestAsk: null,
        markPrice: null,
        lastPrice: null,
        orders: 0,
        openInterest: 0n,
        trades: 0,
        index: null,
      },
    ]);
  });

  it('tells since when validators have reported no price, at the earliest since genesis', () => {
    const model = new OrderBookModel({ minTrades: 0 });
    const { key, value } = namedMarket(1 as MarketId);
    const market = decodeMarketRecord(value!);
    const oracle = { premium: 0n, resumesAtMs: 0, toldIndex: 0n, toldAtMs: 0, indexSum: 0n, premiumSum: 0n };
    const indexAfter = (index: bigint | null, staleSinceMs: number | null): unknown => {
      const record = { ...market, oracle: { ...oracle, index, staleSinceMs } } as MarketRecord;
      model.apply([{ key, value: encodeMarketRecord(record) }], 1);
      return model.standing(1, { nowMs: 9_000, genesisMs: 1_000 })[0]!.index;
    };
    expect(indexAfter(null, 0)).toEqual({ price: null, staleMs: 8_000 });
    expect(indexAfter(7n, null)).toEqual({ price: 7n, staleMs: 0 });
    expect(indexAfter(7n, 6_500)).toEqual({ price: 7n, staleMs: 2_500 });
  });

  it('tells how each validator reports', () => {
    const model = new OrderBookModel({ minTrades: 0 });
    const [silent, heard] = ['0x'.padEnd(42, 'a'), '0x'.padEnd(42, 'b')] as [Address, Address];
    const common = { prices: [], earlier: [], minute: 2, minutes: 3, hasReported: false };
    model.apply(
      [
        { validator: silent, observedAtMs: 0, reportedMinutes: 0 },
        { validator: heard, observedAtMs: 8_400, reportedMinutes: 2 },
      ].map((record) => ({
        key: reporterRecordKey(record.validator),
        value: encodeReporterRecord({ ...common, ...record } as unknown as ReporterRecord),
      })),
      1,
    );
    expect(model.reporters.standing({ nowMs: 9_000, genesisMs: 1_000 })).toEqual([
      { validator: silent, silentMs: 8_000, minutes: 3, reportedMinutes: 0 },
      { validator: heard, silentMs: 600, minutes: 3, reportedMinutes: 2 },
    ]);
  });

  it('knows no market that has no record, and ignores records of other kinds', async () => {
    const model = new OrderBookModel({ minTrades: 0 });
    model.apply([{ key: globalRecordKey(), value: null }], 1);
    expect(await model.orderBook(1 as MarketId)).toBeNull();
    model.apply([namedMarket(1 as MarketId)], 2);
    expect(await model.orderBook(1 as MarketId)).toEqual({ bids: [], asks: [] });
    expect(await model.market(1 as MarketId)).toMatchObject({ symbol: 'M1/USD' });
  });
});

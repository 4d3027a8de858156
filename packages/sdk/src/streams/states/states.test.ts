import { describe, expect, it } from '@jest/globals';
import { crc32 } from 'node:zlib';
import { accountMessage, bboMessage, bookOrdersMessage, candleMessage, tickerMessage } from '@prime/rpc';
import { alice } from '../../testing/node/events.ts';
import { type TestBlock, TestChain } from '../../testing/node/testChain.ts';
import { Signal } from '../../testing/node/until.ts';
import { useStreams } from '../../testing/node/useStreams.ts';
import type { StreamError } from '../errors.ts';
import { watchBbo } from './watchBbo.ts';
import { watchBookOrders } from './watchBookOrders.ts';
import { watchCandles } from './watchCandles.ts';
import { watchMargin } from './watchMargin.ts';
import { watchTicker } from './watchTicker.ts';
import type {
  BestPrices,
  BookOrdersState,
  StreamedCandle,
  StreamedMargin,
  StreamedTicker,
  StreamStatus,
} from '../types.ts';

/** Watchers of how something stands, with messages as nodes make them. */

const { startNode, streamsOf } = useStreams();
const marketId = 1 as never;

/** A node of a chain of some blocks, and what a watcher told. */
async function stand<value>(blocks: number, stateOf: (kind: string, block: TestBlock, isFirst: boolean) => unknown) {
  const chain = new TestChain();
  for (let block = 0; block < blocks; block++) chain.add();
  const node = await startNode(chain);
  node.stateOf = stateOf;
  const signal = new Signal();
  const seen = { told: [] as value[], errors: [] as StreamError[], statuses: [] as StreamStatus[] };
  const watching = { onError: signal.into(seen.errors), onStatus: signal.into(seen.statuses) };
  return { chain, node, signal, ...seen, watching, streams: streamsOf([node.url]) };
}

describe('best prices', () => {
  it('are told at once and with each change; those of an older block of another node are not', async () => {
    const level = (block: TestBlock) => ({ price: BigInt(100 + block.height), size: 3n });
    const at = await stand<BestPrices>(1, (kind, block) =>
      kind === 'bbo' ? bboMessage(block.record, marketId, { bid: level(block), ask: null }) : null,
    );
    const { chain, node, signal, told, statuses } = at;
    watchBbo(at.streams, { market: 1, onBbo: signal.into(told), ...at.watching });
    await signal.until(() => told.length === 1);
    chain.add();
    node.show();
    await signal.until(() => told.length === 2);
    expect(told[1]).toEqual({
      blockNumber: 2n,
      blockHash: chain.blocks[2]!.hash,
      timeMs: 2_000,
      marketId: 1,
      bid: { price: 102n, size: 3n },
      ask: null,
    });
    node.drop();
    await signal.until(() => statuses.filter((status) => status === 'live').length === 2);
    expect(told.map(({ blockNumber }) => blockNumber)).toEqual([1n, 2n, 2n]);
  });

  it('that a slow reader did not take are replaced by newer ones', async () => {
    const at = await stand<BestPrices>(1, (_, block) => bboMessage(block.record, marketId, { bid: null, ask: null }));
    const { chain, node, signal, told } = at;
    let release: () => void = () => undefined;
    watchBbo(at.streams, {
      market: 1,
      onBbo: (best) => {
        signal.into(told)(best);
        return told.length === 1 ? new Promise<void>((resolve) => (release = resolve)) : undefined;
      },
      ...at.watching,
    });
    await signal.until(() => told.length === 1);
    for (let block = 0; block < 5; block++) chain.add();
    node.show();
    await new Promise((resolve) => setTimeout(resolve, 50));
    release();
    await signal.until(() => told.at(-1)?.blockNumber === 6n);
    expect(told).toHaveLength(2);
  });
});

const order = (orderId: number, price: bigint, size: bigint) => ({ orderId: orderId as never, price, size });
const text = ({ orderId, price, size }: ReturnType<typeof order>): string =>
  [orderId, price, size].map((value) => `0x${BigInt(value).toString(16)}`).join(':');
const checksum = (...inTurn: readonly ReturnType<typeof order>[]) =>
  `0x${crc32(inTurn.map(text).join(':')).toString(16)}` as never;

describe('the orders of a book', () => {
  const oldest = order(1, 100n, 5n);
  const younger = order(2, 100n, 4n);
  const best = order(3, 101n, 1n);
  const sell = order(4, 110n, 9n);
  const snapshot = (block: TestBlock) =>
    bookOrdersMessage({
      type: 'snapshot',
      marketId,
      head: block.record,
      sequence: block.height,
      previous: null,
      bids: [oldest, younger, best],
      asks: [sell],
      checksum: checksum(best, sell, oldest, younger),
      part: { at: 1, count: 1 },
    });

  it('are shown in the order in which they trade, and what changed beside them', async () => {
    const left = order(1, 100n, 2n);
    const at = await stand<BookOrdersState>(1, (_, block, isFirst) =>
      isFirst
        ? snapshot(block)
        : bookOrdersMessage({
            type: 'update',
            marketId,
            head: block.record,
            sequence: block.height,
            previous: 1,
            bids: [left, order(3, 101n, 0n)],
            asks: [],
            checksum: checksum(left, sell, younger),
          }),
    );
    const { chain, node, signal, told, errors } = at;
    const changes: unknown[] = [];
    watchBookOrders(at.streams, {
      market: 1,
      onBookOrders: (book, { change }) => {
        changes.push(change);
        signal.into(told)(book);
      },
      ...at.watching,
    });
    await signal.until(() => told.length === 1);
    chain.add();
    node.show();
    await signal.until(() => told.length === 2);
    expect(told.map(({ bids }) => bids)).toEqual([
      [best, oldest, younger],
      [left, younger],
    ]);
    expect(told[1]).toMatchObject({ sequence: 2, asks: [sell], checksum: checksum(left, sell, younger) });
    expect(changes).toEqual([null, { bids: [order(3, 101n, 0n), left], asks: [] }]);
    expect(errors).toEqual([]);
  });

  it('that do not have their checksum are not shown, but asked for again', async () => {
    let isWrong = true;
    const at = await stand<BookOrdersState>(1, (_, block) => {
      const message = snapshot(block) as { checksum: string };
      if (isWrong) message.checksum = '0x1';
      isWrong = false;
      return message;
    });
    watchBookOrders(at.streams, { market: 1, onBookOrders: at.signal.into(at.told), ...at.watching });
    await at.signal.until(() => at.told.length === 1);
    expect(at.errors.map(({ code }) => code)).toEqual(['STREAM_CHECKSUM_WRONG']);
    expect(at.node.subscriptions).toBe(2);
  });
});

const quiet = { price: 100n, size: 1n };
const ticker = {
  market: {
    marketId,
    symbol: 'A/B',
    status: 'open',
    lastPrice: 7n,
    markPrice: 8n,
    oracle: { index: 9n, premium: 1n, staleSinceMs: 600 },
  },
  bestBid: quiet,
  bestAsk: null,
  day: { sinceMs: 5, traded: null },
  openInterest: 3n,
} as unknown as Parameters<typeof tickerMessage>[1];
const account = {
  address: alice,
  collateral: 500n,
  equity: 400n,
  initialMargin: 10n,
  maintenanceMargin: 5n,
  freeCollateral: 390n,
  withdrawable: 390n,
  isLiquidatable: false,
  isLocked: false,
  positions: [{ marketId, size: -3n, entry: 300n, unrealized: -100n }],
  openOrders: 2,
} as unknown as Parameters<typeof accountMessage>[1];

describe('tickers and margin', () => {
  it('are what the methods of the same shape answer, with their block', async () => {
    const at = await stand<StreamedTicker | StreamedMargin>(1, (kind, { record }) =>
      kind === 'ticker' ? tickerMessage(record, ticker) : kind === 'account' ? accountMessage(record, account) : null,
    );
    const { signal, told } = at;
    watchTicker(at.streams, { market: 1, onTicker: signal.into(told), ...at.watching });
    await signal.until(() => told.length === 1);
    watchMargin(at.streams, { address: alice, onMargin: signal.into(told), ...at.watching });
    await signal.until(() => told.length === 2);
    expect(told[0]).toMatchObject({ blockNumber: 1n, timeMs: 1_000, markPrice: 8n, indexPrice: 9n, staleSinceMs: 600 });
    expect(told[0]).toMatchObject({ fairPrice: 10n });
    expect(told[1]).toMatchObject({ blockNumber: 1n, equity: 400n, openOrders: 2, positions: [{ size: -3n }] });
  });

  it('that can not be read give the connection up', async () => {
    const at = await stand<StreamedTicker>(1, (_, { record }) => ({
      ...tickerMessage(record, ticker),
      ticker: { day: {} },
    }));
    watchTicker(at.streams, { market: 1, onTicker: at.signal.into(at.told), ...at.watching });
    await at.signal.until(() => at.errors.length > 0);
    expect([at.told, at.errors[0]!.code]).toEqual([[], 'STREAM_MESSAGE_MALFORMED']);
  });
});

describe('candles', () => {
  const candle = (openTimeMs: number, close: bigint) =>
    ({
      openTimeMs,
      traded: { open: 1n, high: 9n, low: 1n, close, volume: 1n, quoteVolume: 1n, trades: 1 },
      mark: { open: 1n, high: 2n, low: 1n, close: 2n },
      index: null,
    }) as never;
  const wire = (block: TestBlock, openTimeMs: number, close: bigint) =>
    (candleMessage(block.record, { marketId, interval: '1m' }, candle(openTimeMs, close)) as { candle: unknown })
      .candle;

  it('begin with the one that grows, and after a break with those that were missed', async () => {
    const at = await stand<StreamedCandle>(1, (kind, block, isFirst) =>
      kind !== 'candles' || isFirst
        ? null
        : candleMessage(
            block.record,
            { marketId, interval: '1m' },
            candle(60_000 * block.height, BigInt(block.height)),
          ),
    );
    const { chain, node, signal, told, statuses } = at;
    const asked: unknown[] = [];
    node.methods['primeorders_getCandles'] = (params) => {
      asked.push(params);
      return chain.blocks.slice(1, node.head + 1).map((block) => wire(block, 60_000 * block.height, 1n));
    };
    watchCandles(at.streams, { market: 1, interval: '1m', onCandle: signal.into(told), ...at.watching });
    await signal.until(() => statuses.includes('live'));
    chain.add();
    node.show();
    await signal.until(() => told.length === 2);
    node.drop();
    for (let block = 0; block < 3; block++) chain.add();
    node.show();
    await signal.until(() => statuses.filter((status) => status === 'live').length === 2);
    expect(told.map(({ openTimeMs }) => openTimeMs / 60_000)).toEqual([1, 2, 2, 3, 4, 5]);
    expect(told[1]).toMatchObject({ marketId: 1, interval: '1m', close: 2n, mark: { high: 2n }, index: null });
    expect(asked).toEqual([
      [1, '1m', { limit: 1 }],
      [1, '1m', { limit: 1000 }],
    ]);
  });

  it('are live without one where the market never traded', async () => {
    const at = await stand<StreamedCandle>(1, () => null);
    at.node.methods['primeorders_getCandles'] = () => [];
    watchCandles(at.streams, { market: 1, interval: '1m', onCandle: at.signal.into(at.told), ...at.watching });
    await at.signal.until(() => at.statuses.includes('live'));
    expect(at.told).toEqual([]);
  });
});

import { describe, expect, it } from '@jest/globals';
import {
  type AccountRecord,
  accountRecordKey,
  decodeMarketRecord,
  encodeAccountRecord,
  encodeMarketRecord,
  type MarketRecord,
  marketRecordKey,
  type RecordWrite,
} from '@prime/codec';
import type { MarketId } from '@prime/primitives';
import { addressOf, FakeNode } from '../testing/fakeNode.ts';
import { alice, commit, gone, market, marketId, order, useGateways } from '../testing/streams.ts';
import { tradeEvent } from '../testing/tradeEvent.ts';

/** Streams of how something stands: best prices, tickers, accounts, books order by order. */

const { start, open } = useGateways();
const records = [[market.key, market.value] as const];
const level = (price: number, size: number) => ({ price: `0x${price.toString(16)}`, size: `0x${size.toString(16)}` });
const entry = (id: number, price: number, size: number) => ({
  order_id: `0x${id.toString(16)}`,
  ...level(price, size),
});

const marketWrite = (change: Partial<MarketRecord>, id: MarketId = marketId): RecordWrite => ({
  key: marketRecordKey(id),
  value: encodeMarketRecord({ ...decodeMarketRecord(market.value), ...change, marketId: id }),
});
const accountWrite = (collateral: bigint, positions: AccountRecord['positions'] = [], owner = alice): RecordWrite => ({
  key: accountRecordKey(owner),
  value: encodeAccountRecord({ address: owner, collateral, positions, locked: false }),
});

describe('bbo', () => {
  it('tells both sides at once, and then what blocks change of them', async () => {
    const running = await start({ options: { records } });
    const client = await open(running.url);
    const id = await client.call('eth_subscribe', 'bbo', { market_id: 1 });
    commit(running, { records: [order(1, 'buy', 100n)] });
    commit(running, { records: [order(2, 'buy', 99n), order(3, 'sell', 110n)] });
    // Behind the best price.
    commit(running, { records: [order(4, 'buy', 98n), order(5, 'sell', 111n)] });
    // As before at the end of the block.
    commit(running, { records: [order(6, 'buy', 101n), gone(6)] });
    commit(running, { records: [order(7, 'buy', 100n, 5n)] });
    commit(running, { records: [gone(1), gone(7)] });
    const told = await client.untilTold(id, 5);
    expect(told).toEqual([
      expect.objectContaining({ block_number: '0x0', market_id: 1, best_bid: null, best_ask: null }),
      expect.objectContaining({ block_number: '0x1', best_bid: level(100, 10), best_ask: null }),
      expect.objectContaining({ block_number: '0x2', best_bid: level(100, 10), best_ask: level(110, 10) }),
      expect.objectContaining({ block_number: '0x5', best_bid: level(100, 15) }),
      expect.objectContaining({ block_number: '0x6', best_bid: level(99, 10), best_ask: level(110, 10) }),
    ]);
    expect(told[1]).toMatchObject({ time_ms: expect.stringMatching(/^0x/) as never });
  });
});

describe('bookOrders', () => {
  it('tells each order in the order in which it trades, then what blocks change', async () => {
    const running = await start({ options: { records } });
    commit(running, { records: [order(1, 'buy', 100n), order(2, 'buy', 100n, 4n), order(3, 'sell', 110n)] });
    const client = await open(running.url);
    const id = await client.call('eth_subscribe', 'bookOrders', { market_id: 1 });
    // The level stays as it was: 10 + 4 = 8 + 6.
    commit(running, { records: [order(1, 'buy', 100n, 10n, 8n), order(2, 'buy', 100n, 6n)] });
    commit(running, { records: [order(4, 'sell', 120n), gone(4)] });
    commit(running, { records: [gone(1), order(5, 'buy', 99n, 1n)] });
    expect(await client.untilTold(id, 3)).toMatchObject([
      { type: 'snapshot', sequence: 1, bids: [entry(1, 100, 10), entry(2, 100, 4)], asks: [entry(3, 110, 10)] },
      { type: 'update', previous_sequence: 1, sequence: 2, bids: [entry(1, 100, 8), entry(2, 100, 6)], asks: [] },
      { type: 'update', previous_sequence: 2, sequence: 4, bids: [entry(5, 99, 1), entry(1, 100, 0)], asks: [] },
    ]);
  });
});

describe('ticker', () => {
  it('is what getTickers answers, after each block that changed it and no other', async () => {
    const running = await start({ options: { records } });
    const client = await open(running.url);
    const id = await client.call('eth_subscribe', 'ticker', { market_id: 1 });
    const oracle = {
      index: 105n,
      premium: -2n,
      staleSinceMs: null,
      resumesAtMs: 0 as never,
      toldIndex: 105n,
      toldAtMs: 0 as never,
      indexSum: 0n,
      premiumSum: 0n,
    };
    commit(running, { records: [order(1, 'buy', 100n)] });
    commit(running, { records: [order(2, 'buy', 90n)] });
    commit(running, { records: [marketWrite({ markPrice: 104n, oracle })] });
    commit(running, { records: [marketWrite({ markPrice: 104n, oracle })] });
    commit(running, {
      records: [marketWrite({ markPrice: 104n, lastPrice: 100n, oracle })],
      events: [tradeEvent({ marketId, price: 100n, size: 3n })],
    });
    // Validators report no price any more: nothing else moves.
    const stale = { ...oracle, staleSinceMs: 6_000 as never };
    commit(running, { records: [marketWrite({ markPrice: 104n, lastPrice: 100n, oracle: stale })] });
    const expected = await client.call('primeorders_getTickers', 1);
    const told = await client.untilTold(id, 5);
    expect(told.map((message) => (message as { block_number: string }).block_number)).toEqual([
      '0x0',
      '0x1',
      '0x3',
      '0x5',
      '0x6',
    ]);
    expect(told[2]).toMatchObject({ ticker: { mark_price: '0x68', index_price: '0x69', fair_price: '0x67' } });
    expect(told[3]).toMatchObject({ ticker: { index_price: '0x69', stale_since_ms: null } });
    expect(told[4]).toMatchObject({ ticker: { index_price: '0x69', stale_since_ms: '0x1770' } });
    expect(told[4]).toMatchObject({ ticker: (expected as unknown as object[])[0] });
  });
});

describe('account', () => {
  it('is told after each block that touched it, and at most once a second where only prices moved', async () => {
    const running = await start({ options: { records } });
    const client = await open(running.url);
    const id = await client.call('eth_subscribe', 'account', { address: alice });
    const other = await client.call('eth_subscribe', 'account', { address: addressOf('carol') });
    const position = { marketId, size: 10n, entry: 1_000n } as AccountRecord['positions'][number];
    commit(running, { records: [accountWrite(500n)] });
    commit(running, { records: [order(1, 'buy', 100n)] });
    commit(running, { records: [accountWrite(500n, [position]), marketWrite({ markPrice: 100n })] });
    // Blocks of tests are a second apart: each is told.
    commit(running, { records: [marketWrite({ markPrice: 110n })] });
    commit(running, { records: [marketWrite({ markPrice: 110n })] });
    commit(running, { records: [marketWrite({ markPrice: 120n })] });
    const told = (await client.untilTold(id, 6)) as { block_number: string; account: Record<string, unknown> }[];
    expect(told.map(({ block_number: block }) => block)).toEqual(['0x0', '0x1', '0x2', '0x3', '0x4', '0x6']);
    expect(told.map(({ account }) => account['equity'])).toEqual(['0x0', '0x1f4', '0x1f4', '0x1f4', '0x258', '0x2bc']);
    expect(told[5]!.account).toEqual(await client.call('primeorders_getAccount', alice));
    expect(client.told(other)).toHaveLength(1);
  });

  it('that moved with prices within a second is told when the second is over', async () => {
    const node = new FakeNode();
    node.blockMs = 400;
    const running = await start({ node, options: { records } });
    const client = await open(running.url);
    const position = { marketId, size: 10n, entry: 1_000n } as AccountRecord['positions'][number];
    commit(running, { records: [accountWrite(500n, [position]), marketWrite({ markPrice: 100n })] });
    const id = await client.call('eth_subscribe', 'account', { address: alice });
    commit(running, { records: [marketWrite({ markPrice: 101n })] });
    commit(running, { records: [marketWrite({ markPrice: 102n })] });
    // 1200 ms after the first: what moved 400 ms ago is told, though this block moves nothing.
    commit(running);
    commit(running, { records: [marketWrite({ markPrice: 103n })] });
    commit(running, { records: [order(1, 'buy', 90n)] });
    const told = (await client.untilTold(id, 3)) as { block_number: string }[];
    expect(told.map(({ block_number: block }) => block)).toEqual(['0x1', '0x4', '0x6']);
  });
});

describe('streams of how something stands', () => {
  it('of accounts are hidden from the public surface after the privacy fork, and those of markets are not', async () => {
    const running = await start({ info: { privacyForkBlock: 1 }, options: { records } });
    const [early, late] = [await open(running.url), await open(running.url)];
    await early.call('eth_subscribe', 'account', { address: alice });
    commit(running);
    expect(await early.closed).toEqual([1008, 'account is disabled on the public surface after the privacy fork']);
    expect(await late.failure('eth_subscribe', 'account', { address: alice })).toMatchObject({ code: -32004 });
    for (const kind of ['bbo', 'ticker', 'bookOrders'])
      expect(await late.call('eth_subscribe', kind, { market_id: 1 })).toMatch(/^0x/);
  });

  it('refuse what they can not be of', async () => {
    const { url } = await start({ options: { records } });
    const { failure } = await open(url);
    for (const kind of ['bbo', 'ticker', 'bookOrders']) {
      expect(await failure('eth_subscribe', kind, { market_id: 7 })).toMatchObject({ code: -32010 });
      expect(await failure('eth_subscribe', kind, { market_id: 1, interval: '1m' })).toMatchObject({ code: -32602 });
    }
    expect(await failure('eth_subscribe', 'account', { market_id: 1 })).toMatchObject({ code: -32602 });
  });

  it('two hundred markets on one connection each tell their own', async () => {
    const count = 200;
    const ids = Array.from({ length: count }, (_, index) => (index + 1) as MarketId);
    const running = await start({
      options: {
        records: ids.map((id) => {
          const { key, value } = marketWrite({ symbol: `M${id}/USD` }, id);
          return [key, value!] as const;
        }),
      },
    });
    const client = await open(running.url);
    const topics: unknown[] = [];
    for (const id of ids) {
      topics.push(await client.call('eth_subscribe', 'ticker', { market_id: id }));
      topics.push(await client.call('eth_subscribe', 'bbo', { market_id: id }));
    }
    commit(running, { records: ids.map((id) => marketWrite({ symbol: `M${id}/USD`, markPrice: BigInt(id) }, id)) });
    commit(running, { records: [marketWrite({ symbol: 'M7/USD', markPrice: 99n }, 7 as MarketId)] });
    for (const [index, id] of ids.entries()) {
      const told = await client.untilTold(topics[2 * index], id === 7 ? 3 : 2);
      expect(told[1]).toMatchObject({ ticker: { market_id: id, mark_price: `0x${id.toString(16)}` } });
      expect(client.told(topics[2 * index + 1])).toHaveLength(1);
    }
    const mids = (await client.call('primeorders_getMids')) as unknown as { market_id: number }[];
    expect(mids.map(({ market_id: id }) => id)).toEqual(ids);
  });
});

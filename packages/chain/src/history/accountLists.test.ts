import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  type AccountList,
  type AccountListPage,
  accountLists,
  type ActionPayload,
  type BlockPlace,
  decodeClosedOrdersRecord,
  decodeEventFrames,
  eventAccounts,
  eventsOfLists,
  type Genesis,
  heightOfKey,
  type ListedEvent,
  type ListedOrder,
  statePrefix,
} from '@prime/codec';
import type { MemoryDatabase } from '@prime/evm/testing';
import type { Address, Height, MarketId } from '@prime/primitives';
import { action, alice, bob, copyOf, createTestChain, orderOf, type TestChain, testGenesis } from '../testing/chain.ts';
import { readExecuted } from './history.ts';
import { createPruner } from './pruner.ts';
import { readAccountEvents, readAccountOrders } from './readLists.ts';

/** What a node tells of accounts, page by page, beside a reading of all events. */

const named = (name: string): Address => `0x${'0'.repeat(38)}${name}` as Address;
const [carol, dave, makerA, makerB] = ['c1', 'd1', 'e1', 'e2'].map(named) as [Address, Address, Address, Address];
const accounts = [alice, bob, carol, dave, makerA, makerB];
const lists = Object.keys(accountLists) as AccountList[];

function genesis(): Genesis {
  const base = testGenesis();
  const fees = { takerPpm: 1000, makerPpm: -200, treasury: null, treasuryShareBps: 0 };
  const funding = { intervalSeconds: 4, premiumIntervals: 1, maxRateBps: 1000, referenceWeight: 64 };
  return {
    ...base,
    clob: { ...base.clob, fees, funding, orderMemoryBlocks: 2 },
    markets: [...base.markets, { ...base.markets[0]!, symbol: 'TWO/USD' }],
  };
}

const run = (chain: TestChain, ...parts: readonly (readonly [Address, ActionPayload])[]) =>
  chain.run({ actions: parts.map(([account, payload]) => action(account, payload)) });
const buy = (price: number, size: number, more: object = {}): ActionPayload =>
  orderOf({ side: 'buy', price: BigInt(price), size: BigInt(size), ...more });
const sell = (price: number, size: number, more: object = {}): ActionPayload => ({
  ...(buy(price, size, more) as object as ReturnType<typeof orderOf>),
  side: 'sell',
});
const two = { marketId: 2 as MarketId };

/** Dave is liquidated, first in part against the book, and then, with less than nothing, against Bob. Around it trade the others, in two markets. */
async function story(): Promise<TestChain> {
  const chain = await createTestChain(genesis());
  await run(chain, [alice, { type: 'deposit', amount: 10_000_000n }]);
  const rich = [bob, carol, makerA, makerB].map((to) => [alice, { type: 'transfer', to, amount: 1_000_000n }] as const);
  await run(chain, ...rich, [alice, { type: 'transfer', to: dave, amount: 1_020n }]);
  await run(
    chain,
    [alice, { type: 'transfer', to: alice, amount: 5n }],
    [bob, { type: 'withdraw', to: bob, amount: 7n }],
  );
  await run(chain, [bob, { type: 'bridgeDequeue', direction: 'orders_to_evm', max: 10 }]);
  for (let round = 0; round < 6; round++) {
    await run(chain, [makerA, sell(95 + round, 5)], [makerB, buy(95 + round, 3)], [carol, buy(95 + round, 2)]);
    await run(
      chain,
      [makerA, buy(50, 5, two)],
      [makerB, sell(50, 4, two)],
      [makerA, { type: 'cancelAll', marketId: null }],
    );
  }
  await run(chain, [bob, sell(100, 100)], [dave, buy(100, 100)]);
  await run(chain, [makerA, buy(94, 1)], [makerB, sell(94, 1)]);
  await run(chain, [carol, buy(93, 40)]);
  await run(chain, [carol, { type: 'liquidate', address: dave }]);
  await run(chain, [makerA, buy(85, 1)], [makerB, sell(85, 1)]);
  await run(chain, [carol, { type: 'liquidate', address: dave }]);
  await run(chain, [makerA, buy(95, 1)], [makerB, sell(95, 1)]);
  return chain;
}

const end: BlockPlace = { height: Number.MAX_SAFE_INTEGER as Height, index: 0 };
type Entry = ListedEvent | ListedOrder;
type Asked = Partial<Parameters<typeof readAccountEvents>[1]>;

const pageOf = (
  database: MemoryDatabase,
  list: AccountList,
  address: Address,
  more: Asked = {},
): Promise<AccountListPage<Entry>> => {
  const query = { address, marketId: null, fromMs: null, toMs: null, before: end, count: 1000, ...more };
  return list === 'orders'
    ? readAccountOrders(database, { ...query, list })
    : readAccountEvents(database, { ...query, list });
};

/** All of a list, in pages of some size. */
async function pagesOf(database: MemoryDatabase, list: AccountList, address: Address, more: Asked): Promise<Entry[]> {
  const all: Entry[] = [];
  for (let before: BlockPlace | null = more.before ?? end; before !== null; ) {
    const page: AccountListPage<Entry> = await pageOf(database, list, address, { ...more, before });
    all.push(...page.entries);
    before = page.next;
  }
  return all;
}

/** What is said of an entry here: its place, and what it is. */
const told = (entry: Entry): unknown =>
  'order' in entry
    ? [entry.height, entry.timestampMs, entry.order]
    : [entry.height, entry.timestampMs, entry.index, entry.event];

/** The same from everything that the blocks have. */
async function naive({ database, deltas }: TestChain, list: AccountList, address: Address): Promise<unknown[]> {
  const all: unknown[] = [];
  for (const { block, events } of deltas) {
    const { height, timestampMs } = block.header;
    if (list !== 'orders') {
      const kinds: readonly string[] = eventsOfLists[list];
      decodeEventFrames(events).forEach((event, index) => {
        if (kinds.includes(event.kind) && eventAccounts(event).includes(address))
          all.push([height, timestampMs, index, event]);
      });
      continue;
    }
    for await (const [key, record] of database.entries(Uint8Array.of(statePrefix.endedOrders)))
      if (heightOfKey(key) === height)
        for (const order of decodeClosedOrdersRecord(record).orders)
          if (order.owner === address) all.push([height, timestampMs, order]);
  }
  return all.reverse();
}

describe('lists of an account', () => {
  let chain: TestChain;
  beforeAll(async () => {
    chain = await story();
  });

  it.each(lists)('%s have what the blocks tell of each account, the last first', async (list) => {
    let found = 0;
    for (const address of accounts) {
      const { entries, next, oldest, oldestMs } = await pageOf(chain.database, list, address);
      expect(entries.map(told)).toEqual(await naive(chain, list, address));
      expect({ next, oldest, oldestMs }).toEqual({
        next: null,
        oldest: 1,
        oldestMs: readExecuted(chain.database, 1 as Height)!.timestampMs,
      });
      found += entries.length;
    }
    expect(found).toBeGreaterThan(0);
  });

  it('are the same in pages of every size, by market and by time', async () => {
    for (const list of lists)
      for (const address of [bob, dave, makerA]) {
        const all = await pageOf(chain.database, list, address);
        for (const count of [1, 2, 7, all.entries.length, all.entries.length + 1])
          expect(await pagesOf(chain.database, list, address, { count: Math.max(1, count) })).toEqual(all.entries);
        const ofTwo = all.entries.filter((entry) =>
          'order' in entry ? entry.order.marketId === 2 : entry.event.data['market_id'] === 2,
        );
        expect(await pagesOf(chain.database, list, address, { count: 2, marketId: 2 as MarketId })).toEqual(ofTwo);
        const [newest, oldest] = [all.entries.at(0), all.entries.at(-1)];
        if (newest === undefined || oldest === undefined) continue;
        for (const [fromMs, toMs] of [
          [oldest.timestampMs, newest.timestampMs],
          [oldest.timestampMs + 1, newest.timestampMs],
          [oldest.timestampMs, newest.timestampMs - 1],
          [newest.timestampMs, newest.timestampMs],
          [newest.timestampMs + 1, newest.timestampMs + 1],
          [0, 0],
        ] as const) {
          const inside = all.entries.filter(({ timestampMs: at }) => at >= fromMs && at <= toMs);
          expect(await pagesOf(chain.database, list, address, { count: 2, fromMs, toMs })).toEqual(inside);
        }
      }
  });

  it('tell of a trade what its fees and its liquidation were', async () => {
    const { entries } = (await pageOf(chain.database, 'fills', dave)) as AccountListPage<ListedEvent>;
    expect(entries.map(({ event: { kind }, isLiquidation }) => [kind, isLiquidation])).toEqual([
      ['deleveraged', false],
      ['trade', true],
      ['trade', false],
    ]);
    const maker = (await pageOf(chain.database, 'fills', carol)) as AccountListPage<ListedEvent>;
    expect(maker.entries[0]).toMatchObject({ isLiquidation: true, makerFee: expect.any(BigInt) });
    const fees = chain.deltas.flatMap(({ events }) =>
      decodeEventFrames(events).filter(({ kind }) => kind === 'trade_fees'),
    );
    for (const address of accounts)
      for (const { event, makerFee } of (await pageOf(chain.database, 'fills', address))
        .entries as readonly ListedEvent[])
        expect(makerFee).toBe(
          event.kind === 'trade'
            ? (fees.find(({ data }) => data['trade_id'] === event.data['trade_id'])?.data['maker_fee'] ?? 0n)
            : 0n,
        );
  });

  it('name the action behind an entry, and none behind what the block itself did', async () => {
    const { entries } = (await pageOf(chain.database, 'transfers', alice)) as AccountListPage<ListedEvent>;
    for (const { height, event, transactionHash } of entries)
      expect(transactionHash).toBe(chain.deltas[height - 1]!.actionHashes[event.actionIndex!]);
    const { entries: queued } = (await pageOf(chain.database, 'transfers', bob)) as AccountListPage<ListedEvent>;
    expect(queued.map(({ event: { kind } }) => kind)).toContain('transfer_queued');
  });

  it('are empty for an account that nothing happened to', async () => {
    for (const list of lists)
      expect(await pageOf(chain.database, list, named('99'))).toMatchObject({ entries: [], next: null, oldest: 1 });
  });

  it('go on at the same entry when blocks come between two pages', async () => {
    const own = await story();
    const before = await pageOf(own.database, 'fills', makerA, { count: 2 });
    const rest = await pagesOf(own.database, 'fills', makerA, { count: 3 });
    await run(own, [makerA, sell(96, 3)], [makerB, buy(96, 3)]);
    const after = await pagesOf(own.database, 'fills', makerA, { count: 3, before: before.next! });
    const all = await pagesOf(own.database, 'fills', makerA, { count: 3 });
    expect([...before.entries, ...after]).toEqual(rest);
    expect(all).toHaveLength(rest.length + 1);
  });

  it('lose what the node deletes, and nothing else, also in the middle of a walk', async () => {
    const database = await copyOf(chain.database);
    const head = chain.deltas.length as Height;
    const all = await pageOf(database, 'fills', makerA);
    const first = await pageOf(database, 'fills', makerA, { count: 2 });
    const kept = head - 10 + 1;
    for (let round = 0; round < 5; round++) await createPruner(database, { states: null, blocks: 10 })(head);
    const left = all.entries.filter(({ height }) => height >= kept);
    expect(left.length).toBeGreaterThan(2);
    expect(left.length).toBeLessThan(all.entries.length);
    const rest = await pageOf(database, 'fills', makerA, { before: first.next!, count: 1000 });
    expect([...first.entries, ...rest.entries]).toEqual(left);
    expect(rest).toMatchObject({
      next: null,
      oldest: kept,
      oldestMs: readExecuted(database, kept as Height)!.timestampMs,
    });
    // A time before that is a time at which nothing is known.
    expect((await pageOf(database, 'fills', makerA, { fromMs: 0 })).entries).toEqual(left);
    expect((await pageOf(database, 'fills', makerA, { before: { height: 2 as Height, index: 0 } })).entries).toEqual(
      [],
    );
  });
});

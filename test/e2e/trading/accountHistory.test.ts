/** What a node tells of the history of accounts, on a network of processes: beside all events, by pages while blocks come and nodes are killed, and where it began with a snapshot. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { toHex as hex } from '@prime/load/rpc';
import { createTestnet, type Testnet, until } from '@prime/testkit';
import { nodesOf } from '../nodes.ts';
import { addressesOf, addressOf, refusal } from './trading.ts';

let testnet: Testnet;
const all = [0, 1, 2, 3];
/** Begins with a snapshot, late. */
const follower = 4;
beforeAll(async () => {
  testnet = await createTestnet({
    validators: 4,
    followers: 1,
    environment: { PRIME_SNAPSHOTS_INTERVAL_BLOCKS: '10', PRIME_SNAPSHOTS_KEEP: '100' },
    genesis: (genesis) => {
      Object.assign(genesis['clob'] as object, {
        fees: { takerPpm: 1000, makerPpm: -400 },
        autoLiquidatePerBlock: 0,
        funding: { intervalSeconds: 4, maxRateBps: 1, premiumIntervals: 1, referenceWeight: 32 },
      });
    },
  });
  await Promise.all(all.map((index) => testnet.start(index)));
});
afterAll(() => testnet.destroy());

const { call, heightOf } = nodesOf(() => testnet);
const [alice, bob, carol, dave] = addressesOf('alice', 'bob', 'carol', 'dave');
const accounts = [alice, bob, carol, dave];

interface Placed {
  readonly block_number: string;
}
const order = (index: number, owner: string, side: 'buy' | 'sell', price: number, size: number): Promise<Placed> =>
  call(index, 'primeorders_submitOrder', [
    { owner, market_id: 1, side, price: hex(price), size: hex(size), tif: 'gtc' },
  ]);
/** Two orders that meet. @param index of the node that is asked */
async function trade(index: number, seller: string, buyer: string, price: number, size: number): Promise<Placed> {
  await order(index, seller, 'sell', price, size);
  return order(index, buyer, 'buy', price, size);
}

interface Event {
  readonly block_number: string;
  readonly index: string;
  readonly kind: string;
  readonly transaction_hash: string | null;
  readonly data: Readonly<Record<string, string | number>>;
}
const eventsOf = (index: number, address: string, fromBlock = '0x1'): Promise<readonly Event[]> =>
  call(index, 'prime_getDomainEvents', [{ fromBlock, toBlock: 'latest', address }]);

type Entry = Readonly<Record<string, string | number | null>>;
interface Page {
  readonly entries: readonly Entry[];
  readonly next: string | null;
  readonly oldest_block: string;
  readonly oldest_ms: string;
}
/** The lists, what they are called in answers, and the events that they are made of. */
const lists = {
  primeorders_getFills: ['fills', ['trade', 'deleveraged']],
  primeorders_getFunding: ['payments', ['funding_paid']],
  primeorders_getTransfers: [
    'transfers',
    [
      'collateral_deposited',
      'collateral_withdrawn',
      'collateral_transferred',
      'transfer_queued',
      'transfer_completed',
      'transfer_failed',
    ],
  ],
  primeorders_getLiquidations: ['liquidations', ['liquidation', 'deleveraged', 'debt_covered', 'bad_debt']],
  primeorders_getOrderHistory: ['orders', []],
} as const;
type Method = keyof typeof lists;
const methods = Object.keys(lists) as Method[];

async function pageOf(index: number, method: Method, address: string, page: object = {}): Promise<Page> {
  const answer = await call<Record<string, unknown>>(index, method, [address, page]);
  const { [lists[method][0]]: entries, ...rest } = answer;
  return { entries, ...rest } as unknown as Page;
}

/** All of a list. @param between is done after each page */
async function walk(
  index: number,
  method: Method,
  address: string,
  page: object,
  between: () => Promise<unknown> = async () => undefined,
): Promise<readonly Entry[]> {
  const entries: Entry[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const found: Page = await pageOf(index, method, address, { ...page, cursor });
    entries.push(...found.entries);
    cursor = found.next;
    if (cursor !== null) await between();
  }
  return entries;
}

const placeOf = (of: Entry | Event): unknown => [
  of.block_number,
  'event_index' in of ? of['event_index'] : of['index'],
  of.transaction_hash,
];
const reach = async (indexes: readonly number[], height: number): Promise<void> => {
  for (const index of indexes)
    await until(`node ${index} reaches ${height}`, async () => (await heightOf(index)) >= height);
};

/** Carol and Dave trade with fees, and pay each other funding. Alice is liquidated: in part in the book, and with less than nothing against Bob. */
async function story(): Promise<number> {
  await call(0, 'primeorders_depositCollateral', [alice, hex(1_015)]);
  for (const address of [bob, carol, dave]) await call(1, 'primeorders_depositCollateral', [address, hex(1_000_000)]);
  await trade(0, dave, carol, 100, 20);
  await until('an interval is over', async () => {
    const [market] = await call<{ funding?: { reference: string | null } }[]>(0, 'primeorders_getMarkets');
    return market?.funding?.reference != null;
  });
  await trade(1, dave, carol, 105, 1);
  await until('funding is due', async () => {
    const filter = { fromBlock: '0x1', toBlock: 'latest', kind: 'funding_index' };
    return (await call<readonly Event[]>(1, 'prime_getDomainEvents', [filter])).length > 0;
  });
  await trade(2, dave, carol, 100, 1);
  await trade(1, bob, alice, 100, 100);
  await trade(2, dave, carol, 90, 1);
  await order(3, carol, 'buy', 93, 40);
  for (const index of all)
    await until('every node knows it', () => call<boolean>(index, 'primeorders_isLiquidatable', [alice]));
  await call(3, 'primeorders_liquidate', [alice]);
  // She has some 690 left, for 60 that cost 100.
  await trade(2, dave, carol, 85, 1);
  await call(3, 'primeorders_liquidate', [alice]);
  await call(0, 'primebridge_enqueueOrdersToEvm', [{ from: bob, to: bob, amount: '0x7' }]);
  await call(0, 'primebridge_dequeueOrdersToEvm');
  const resting = await call<{ order_id: string }>(0, 'primeorders_submitOrder', [
    { owner: dave, market_id: 1, side: 'buy', price: '0x1', size: '0x3', tif: 'gtc' },
  ]);
  await call(0, 'primeorders_cancelOrder', [resting.order_id]);
  return heightOf(0);
}

describe('the history of accounts', () => {
  it('has on every node what all events say, the last first, with fees, funding, liquidation and deleveraging', async () => {
    await reach(all, await story());
    for (const index of all)
      for (const address of accounts) {
        const events = await eventsOf(index, address);
        for (const method of methods) {
          const { entries, next, oldest_block } = await pageOf(index, method, address);
          expect([next, oldest_block]).toEqual([null, '0x1']);
          for (const [at, { time_ms }] of entries.entries())
            if (at > 0) expect(Number(time_ms)).toBeLessThanOrEqual(Number(entries[at - 1]!['time_ms']));
          expect(await walk(index, method, address, { limit: 2 })).toEqual(entries);
          if (method === 'primeorders_getOrderHistory') continue;
          const kinds: readonly string[] = lists[method][1];
          const expected = events.filter(({ kind }) => kinds.includes(kind)).reverse();
          expect(entries.map(placeOf)).toEqual(expected.map(placeOf));
        }
      }
    const { entries: fills } = await pageOf(2, 'primeorders_getFills', alice);
    expect(fills.map(({ kind, side, liquidity, size, price }) => [kind, side, liquidity, size, price])).toEqual([
      ['deleveraging', 'sell', null, hex(60), null],
      ['liquidation', 'sell', 'taker', hex(40), hex(93)],
      ['trade', 'buy', 'taker', hex(100), hex(100)],
    ]);
    expect(fills[2]!['fees']).toBe(hex(10));
    const { entries: ofBob } = await pageOf(1, 'primeorders_getFills', bob);
    expect(ofBob.map(({ kind, side, fees }) => [kind, side, fees])).toEqual([
      ['deleveraging', 'buy', '0x0'],
      ['trade', 'sell', '-0x4'],
    ]);
    const closed = await pageOf(0, 'primeorders_getLiquidations', alice);
    expect(closed.entries.map(({ kind, size, counterparty }) => [kind, size, counterparty])).toEqual([
      ['deleveraging', hex(60), bob],
      ['debt_covered', null, null],
      ['liquidation', hex(60), null],
      ['liquidation', hex(100), null],
    ]);
    expect((await pageOf(0, 'primeorders_getLiquidations', bob)).entries).toMatchObject([
      { kind: 'deleveraging', size: '-0x3c', counterparty: alice, order_id: null },
    ]);
    const { entries: paid } = await pageOf(0, 'primeorders_getFunding', carol);
    expect(paid.some(({ amount }) => amount !== '0x0')).toBe(true);
    const { entries: moved } = await pageOf(3, 'primeorders_getTransfers', bob);
    expect(moved.map(({ kind, change }) => [kind, change])).toEqual([
      ['completed', '0x0'],
      ['queued', '0x0'],
      ['withdrawal', '-0x7'],
      ['deposit', hex(1_000_000)],
    ]);
    const { entries: orders } = await pageOf(0, 'primeorders_getOrderHistory', dave);
    expect(orders[0]).toMatchObject({ status: 'cancelled', reason: 'user', price: '0x1', remaining: '0x3' });
    for (const entry of orders.slice(0, 3)) {
      const { time_ms, ...shown } = entry;
      expect(await call(1, 'primeorders_getOrder', [shown['order_id']])).toEqual(shown);
      const block = await call<{ timestampMs?: string; timestamp: string }>(1, 'eth_getBlockByNumber', [
        shown['closed_block'],
        false,
      ]);
      expect(Math.floor(Number(time_ms) / 1000)).toBe(Number(block.timestamp));
    }
  });

  it('is the same by times, and told by pages while trades go on and the node is killed between two of them', async () => {
    const before = await walk(3, 'primeorders_getFills', carol, { limit: 1000 });
    const [newest, oldest] = [before[0]!['time_ms'], before.at(-1)!['time_ms']];
    for (const range of [
      { from_time_ms: oldest, to_time_ms: newest },
      { to_time_ms: newest },
      { market_id: 1, to_time_ms: newest },
    ])
      expect(await walk(1, 'primeorders_getFills', carol, { ...range, limit: 3 })).toEqual(before);
    const after = before.filter(({ time_ms }) => Number(time_ms) > Number(oldest));
    expect(
      await walk(2, 'primeorders_getFills', carol, { from_time_ms: Number(oldest) + 1, to_time_ms: newest, limit: 3 }),
    ).toEqual(after);

    let pages = 0;
    let traded = 0;
    const walked = await walk(3, 'primeorders_getFills', carol, { limit: 1 }, async () => {
      pages++;
      const { block_number } = await trade(pages % 3, dave, carol, 94, 1);
      if (pages === 2) {
        await testnet.kill(3, 'SIGKILL');
        await trade(0, dave, carol, 94, 1);
        await testnet.start(3);
      }
      traded = Number(block_number);
      await reach([3], traded);
    });
    expect(pages).toBeGreaterThanOrEqual(3);
    expect(walked).toEqual(before);
    await reach(all, traded);
    const now = await walk(0, 'primeorders_getFills', carol, { limit: 7 });
    expect(now.slice(-before.length)).toEqual(before);
    expect(now.length).toBe(before.length + pages + 1);
    for (const index of all) expect(await walk(index, 'primeorders_getFills', carol, { limit: 1000 })).toEqual(now);
  });

  it('refuses what it cannot mean, and has nothing of who is not known', async () => {
    const { next } = await pageOf(0, 'primeorders_getFills', carol, { limit: 1 });
    for (const method of methods) {
      expect(await pageOf(0, method, addressOf('nobody'))).toMatchObject({ entries: [], next: null });
      for (const [page, words] of [
        [{ limit: 0 }, /page\.limit must be from 1 to 1000/],
        [{ limit: 1001 }, /page\.limit must be from 1 to 1000/],
        [{ from_time_ms: 1_700_000_000 }, /in milliseconds, and this is a time in seconds/],
        [{ to_time_ms: 1_700_000_000 }, /in milliseconds, and this is a time in seconds/],
        [{ from_time_ms: 1_700_000_000_001, to_time_ms: 1_700_000_000_000 }, /from_time_ms is after to_time_ms/],
        [{ cursor: 'next' }, /page\.cursor must be the `next` of the page before/],
        [{ cursor: next }, /page\.cursor is not the `next` of a page of this list of this account/],
      ] as const) {
        const error = await refusal(call(1, method, [dave, page]));
        expect({ method, page, code: error.code, message: error.message }).toEqual({
          method,
          page,
          code: -32602,
          message: expect.stringMatching(words),
        });
      }
      for (const limit of [1, 999, 1000]) await pageOf(2, method, dave, { limit });
    }
    const unknown = await refusal(call(0, 'primeorders_getFills', [carol, { market_id: 99 }]));
    expect(unknown.message).toMatch(/unknown market 99/);
  });

  it('a node that began with a snapshot says from when on it knows, and has the same from there', async () => {
    for (let height = await heightOf(0); height < 24; height = await heightOf(0)) await trade(0, dave, carol, 94, 1);
    const path = join(testnet.home(follower), 'config.toml');
    const { hash } = await call<{ hash: string }>(0, 'eth_getBlockByNumber', [hex(3), false]);
    const config = (await readFile(path, 'utf8'))
      .replace('# trusted_height = 0', 'trusted_height = 3')
      .replace('# trusted_hash = ""', `trusted_hash = "${hash}"`);
    await writeFile(path, config);
    await testnet.start(follower);
    await trade(0, dave, carol, 94, 2);
    await trade(1, dave, carol, 94, 3);
    await reach([...all, follower], await heightOf(1));
    const { oldest_block: oldest, oldest_ms: oldestMs } = await pageOf(follower, 'primeorders_getFills', carol);
    expect(Number(oldest)).toBeGreaterThan(10);
    const { timestamp } = await call<{ timestamp: string }>(0, 'eth_getBlockByNumber', [oldest, false]);
    expect(Math.floor(Number(oldestMs) / 1000)).toBe(Number(timestamp));
    for (const address of accounts)
      for (const method of methods) {
        const whole = await walk(0, method, address, { limit: 1000 });
        const known = whole.filter((entry) => Number(entry['block_number'] ?? entry['closed_block']) >= Number(oldest));
        for (const page of [{ limit: 1000 }, { limit: 1 }, { limit: 2, from_time_ms: 0 }])
          expect(await walk(follower, method, address, page)).toEqual(known);
      }
    expect((await pageOf(follower, 'primeorders_getFills', carol)).entries.length).toBeGreaterThanOrEqual(2);
    // A cursor of a node that has all leads to what the follower has of it.
    const { next } = await pageOf(0, 'primeorders_getFills', carol, { limit: 1 });
    const rest = await pageOf(follower, 'primeorders_getFills', carol, { cursor: next, limit: 1000 });
    expect(rest.entries).toEqual((await pageOf(follower, 'primeorders_getFills', carol)).entries.slice(1));
    await testnet.kill(follower, 'SIGKILL');
    await testnet.start(follower);
    expect(await pageOf(follower, 'primeorders_getFills', carol)).toMatchObject({ oldest_block: oldest });
  });
});

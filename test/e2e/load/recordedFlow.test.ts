import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { rpc, toHex as hex } from '@prime/load/rpc';
import {
  compareFills,
  fillComparisonWords,
  parseFlow,
  processClock,
  recordFlow,
  type Replay,
  type ReplayOptions,
  replayOf,
  sendReplay,
  SocketCalls,
  Subscribers,
} from '@prime/load';
import { createPrng } from '@prime/primitives';
import { createTestnet, type Testnet, until } from '@prime/testkit';

/** Trades of four validators are recorded, and sent to them again by other accounts, while readers check what the streams tell. */

let testnet: Testnet;
beforeAll(async () => {
  testnet = await createTestnet({ validators: 4 });
  await testnet.startAll();
});
afterAll(() => testnet.destroy());

const call = (method: string, params: readonly unknown[], node = 0): Promise<unknown> =>
  rpc(testnet.url(node), method, [...params]);
const head = async (): Promise<number> => Number(await call('eth_blockNumber', []));
const socketUrl = (node: number): string => testnet.url(node).replace('http', 'ws');

const traders = 6;

/** All kinds of orders of some accounts, many at a time to all validators; two of the accounts have little collateral. */
async function trade(accounts: readonly string[]): Promise<void> {
  const random = createPrng(11);
  for (const [index, account] of accounts.entries())
    await call('primeorders_depositCollateral', [account, hex(index < 4 ? 10 ** 9 : 4000)]);
  const own = new Map<string, string[]>();
  const one = async (): Promise<void> => {
    const owner = accounts[random.below(accounts.length)]!;
    const ids = own.get(owner) ?? [];
    own.set(owner, ids);
    const stp = ['cancel_maker', 'cancel_taker', 'cancel_both', 'decrement'][random.below(4)]!;
    const [price, size] = [hex(100 + random.below(12)), hex(1 + random.below(20))];
    const order = { market_id: 1, side: random.chance(1, 2) ? 'buy' : 'sell', price, size, tif: 'gtc', stp };
    const kind = random.below(20);
    const node = random.below(4);
    const place = async (more: object): Promise<void> => {
      const placed = (await call('primeorders_submitOrder', [{ owner, ...order, ...more }], node)) as {
        order_id: string;
      };
      ids.push(placed.order_id);
    };
    if (kind < 10) await place(random.chance(1, 5) ? { post_only: true } : {});
    else if (kind < 13) await place({ tif: random.chance(1, 3) ? 'fok' : 'ioc' });
    else if (kind < 14) await place({ tif: 'ioc', reduce_only: true });
    else if (kind < 15) await call('primeorders_cancelAll', [owner, hex(1)], node);
    else if (kind < 17 && ids.length > 0)
      await call('primeorders_cancelOrder', [ids.splice(random.below(ids.length), 1)[0]], node);
    else {
      const named = ids[random.below(Math.max(ids.length, 1))];
      const modify =
        named === undefined ? [] : [{ type: 'modify', order_id: named, price, size: hex(1 + random.below(6)) }];
      await call(
        'primeorders_batch',
        [owner, [{ type: 'order', ...order }, ...modify, { type: 'order', ...order }]],
        node,
      );
    }
  };
  // Some are refused, which is what they are there for.
  for (let round = 0; round < 20; round++) await Promise.allSettled(Array.from({ length: 20 }, one));
}

async function factsOf(): Promise<ReplayOptions['facts']> {
  const block = (await call('prime_getBlockByNumber', ['latest', false])) as Record<string, string>;
  const markets = (await call('primeorders_getMarkets', [])) as {
    symbol: string;
    tick_size: string;
    lot_size: string;
  }[];
  return {
    chainId: Number(await call('eth_chainId', [])),
    timeMs: Number(block['timestamp_ms']),
    baseFee: BigInt(block['base_fee']!),
    gasLimit: BigInt(block['gas_limit']!),
    markets: markets.map((market) => ({
      symbol: market.symbol,
      tickSize: BigInt(market.tick_size),
      lotSize: BigInt(market.lot_size),
    })),
    nonceOf: () => 0,
  };
}

const isCommitted = (hash: unknown): Promise<unknown> =>
  until(`${String(hash)} in a block`, async () => (await call('eth_getTransactionReceipt', [hash])) as object | null);

/** Gives the accounts of a replay what they need, and lets them set themselves up. */
async function prepare({ plan }: Replay, funder: string): Promise<void> {
  for (const { address, wei } of plan.accounts)
    if (wei > 0n)
      await isCommitted(await call('eth_sendTransaction', [{ from: funder, to: address, value: hex(wei) }]));
  for (const { operations } of plan.setup)
    for (const { method, params, hash } of operations) {
      await call(method, JSON.parse(params) as unknown[]);
      expect(await isCommitted(hash)).toMatchObject({ status: '0x1' });
    }
}

async function replay(
  lines: readonly string[],
  funder: string,
  options: Pick<ReplayOptions, 'secret' | 'speed' | 'keepsOrder'>,
) {
  const flow = async function* (): AsyncGenerator<string> {
    yield* lines;
  };
  const made = await replayOf(flow, { facts: await factsOf(), ownMarkets: true, ...options });
  await prepare(made, funder);
  const from = (await head()) + 1;
  const calls = await SocketCalls.open({ url: socketUrl(1), onNotification: () => undefined });
  const totals = await sendReplay(made.steps(), { ...options, call: calls.call, clock: processClock });
  calls.close();
  // The validator that is asked for the blocks may be one behind.
  const to = await until('all of it at validator 0', async () => {
    const behind = Number(await call('eth_blockNumber', [], 1));
    return (await head()) >= behind ? behind : null;
  });
  const again = parseFlow(recordFlow(call, { from, to }));
  const comparison = await compareFills(parseFlow(flow()), again, { secret: options.secret, markets: made.markets });
  return { totals, comparison, made };
}

describe('a recorded flow', () => {
  it('replayed in its order has the same fills, at any speed, and no stream tells anything wrong', async () => {
    const accounts = ((await call('eth_accounts', [])) as string[]).map((account) => account.toLowerCase());
    const subscribers = await Subscribers.open({
      urls: [0, 1, 2, 3].map(socketUrl),
      readers: 24,
      topicsOf: (reader) => [
        { kind: 'orderBook', market: 1 },
        { kind: 'trades', market: 1 },
        { kind: 'fills', account: accounts[reader % traders]! },
      ],
      clock: processClock,
      unixMs: Date.now,
    });
    await trade(accounts.slice(0, traders));
    const lines: string[] = [];
    for await (const line of recordFlow(call, { from: 1, to: await head() })) lines.push(line);

    for (const speed of [null, 4]) {
      const { totals, comparison } = await replay(lines, accounts[9]!, {
        secret: `kept ${speed}`,
        speed,
        keepsOrder: true,
      });
      expect(totals.refused.size).toBe(0);
      expect(comparison.recorded).toBeGreaterThan(100);
      expect(fillComparisonWords(comparison)).toContain('All fills are the same, in the same order.');
    }
    const free = await replay(lines, accounts[9]!, { secret: 'free', speed: null, keepsOrder: false });
    expect(free.totals.sent).toBeGreaterThan(200);
    expect(free.comparison.replayed).toBeGreaterThan(0);

    const { faults, firstFaults, messages, lost } = subscribers.totals();
    subscribers.close();
    expect([faults, firstFaults, lost]).toEqual([0, [], 0]);
    expect(Math.min(messages.orderBook, messages.trades, messages.fills, messages.commits)).toBeGreaterThan(24);
  });
});

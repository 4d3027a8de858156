/** Validators that spread matching over different numbers of threads, or none, are one chain: under load, after a kill, and through what shards can not do. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { toHex as hex } from '@prime/load/rpc';
import { createTestnet, type Testnet, until } from '@prime/testkit';
import { nodesOf } from '../nodes.ts';

const shardsOf = [1, 2, 3, 8];
const marketCount = 6;
/** Of the traders. */
const rich = 10;
const adminPortOffset = 2;

let testnet: Testnet;
beforeAll(async () => {
  testnet = await createTestnet({
    validators: 4,
    environmentOf: (index) => ({
      PRIME_CLOB_SHARDS: String(shardsOf[index]),
      // Also small blocks go to the shards.
      PRIME_CLOB_SHARD_ACTIONS_MIN: '2',
    }),
    genesis: (genesis) => {
      genesis['markets'] = Array.from({ length: marketCount }, (_, index) => ({
        symbol: `M${index}/USD`,
        tickSize: '1',
        lotSize: '1',
      }));
    },
  });
  await testnet.startAll();
});
afterAll(() => testnet.destroy());

const all = [0, 1, 2, 3];
const { call, heightOf } = nodesOf(() => testnet);
const traders = Array.from({ length: 12 }, (_, index) => `0x${(0xabc000 + index).toString(16).padStart(40, '0')}`);

interface PoolStatus {
  readonly clob: { readonly shards?: number; readonly blocks?: { readonly shared: number; readonly repeated: number } };
}

async function poolOf(index: number): Promise<PoolStatus['clob']> {
  const url = new URL(testnet.url(index));
  url.port = String(Number(url.port) + adminPortOffset);
  url.pathname = '/status';
  return ((await (await fetch(url)).json()) as PoolStatus).clob;
}

/** Orders of all traders in all markets, sent to all validators at once; some are refused, as on any day. */
async function trade(round: number, nodes: readonly number[]): Promise<void> {
  // Those with little keep to one market: where they trade, margin is looked at by one thread.
  const orders = traders.flatMap((owner, trader) =>
    Array.from({ length: trader < rich ? marketCount : 1 }, (_, market) => {
      const side = (trader + market + round) % 2 === 0 ? 'buy' : 'sell';
      const price = hex(100 + ((trader * 7 + market * 3 + round) % 9) - 4);
      return { owner, market_id: market + 1, side, price, size: hex(1 + ((trader + round) % 5)), tif: 'gtc' };
    }),
  );
  await Promise.all(
    orders.map((order, index) =>
      call(nodes[index % nodes.length]!, 'primeorders_submitOrder', [order]).catch((error: Error) => {
        // A node that is short of processors says so (-32005); the orders of the others are load enough.
        expect(error.message).toMatch(/insufficient margin|-32005/);
      }),
    ),
  );
}

/** The same block with the same state root at the head: its hash is over all before it, and over their results. */
async function expectOneChain(): Promise<void> {
  const head = Math.max(...(await Promise.all(all.map(heightOf))));
  const blocks = await Promise.all(
    all.map(async (index) => {
      await until(`validator${index} reaches ${head}`, async () => (await heightOf(index)) >= head);
      return call<{ hash: string; stateRoot: string }>(index, 'eth_getBlockByNumber', [hex(head), false]);
    }),
  );
  expect(new Set(blocks.map(({ hash, stateRoot }) => `${hash} ${stateRoot}`)).size).toBe(1);
}

describe('a network whose validators have different numbers of shards', () => {
  it('agrees on every root', async () => {
    // The last two have little: for them margin has to be looked at exactly.
    for (const [index, trader] of traders.entries())
      await call(index % 4, 'primeorders_depositCollateral', [trader, hex(index < rich ? 10_000_000 : 400)]);
    for (let market = 1; market <= marketCount; market++)
      for (const [side, price] of [
        ['buy', 90],
        ['sell', 110],
      ] as const)
        await call(0, 'primeorders_submitOrder', [
          { owner: traders[0], market_id: market, side, price: hex(price), size: '0x1', tif: 'gtc' },
        ]);
    for (let round = 0; round < 4; round++) await trade(round, all);
    await expectOneChain();
    expect(await poolOf(0)).not.toHaveProperty('shards');
    for (const index of [1, 2, 3]) {
      const { shards, blocks } = await poolOf(index);
      expect(shards).toBe(shardsOf[index]);
      expect(blocks!.shared).toBeGreaterThan(2);
    }
  });

  it('goes on when one is killed, and that one agrees again', async () => {
    await testnet.kill(2, 'SIGKILL');
    await trade(5, [0, 1, 3]);
    await testnet.start(2);
    await trade(6, [0, 1, 3]);
    const head = await heightOf(0);
    await until('the killed one has caught up', async () => (await heightOf(2)) >= head);
    await trade(7, all);
    await expectOneChain();
    const { shared, repeated } = (await poolOf(2)).blocks!;
    expect(shared + repeated).toBeGreaterThan(0);
  });

  it('does what needs all markets at once', async () => {
    await call(1, 'primeorders_depositCollateral', [traders[1], hex(5)]);
    const refusal = await call(3, 'primeorders_liquidate', [traders[0]]).catch((error: Error) => error.message);
    expect(refusal).toMatch(/is not liquidatable/);
    await call(2, 'primebridge_enqueueOrdersToEvm', [{ from: traders[2], to: traders[2], amount: '0x5' }]);
    await trade(8, all);
    await expectOneChain();
  });
});

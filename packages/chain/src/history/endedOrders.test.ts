import { describe, expect, it } from '@jest/globals';
import { type ActionPayload, type Genesis, statePrefix } from '@prime/codec';
import type { MemoryDatabase } from '@prime/evm/testing';
import type { OrderId } from '@prime/primitives';
import { readEndedOrder } from './findOrder.ts';
import { readOldest } from './history.ts';
import type { Retention } from './pruner.ts';
import { action, alice, copyOf, createTestChain, type TestChain, testGenesis, orderOf } from '../testing/chain.ts';

/** What a node knows of orders that are gone, after the order book forgot them. */

const clientId = `0x${'ab'.repeat(16)}`;
const remembered = 2;
const genesis = (): Genesis => {
  const base = testGenesis();
  return { ...base, clob: { ...base.clob, orderMemoryBlocks: remembered } };
};
const order = (price: bigint, changes: object = {}): ActionPayload =>
  orderOf({ side: 'buy', price, size: 5n, selfTrade: 'cancel_taker', ...changes });
const run = (chain: TestChain, ...payloads: readonly ActionPayload[]) =>
  chain.run({ actions: payloads.map((payload) => action(alice, payload)) });
const byId = (database: MemoryDatabase, id: number) => readEndedOrder(database, { orderId: id as OrderId });
const byClientId = (database: MemoryDatabase) => readEndedOrder(database, { owner: alice, clientId });

async function open(retention?: Retention): Promise<TestChain> {
  const chain = await createTestChain(genesis(), undefined, retention);
  await run(chain, { type: 'deposit', amount: 10_000n });
  return chain;
}

describe('orders that ended', () => {
  it('are found by id long after the order book forgot them, also after a restart', async () => {
    const chain = await open();
    await run(chain, order(10n, { expiresAt: 2_000_000_000 }), order(11n, { tif: 'ioc', side: 'sell' }));
    await run(chain, { type: 'cancel', orderId: 1 as OrderId });
    for (let block = 0; block < 2 * remembered; block++) await run(chain, { type: 'noop' });
    await chain.pipeline.close();
    const { database } = await createTestChain(genesis(), await copyOf(chain.database));
    expect(await byId(database, 1)).toEqual({
      height: 3,
      order: {
        orderId: 1,
        marketId: 1,
        owner: alice,
        side: 'buy',
        price: 10n,
        size: 5n,
        tif: 'gtc',
        end: 'user',
        filled: 0n,
        remaining: 5n,
        clientId: null,
        createdBlock: 2,
        expiresAt: 2_000_000_000,
      },
    });
    expect(await byId(database, 2)).toMatchObject({
      height: 2,
      order: { side: 'sell', price: 11n, tif: 'ioc', end: 'ioc' },
    });
    expect(await byId(database, 3)).toBe(null);
  });

  it('by a client id that was used again: the latest, also of two in one block', async () => {
    const chain = await open();
    const ioc = order(10n, { tif: 'ioc', clientId });
    await run(chain, ioc, ioc);
    expect(await byClientId(chain.database)).toMatchObject({ order: { orderId: 2 } });
    await run(chain, ioc);
    expect(await byClientId(chain.database)).toMatchObject({ height: 3, order: { orderId: 3 } });
    expect(await byId(chain.database, 1)).toMatchObject({ order: { clientId } });
  });

  it('go with the block in which they ended; a client id that a later order has stays', async () => {
    const chain = await open({ states: null, blocks: 3 });
    const ioc = order(10n, { tif: 'ioc', clientId });
    const other = order(10n, { tif: 'ioc', clientId: `0x${'cd'.repeat(16)}` });
    await run(chain, ioc, other);
    await run(chain, ioc);
    const settled = async (): Promise<void> => {
      await run(chain, { type: 'noop' });
      await run(chain, { type: 'noop' });
      await chain.pipeline.close();
    };
    await settled();
    expect(readOldest(chain.database, 'oldestBlock')).toBe(3);
    expect(await Promise.all([byId(chain.database, 1), byId(chain.database, 2)])).toEqual([null, null]);
    expect(await byClientId(chain.database)).toMatchObject({ order: { orderId: 3 } });
    expect(await readEndedOrder(chain.database, { owner: alice, clientId: `0x${'cd'.repeat(16)}` })).toBe(null);
    await settled();
    expect(await countOf(chain.database)).toBe(0);
  });
});

async function countOf(database: MemoryDatabase): Promise<number> {
  const { endedOrders, endedClientOrder } = statePrefix;
  let count = 0;
  for (const prefix of [endedOrders, endedClientOrder])
    for await (const _ of database.entries(Uint8Array.of(prefix))) count++;
  return count;
}

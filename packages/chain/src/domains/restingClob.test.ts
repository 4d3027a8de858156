import { describe, expect, it } from '@jest/globals';
import { globalRecordKey } from '@prime/codec';
import type { Height, MarketId } from '@prime/primitives';
import { createMemoryDatabase } from '@prime/evm/testing';
import type { ClobPort } from '../ports.ts';
import { archive } from '../history/pruner.ts';
import { action, alice, bob, createTestChain, testGenesis, type TestChain } from '../testing/chain.ts';

/** What the order book was asked to do. */
type Asked = string[];

function noting(asked: Asked): (clob: ClobPort) => ClobPort {
  return (clob) => ({
    ...clob,
    async execute(block) {
      asked.push(`execute ${block.height}`);
      return clob.execute(block);
    },
    async commit() {
      asked.push('commit');
      await clob.commit();
    },
    async rollback() {
      asked.push('rollback');
      await clob.rollback();
    },
  });
}

/** An order book that never says that it rests. */
const restless = (clob: ClobPort): ClobPort => ({
  ...clob,
  execute: async (block) => Object.assign(Object.create(await clob.execute(block)), { rest: null }),
});

const createChain = (watched: (clob: ClobPort) => ClobPort, database = createMemoryDatabase()): Promise<TestChain> =>
  createTestChain(testGenesis(), database, archive, watched);

const deposit = { actions: [action(bob, { type: 'deposit', amount: 300n })] };
const another = { actions: [action(alice, { type: 'deposit', amount: 700n })] };
const cancelAll = { actions: [action(bob, { type: 'cancelAll', marketId: 1 as MarketId })] };

/** Executes a block that is not committed. */
async function propose(chain: TestChain, content: Parameters<TestChain['block']>[0]): Promise<void> {
  const block = chain.block(content);
  expect(await chain.pipeline.check(block)).toEqual({ ok: true });
  await chain.pipeline.execute(block.hash);
}

describe('an order book that is asked only when there is something for it', () => {
  it('is not asked about blocks without anything, once one of them changed nothing', async () => {
    const asked: Asked = [];
    const chain = await createChain(noting(asked));
    // The block of genesis.
    expect(asked.splice(0)).toEqual(['commit']);
    for (const content of [deposit, {}, {}, {}, {}, another, {}, {}]) await chain.run(content);
    expect(asked).toEqual(['execute 1', 'commit', 'execute 2', 'commit', 'execute 6', 'commit', 'execute 7', 'commit']);
  });

  it('every block is what it is with one that is asked about all', async () => {
    const chains = await Promise.all([createChain((clob) => clob), createChain(restless)]);
    for (const content of [{}, {}, deposit, {}, {}, {}, another, cancelAll, {}, {}, deposit, {}]) {
      const [delta, expected] = await Promise.all(chains.map((chain) => chain.run(content)));
      expect(delta).toEqual(expected);
    }
    expect(chains[0]!.database.dump()).toEqual(chains[1]!.database.dump());
  });

  it('another block takes the place of one that it was not asked about, and the other way round', async () => {
    const asked: Asked = [];
    const chain = await createChain(noting(asked));
    await chain.run({});
    await chain.run({});
    asked.length = 0;
    await propose(chain, {});
    await chain.run(deposit);
    expect(asked.splice(0)).toEqual(['execute 3', 'commit']);
    await chain.run({});
    asked.length = 0;
    await propose(chain, another);
    await chain.run({});
    // What a block said that was taken back counts for nothing: the order book still rests since block 4.
    expect(asked).toEqual(['execute 5', 'rollback']);
    const expected = await createChain(restless);
    for (const content of [{}, {}, deposit, {}, {}]) await expected.run(content);
    expect(chain.pipeline.status()).toEqual(expected.pipeline.status());
  });

  it('a pending block at rest is dropped with the pipeline', async () => {
    const asked: Asked = [];
    const chain = await createChain(noting(asked));
    await chain.run({});
    asked.length = 0;
    await propose(chain, {});
    await chain.pipeline.close();
    expect(asked).toEqual([]);
  });

  it('proves its records under the head, where it was not asked about that', async () => {
    const chain = await createChain((clob) => clob);
    for (const content of [deposit, {}, {}, {}]) await chain.run(content);
    const proof = await chain.pipeline.prove(globalRecordKey());
    expect(proof.height).toBe(4 as Height);
    expect(proof.stateRoot).toBe(chain.pipeline.status().roots.stateRoot);
    const restlessChain = await createChain(restless);
    for (const content of [deposit, {}, {}, {}]) await restlessChain.run(content);
    expect(proof).toEqual(await restlessChain.pipeline.prove(globalRecordKey()));
  });

  it('a node that starts again asks it first, and goes on with the same roots', async () => {
    const database = createMemoryDatabase();
    const before = await createChain((clob) => clob, database);
    for (const content of [deposit, {}, {}, {}]) await before.run(content);
    const asked: Asked = [];
    const chain = await createChain(noting(asked), database);
    for (const content of [{}, {}, another]) await chain.run(content);
    expect(asked).toEqual(['execute 5', 'commit', 'execute 7', 'commit']);
    const expected = await createChain(restless);
    for (const content of [deposit, {}, {}, {}, {}, {}, another]) await expected.run(content);
    expect(chain.pipeline.status()).toEqual(expected.pipeline.status());
  });
});

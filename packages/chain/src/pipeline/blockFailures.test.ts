import { describe, expect, it } from '@jest/globals';
import { createMemoryDatabase } from '@prime/evm/testing';
import type { ClobPort } from '../ports.ts';
import { archive } from '../history/pruner.ts';
import { action, alice, bob, certificateOf, createTestChain, testGenesis, type TestChain } from '../testing/chain.ts';

const deposit = { actions: [action(bob, { type: 'deposit', amount: 300n })] };
const another = { actions: [action(alice, { type: 'deposit', amount: 700n })] };

/** Where the order book throws for the deposit: before its work, or when the records of its outcome are read. */
type Fault = 'before' | 'records';

function faulty(fault: Fault, isOn: () => boolean): (clob: ClobPort) => ClobPort {
  return (clob) => ({
    ...clob,
    async execute(block) {
      const isMeant =
        isOn() && block.deposits.some(({ actionIndex }) => block.actions[actionIndex] === deposit.actions[0]);
      if (!isMeant) return clob.execute(block);
      if (fault === 'before') throw new Error('a planted fault');
      // The records are written once the block is pending.
      return Object.assign(Object.create(await clob.execute(block)), {
        get writes(): never {
          throw new Error('a planted fault');
        },
      });
    },
  });
}

const createChain = (fault: Fault, isOn = () => true, database = createMemoryDatabase()): Promise<TestChain> =>
  createTestChain(testGenesis(), database, archive, faulty(fault, isOn));

describe.each<Fault>(['before', 'records'])('a block that throws (%s)', (fault) => {
  it('and is decided: CHAIN_BLOCK_FAILED with the cause, and nothing of it is written', async () => {
    const database = createMemoryDatabase();
    const chain = await createChain(fault, undefined, database);
    const before = chain.pipeline.status();
    const block = chain.block(deposit);
    await chain.pipeline.check(block);
    await expect(chain.pipeline.commit(block.hash, certificateOf(block))).rejects.toMatchObject({
      code: 'CHAIN_BLOCK_FAILED',
      detail: { height: 1, hash: block.hash },
      cause: { message: 'a planted fault' },
    });
    expect(chain.pipeline.status()).toEqual(before);
    // What another program finds there is the state of the block before.
    const repaired = await createTestChain(testGenesis(), database);
    await repaired.run(deposit);
    const fresh = await createTestChain(testGenesis());
    await fresh.run(deposit);
    expect(repaired.pipeline.status().roots).toEqual(fresh.pipeline.status().roots);
  });
});

describe('a proposed block that throws', () => {
  it('is nothing when another one is decided', async () => {
    const chain = await createChain('before');
    const proposed = chain.block(deposit);
    await chain.pipeline.check(proposed);
    await expect(chain.pipeline.execute(proposed.hash)).rejects.toMatchObject({ code: 'CHAIN_BLOCK_FAILED' });
    await chain.run(another);
    const fresh = await createTestChain(testGenesis());
    await fresh.run(another);
    expect(chain.pipeline.status().roots).toEqual(fresh.pipeline.status().roots);
    expect(chain.balance(bob)).toBe(1000n);
  });

  it('throws the same when it is decided, also where a second attempt would succeed', async () => {
    let isOn = true;
    const chain = await createChain('before', () => isOn);
    const block = chain.block(deposit);
    await chain.pipeline.check(block);
    await expect(chain.pipeline.execute(block.hash)).rejects.toThrow('a planted fault');
    isOn = false;
    await expect(chain.pipeline.commit(block.hash, certificateOf(block))).rejects.toThrow('a planted fault');
  });

  it('a block that was not checked is no failure of it', async () => {
    const chain = await createChain('before');
    const block = chain.block(deposit);
    await expect(chain.pipeline.commit(block.hash, certificateOf(block))).rejects.toMatchObject({
      code: 'CHAIN_UNKNOWN_BLOCK',
    });
  });
});

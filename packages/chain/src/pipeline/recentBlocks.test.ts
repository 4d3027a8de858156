/** States whose tries are not written, as a chain serves them: at every height, wherever the process ends. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { checkTrieProof, ordersAddress, statePrefix, type VerifiedTransaction } from '@prime/codec';
import { cryptoProvider, keccak256 } from '@prime/crypto';
import { createNodeCommon, createStateReader, type StateDatabase } from '@prime/evm';
import { createAccountReader } from '@prime/evm/accounts';
import { createMemoryDatabase, createTestAccount, createTestVerifier, type MemoryDatabase } from '@prime/evm/testing';
import { type Address, type Hash, type Height, hexToBytes } from '@prime/primitives';
import { archive, type Retention } from '../history/pruner.ts';
import { readExecuted, readLastApplied } from '../history/history.ts';
import { inspectState } from '../inspect/state.ts';
import { action, alice, bob, copyOf, createTestChain, type TestChain, testGenesis } from '../testing/chain.ts';

const chainId = 7919;
const common = await createNodeCommon(chainId);
const provider = await cryptoProvider();
const sender = createTestAccount('sender', common, provider);
const verify = createTestVerifier(chainId, provider);
/** Counts its calls in slot 0. */
const counter = `0x${'e1'.repeat(20)}` as Address;
const counterCode = hexToBytes('0x60005460010160005500');
const slotZero = `0x${'0'.repeat(64)}` as Hash;
/** Blocks after which the trie is written whole at the latest. */
const windowBlocks = 32;
const blocks = 2 * windowBlocks + 4;

const genesis = () => {
  const own = testGenesis();
  const empty = { nonce: 0, code: new Uint8Array(0), storage: [] };
  return {
    ...own,
    alloc: [
      ...own.alloc,
      { ...empty, address: sender.address, balance: 10n ** 20n },
      { ...empty, address: counter, balance: 0n, code: counterCode },
    ],
  };
};

const call = (nonce: number): VerifiedTransaction =>
  verify(sender.sign({ nonce, to: counter, gasLimit: 100_000n, maxFeePerGas: 10n ** 11n }));
const contents = Array.from({ length: blocks }, (_, index) => ({
  transactions: index % 2 === 0 ? [call(index / 2)] : [],
  actions: index % 5 === 0 ? [action(index % 10 === 0 ? alice : bob, { type: 'deposit', amount: 1n })] : [],
}));
const run = (chain: TestChain, height: number) => chain.run(contents[height - 1]!);

const concerned = [alice, bob, sender.address, counter, ordersAddress];

interface Facts {
  readonly stateRoot: Hash;
  readonly accounts: readonly { readonly nonce: number; readonly balance: bigint }[];
  readonly calls: Hash;
}

/** What the flat tables say at the head. */
function flatFacts({ database, pipeline }: TestChain): Facts {
  const reader = createAccountReader(database);
  return {
    stateRoot: pipeline.status().roots.stateRoot,
    accounts: concerned.map((each) => {
      const { nonce, balance } = reader.account(each);
      return { nonce, balance };
    }),
    calls: reader.slot(counter, slotZero),
  };
}

const facts: Facts[] = [];
/** The database after each block, as a process that is killed there leaves it. */
const left: MemoryDatabase[] = [];

beforeAll(async () => {
  const chain = await createTestChain(genesis());
  for (let height = 0; height <= blocks; height++) {
    if (height > 0) await run(chain, height);
    facts.push(flatFacts(chain));
    left.push(await copyOf(chain.database));
  }
});

/** What a reader says of a height, and what its proofs show by the root alone. */
async function readFacts(database: StateDatabase, height: number): Promise<Facts> {
  const states = await createStateReader({ database, common, blockHashOf: () => null });
  const { stateRoot } = readExecuted(database, height as Height)!.roots;
  const accounts = concerned.map((each) => states.account(each, stateRoot));
  for (const [index, each] of concerned.entries()) {
    const { proof, nonce, balance, storageRoot, slots } = states.proof(each, [slotZero], stateRoot);
    expect({ nonce: Number(nonce), balance }).toEqual(accounts[index]);
    expect(checkTrieProof(hexToBytes(stateRoot), keccak256(hexToBytes(each)), proof).status).toBe('present');
    const slot = checkTrieProof(hexToBytes(storageRoot), keccak256(hexToBytes(slotZero)), slots[0]!.proof);
    expect(slot.status).toBe(slots[0]!.value === 0n ? 'absent' : 'present');
  }
  return { stateRoot, accounts, calls: states.storage(counter, slotZero, stateRoot) };
}

async function expectAnswers(database: StateDatabase, from: number): Promise<void> {
  for (let height = from; height <= readLastApplied(database)!; height++)
    expect([height, await readFacts(database, height)]).toEqual([height, facts[height]]);
}

const aroundWholeTries = [
  1,
  2,
  ...[1, 2].flatMap((times) => [-2, -1, 0, 1, 2].map((off) => times * windowBlocks + off)),
];

describe('states of recent blocks', () => {
  it.each(aroundWholeTries)(
    'a process that is killed after block %d: the next one gives the same answers, and goes on the same',
    async (height) => {
      const database = await copyOf(left[height]!);
      expect((await inspectState({ database, genesis: genesis(), provider })).faults).toEqual([]);
      await expectAnswers(database, Math.max(0, height - 3));
      const chain = await createTestChain(genesis(), database);
      for (let next = height + 1; next <= Math.min(blocks, height + 3); next++) await run(chain, next);
      expect((await inspectState({ database, genesis: genesis(), provider })).faults).toEqual([]);
      await expectAnswers(database, 0);
    },
  );

  it('a process that is killed after every block ends with the same database', async () => {
    const database = createMemoryDatabase();
    for (let height = 1; height <= blocks; height++) await run(await createTestChain(genesis(), database), height);
    expect(database.dump()).toEqual(left[blocks]!.dump());
  });

  it.each([windowBlocks - 1, windowBlocks, windowBlocks + 1])(
    'a batch that is not written at block %d leaves the block before',
    async (height) => {
      const database = await copyOf(left[height - 1]!);
      const broken = new Error('disk');
      const chain = await createTestChain(genesis(), { ...database, write: () => Promise.reject(broken) });
      await expect(run(chain, height)).rejects.toBe(broken);
      expect(database.dump()).toEqual(left[height - 1]!.dump());
      await run(await createTestChain(genesis(), database), height);
      expect(database.dump()).toEqual(left[height]!.dump());
    },
  );

  it.each<Retention>([
    { states: 1, blocks: null },
    { states: 2, blocks: null },
    { states: windowBlocks, blocks: null },
    { states: windowBlocks + 1, blocks: null },
  ])('pruned to %j: what is kept is answered, over restarts and whole tries', async (retention) => {
    const database = createMemoryDatabase();
    let chain = await createTestChain(genesis(), database, retention);
    for (let height = 1; height <= blocks; height++) {
      if (height % 9 === 0) {
        await chain.pipeline.close();
        chain = await createTestChain(genesis(), database, retention);
      }
      await run(chain, height);
      if (aroundWholeTries.includes(height) || height === blocks) {
        await chain.pipeline.close();
        await expectAnswers(database, Math.max(0, height - retention.states! + 1));
        chain = await createTestChain(genesis(), database, retention);
      }
    }
    await chain.pipeline.close();
    expect(await countNodes(database)).toBeLessThan(await countNodes(left[blocks]!));
  });

  it('an archive that is told to keep less, and a pruned node that becomes an archive, answer what they keep', async () => {
    const database = await copyOf(left[windowBlocks + 5]!);
    const pruned = await createTestChain(genesis(), database, { states: 3, blocks: null });
    for (let height = windowBlocks + 6; height <= windowBlocks + 12; height++) await run(pruned, height);
    await pruned.pipeline.close();
    const again = await createTestChain(genesis(), database, archive);
    for (let height = windowBlocks + 13; height <= blocks; height++) await run(again, height);
    await expectAnswers(database, windowBlocks + 10);
  });

  it('tries are whole every so many blocks, and no node is written in between', async () => {
    const counts = await Promise.all(left.map((database) => countNodes(database)));
    const grew = counts.flatMap((count, height) => (height > 0 && count > counts[height - 1]! ? [height] : []));
    expect(grew).toEqual([windowBlocks, 2 * windowBlocks]);
  });
});

async function countNodes(database: StateDatabase): Promise<number> {
  let count = 0;
  for (const prefix of [statePrefix.accountNode, statePrefix.storageNode])
    for await (const _ of database.entries(Uint8Array.of(prefix))) count++;
  return count;
}

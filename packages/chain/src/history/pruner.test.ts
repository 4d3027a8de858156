import { beforeAll, describe, expect, it } from '@jest/globals';
import { heightOfKey, ordersAddress, statePrefix, type VerifiedTransaction } from '@prime/codec';
import { cryptoProvider } from '@prime/crypto';
import { createNodeCommon, createStateReader } from '@prime/evm';
import { createMemoryDatabase, createTestAccount, createTestVerifier, type MemoryDatabase } from '@prime/evm/testing';
import type { Address, Hash, Height } from '@prime/primitives';
import { readActionResults, readEvents, readExecuted, readLocation, readOldest, readReceipts } from './history.ts';
import { findAccountPlaces, findLogs, type Places } from './historyIndex.ts';
import { createPruner, type Retention } from './pruner.ts';
import { action, alice, bob, createTestChain, type TestChain, testGenesis } from '../testing/chain.ts';

const chainId = 7919;
const common = await createNodeCommon(chainId);
/** Emits one log with topic 1 and counts its calls in slot 0. */
const emitter = `0x${'e1'.repeat(20)}` as Address;
const emitterCode = Uint8Array.from(Buffer.from('600160006000a160005460010160005500', 'hex'));
const slotZero = `0x${'0'.repeat(64)}` as Hash;

let sender: ReturnType<typeof createTestAccount>;
let verify: (raw: Uint8Array) => VerifiedTransaction;
beforeAll(async () => {
  const provider = await cryptoProvider();
  sender = createTestAccount('sender', common, provider);
  verify = createTestVerifier(chainId, provider);
});

const genesis = () => {
  const own = testGenesis();
  const empty = { nonce: 0, code: new Uint8Array(0), storage: [] };
  return {
    ...own,
    alloc: [
      ...own.alloc,
      { ...empty, address: sender.address, balance: 10n ** 20n },
      { ...empty, address: emitter, balance: 0n, code: emitterCode },
    ],
  };
};

/** Every third block calls the contract, every fourth moves collateral. */
const makeContent = (index: number) => ({
  transactions:
    index % 3 === 0
      ? [verify(sender.sign({ nonce: index / 3, to: emitter, gasLimit: 100_000n, maxFeePerGas: 10n ** 11n }))]
      : [],
  actions:
    index % 4 === 0
      ? [
          index % 8 === 0
            ? action(alice, { type: 'deposit', amount: BigInt(1 + (index % 10)) })
            : action(bob, { type: 'transfer', to: alice, amount: 1n }),
        ]
      : [],
});

/** The same content for every chain: each action that is made has a nonce of its own. */
const contents: ReturnType<typeof makeContent>[] = [];
const contentOf = (index: number) => (contents[index] ??= makeContent(index));

async function answersAt(database: MemoryDatabase, height: Height) {
  const executed = readExecuted(database, height);
  const states = await createStateReader({ database, common, blockHashOf: () => null });
  const stateRoot = executed!.roots.stateRoot;
  const places: Places[] = [];
  for await (const place of findLogs(
    database,
    { addresses: [emitter], topics: [] },
    { fromHeight: height, toHeight: height },
  ))
    places.push(place);
  const concerned = [alice, bob, sender.address, emitter];
  const accountPlaces = await Promise.all(
    concerned.map((each) => findAccountPlaces(database, each, { height: (height + 1) as Height, index: 0 }, 1)),
  );
  return {
    accountPlaces,
    executed,
    receipts: readReceipts(database, height),
    events: readEvents(database, height),
    results: readActionResults(database, height),
    places,
    accounts: [alice, bob, sender.address, ordersAddress].map((each) => states.account(each, stateRoot)),
    calls: states.storage(emitter, slotZero, stateRoot),
    ordersRoot: states.storage(ordersAddress, slotZero, stateRoot),
  };
}

const heightPrefixes = [
  statePrefix.receipts,
  statePrefix.logs,
  statePrefix.events,
  statePrefix.actionResults,
  statePrefix.blockHashes,
  statePrefix.executed,
  statePrefix.movesBefore,
];

async function oldestRecord(database: MemoryDatabase): Promise<number> {
  const heights: number[] = [];
  for (const prefix of heightPrefixes)
    for await (const [key] of database.entries(Uint8Array.of(prefix))) heights.push(heightOfKey(key));
  return Math.min(...heights.filter((height) => height > 0));
}

/** A run of blocks, with a restart in the middle. */
async function run(blocks: number, retention: Retention, restartAt: number): Promise<TestChain> {
  const database = createMemoryDatabase();
  let chain = await createTestChain(genesis(), database, retention);
  for (let index = 0; index < blocks; index++) {
    if (index === restartAt) {
      await chain.pipeline.close();
      chain = await createTestChain(genesis(), database, retention);
    }
    await chain.run(contentOf(index));
  }
  await chain.pipeline.close();
  return chain;
}

describe('pruning of a chain', () => {
  it('tells what is left of what is too old: a window that shrinks far is caught up with bit by bit', async () => {
    const { database } = await run(40, { states: null, blocks: null }, 1000);
    const left: number[] = [];
    const prune = createPruner(database, { states: null, blocks: 10 }, (count) => left.push(count));
    for (let round = 0; round < 5; round++) await prune(40 as Height);
    // Heights 1 to 30, eight at a time.
    expect(left).toEqual([22, 14, 6, 0, 0]);
  });

  const blocks = 40;

  it('within its window a pruned node answers as an archive does, and holds nothing older', async () => {
    const [whole, pruned] = await Promise.all([
      run(blocks, { states: null, blocks: null }, 1000),
      run(blocks, { states: 5, blocks: 12 }, 23),
    ]);
    expect(pruned.pipeline.status()).toEqual(whole.pipeline.status());
    expect(readOldest(pruned.database, 'oldestState')).toBe(36);
    expect(readOldest(pruned.database, 'oldestBlock')).toBe(29);
    for (let height = 36; height <= blocks; height++)
      expect(await answersAt(pruned.database, height as Height)).toEqual(
        await answersAt(whole.database, height as Height),
      );
    for (let height = 29; height <= blocks; height++) {
      const receipts = readReceipts(whole.database, height as Height);
      expect([height, readReceipts(pruned.database, height as Height)]).toEqual([height, receipts]);
      for (const { transactionHash } of receipts ?? [])
        expect(readLocation(pruned.database, transactionHash)).toEqual(readLocation(whole.database, transactionHash));
    }
    expect(await oldestRecord(pruned.database)).toBe(29);
    expect(readEvents(pruned.database, 0 as Height)).toEqual(readEvents(whole.database, 0 as Height));
    expect(pruned.database.size).toBeLessThan(whole.database.size);
  });

  it('what is found by terms is the same across windows of postings, and goes with the last block of its window', async () => {
    const [many, kept] = [200, 70];
    const [whole, pruned] = await Promise.all([
      run(many, { states: null, blocks: null }, 1000),
      run(many, { states: 5, blocks: kept }, 100),
    ]);
    const oldest = readOldest(pruned.database, 'oldestBlock');
    expect(oldest).toBe(many - kept + 1);
    const found = async (database: MemoryDatabase) => {
      const before = { height: (many + 1) as Height, index: 0 };
      const accounts = await Promise.all(
        [alice, bob, sender.address, emitter].map((each) => findAccountPlaces(database, each, before, 1000)),
      );
      const range = { fromHeight: oldest, toHeight: many };
      const logs: Places[] = [];
      for await (const place of findLogs(database, { addresses: [emitter], topics: [] }, range)) logs.push(place);
      return [...accounts.map((places) => places.filter(({ height }) => height >= oldest)), logs];
    };
    const expected = await found(whole.database);
    expect(expected.every((places) => places.length > 0)).toBe(true);
    expect(await found(pruned.database)).toEqual(expected);
    const ends: number[] = [];
    for await (const [key] of pruned.database.entries(Uint8Array.of(statePrefix.postings))) ends.push(heightOfKey(key));
    // Windows of 64: block 131 is in the third, and the newest blocks are in none.
    expect([...new Set(ends)].sort((a, b) => a - b)).toEqual([192]);
  });

  it('a state below the window is gone', async () => {
    const pruned = await run(blocks, { states: 5, blocks: null }, 1000);
    await expect(answersAt(pruned.database, 20 as Height)).rejects.toMatchObject({ code: 'EVM_NODE_MISSING' });
  });

  it('a long archive that is told to keep less: catches up over several blocks, in whole steps', async () => {
    const database = createMemoryDatabase();
    let chain = await createTestChain(genesis(), database);
    for (let index = 0; index < 30; index++) await chain.run(contentOf(index));
    await chain.pipeline.close();
    chain = await createTestChain(genesis(), database, { states: 4, blocks: 4 });
    for (let index = 30; index < 33; index++) {
      await chain.run(contentOf(index));
      await chain.pipeline.close();
      expect(await oldestRecord(database)).toBe(readOldest(database, 'oldestBlock'));
    }
    expect(readOldest(database, 'oldestBlock')).toBe(25);
    for (let index = 33; index < 40; index++) await chain.run(contentOf(index));
    await chain.pipeline.close();
    expect(readOldest(database, 'oldestBlock')).toBe(37);
    expect(readOldest(database, 'oldestState')).toBe(37);
    const whole = await run(40, { states: null, blocks: null }, 1000);
    for (let height = 37; height <= 40; height++)
      expect(await answersAt(database, height as Height)).toEqual(await answersAt(whole.database, height as Height));
  });

  it('a database that fails while it prunes: the next block is refused, not written', async () => {
    const database = createMemoryDatabase();
    const chain = await createTestChain(genesis(), database, { states: 2, blocks: null });
    for (let index = 0; index < 5; index++) await chain.run(contentOf(index));
    const broken = new Error('disk');
    const { scan } = database;
    Object.assign(database, {
      scan: () => {
        throw broken;
      },
    });
    await chain.run(contentOf(5));
    await expect(chain.run(contentOf(6))).rejects.toBe(broken);
    Object.assign(database, { scan });
    expect(readOldest(database, 'oldestState')).toBe(4);
  });
});

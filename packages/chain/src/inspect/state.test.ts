import { beforeAll, describe, expect, it } from '@jest/globals';
import { statePrefix, type StoredBlock } from '@prime/codec';
import { cryptoProvider } from '@prime/crypto';
import { createNodeCommon, type StateDatabase } from '@prime/evm';
import { createMemoryDatabase, createTestAccount, createTestVerifier } from '@prime/evm/testing';
import { type Address, type Hash, type Height, PrimeError } from '@prime/primitives';
import fc from 'fast-check';
import { metaKey } from '../history/history.ts';
import {
  action,
  alice,
  certificateOf,
  createTestChain,
  type TestChain,
  testGenesis,
  orderOf,
} from '../testing/chain.ts';
import { inspectResults, inspectState } from './state.ts';

/** Stores each block's number, so that there are slots. */
const keeper = `0x${'e1'.repeat(20)}` as Address;
// sstore(number, number)
const keeperCode = Uint8Array.from(Buffer.from('43435500', 'hex'));
const head = 6 as Height;

let chain: TestChain;
let provider: Awaited<ReturnType<typeof cryptoProvider>>;
const stored = new Map<Height, StoredBlock>();
const blocks = { get: (height: Height) => stored.get(height) ?? null };
const inspect = (database: StateDatabase) => inspectState({ database, genesis: chain.genesis, provider });

beforeAll(async () => {
  provider = await cryptoProvider();
  const genesis = testGenesis();
  const sender = createTestAccount('sender', await createNodeCommon(genesis.chainId), provider);
  const verify = createTestVerifier(genesis.chainId, provider);
  const empty = { nonce: 0, code: new Uint8Array(0), storage: [] };
  chain = await createTestChain({
    ...genesis,
    alloc: [
      ...genesis.alloc,
      { ...empty, address: sender.address, balance: 10n ** 20n },
      { ...empty, address: keeper, balance: 0n, code: keeperCode },
    ],
  });
  for (let index = 0; index < head; index++) {
    const gas = { gasLimit: 100_000n, maxFeePerGas: 10n ** 11n };
    const { block, hash, ...delta } = await chain.run({
      transactions: [verify(sender.sign({ nonce: index, to: keeper, ...gas }))],
      actions: [index === 0 ? action(alice, { type: 'deposit', amount: 10n ** 12n }) : bid(index)],
    });
    const certificate = certificateOf({ ...delta, block, hash, transactions: [], actions: [] });
    stored.set(block.header.height, { block, hash, certificate });
  }
});

const bid = (index: number) => action(alice, orderOf({ side: 'buy', price: 90n - BigInt(index), size: 1n }));

/** Everything that a check reads of a database, by its key as text. */
function recording(database: StateDatabase): {
  readonly database: StateDatabase;
  readonly read: Map<string, Uint8Array>;
} {
  const read = new Map<string, Uint8Array>();
  const text = (key: Uint8Array): string => Buffer.from(key).toString('latin1');
  return {
    read,
    database: {
      ...database,
      getSync(key) {
        const value = database.getSync(key);
        if (value !== undefined) read.set(text(key), value);
        return value;
      },
      async *entries(prefix) {
        for await (const [key, value] of database.entries(prefix)) {
          read.set(text(key), value);
          yield [key, value];
        }
      },
    },
  };
}

const keyOf = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'latin1'));
const copyOf = (): ReturnType<typeof createMemoryDatabase> =>
  createMemoryDatabase(
    chain.database
      .dump()
      .map(([key, value]) => ({ key: keyOf(key), value: new Uint8Array(Buffer.from(value, 'latin1')) })),
  );

describe('the state of a chain', () => {
  it('is whole at genesis and after blocks, and looking at it changes nothing', async () => {
    const fresh = await createTestChain(chain.genesis);
    expect(await inspect(fresh.database)).toMatchObject({ height: 0, faults: [] });
    const before = chain.database.dump();
    const found = await inspect(chain.database);
    expect(found).toMatchObject({ height: head, faults: [] });
    expect(found.accounts).toBeGreaterThan(chain.genesis.alloc.length);
    expect(found.slots).toBeGreaterThan(head);
    expect(chain.database.dump()).toEqual(before);
    expect(await inspect(createMemoryDatabase())).toEqual({ height: null, accounts: 0, slots: 0, faults: [] });
  });

  it('whatever record is missing or changed, it is found', async () => {
    const { database, read } = recording(chain.database);
    await inspect(database);
    const keys = [...read.keys()].filter((key) => key.charCodeAt(0) !== statePrefix.executed);
    const kinds = new Set(keys.map((key) => key.charCodeAt(0)));
    const { account, code, storage, accountNode, storageNode, stateDiff, clobRecord, meta } = statePrefix;
    for (const kind of [account, code, storage, accountNode, storageNode, stateDiff, clobRecord, meta])
      expect(kinds).toContain(kind);
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...keys), fc.option(fc.nat(), { nil: null }), async (key, bit) => {
        const damaged = copyOf();
        const value = new Uint8Array(read.get(key)!);
        // Behind a node stands the height that put it, which is no part of the state.
        const isNode = [accountNode, storageNode].includes(key.charCodeAt(0) as typeof accountNode);
        const bits = 8 * (value.length - (isNode ? 6 : 0));
        if (bit !== null && bits > 0) value[(bit % bits) >> 3]! ^= 1 << (bit & 7);
        await damaged.write([{ key: keyOf(key), value: bit === null || bits === 0 ? null : value }], { sync: false });
        const { height, faults } = await inspect(damaged);
        expect(height === null || faults.length > 0).toBe(true);
      }),
      { numRuns: 150 },
    );
  });

  it('a record too many is found: an account, a slot, an order', async () => {
    const { account, storage, clobRecord } = statePrefix;
    for (const kind of [account, storage, clobRecord]) {
      const damaged = copyOf();
      const [key, value] = chain.database.dump().findLast(([name]) => name.charCodeAt(0) === kind)!;
      const other = keyOf(key);
      other[other.length - 1]! ^= 0xff;
      await damaged.write([{ key: other, value: new Uint8Array(Buffer.from(value, 'latin1')) }], { sync: false });
      expect((await inspect(damaged)).faults).not.toEqual([]);
    }
  });

  it('of another network: said, with both hashes', async () => {
    const other = { ...chain.genesis, chainId: 7920 };
    const { faults } = await inspectState({ database: chain.database, genesis: other, provider });
    expect(faults[0]).toMatch(/^origin: the state database belongs to genesis 0x/);
  });

  it('a disk that fails is no damage: the error goes through', async () => {
    const error = new PrimeError('EIO', { code: 'STATE_DATABASE_READ_FAILED' });
    const failing: StateDatabase = {
      ...chain.database,
      getSync(key) {
        if (key[0] === statePrefix.accountNode) throw error;
        return chain.database.getSync(key);
      },
    };
    await expect(inspect(failing)).rejects.toBe(error);
  });
});

describe('results', () => {
  const all = (database: StateDatabase) => inspectResults(database, blocks, 1 as Height, head);

  it('are those that the blocks name', async () => {
    expect(await all(chain.database)).toEqual([]);
  });

  it('those of another block, and those that the next block names otherwise, are found', async () => {
    const third = stored.get(3 as Height)!;
    const hash = `0x${'77'.repeat(32)}` as Hash;
    stored.set(3 as Height, { ...third, hash });
    expect(await all(chain.database)).toEqual(['the results at 3 are those of another block']);
    const header = { ...third.block.header, parentResults: { ...third.block.header.parentResults, gasUsed: 1n } };
    stored.set(3 as Height, { ...third, block: { ...third.block, header } });
    expect(await all(chain.database)).toEqual(['the results of block 2 are not those that block 3 names']);
    stored.set(3 as Height, third);
  });

  it('of a height whose results are not kept nothing is said', async () => {
    const pruned = copyOf();
    for (const [key] of chain.database.dump())
      if (key.charCodeAt(0) === statePrefix.executed)
        await pruned.write([{ key: keyOf(key), value: null }], { sync: false });
    expect(await all(pruned)).toEqual([]);
    expect((await inspect(pruned)).faults).toEqual([`the results of block ${head} are missing`]);
  });

  it('the newest block is named by a record that must not be any number', async () => {
    const damaged = copyOf();
    await damaged.write([{ key: metaKey('lastApplied'), value: Uint8Array.of(99) }], { sync: false });
    expect((await inspect(damaged)).faults).toEqual(['the results of block 99 are missing']);
  });
});

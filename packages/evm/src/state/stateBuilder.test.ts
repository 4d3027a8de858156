import { describe, expect, it } from '@jest/globals';
import { statePrefix } from '@prime/codec';
import { type Address, bytesToHex, hexToBytes, type Hash, type Height } from '@prime/primitives';
import fc from 'fast-check';
import { allocateState } from '../block/genesisState.ts';
import { createMemoryDatabase, type MemoryDatabase } from '../testing/memoryDatabase.ts';
import { createStateBuilder } from './stateBuilder.ts';

const height = 0 as Height;
const flatKinds: readonly number[] = [statePrefix.account, statePrefix.code, statePrefix.storage];

/** Flat records of a database, in the order of their keys. */
const flatRecords = (database: MemoryDatabase): (readonly [Uint8Array, Uint8Array])[] =>
  database
    .dump()
    .filter(([key]) => flatKinds.includes(key.charCodeAt(0)))
    .map(([key, value]) => [Buffer.from(key, 'latin1'), Buffer.from(value, 'latin1')] as const)
    .map(([key, value]) => [new Uint8Array(key), new Uint8Array(value)] as const);

async function rebuild(records: Iterable<readonly [Uint8Array, Uint8Array]>) {
  const database = createMemoryDatabase();
  const builder = createStateBuilder(database, height);
  for (const [key, value] of records) await builder.add(key, value);
  return { stateRoot: await builder.finish(), database };
}

const word = fc.uint8Array({ minLength: 32, maxLength: 32 });
const account = fc.record({
  address: fc.uint8Array({ minLength: 20, maxLength: 20 }).map((bytes) => bytesToHex(bytes) as string as Address),
  balance: fc.bigInt({ min: 0n, max: 10n ** 24n }),
  nonce: fc.nat(),
  code: fc.uint8Array({ maxLength: 40 }),
  storage: fc.array(
    fc.record({ slot: word, value: word }).map(({ slot, value }) => ({
      slot: bytesToHex(slot) as string as Hash,
      value: bytesToHex(value) as string as Hash,
    })),
    { maxLength: 12 },
  ),
});

describe('createStateBuilder', () => {
  it('any state: rebuilt from its flat records it has the same root and the same nodes', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(account, { maxLength: 30, selector: ({ address }) => address }),
        async (accounts) => {
          const { stateRoot, writes } = allocateState(
            accounts.filter(({ balance, nonce }) => balance > 0n || nonce > 0),
          );
          const database = createMemoryDatabase(writes);
          const rebuilt = await rebuild(flatRecords(database));
          expect(rebuilt.stateRoot).toBe(stateRoot);
          expect(rebuilt.database.dump()).toEqual(database.dump());
        },
      ),
      { numRuns: 60 },
    );
  });

  it('more leaves than are put in at once: the same root, and no node is left over', async () => {
    const accounts = Array.from({ length: 41_000 }, (_, index) => ({
      address: `0x${(index + 1).toString(16).padStart(40, '0')}` as Address,
      balance: 1n,
      nonce: 0,
      code: new Uint8Array(0),
      storage: [],
    }));
    const { stateRoot, writes } = allocateState(accounts);
    const database = createMemoryDatabase(writes);
    const rebuilt = await rebuild(flatRecords(database));
    expect(rebuilt.stateRoot).toBe(stateRoot);
    expect(rebuilt.database.size).toBe(database.size);
  });

  const refused = (reason: string) => ({ code: 'EVM_STATE_REFUSED', message: expect.stringContaining(reason) });
  const addressKey = (byte: string): Uint8Array => hexToBytes(`0x61${byte.repeat(20)}`);

  it.each([
    ['an account of a wrong length', [[hexToBytes('0x6101'), Uint8Array.of()]], 'without an address'],
    ['an account that does not decode', [[addressKey('01'), Uint8Array.of(0xc0)]], 'malformed account'],
    [
      'a storage value with leading zeros',
      [[hexToBytes(`0x73${'01'.repeat(52)}`), Uint8Array.of(0, 1)]],
      'storage value',
    ],
    ['storage of nobody', [[hexToBytes(`0x73${'01'.repeat(52)}`), Uint8Array.of(1)]], 'not the one of its account'],
    ['code under another hash', [[hexToBytes(`0x63${'01'.repeat(32)}`), Uint8Array.of(1)]], 'not the one of its hash'],
    ['another kind', [[Uint8Array.of(0x6d), Uint8Array.of(1)]], 'kind 109'],
  ] as const)('%s: EVM_STATE_REFUSED', async (_name, records, reason) => {
    await expect(rebuild(records as never)).rejects.toMatchObject(refused(reason));
  });
});

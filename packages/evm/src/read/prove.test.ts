import { verifyMerkleProof } from '@ethereumjs/mpt';
import { describe, expect, it } from '@jest/globals';
import { type AccountProof, checkTrieProof, type GenesisAccount } from '@prime/codec';
import { keccak256 } from '@prime/crypto';
import type { Address, Hash } from '@prime/primitives';
import fc from 'fast-check';
import { allocateState } from '../block/genesisState.ts';
import { createMemoryDatabase } from '../testing/memoryDatabase.ts';
import { decodeAccount, emptyAccount, encodeAccount } from '../state/account.ts';
import { bytesOf, trimWord, wordOf } from '../state/bytes.ts';
import { decodeSlot } from '../state/leaves.ts';
import { createStateNodes } from '../state/stateNodes.ts';
import { emptyTrieRoot } from '../trie/trie.ts';
import { proveAccount } from './prove.ts';

const address = fc
  .uint8Array({ minLength: 20, maxLength: 20 })
  .map((bytes) => `0x${Buffer.from(bytes).toString('hex')}` as Address);
const slotName = fc.bigInt({ min: 0n, max: 40n }).map((slot) => `0x${slot.toString(16).padStart(64, '0')}` as Hash);
const slotValue = fc.bigInt({ min: 1n, max: 2n ** 256n - 1n });
const account: fc.Arbitrary<GenesisAccount> = fc.record({
  address,
  balance: fc.bigInt({ min: 1n, max: 2n ** 90n }),
  nonce: fc.nat(),
  code: fc.constant(new Uint8Array(0)),
  storage: fc.uniqueArray(
    fc.record({ slot: slotName, value: slotValue.map((value) => `0x${value.toString(16).padStart(64, '0')}` as Hash) }),
    { selector: ({ slot }) => slot, maxLength: 12 },
  ),
});
const allocation = fc.uniqueArray(account, { selector: (each) => each.address, maxLength: 12 });

const hashed = (hex: string): Uint8Array => keccak256(bytesOf(hex));

/** The library's word on a proof: the value, null when it is absent; throws when the proof is wrong. */
const libraryVerdict = async (
  root: Uint8Array,
  key: string,
  proof: readonly Uint8Array[],
): Promise<Uint8Array | null> =>
  proof.length === 0 && Buffer.compare(root, emptyTrieRoot) === 0
    ? null
    : verifyMerkleProof(bytesOf(key), [...proof], { root, useKeyHashing: true, useRootPersistence: false } as never);

async function expectProven(
  root: Hash,
  of: Address,
  proof: AccountProof,
  expected: GenesisAccount | undefined,
): Promise<void> {
  const known = await libraryVerdict(bytesOf(root), of, proof.proof);
  const own = checkTrieProof(bytesOf(root), hashed(of), proof.proof);
  expect(own.status === 'present' ? own.value : null).toEqual(known);
  expect(own.status).toBe(expected === undefined ? 'absent' : 'present');
  const record = known === null ? emptyAccount : decodeAccount(known);
  expect([proof.nonce, proof.balance]).toEqual([BigInt(expected?.nonce ?? 0), expected?.balance ?? 0n]);
  if (known !== null) expect(encodeAccount(record)).toEqual(known);
  expect(bytesOf(proof.storageRoot)).toEqual(record.storageRoot);
  for (const { slot, value, proof: nodes } of proof.slots) {
    const stored = await libraryVerdict(record.storageRoot, slot, nodes);
    const checked = checkTrieProof(record.storageRoot, hashed(slot), nodes);
    expect(checked.status === 'present' ? checked.value : null).toEqual(stored);
    const wanted = BigInt(expected?.storage.find((entry) => entry.slot === slot)?.value ?? 0n);
    expect([slot, value]).toEqual([slot, wanted]);
    expect(stored === null ? new Uint8Array(0) : decodeSlot(stored)).toEqual(trimWord(wordOf(wanted)));
  }
}

describe('proofs of accounts and slots', () => {
  it('what is there and what is not: the library verifies both, and so does the pure verifier', async () => {
    await fc.assert(
      fc.asyncProperty(allocation, fc.array(address, { maxLength: 3 }), async (accounts, strangers) => {
        const { stateRoot, writes } = allocateState(accounts);
        const database = createMemoryDatabase(writes);
        const slots = Array.from({ length: 6 }, (_, slot) => `0x${slot.toString(16).padStart(64, '0')}` as Hash);
        for (const of of [...accounts.map((each) => each.address), ...strangers]) {
          const expected = accounts.find((each) => each.address === of);
          const asked = [...slots, ...(expected?.storage.map(({ slot }) => slot) ?? [])];
          await expectProven(stateRoot, of, proveAccount(createStateNodes(database), of, asked, stateRoot), expected);
        }
      }),
      { numRuns: 60 },
    );
  });

  it('a proof with a byte changed, a node left out or one too many shows nothing', () => {
    fc.assert(
      fc.property(allocation, fc.nat(), fc.nat(), fc.integer({ min: 1, max: 255 }), (accounts, at, byte, flip) => {
        fc.pre(accounts.length > 1);
        const { stateRoot, writes } = allocateState(accounts);
        const { address: of } = accounts[at % accounts.length]!;
        const { proof } = proveAccount(createStateNodes(createMemoryDatabase(writes)), of, [], stateRoot);
        const check = (nodes: readonly Uint8Array[]): string =>
          checkTrieProof(bytesOf(stateRoot), hashed(of), nodes).status;
        expect(check(proof)).toBe('present');
        expect(check(proof.slice(0, -1))).toBe('invalid');
        expect(check(proof.slice(1))).toBe('invalid');
        expect(check([...proof, proof[0]!])).toBe('invalid');
        const changed = proof.map((node) => node.slice());
        const victim = changed[at % changed.length]!;
        victim[byte % victim.length]! ^= flip;
        expect(check(changed)).toBe('invalid');
      }),
    );
  });

  it('a root that is not stored is refused', () => {
    const { writes } = allocateState([]);
    const root = `0x${'ab'.repeat(32)}` as Hash;
    expect(() =>
      proveAccount(createStateNodes(createMemoryDatabase(writes)), `0x${'11'.repeat(20)}` as Address, [], root),
    ).toThrow(/is not in the database/);
  });
});

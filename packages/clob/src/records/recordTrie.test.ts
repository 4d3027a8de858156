import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { checkRecordProof, leafHash } from '@prime/codec';
import { keccak256 } from '@prime/crypto';
import { bytesToHex, compareBytes, createPrng, hexToBytes, type Prng } from '@prime/primitives';
import { loadTrie } from './loading.ts';
import { StoredRecords } from './storedRecords.ts';
import { RecordTrie } from './recordTrie.ts';

type Entry = { readonly key: Uint8Array; readonly value: Uint8Array };
type Vector = {
  readonly name: string;
  readonly records: readonly (readonly [string, string])[];
  readonly leaves: readonly (readonly [string, string])[];
  readonly root: string;
};

/** The root once more, straight from its definition over a sorted list. */
function rootOf(entries: readonly Entry[], from = 0): Uint8Array {
  if (entries.length === 0) return new Uint8Array(32);
  if (entries.length === 1) return leafHash(entries[0]!.key, entries[0]!.value);
  const digit = (key: Uint8Array, step: number): number => (key[step >> 2]! >> (6 - 2 * (step & 3))) & 3;
  let depth = from;
  while (entries.every(({ key }) => digit(key, depth) === digit(entries[0]!.key, depth))) depth++;
  const parts = [0, 1, 2, 3].map((value) =>
    rootOf(
      entries.filter(({ key }) => digit(key, depth) === value),
      depth + 1,
    ),
  );
  return keccak256(Uint8Array.from([1, depth >> 8, depth & 255, ...parts.flatMap((part) => [...part])]));
}

/** Keys of two kinds of different width, dense and scattered. */
function randomKey(random: Prng): Uint8Array {
  if (random.chance(1, 2)) return Uint8Array.of(2, 0, 0, random.below(2), random.below(60));
  return Uint8Array.of(3, ...Array.from({ length: 20 }, (_, index) => (index < 2 ? random.below(3) * 64 : 7)));
}

const sorted = (entries: Iterable<Entry>): Entry[] => [...entries].sort((a, b) => compareBytes(a.key, b.key));

describe('record trie', () => {
  it.each([1, 2, 3, 4])('has the root of its records whatever the history: seed %d', (seed) => {
    const random = createPrng(seed);
    const trie = new RecordTrie();
    const records = new Map<string, Entry>();
    for (let block = 0; block < 60; block++) {
      const writes = new Map<string, { key: Uint8Array; value: Uint8Array | null }>();
      for (let count = random.below(12); count > 0; count--) {
        const key = randomKey(random);
        const value = random.chance(1, 3) ? null : Uint8Array.of(random.below(4));
        writes.set(String(key), { key, value });
      }
      const batch = [...writes.values()].sort((a, b) => compareBytes(a.key, b.key));
      const before = trie.root();
      const effective = trie.update(batch);
      batch.forEach(({ key, value }, index) => {
        const old = records.get(String(key))?.value;
        const changes = value === null ? old !== undefined : old === undefined || compareBytes(old, value) !== 0;
        expect(effective[index]).toBe(changes);
      });
      if (random.chance(1, 3)) {
        trie.rollback();
        expect(trie.root()).toBe(before);
        continue;
      }
      trie.commit();
      for (const { key, value } of batch) {
        if (value === null) records.delete(String(key));
        else records.set(String(key), { key, value });
      }
      expect(trie.root()).toBe(bytesToHex(rootOf(sorted(records.values()))));
    }
  });

  it('proves what is there and what is not, and nothing else', () => {
    const random = createPrng(9);
    const trie = new RecordTrie();
    const records = new Map<string, Entry>();
    for (let count = 0; count < 80; count++) {
      const key = randomKey(random);
      records.set(String(key), { key, value: Uint8Array.of(count) });
    }
    trie.update(sorted(records.values()));
    const root = hexToBytes(trie.root());
    for (let count = 0; count < 200; count++) {
      const key = randomKey(random);
      const { steps, leafKey } = trie.prove(key);
      const record = leafKey === null ? null : records.get(String(leafKey))!;
      const expected = records.has(String(key)) ? 'present' : 'absent';
      expect(checkRecordProof(root, key, record, steps)).toBe(expected);
      if (record !== null) {
        const forged = { key: record.key, value: Uint8Array.of(255) };
        expect(checkRecordProof(root, key, forged, steps)).toBeNull();
      }
      expect(checkRecordProof(keccak256(root), key, record, steps)).toBeNull();
      expect(checkRecordProof(root, key, null, steps)).toBe(record === null ? 'absent' : null);
    }
  });

  it('has the published roots', () => {
    const text = readFileSync(new URL('../../testdata/orders-root.json', import.meta.url), 'utf8');
    const vectors = JSON.parse(text) as readonly Vector[];
    expect(vectors.length).toBeGreaterThan(3);
    for (const { name, records, leaves, root } of vectors) {
      const trie = new RecordTrie();
      const entries = leaves.map(([key, value]) => ({ key: hexToBytes(key), value: hexToBytes(value) }));
      trie.update(sorted(entries));
      expect([name, trie.root()]).toEqual([name, root]);
      expect(bytesToHex(rootOf(sorted(entries)))).toBe(root);
      // The root is over the leaves, so the records come to the same ones.
      const [stored, loaded] = [new StoredRecords(), new RecordTrie()];
      for (const [key, value] of records) stored.add(hexToBytes(key), hexToBytes(value));
      loadTrie(loaded, stored);
      expect([name, loaded.root()]).toEqual([name, root]);
    }
  });
});

import { MerklePatriciaTrie } from '@ethereumjs/mpt';
import { describe, expect, it } from '@jest/globals';
import { encodeRlp, type RlpValue } from '@prime/codec';
import { bytesToHex, createPrng, utf8ToBytes } from '@prime/primitives';
import fc from 'fast-check';
import { decodeAccount } from '../state/account.ts';
import { hashedPath } from '../state/leaves.ts';
import { decodeNode, type HashRef, type TrieNode } from './node.ts';
import {
  comparePaths,
  missingNode,
  nibblesOf,
  readTrie,
  rootHash,
  type TrieChange,
  trieAt,
  updateTrie,
} from './trie.ts';

type Batch = readonly (readonly [key: Uint8Array, value: Uint8Array | null])[];

/** Our trie over a map of nodes. `cold` forgets what is loaded, so that every node is read back from its bytes. */
function createStore(pathOf: (key: Uint8Array) => Uint8Array) {
  const nodes = new Map<string, Uint8Array>();
  let root: HashRef | null = null;
  const load = (hash: Uint8Array): TrieNode => {
    const stored = nodes.get(bytesToHex(hash));
    if (stored === undefined) throw missingNode(hash);
    return decodeNode(stored);
  };
  return {
    apply(batch: Batch): void {
      const changes: TrieChange[] = batch.map(([key, value]) => ({ path: pathOf(key), value }));
      changes.sort((a, b) => comparePaths(a.path, b.path));
      root = updateTrie(root, changes, {
        load,
        store: (hash, encoded) => nodes.set(bytesToHex(hash), encoded),
        drop: () => undefined,
      });
    },
    cold(): void {
      root = trieAt(rootHash(root));
    },
    read: (key: Uint8Array) => readTrie(root, pathOf(key), load),
    root: () => bytesToHex(rootHash(root)),
  };
}

async function applyToOracle(oracle: MerklePatriciaTrie, batch: Batch): Promise<void> {
  for (const [key, value] of batch)
    if (value === null) await oracle.del(key);
    else await oracle.put(key, value);
}

describe('updateTrie', () => {
  it('no keys: the root is the well-known one of the empty trie', () => {
    expect(createStore(hashedPath).root()).toBe('0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421');
  });

  it('secure trie: published roots of ethereum/tests', () => {
    const store = createStore(hashedPath);
    const text = utf8ToBytes;
    store.apply([
      [text('do'), text('verb')],
      [text('ether'), text('wookiedoo')],
      [text('horse'), text('stallion')],
      [text('shaman'), text('horse')],
      [text('doge'), text('coin')],
      [text('dog'), text('puppy')],
    ]);
    store.apply([
      [text('ether'), null],
      [text('shaman'), null],
    ]);
    expect(store.root()).toBe('0x29b235a58c3c25ab83010c327d5932bcf05324b7d6b1185e650798034783ca9d');
  });

  it('random batches of puts and removals: same roots and values as the trie of the library', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer(), async (seed) => {
        const prng = createPrng(seed);
        const oracle = new MerklePatriciaTrie({ useKeyHashing: true });
        const store = createStore(hashedPath);
        const keys = Array.from({ length: 1 + prng.below(60) }, (_, index) => Uint8Array.of(index, prng.below(3)));
        for (let round = 0; round < 6; round++) {
          const chosen = keys.filter(() => prng.chance(1, 2));
          const batch: Batch = chosen.map((key) => [key, prng.chance(1, 3) ? null : randomValue(prng)] as const);
          await applyToOracle(oracle, batch);
          store.apply(batch);
          expect(store.root()).toBe(bytesToHex(oracle.root()));
          if (prng.chance(1, 2)) store.cold();
          for (const key of keys) expect(store.read(key)).toEqual(await oracle.get(key));
        }
      }),
      { numRuns: 40 },
    );
  });

  it('short keys and values, so that nodes are embedded in their parents: same roots as the trie of the library', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer(), async (seed) => {
        const prng = createPrng(seed);
        const oracle = new MerklePatriciaTrie();
        const store = createStore(nibblesOf);
        for (let round = 0; round < 8; round++) {
          const batch = new Map<string, readonly [Uint8Array, Uint8Array | null]>();
          for (let count = prng.below(8); count >= 0; count--) {
            const key = Uint8Array.of(prng.below(3) * 16, prng.below(4) * 17, prng.below(3));
            batch.set(String(key), [key, prng.chance(1, 3) ? null : Uint8Array.of(1 + prng.below(200))]);
          }
          await applyToOracle(oracle, [...batch.values()]);
          store.apply([...batch.values()]);
          if (prng.chance(1, 2)) store.cold();
          expect(store.root()).toBe(bytesToHex(oracle.root()));
        }
      }),
      { numRuns: 60 },
    );
  });

  it('bytes that are no node of this trie: EVM_STATE_CORRUPT', () => {
    const hash = new Uint8Array(32).fill(1);
    const branch = (value: Uint8Array): RlpValue[] => [...Array.from({ length: 16 }, () => new Uint8Array(0)), value];
    for (const [name, item] of [
      ['not a list', hash],
      ['three items', [hash, hash, hash]],
      ['a branch with a value', branch(hash)],
      ['an extension to nothing', [Uint8Array.of(0x00, 0x12), new Uint8Array(0)]],
      ['a reference of 31 bytes', [Uint8Array.of(0x00, 0x12), hash.subarray(1)]],
    ] as const)
      expect([name, codeOf(() => decodeNode(encodeRlp(item)))]).toEqual([name, 'EVM_STATE_CORRUPT']);
    expect(codeOf(() => decodeAccount(encodeRlp([hash, hash])))).toBe('EVM_STATE_CORRUPT');
    expect(codeOf(() => decodeAccount(encodeRlp([1, [], hash, hash])))).toBe('EVM_STATE_CORRUPT');
  });

  it('a root whose nodes are not there: EVM_NODE_MISSING', () => {
    const load = (hash: Uint8Array): never => {
      throw missingNode(hash);
    };
    const key = hashedPath(Uint8Array.of(1));
    expect(() => readTrie(trieAt(new Uint8Array(32).fill(7)), key, load)).toThrow(
      expect.objectContaining({ code: 'EVM_NODE_MISSING' }),
    );
  });
});

function codeOf(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return (error as { code?: unknown }).code;
  }
}

function randomValue(prng: { below(bound: number): number }): Uint8Array {
  return Uint8Array.from({ length: 1 + prng.below(40) }, () => 1 + prng.below(255));
}

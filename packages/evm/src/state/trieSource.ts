import { type Address, bytesToHash, type Hash } from '@prime/primitives';
import type { StateDatabase } from '../ports.ts';
import { decodeNode, type HashRef, type TrieNode } from '../trie/node.ts';
import { type LoadNode, missingNode, readTrie, trieAt } from '../trie/trie.ts';
import { type AccountRecord, decodeAccount } from './account.ts';
import { bytesOf } from './bytes.ts';
import { createCodeCache } from './flatSource.ts';
import type { StateSource } from './source.ts';
import { accountNodeKey, type NodeKeyOf, storageNodeKey } from './nodeRecords.ts';
import { decodeSlot, hashedPath } from './stateTrie.ts';

/** Most decoded nodes that a reader keeps, about 1 KiB each; then it starts over. */
const cachedNodesMax = 50_000;

/** Roots whose accounts and slots are kept, and most of each for a root; then it starts over. */
const keptSourcesMax = 4;
const keptEntriesMax = 20_000;

const nothing = new Uint8Array(0);

function keep<K, V>(map: Map<K, V>, key: K, value: V): V {
  if (map.size >= keptEntriesMax) map.clear();
  map.set(key, value);
  return value;
}

/**
 * Committed state at any root, through the trie. Nodes are named by their content, so what one root loaded serves the next one
 * too, and nothing that the writer does can change an answer.
 */
export function createTrieSources(database: Pick<StateDatabase, 'getSync'>): (root: Hash) => StateSource {
  const nodes = new Map<string, TrieNode>();
  const code = createCodeCache(database);
  const loader =
    (keyOf: NodeKeyOf): LoadNode =>
    (hash) => {
      const key = Buffer.from(hash.buffer, hash.byteOffset, hash.byteLength).toString('latin1');
      const known = nodes.get(key);
      if (known !== undefined) return known;
      const stored = database.getSync(keyOf(hash));
      if (stored === undefined) throw missingNode(hash);
      const node = decodeNode(stored);
      if (nodes.size >= cachedNodesMax) nodes.clear();
      nodes.set(key, node);
      return node;
    };
  const sources = new Map<Hash, StateSource>();
  return (root) => {
    const known = sources.get(root);
    if (known !== undefined) return known;
    const source = sourceAt(trieAt(bytesOf(root)), loader, code);
    for (const oldest of sources.keys()) if (sources.size >= keptSourcesMax) sources.delete(oldest);
    sources.set(root, source);
    return source;
  };
}

function sourceAt(
  trie: HashRef | null,
  loader: (keyOf: NodeKeyOf) => LoadNode,
  code: (hash: Hash) => Uint8Array,
): StateSource {
  const load = loader(accountNodeKey);
  const loaders = new Map<Address, LoadNode>();
  const accounts = new Map<Address, AccountRecord | null>();
  const storageTries = new Map<string, HashRef | null>();
  const slots = new Map<string, Uint8Array>();
  const account = (address: Address): AccountRecord | null => {
    let record = accounts.get(address);
    if (record === undefined) {
      const value = readTrie(trie, hashedPath(bytesOf(address)), load);
      record = keep(accounts, address, value === null ? null : decodeAccount(value));
    }
    return record;
  };
  return {
    account,
    storage(address, slot) {
      const key = `${address}${slot}`;
      const kept = slots.get(key);
      if (kept !== undefined) return kept;
      const record = account(address);
      if (record === null) return nothing;
      const root = bytesToHash(record.storageRoot);
      let storageTrie = storageTries.get(root);
      if (storageTrie === undefined) {
        storageTrie = trieAt(record.storageRoot);
        keep(storageTries, root, storageTrie);
      }
      let loadOwn = loaders.get(address);
      if (loadOwn === undefined) {
        loadOwn = loader(storageNodeKey(address));
        keep(loaders, address, loadOwn);
      }
      const value = readTrie(storageTrie, hashedPath(bytesOf(slot)), loadOwn);
      return keep(slots, key, value === null ? nothing : decodeSlot(value));
    },
    code,
  };
}

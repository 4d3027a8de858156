import type { Address, Hash } from '@prime/primitives';
import type { StateDatabase } from '../ports.ts';
import { decodeNode, type HashRef, type TrieNode } from '../trie/node.ts';
import { type LoadNode, missingNode, readTrie, trieAt } from '../trie/trie.ts';
import { type AccountRecord, decodeAccount } from './account.ts';
import { bytesOf, wordKey } from './bytes.ts';
import { type CommittedChanges, createCodeCache } from './flatSource.ts';
import type { StateSource } from './source.ts';
import { decodeSlot, hashedPath } from './leaves.ts';
import { accountNodeKey, type NodeKeyOf, storageNodeKey } from './nodeRecords.ts';
import { diffsUpTo, mergeChanges, noChanges } from './stateDiff.ts';

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

/** Reads a slot, 32 bytes, as {@link StateSource.storage} does. */
export type SlotReader = (slot: Uint8Array) => Uint8Array;

/** The state at one root, which stays readable while the chain goes on, until its nodes are pruned. */
export interface TrieSource extends StateSource {
  /** The storage of an account, of which nothing is kept but nodes of its trie. */
  slots(address: Address): SlotReader;
}

/**
 * Committed state at any root, through the nearest trie that was written whole, and what blocks after it changed. Nodes are named
 * by their content, so what one root loaded serves the next one too, and nothing that the writer does can change an answer.
 */
export function createTrieSources(database: Pick<StateDatabase, 'getSync'>): (root: Hash) => TrieSource {
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
  const states = new Map<Hash, State>();
  return (root) => {
    const known = states.get(root);
    if (known !== undefined) return known.source;
    const { base, diffs } = diffsUpTo(database, bytesOf(root), (below) => states.has(wordKey(below)));
    const whole = (): State => {
      const trie = sourceAt(trieAt(base), loader, code);
      return { trie, changes: noChanges, source: trie };
    };
    const below = states.get(wordKey(base)) ?? whole();
    const state = diffs.length === 0 ? below : stateOver(below.trie, mergeChanges(below.changes, diffs));
    for (const oldest of states.keys()) if (states.size >= keptSourcesMax) states.delete(oldest);
    states.set(root, state);
    return state.source;
  };
}

/** A whole trie with what blocks after it changed, and both as one. */
interface State {
  readonly trie: TrieSource;
  readonly changes: CommittedChanges;
  readonly source: TrieSource;
}

function stateOver(trie: TrieSource, changes: CommittedChanges): State {
  const slots = (address: Address): SlotReader => {
    const changed = changes.storage.get(address);
    const below = trie.slots(address);
    return changed === undefined ? below : (slot) => changed.get(wordKey(slot)) ?? below(slot);
  };
  const source: TrieSource = {
    account(address) {
      const account = changes.accounts.get(address);
      return account === undefined ? trie.account(address) : account;
    },
    slots,
    storage: (address, slot) => changes.storage.get(address)?.get(slot) ?? trie.storage(address, slot),
    code: trie.code,
  };
  return { trie, changes, source };
}

function sourceAt(
  trie: HashRef | null,
  loader: (keyOf: NodeKeyOf) => LoadNode,
  code: (hash: Hash) => Uint8Array,
): TrieSource {
  const load = loader(accountNodeKey);
  const accounts = new Map<Address, AccountRecord | null>();
  const readers = new Map<Address, SlotReader>();
  const values = new Map<string, Uint8Array>();
  const account = (address: Address): AccountRecord | null => {
    let record = accounts.get(address);
    if (record === undefined) {
      const value = readTrie(trie, hashedPath(bytesOf(address)), load);
      record = keep(accounts, address, value === null ? null : decodeAccount(value));
    }
    return record;
  };
  const slots = (address: Address): SlotReader =>
    readers.get(address) ?? keep(readers, address, slotReader(account(address), loader(storageNodeKey(address))));
  return {
    account,
    slots,
    storage(address, slot) {
      const key = `${address}${slot}`;
      return values.get(key) ?? keep(values, key, slots(address)(bytesOf(slot)));
    },
    code,
  };
}

function slotReader(account: AccountRecord | null, load: LoadNode): SlotReader {
  const trie = account === null ? null : trieAt(account.storageRoot);
  return (slot) => {
    const value = readTrie(trie, hashedPath(slot), load);
    return value === null ? nothing : decodeSlot(value);
  };
}

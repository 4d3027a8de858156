import { type Address, bytesEqual, bytesToHex } from '@prime/primitives';
import { EvmError } from '../errors.ts';
import type { StateDatabase } from '../ports.ts';
import type { HashRef } from '../trie/node.ts';
import { readTrie, rootHash, trieAt, updateTrie } from '../trie/trie.ts';
import { decodeAccount } from './account.ts';
import { BlockNodes, type BlockNodesOptions } from './blockNodes.ts';
import { bytesOf } from './bytes.ts';
import { accountChanges, hashedPath, slotChanges } from './leaves.ts';
import { accountNodeKey, storageNodeKey } from './nodeRecords.ts';
import { diffsUpTo, type StateDiff, storageRootOf } from './stateDiff.ts';
import type { WindowBlock } from './trieWindow.ts';

/** The account trie of a state, and the storage tries that recent blocks changed. */
export interface RestoredTries {
  readonly trie: HashRef | null;
  readonly storageTries: Map<Address, HashRef | null>;
}

/**
 * The tries of a state with what a process that ended had of them in memory: the nodes of the blocks since the trie was last written
 * whole. Their changes are carried out again, block by block, and each has to lead to the root of its block.
 *
 * @param keep is given each such block
 * @throws EvmError `EVM_TRIE_MISMATCH`, `EVM_NODE_MISSING`, `EVM_STATE_CORRUPT`
 */
export function restoreTrie(
  database: Pick<StateDatabase, 'getSync'>,
  root: Uint8Array,
  options: BlockNodesOptions,
  keep: (block: WindowBlock) => void,
): RestoredTries {
  const { base, diffs } = diffsUpTo(database, root);
  const known = new Map<Address, HashRef | null>();
  let trie = trieAt(base);
  // A root that is not here is noticed now, and not by the next block.
  if (trie !== null) trie.node = options.load(accountNodeKey)(base);
  for (const diff of diffs) {
    const nodes = new BlockNodes(options);
    const storageTries = restoreStorage(diff, { trie, storageTries: known }, nodes);
    for (const [address, storage] of storageTries) known.set(address, storage);
    trie = updateTrie(trie, accountChanges(diff.accounts), nodes.trieStore(accountNodeKey));
    expectRoot(rootHash(trie), diff.root);
    keep({ ...diff, changes: diff, nodes, trie, storageTries });
  }
  return { trie, storageTries: known };
}

/** @returns the storage tries that the block changed */
function restoreStorage(
  diff: StateDiff,
  { trie, storageTries }: RestoredTries,
  nodes: BlockNodes,
): RestoredTries['storageTries'] {
  const load = nodes.trieStore(accountNodeKey).load;
  const changed: RestoredTries['storageTries'] = new Map();
  for (const [address, slots] of diff.storage) {
    const account = readTrie(trie, hashedPath(bytesOf(address)), load);
    const root = storageRootOf(account === null ? null : decodeAccount(account));
    const storage = storageTries.get(address) ?? trieAt(root);
    const after = updateTrie(storage, slotChanges(slots), nodes.trieStore(storageNodeKey(address)));
    expectRoot(rootHash(after), storageRootOf(diff.accounts.get(address)));
    changed.set(address, after);
  }
  return changed;
}

/** What is made anew is the trie of that root, or nothing. @throws EvmError `EVM_TRIE_MISMATCH` */
export function expectRoot(made: Uint8Array, root: Uint8Array): void {
  if (bytesEqual(made, root)) return;
  const [found, expected] = [bytesToHex(made), bytesToHex(root)];
  throw new EvmError(`stored changes of recent blocks lead to the trie ${found} and not to ${expected}`, {
    code: 'EVM_TRIE_MISMATCH',
    made: found,
    expected,
  });
}

import type { RecordWrite } from '@prime/codec';
import { type Address, assert, bytesEqual, compareStrings, type Hash, type Height } from '@prime/primitives';
import type { StateDatabase } from '../ports.ts';
import { decodeNode, type HashRef } from '../trie/node.ts';
import { emptyTrieRoot, missingNode, rootHash, trieAt, updateTrie } from '../trie/trie.ts';
import { type AccountRecord, emptyCodeHash, encodeAccount, hasStorage, sameAccount } from './account.ts';
import { BlockNodes, type BlockNodesOptions, type LoadNodes } from './blockNodes.ts';
import { wordKey } from './bytes.ts';
import {
  accountKey,
  type CommittedChanges,
  codeKey,
  type FlatSource,
  put,
  storageKey,
  usualCacheSizes,
} from './flatSource.ts';
import { accountChanges, slotChanges } from './leaves.ts';
import { accountNodeKey, createNodeRoom, storageNodeKey } from './nodeRecords.ts';
import type { StateOverlay } from './overlay.ts';
import { restoreTrie } from './restoreTrie.ts';
import { TrieWindow, usualWindow, type WindowLimits } from './trieWindow.ts';

/** Everything a block does to the state database. */
export interface SealedState {
  readonly stateRoot: Uint8Array;
  readonly writes: readonly RecordWrite[];
  readonly changes: CommittedChanges;
  readonly trie: HashRef | null;
  readonly storageTries: ReadonlyMap<Address, HashRef | null>;
  /** Nodes that the block made, and that are in memory now. */
  readonly nodeCount: number;
  /** To be called once the writes are in the database. */
  readonly adoptNodes: () => void;
}

/** The account trie and the storage tries of the newest committed state. */
export interface StateTrie {
  readonly root: Uint8Array;
  /** Committed slots that the overlay clears; the database lists keys only asynchronously, and sealing is synchronous. */
  clearedSlots(overlay: StateOverlay): Promise<ClearedSlots>;
  /**
   * Root and writes of the committed state with the overlay on top. Changes nothing here.
   *
   * @param height of the block whose state it is
   */
  seal(overlay: StateOverlay, cleared: ClearedSlots, height: Height): SealedState;
  /**
   * The root of {@link seal} alone. Needs no list of cleared slots: what an account had before is not looked at, since nobody deletes it.
   */
  rootOf(overlay: StateOverlay): Uint8Array;
  /** The sealed state is in the database now. */
  adopt(sealed: SealedState): void;
}

/** Slots of the accounts that a block removes or empties, where these have committed storage. */
type ClearedSlots = ReadonlyMap<Address, readonly Hash[]>;

/** Where nodes are read from, and at which root the trie stands. */
export interface StateTrieOptions {
  readonly database: Pick<StateDatabase, 'getSync'>;
  readonly source: FlatSource;
  readonly committedRoot: Uint8Array;
  /** Whether a block lists the nodes that it drops, for whoever deletes old states. */
  readonly listsDropped: boolean;
  /** When the trie is written whole. Default {@link usualWindow} */
  readonly window?: WindowLimits;
  /** Most nodes that stay loaded between blocks, see {@link CacheSizes}. */
  readonly nodesMax?: number;
}

/**
 * Follows the committed state block by block; states at other roots are read elsewhere.
 *
 * @throws EvmError `EVM_NODE_MISSING` when the database lacks a node; `EVM_TRIE_MISMATCH` when what recent blocks changed does not lead to the root
 */
export function createStateTrie({
  database,
  source,
  committedRoot,
  listsDropped,
  window: limits = usualWindow,
  nodesMax = usualCacheSizes.nodes,
}: StateTrieOptions): StateTrie {
  const window = new TrieWindow({ database, limits, listsDropped });
  let warmNodes = 0;
  const load: LoadNodes = (keyOf) => (hash) => {
    const stored = database.getSync(keyOf(hash));
    if (stored === undefined) throw missingNode(hash);
    warmNodes++;
    return decodeNode(stored);
  };
  const nodes: BlockNodesOptions = { load, room: createNodeRoom(), listsDropped };
  const restored = restoreTrie(database, committedRoot, nodes, (block) => window.keep(block));
  let { trie } = restored;
  const { storageTries } = restored;
  const storageTrie = (address: Address, root: Uint8Array): HashRef | null => {
    const known = storageTries.get(address);
    return known !== undefined && bytesEqual(rootHash(known), root) ? known : trieAt(root);
  };

  return {
    get root() {
      return rootHash(trie);
    },
    clearedSlots: (overlay) => clearedIn(source, overlay),
    rootOf: (overlay) =>
      rootHash(
        sealAccounts(startSealing({ overlay, cleared: null, source, storageTrie, nodes: new BlockNodes(nodes) }), trie),
      ),
    seal(overlay, cleared, height) {
      const sealing = startSealing({ overlay, cleared, source, storageTrie, nodes: new BlockNodes(nodes) });
      const sealed = sealAccounts(sealing, trie);
      const root = rootHash(sealed);
      const { accounts, storage, storageTries: sealedStorage } = sealing;
      const changes = { accounts, storage };
      const parent = rootHash(trie);
      const block = { root, parent, changes, nodes: sealing.nodes, trie: sealed, storageTries: sealedStorage };
      const step = window.after(block, height);
      return {
        stateRoot: root,
        writes: [...sealing.writes, ...step.writes],
        changes,
        trie: sealed,
        storageTries: sealedStorage,
        nodeCount: sealing.nodes.made,
        adoptNodes: step.adopt,
      };
    },
    adopt(sealed) {
      sealed.adoptNodes();
      trie = sealed.trie;
      warmNodes += sealed.nodeCount;
      for (const [address, root] of sealed.storageTries) storageTries.set(address, root);
      // What is not written is nowhere else.
      if (warmNodes <= nodesMax || !window.isEmpty) return;
      trie = trieAt(sealed.stateRoot);
      storageTries.clear();
      warmNodes = 0;
    },
  };
}

async function clearedIn(source: FlatSource, overlay: StateOverlay): Promise<ClearedSlots> {
  const cleared = new Map<Address, Hash[]>();
  for (const address of changedAddresses(overlay)) {
    if (!isCleared(overlay, address, source.account(address))) continue;
    const slots: Hash[] = [];
    for await (const slot of source.slots(address)) slots.push(slot);
    cleared.set(address, slots);
  }
  return cleared;
}

interface Sealing {
  readonly overlay: StateOverlay;
  /** null where only the root is wanted: an emptied storage then begins with an empty trie. */
  readonly cleared: ClearedSlots | null;
  readonly source: FlatSource;
  readonly storageTrie: (address: Address, root: Uint8Array) => HashRef | null;
  readonly nodes: BlockNodes;
  /** Of the flat tables, and code. */
  readonly writes: RecordWrite[];
  readonly accounts: Map<Address, AccountRecord | null>;
  readonly storage: Map<Address, Map<Hash, Uint8Array>>;
  readonly storageTries: Map<Address, HashRef | null>;
}

const startSealing = (context: Pick<Sealing, 'overlay' | 'cleared' | 'source' | 'storageTrie' | 'nodes'>): Sealing => ({
  writes: [],
  accounts: new Map(),
  storage: new Map(),
  storageTries: new Map(),
  ...context,
});

/** Sorted, so that the batch of a block is the same bytes wherever it is made. */
const changedAddresses = (overlay: StateOverlay): Address[] =>
  [...new Set([...overlay.accounts.keys(), ...overlay.storage.keys()])].sort(compareStrings);

/** @returns the account trie with everything in it */
function sealAccounts(sealing: Sealing, trie: HashRef | null): HashRef | null {
  for (const address of changedAddresses(sealing.overlay)) sealAccount(sealing, address);
  return updateTrie(trie, accountChanges(sealing.accounts), sealing.nodes.trieStore(accountNodeKey));
}

function sealAccount(sealing: Sealing, address: Address): void {
  const committed = sealing.source.account(address);
  const current = sealing.overlay.account(address);
  if (current === null && committed === null) return;
  const startsEmpty = sealing.cleared === null && isCleared(sealing.overlay, address, committed);
  const slots = changedSlots(sealing, address, startsEmpty ? null : committed);
  // Of a removed account too: its storage trie is emptied, so that its nodes are known to be dropped.
  const before = startsEmpty ? emptyTrieRoot : (committed?.storageRoot ?? emptyTrieRoot);
  const storageRoot = sealStorage(sealing, address, before, slots);
  const record = current === null ? null : { ...current, storageRoot };
  if (record !== null && committed !== null && sameAccount(record, committed)) return;
  for (const [slot, value] of slots)
    sealing.writes.push(put(storageKey(address, slot), value.length === 0 ? null : value));
  if (slots.size > 0) sealing.storage.set(address, slots);
  sealing.writes.push(put(accountKey(address), record === null ? null : encodeAccount(record)));
  sealing.accounts.set(address, record);
  if (record !== null) sealCode(sealing, record, committed);
}

/** Slots whose value differs from the committed one. @param committed null where the storage begins empty */
function changedSlots(sealing: Sealing, address: Address, committed: AccountRecord | null): Map<Hash, Uint8Array> {
  const changed = new Map<Hash, Uint8Array>();
  const own = sealing.overlay.storage.get(address);
  const hadStorage = committed !== null && hasStorage(committed);
  if (isCleared(sealing.overlay, address, committed)) {
    const slots = sealing.cleared?.get(address);
    assert(slots !== undefined, `the committed slots of ${address} were read before sealing`);
    for (const slot of slots) changed.set(slot, new Uint8Array(0));
  }
  if (own === undefined || sealing.overlay.account(address) === null) return changed;
  for (const slot of [...own.slots.keys()].sort(compareStrings)) {
    const value = own.slots.get(slot)!;
    if (bytesEqual(value, hadStorage ? sealing.source.storage(address, slot) : new Uint8Array(0))) changed.delete(slot);
    else changed.set(slot, value);
  }
  return changed;
}

const isCleared = (overlay: StateOverlay, address: Address, committed: AccountRecord | null): boolean =>
  committed !== null &&
  hasStorage(committed) &&
  (overlay.account(address) === null || overlay.storage.get(address)?.cleared === true);

function sealStorage(
  sealing: Sealing,
  address: Address,
  committedRoot: Uint8Array,
  slots: ReadonlyMap<Hash, Uint8Array>,
): Uint8Array {
  if (slots.size === 0) return committedRoot;
  const store = sealing.nodes.trieStore(storageNodeKey(address));
  const trie = updateTrie(sealing.storageTrie(address, committedRoot), slotChanges(slots), store);
  sealing.storageTries.set(address, trie);
  return rootHash(trie);
}

function sealCode(sealing: Sealing, record: AccountRecord, committed: AccountRecord | null): void {
  if (bytesEqual(record.codeHash, emptyCodeHash)) return;
  if (committed !== null && bytesEqual(record.codeHash, committed.codeHash)) return;
  const hash = wordKey(record.codeHash);
  const code = sealing.overlay.newCode(hash);
  if (code !== undefined) sealing.writes.push(put(codeKey(hash), code));
}

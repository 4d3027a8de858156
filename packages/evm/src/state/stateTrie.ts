import type { RecordWrite } from '@prime/codec';
import { keccak256 } from '@prime/crypto';
import {
  type Address,
  assert,
  bytesEqual,
  compareStrings,
  concatBytes,
  type Hash,
  type Height,
} from '@prime/primitives';
import type { StateDatabase } from '../ports.ts';
import { decodeNode, type HashRef } from '../trie/node.ts';
import {
  comparePaths,
  emptyTrieRoot,
  type LoadNode,
  missingNode,
  nibblesOf,
  rootHash,
  type TrieChange,
  trieAt,
  type TrieStore,
  updateTrie,
} from '../trie/trie.ts';
import { type AccountRecord, emptyCodeHash, encodeAccount, sameAccount } from './account.ts';
import { bytesOf, wordKey } from './bytes.ts';
import {
  accountKey,
  type CommittedChanges,
  codeKey,
  type FlatSource,
  put,
  storageKey,
  usualCacheSizes,
} from './flatSource.ts';
import { accountNodeKey, droppedNodesKey, type NodeKeyOf, NodeRecords, storageNodeKey } from './nodeRecords.ts';
import type { StateOverlay } from './overlay.ts';

/** Everything a block does to the state database. */
export interface SealedState {
  readonly stateRoot: Uint8Array;
  readonly writes: readonly RecordWrite[];
  readonly changes: CommittedChanges;
  readonly trie: HashRef | null;
  readonly storageTries: ReadonlyMap<Address, HashRef | null>;
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
  rootOf(overlay: StateOverlay, height: Height): Uint8Array;
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
  /** Most nodes that stay loaded between blocks, see {@link CacheSizes}. */
  readonly nodesMax?: number;
}

/**
 * Follows the committed state block by block; states at other roots are read elsewhere.
 *
 * @throws EvmError `EVM_NODE_MISSING` when the database lacks a node
 */
export function createStateTrie({
  database,
  source,
  committedRoot,
  listsDropped,
  nodesMax = usualCacheSizes.nodes,
}: StateTrieOptions): StateTrie {
  let trie = trieAt(committedRoot);
  const storageTries = new Map<Address, HashRef | null>();
  let warmNodes = 0;

  const load =
    (keyOf: NodeKeyOf): LoadNode =>
    (hash) => {
      const stored = database.getSync(keyOf(hash));
      if (stored === undefined) throw missingNode(hash);
      warmNodes++;
      return decodeNode(stored);
    };
  const storageTrie = (address: Address, root: Uint8Array): HashRef | null => {
    const known = storageTries.get(address);
    return known !== undefined && bytesEqual(rootHash(known), root) ? known : trieAt(root);
  };

  return {
    get root() {
      return rootHash(trie);
    },
    async clearedSlots(overlay) {
      const cleared = new Map<Address, Hash[]>();
      for (const address of changedAddresses(overlay)) {
        if (!isCleared(overlay, address, source.account(address))) continue;
        const slots: Hash[] = [];
        for await (const slot of source.slots(address)) slots.push(slot);
        cleared.set(address, slots);
      }
      return cleared;
    },
    rootOf: (overlay, height) =>
      rootHash(sealAccounts(startSealing({ overlay, cleared: null, height, source, load, storageTrie }), trie)),
    seal(overlay, cleared, height) {
      const sealing = startSealing({ overlay, cleared, height, source, load, storageTrie });
      const sealed = sealAccounts(sealing, trie);
      const dropped = listsDropped && sealing.dropped.length > 0;
      return {
        stateRoot: rootHash(sealed),
        writes: [
          ...sealing.writes,
          ...sealing.nodes,
          ...(dropped ? [put(droppedNodesKey(height), concatBytes(...sealing.dropped))] : []),
        ],
        changes: { accounts: sealing.accounts, storage: sealing.storage },
        trie: sealed,
        storageTries: sealing.storageTries,
      };
    },
    adopt(sealed) {
      trie = sealed.trie;
      warmNodes += sealed.writes.length;
      for (const [address, root] of sealed.storageTries) storageTries.set(address, root);
      if (warmNodes <= nodesMax) return;
      trie = trieAt(sealed.stateRoot);
      storageTries.clear();
      warmNodes = 0;
    },
  };
}

interface Sealing {
  readonly overlay: StateOverlay;
  /** null where only the root is wanted: an emptied storage then begins with an empty trie. */
  readonly cleared: ClearedSlots | null;
  readonly height: Height;
  readonly source: FlatSource;
  readonly load: (keyOf: NodeKeyOf) => LoadNode;
  readonly storageTrie: (address: Address, root: Uint8Array) => HashRef | null;
  /** The nodes of one trie: what is stored and dropped is noted here. */
  readonly trieStore: (keyOf: NodeKeyOf) => TrieStore;
  readonly writes: RecordWrite[];
  /** Trie nodes and code. Equal ones may come twice: they are named by their content. */
  readonly nodes: RecordWrite[];
  /** Keys of the nodes that are part of their trie no more. */
  readonly dropped: Uint8Array[];
  readonly accountChanges: TrieChange[];
  readonly accounts: Map<Address, AccountRecord | null>;
  readonly storage: Map<Address, Map<Hash, Uint8Array>>;
  readonly storageTries: Map<Address, HashRef | null>;
}

function startSealing(
  context: Pick<Sealing, 'overlay' | 'cleared' | 'height' | 'source' | 'load' | 'storageTrie'>,
): Sealing {
  const nodes: RecordWrite[] = [];
  const dropped: Uint8Array[] = [];
  const records = new NodeRecords(context.height);
  const trieStore = (keyOf: NodeKeyOf): TrieStore => ({
    load: context.load(keyOf),
    room: records.room,
    store: (hash, encoded) => {
      nodes.push(put(keyOf(hash), records.record(encoded)));
    },
    drop: (hash) => {
      dropped.push(keyOf(hash));
    },
  });
  return {
    trieStore,
    nodes,
    dropped,
    writes: [],
    accountChanges: [],
    accounts: new Map(),
    storage: new Map(),
    storageTries: new Map(),
    ...context,
  };
}

/** Sorted, so that the batch of a block is the same bytes wherever it is made. */
const changedAddresses = (overlay: StateOverlay): Address[] =>
  [...new Set([...overlay.accounts.keys(), ...overlay.storage.keys()])].sort(compareStrings);

/** @returns the account trie with everything in it */
function sealAccounts(sealing: Sealing, trie: HashRef | null): HashRef | null {
  for (const address of changedAddresses(sealing.overlay)) sealAccount(sealing, address);
  sealing.accountChanges.sort((a, b) => comparePaths(a.path, b.path));
  return updateTrie(trie, sealing.accountChanges, sealing.trieStore(accountNodeKey));
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
  const value = record === null ? null : encodeAccount(record);
  sealing.writes.push(put(accountKey(address), value));
  sealing.accounts.set(address, record);
  sealing.accountChanges.push({ path: hashedPath(bytesOf(address)), value });
  if (record !== null) sealCode(sealing, record, committed);
}

/** Slots whose value differs from the committed one. @param committed null where the storage begins empty */
function changedSlots(sealing: Sealing, address: Address, committed: AccountRecord | null): Map<Hash, Uint8Array> {
  const changed = new Map<Hash, Uint8Array>();
  const own = sealing.overlay.storage.get(address);
  const hadStorage = hasStorage(committed);
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

const hasStorage = (account: AccountRecord | null): boolean =>
  account !== null && !bytesEqual(account.storageRoot, emptyTrieRoot);

const isCleared = (overlay: StateOverlay, address: Address, committed: AccountRecord | null): boolean =>
  hasStorage(committed) && (overlay.account(address) === null || overlay.storage.get(address)?.cleared === true);

function sealStorage(
  sealing: Sealing,
  address: Address,
  committedRoot: Uint8Array,
  slots: ReadonlyMap<Hash, Uint8Array>,
): Uint8Array {
  if (slots.size === 0) return committedRoot;
  const changes: TrieChange[] = [];
  for (const [slot, value] of slots)
    changes.push({ path: hashedPath(bytesOf(slot)), value: value.length === 0 ? null : encodeSlot(value) });
  changes.sort((a, b) => comparePaths(a.path, b.path));
  const store = sealing.trieStore(storageNodeKey(address));
  const trie = updateTrie(sealing.storageTrie(address, committedRoot), changes, store);
  sealing.storageTries.set(address, trie);
  return rootHash(trie);
}

function sealCode(sealing: Sealing, record: AccountRecord, committed: AccountRecord | null): void {
  if (bytesEqual(record.codeHash, emptyCodeHash)) return;
  if (committed !== null && bytesEqual(record.codeHash, committed.codeHash)) return;
  const hash = wordKey(record.codeHash);
  const code = sealing.overlay.newCode(hash);
  if (code !== undefined) sealing.nodes.push(put(codeKey(hash), code));
}

/** Path of a key in a "secure" trie: nibbles of its hash. */
export const hashedPath = (key: Uint8Array): Uint8Array => nibblesOf(keccak256(key));

/** A storage value as the trie holds it: RLP of its trimmed bytes, 1 to 32 of them. */
export function encodeSlot(value: Uint8Array): Uint8Array {
  if (value.length === 1 && value[0]! < 0x80) return value;
  const encoded = new Uint8Array(value.length + 1);
  encoded[0] = 0x80 + value.length;
  encoded.set(value, 1);
  return encoded;
}

/** Inverse of the RLP of a storage value. */
export const decodeSlot = (encoded: Uint8Array): Uint8Array =>
  encoded.length === 1 && encoded[0]! < 0x80 ? encoded : encoded.subarray(1);

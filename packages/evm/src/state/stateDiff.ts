import { decodeRlp, encodeRlp, prefixedKey, type RlpItem, type RlpValue, statePrefix } from '@prime/codec';
import { type Address, bytesToAddress, bytesToBigint, bytesToHex, type Hash, isPrimeError } from '@prime/primitives';
import { EvmError } from '../errors.ts';
import type { StateDatabase } from '../ports.ts';
import { emptyTrieRoot } from '../trie/trie.ts';
import { type AccountRecord, emptyAccount, emptyCodeHash, hasCode, hasStorage } from './account.ts';
import { bytesOf, trimWord, wordKey } from './bytes.ts';
import type { CommittedChanges } from './flatSource.ts';

/**
 * What a block changed, where the nodes of its trie were not written (docs/adr/0208-tries-written-every-32-blocks.md).
 *
 * A state is either a whole trie in the database, or a diff on the state before it; from there it goes on until a whole trie.
 */
export interface StateDiff extends CommittedChanges {
  readonly root: Uint8Array;
  /** Root of the state that was changed. */
  readonly parent: Uint8Array;
}

/** Key of a diff: prefix and the root of the state that it leads to. */
export const diffKey = (root: Uint8Array): Uint8Array => prefixedKey(statePrefix.stateDiff, root);

/** `rlp([parent, accounts, storage])`, docs/protocol/database.md. Order of accounts and slots is kept. */
export function encodeDiff({ parent, accounts, storage }: StateDiff): Uint8Array {
  return encodeRlp([
    parent,
    [...accounts].map(([address, account]) => [address, ...fieldsOf(account)]),
    [...storage].map(([address, slots]) => [
      address,
      [...slots].map(([slot, value]): RlpValue => [trimWord(bytesOf(slot)), value]),
    ]),
  ]);
}

/** None of an account that is gone; most have neither code nor storage. */
function fieldsOf(account: AccountRecord | null): RlpValue[] {
  if (account === null) return [];
  const { nonce, balance, storageRoot, codeHash } = account;
  return hasCode(account) || hasStorage(account) ? [nonce, balance, storageRoot, codeHash] : [nonce, balance];
}

/** @throws EvmError `EVM_STATE_CORRUPT` */
export function decodeDiff(root: Uint8Array, bytes: Uint8Array): StateDiff {
  const [parent, accounts, storage] = listOf(decoded(root, bytes), 3);
  return {
    root,
    parent: bytesIn(parent),
    accounts: new Map(listOf(accounts).map(accountOf)),
    storage: new Map(listOf(storage).map(slotsOf)),
  };
}

function decoded(root: Uint8Array, bytes: Uint8Array): RlpItem {
  try {
    return decodeRlp(bytes);
  } catch (error) {
    if (!isPrimeError(error)) throw error;
    return corrupt(bytesToHex(root));
  }
}

function accountOf(item: RlpItem): [Address, AccountRecord | null] {
  const [address, ...fields] = listOf(item).map(bytesIn);
  const name = bytesToAddress(address ?? corrupt('an account without an address'));
  if (fields.length === 0) return [name, null];
  const [nonce, balance, storageRoot = emptyTrieRoot, codeHash = emptyCodeHash] = fields;
  if (nonce === undefined || balance === undefined) return corrupt(`the account ${name}`);
  return [name, { nonce: bytesToBigint(nonce), balance: bytesToBigint(balance), storageRoot, codeHash }];
}

function slotsOf(item: RlpItem): [Address, Map<Hash, Uint8Array>] {
  const [address, slots] = listOf(item, 2);
  return [bytesToAddress(bytesIn(address)), new Map(listOf(slots).map(slotOf))];
}

function slotOf(item: RlpItem): [Hash, Uint8Array] {
  const [slot, value] = listOf(item, 2).map(bytesIn);
  const word = new Uint8Array(32);
  word.set(slot!, word.length - slot!.length);
  return [wordKey(word), value!];
}

function listOf(item: RlpItem | undefined, length?: number): readonly RlpItem[] {
  if (item === undefined || ArrayBuffer.isView(item) || (length !== undefined && item.length !== length))
    return corrupt('a list of another length');
  return item as readonly RlpItem[];
}

const bytesIn = (item: RlpItem | undefined): Uint8Array =>
  ArrayBuffer.isView(item) ? (item as Uint8Array) : corrupt('a list where bytes belong');

const corrupt = (what: string): never => {
  throw new EvmError(`stored changes of a block: ${what}`, { code: 'EVM_STATE_CORRUPT', what: 'state diff' });
};

/** Diffs that lead from one state to another one. */
export interface DiffPath {
  /** Root that the first diff goes on from, and the last one's own where there is no diff. */
  readonly base: Uint8Array;
  /** The oldest first. */
  readonly diffs: readonly StateDiff[];
}

/**
 * The diffs from the nearest whole trie up to a state.
 *
 * @param isKnown ends the search before there is a whole trie
 * @throws EvmError `EVM_STATE_CORRUPT`
 */
export function diffsUpTo(
  database: Pick<StateDatabase, 'getSync'>,
  root: Uint8Array,
  isKnown: (root: Uint8Array) => boolean = () => false,
): DiffPath {
  const diffs: StateDiff[] = [];
  let base = root;
  while (!isKnown(base)) {
    const stored = database.getSync(diffKey(base));
    if (stored === undefined) break;
    const diff = decodeDiff(base, stored);
    diffs.push(diff);
    base = diff.parent;
  }
  return { base, diffs: diffs.reverse() };
}

/** No change at all. */
export const noChanges: CommittedChanges = { accounts: new Map(), storage: new Map() };

/** Changes one after the other, as one. */
export function mergeChanges(first: CommittedChanges, later: readonly CommittedChanges[]): CommittedChanges {
  const accounts = new Map(first.accounts);
  const storage = new Map(first.storage);
  for (const changes of later) {
    for (const [address, account] of changes.accounts) accounts.set(address, account);
    for (const [address, slots] of changes.storage)
      storage.set(address, new Map([...(storage.get(address) ?? []), ...slots]));
  }
  return { accounts, storage };
}

/** How many accounts and slots were changed. */
export function countChanges({ accounts, storage }: CommittedChanges): number {
  let count = accounts.size;
  for (const slots of storage.values()) count += slots.size;
  return count;
}

/** An account has no trie of slots where this is the root. */
export const storageRootOf = (account: AccountRecord | null | undefined): Uint8Array =>
  (account ?? emptyAccount).storageRoot;

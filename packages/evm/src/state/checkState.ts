import { prefixedKey, statePrefix } from '@prime/codec';
import { keccak256 } from '@prime/crypto';
import { bytesEqual, bytesToAddress, bytesToHex, type Hash, hexToBytes } from '@prime/primitives';
import { EvmError } from '../errors.ts';
import type { StateDatabase } from '../ports.ts';
import { decodeNode, type HashRef, type TrieRef } from '../trie/node.ts';
import { emptyTrieRoot, type LoadNode, missingNode, readTrie, trieAt, visitUnwritten } from '../trie/trie.ts';
import { type AccountRecord, decodeAccount, hasCode } from './account.ts';
import { accountNodeKey, type NodeKeyOf, nodeEncoding, storageNodeKey } from './nodeRecords.ts';
import { encodeSlot, hashedPath } from './leaves.ts';
import { restoreTrie } from './restoreTrie.ts';

type Database = Pick<StateDatabase, 'getSync' | 'entries'>;

/** What was looked at, and what is wrong with it, in words. */
export interface StateFindings {
  readonly accounts: number;
  readonly slots: number;
  /** At most as many as asked for: then the check ended early. */
  readonly faults: readonly string[];
}

/** Leaves that are looked up in a trie before what was loaded of it is let go. */
const readsPerTrie = 1_000;

/**
 * Checks the state under a root: every node of the tries that the root leads to is there, or what recent blocks changed makes it again,
 * and is the one of its hash. The flat table has the same accounts, slots and values, and the code of each account is there and is the
 * one of its hash.
 *
 * Reads everything; writes nothing. @throws what the database throws
 */
export async function checkState(database: Database, root: Hash, faultsMax: number): Promise<StateFindings> {
  const check = new Check(database, faultsMax);
  const bytes = hexToBytes(root, 32);
  check.recentBlocks(bytes);
  await check.accounts(bytes);
  return check.findings();
}

class Check {
  readonly #database: Database;
  /** Encodings of nodes that are not written yet, by the text of their key. */
  readonly #unwritten = new Map<string, Uint8Array>();
  readonly #faultsMax: number;
  readonly #faults: string[] = [];
  #accounts = 0;
  #slots = 0;

  constructor(database: Database, faultsMax: number) {
    this.#database = database;
    this.#faultsMax = faultsMax;
  }

  findings(): StateFindings {
    return { accounts: this.#accounts, slots: this.#slots, faults: this.#faults };
  }

  /** As a start does. */
  recentBlocks(root: Uint8Array): void {
    const options = {
      load: (keyOf: NodeKeyOf) => this.#loader(keyOf),
      room: (length: number) => new Uint8Array(length),
      listsDropped: false,
    };
    const keep = (): void => undefined;
    const restored = this.#guarded('recent blocks', () => restoreTrie(this.#database, root, options, keep));
    if (restored === null) return;
    const take = (trie: HashRef | null, keyOf: NodeKeyOf): void =>
      visitUnwritten(trie, ({ hash }, encoded) => this.#unwritten.set(nameOf(keyOf(hash)), encoded));
    take(restored.trie, accountNodeKey);
    for (const [address, trie] of restored.storageTries) take(trie, storageNodeKey(address));
  }

  async accounts(root: Uint8Array): Promise<void> {
    const load = this.#loader(accountNodeKey);
    const leaves = this.#countLeaves(trieAt(root), load, 'the account trie');
    const lookUp = lookUpIn(root, load);
    for await (const [key, value] of this.#database.entries(Uint8Array.of(statePrefix.account))) {
      if (this.#isFull) return;
      this.#accounts += 1;
      const address = key.slice(1);
      const name = `account ${bytesToHex(address)}`;
      this.#compare(name, () => lookUp(address), value);
      await this.#account(address, name, decodeAccount(value));
    }
    this.#compareCounts('accounts', leaves, this.#accounts);
  }

  async #account(address: Uint8Array, name: string, account: AccountRecord): Promise<void> {
    if (hasCode(account)) this.#code(name, account.codeHash);
    const { storageRoot } = account;
    const load = this.#loader(storageNodeKey(bytesToAddress(address)));
    const leaves = this.#countLeaves(trieAt(storageRoot), load, `the storage of ${name}`);
    const lookUp = lookUpIn(storageRoot, load);
    let slots = 0;
    for await (const [key, value] of this.#database.entries(prefixedKey(statePrefix.storage, address))) {
      if (this.#isFull) return;
      slots += 1;
      const slot = key.slice(1 + address.length);
      this.#compare(`slot ${bytesToHex(slot)} of ${name}`, () => lookUp(slot), encodeSlot(value));
    }
    this.#slots += slots;
    this.#compareCounts(`slots of ${name}`, leaves, slots);
  }

  #code(name: string, codeHash: Uint8Array): void {
    const code = this.#database.getSync(prefixedKey(statePrefix.code, codeHash));
    if (code === undefined) this.#fault(`the code of ${name} is missing`);
    else if (!bytesEqual(keccak256(code), codeHash)) this.#fault(`the code of ${name} is not the one of its hash`);
  }

  get #isFull(): boolean {
    return this.#faults.length >= this.#faultsMax;
  }

  #fault(text: string): void {
    if (!this.#isFull) this.#faults.push(text);
  }

  /** @returns null where a part of the trie can not be read */
  #countLeaves(ref: TrieRef | null, load: LoadNode, what: string): number | null {
    if (ref === null) return 0;
    if (this.#isFull) return null;
    const node = this.#guarded(what, () => (ref.kind === 'hash' ? load(ref.hash) : ref));
    if (node === null) return null;
    if (node.kind === 'leaf') return 1;
    const children = node.kind === 'extension' ? [node.child] : node.children;
    let leaves: number | null = 0;
    for (const child of children) {
      const below = this.#countLeaves(child, load, what);
      leaves = leaves === null || below === null ? null : leaves + below;
    }
    return leaves;
  }

  #compare(name: string, lookUp: () => Uint8Array | null, flat: Uint8Array): void {
    const found = this.#guarded(name, () => ({ value: lookUp() }));
    if (found === null) return;
    if (found.value === null) this.#fault(`${name} is not in its trie`);
    else if (!bytesEqual(found.value, flat)) this.#fault(`${name} has another value in its trie`);
  }

  #compareCounts(what: string, inTrie: number | null, inTable: number): void {
    if (inTrie !== null && inTrie !== inTable) this.#fault(`${what}: ${inTrie} in the trie, ${inTable} in the table`);
  }

  /** A node that is the one of its hash. */
  #loader(keyOf: NodeKeyOf): LoadNode {
    return (hash) => {
      const key = keyOf(hash);
      const encoded = this.#unwritten.get(nameOf(key)) ?? this.#stored(key) ?? missing(hash);
      if (!bytesEqual(keccak256(encoded), hash)) {
        const what = `node ${bytesToHex(hash)} is another one`;
        throw new EvmError(`stored trie node: ${what}`, { code: 'EVM_STATE_CORRUPT', what });
      }
      return decodeNode(encoded);
    };
  }

  #stored(key: Uint8Array): Uint8Array | undefined {
    const record = this.#database.getSync(key);
    return record && nodeEncoding(record);
  }

  #guarded<T>(what: string, work: () => T): T | null {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof EvmError)) throw error;
      this.#fault(`${what}: ${error.message}`);
      return null;
    }
  }
}

const nameOf = (key: Uint8Array): string => Buffer.from(key).toString('latin1');

const missing = (hash: Uint8Array): never => {
  throw missingNode(hash);
};

/** Values of a trie by key; of the trie only a part is in memory at a time. */
function lookUpIn(root: Uint8Array, load: LoadNode): (key: Uint8Array) => Uint8Array | null {
  let trie: TrieRef | null = null;
  let reads = 0;
  return (key) => {
    if (bytesEqual(root, emptyTrieRoot)) return null;
    if (reads++ % readsPerTrie === 0) trie = trieAt(root);
    return readTrie(trie, hashedPath(key), load);
  };
}

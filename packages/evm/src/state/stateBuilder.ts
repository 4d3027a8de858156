import { prefixedKey, type RecordWrite, statePrefix } from '@prime/codec';
import { keccak256 } from '@prime/crypto';
import {
  bytesEqual,
  bytesToAddress,
  bytesToHash,
  bytesToHex,
  compareBytes,
  type Hash,
  type Height,
} from '@prime/primitives';
import { EvmError } from '../errors.ts';
import type { StateDatabase } from '../ports.ts';
import { decodeNode } from '../trie/node.ts';
import {
  comparePaths,
  emptyTrieRoot,
  missingNode,
  rootHash,
  type TrieChange,
  trieAt,
  updateTrie,
} from '../trie/trie.ts';
import { type AccountRecord, decodeAccount, hasCode } from './account.ts';
import { accountNodeKey, encodeNodeRecord, type NodeKeyOf, storageNodeKey } from './nodeRecords.ts';
import { encodeSlot, hashedPath } from './leaves.ts';

type Database = Pick<StateDatabase, 'getSync' | 'write'>;

/** Leaves that are put into a trie at once: what building takes of memory. */
const leavesPerUpdate = 20_000;

/**
 * Rebuilds a state from its flat records: accounts, code, storage values. The tries are computed, so that the root says whether the
 * records are those of a state that is known by its root; nothing else needs to be believed.
 */
export interface StateBuilder {
  /**
   * Takes a record. They come in the order of their keys: accounts, code, storage.
   *
   * @throws EvmError `EVM_STATE_REFUSED` for one that can not be part of any state
   */
  add(key: Uint8Array, value: Uint8Array): Promise<void>;
  /** @throws EvmError `EVM_STATE_REFUSED` when accounts, code and storage do not belong together */
  finish(): Promise<Hash>;
}

const refuse = (reason: string): never => {
  throw new EvmError(`the state can not be rebuilt: ${reason}`, { code: 'EVM_STATE_REFUSED', reason });
};

/** @param height of the block whose state it is */
export function createStateBuilder(database: Database, height: Height): StateBuilder {
  return new Builder(database, height);
}

class Builder implements StateBuilder {
  readonly #database: Database;
  readonly #height: Height;
  readonly #accounts: TrieBuilder;
  #storage: { readonly owner: Uint8Array; readonly trie: TrieBuilder } | null = null;
  /** Code that accounts name and that did not come yet. */
  readonly #codeWanted = new Set<string>();
  /** Accounts with storage whose storage did not come yet. */
  #storageWanted = 0;
  #last: Uint8Array | null = null;

  constructor(database: Database, height: Height) {
    this.#database = database;
    this.#height = height;
    this.#accounts = new TrieBuilder(database, height, accountNodeKey);
  }

  async add(key: Uint8Array, value: Uint8Array): Promise<void> {
    if (this.#last !== null && compareBytes(this.#last, key) >= 0) refuse('records are not in order');
    this.#last = key;
    const rest = key.subarray(1);
    switch (key[0]) {
      case statePrefix.account:
        return this.#addAccount(rest, value);
      case statePrefix.code:
        if (!bytesEqual(keccak256(value), rest)) refuse('code that is not the one of its hash');
        this.#codeWanted.delete(bytesToHex(rest));
        return this.#database.write([{ key, value }], { sync: false });
      case statePrefix.storage:
        return this.#addSlot(rest, value);
      default:
        return refuse(`a record of kind ${key[0]}`);
    }
  }

  async finish(): Promise<Hash> {
    await this.#accounts.flush();
    await this.#endStorage();
    if (this.#codeWanted.size > 0) refuse(`the code of ${this.#codeWanted.size} accounts is missing`);
    if (this.#storageWanted > 0) refuse(`the storage of ${this.#storageWanted} accounts is missing`);
    return bytesToHash(this.#accounts.root);
  }

  async #addAccount(address: Uint8Array, value: Uint8Array): Promise<void> {
    if (address.length !== 20) refuse('an account without an address');
    const account = decoded(value);
    if (hasCode(account)) this.#codeWanted.add(bytesToHex(account.codeHash));
    if (!bytesEqual(account.storageRoot, emptyTrieRoot)) this.#storageWanted += 1;
    await this.#accounts.add(address, value, { key: prefixedKey(statePrefix.account, address), value });
  }

  async #addSlot(ownerAndSlot: Uint8Array, value: Uint8Array): Promise<void> {
    if (ownerAndSlot.length !== 52 || value.length === 0 || value.length > 32 || value[0] === 0)
      refuse('a malformed storage value');
    const owner = ownerAndSlot.slice(0, 20);
    if (this.#storage === null || !bytesEqual(this.#storage.owner, owner)) {
      await this.#accounts.flush();
      await this.#endStorage();
      const keyOf = storageNodeKey(bytesToAddress(owner));
      this.#storage = { owner, trie: new TrieBuilder(this.#database, this.#height, keyOf) };
    }
    const flat = { key: prefixedKey(statePrefix.storage, ownerAndSlot), value };
    await this.#storage.trie.add(ownerAndSlot.subarray(20), encodeSlot(value), flat);
  }

  async #endStorage(): Promise<void> {
    if (this.#storage === null) return;
    const { owner, trie } = this.#storage;
    this.#storage = null;
    await trie.flush();
    const stored = this.#database.getSync(prefixedKey(statePrefix.account, owner));
    if (stored === undefined || !bytesEqual(decodeAccount(stored).storageRoot, trie.root))
      refuse(`the storage of ${bytesToHex(owner)} is not the one of its account`);
    this.#storageWanted -= 1;
  }
}

function decoded(value: Uint8Array): AccountRecord {
  try {
    return decodeAccount(value);
  } catch {
    return refuse('a malformed account');
  }
}

/** One trie, from leaves in the order of their keys. */
class TrieBuilder {
  readonly #database: Database;
  readonly #height: Height;
  readonly #keyOf: NodeKeyOf;
  root: Uint8Array = emptyTrieRoot;
  #leaves: TrieChange[] = [];
  #flat: RecordWrite[] = [];

  constructor(database: Database, height: Height, keyOf: NodeKeyOf) {
    this.#database = database;
    this.#height = height;
    this.#keyOf = keyOf;
  }

  /** @param flat the record that the leaf is of */
  async add(key: Uint8Array, value: Uint8Array, flat: RecordWrite): Promise<void> {
    this.#leaves.push({ path: hashedPath(key), value });
    this.#flat.push(flat);
    if (this.#leaves.length >= leavesPerUpdate) await this.flush();
  }

  async flush(): Promise<void> {
    if (this.#leaves.length === 0) return;
    const keyOf = this.#keyOf;
    const stored = new Map<string, RecordWrite>();
    const dropped = new Map<string, Uint8Array>();
    const trie = updateTrie(
      trieAt(this.root),
      this.#leaves.toSorted((a, b) => comparePaths(a.path, b.path)),
      {
        load: (hash) => decodeNode(this.#database.getSync(keyOf(hash)) ?? missing(hash)),
        store: (hash, encoded) => {
          stored.set(bytesToHex(hash), { key: keyOf(hash), value: encodeNodeRecord(encoded, this.#height) });
        },
        drop: ({ hash }) => {
          dropped.set(bytesToHex(hash), keyOf(hash));
        },
      },
    );
    this.root = rootHash(trie);
    // What an earlier part of the leaves made and this one replaced was never a node of the state.
    const gone = [...dropped].filter(([hash]) => !stored.has(hash)).map(([, key]) => ({ key, value: null }));
    const writes = [...this.#flat, ...stored.values(), ...gone];
    this.#leaves = [];
    this.#flat = [];
    await this.#database.write(writes, { sync: false });
  }
}

const missing = (hash: Uint8Array): never => {
  throw missingNode(hash);
};

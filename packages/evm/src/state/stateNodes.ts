import { type Address, bytesEqual } from '@prime/primitives';
import type { StateDatabase } from '../ports.ts';
import { decodeNode, type HashRef } from '../trie/node.ts';
import { type LoadNode, missingNode, readTrie, rootHash, type TrieChange, trieAt, updateTrie } from '../trie/trie.ts';
import { decodeAccount } from './account.ts';
import { bytesOf, wordKey } from './bytes.ts';
import type { CommittedChanges } from './flatSource.ts';
import { accountChanges, hashedPath, slotChanges } from './leaves.ts';
import { accountNodeKey, nodeEncoding, type NodeKeyOf, storageNodeKey } from './nodeRecords.ts';
import { expectRoot } from './restoreTrie.ts';
import { diffsUpTo, mergeChanges, noChanges, storageRootOf } from './stateDiff.ts';

type Reads = Pick<StateDatabase, 'getSync'>;

/** Encoding of a node of one trie. @throws EvmError `EVM_NODE_MISSING`, `EVM_TRIE_MISMATCH`, `EVM_STATE_CORRUPT` */
export type EncodingOf = (hash: Uint8Array) => Uint8Array;

/** All nodes of one state, those included that are not written: they are made when a trie with such nodes is asked for. */
export interface StateNodes {
  accounts(): EncodingOf;
  storage(address: Address): EncodingOf;
}

/** Nodes as an update or a walk takes them. */
export const loadFrom =
  (encodingOf: EncodingOf): LoadNode =>
  (hash) =>
    decodeNode(encodingOf(hash));

/** The nodes of states by their root; what was made for the state that was asked for last serves those after it. */
export function createStateNodes(database: Reads): (root: Uint8Array) => StateNodes {
  const stored: StoredNodes = (keyOf) => (hash) => nodeEncoding(database.getSync(keyOf(hash)) ?? missing(hash));
  const whole: StateNodes = { accounts: () => stored(accountNodeKey), storage: (of) => stored(storageNodeKey(of)) };
  let last: UnwrittenNodes | null = null;
  return (root) => {
    if (last !== null && bytesEqual(last.root, root)) return last;
    const { base, diffs } = diffsUpTo(database, root);
    if (diffs.length === 0) return whole;
    const before = last;
    const goesOn = before !== null && diffs.some((diff) => bytesEqual(diff.root, before.root));
    const made = goesOn ? before.made : { accounts: null, storage: new Map<Address, MadeTrie>() };
    last = new UnwrittenNodes({ root, base, changes: mergeChanges(noChanges, diffs), stored }, made);
    return last;
  };
}

type StoredNodes = (keyOf: NodeKeyOf) => EncodingOf;

/** A trie with nodes that are not written. */
interface MadeTrie {
  readonly trie: HashRef | null;
  readonly encodingOf: EncodingOf;
}

interface MadeTries {
  readonly accounts: MadeTrie | null;
  readonly storage: ReadonlyMap<Address, MadeTrie>;
}

interface Unwritten {
  readonly root: Uint8Array;
  /** Root of the whole trie that the changes are on. */
  readonly base: Uint8Array;
  readonly changes: CommittedChanges;
  readonly stored: StoredNodes;
}

class UnwrittenNodes implements StateNodes {
  readonly #state: Unwritten;
  /** Of an earlier state on the same whole trie. */
  readonly #earlier: MadeTries;
  #accounts: MadeTrie | null = null;
  readonly #storage = new Map<Address, MadeTrie>();

  constructor(state: Unwritten, earlier: MadeTries) {
    this.#state = state;
    this.#earlier = earlier;
  }

  get root(): Uint8Array {
    return this.#state.root;
  }

  get made(): MadeTries {
    const { accounts, storage } = this.#earlier;
    return { accounts: this.#accounts ?? accounts, storage: new Map([...storage, ...this.#storage]) };
  }

  accounts(): EncodingOf {
    const { root, base, changes, stored } = this.#state;
    const below = (): MadeTrie => this.#earlier.accounts ?? { trie: trieAt(base), encodingOf: stored(accountNodeKey) };
    this.#accounts ??= makeTrie(below(), accountChanges(changes.accounts), root);
    return this.#accounts.encodingOf;
  }

  storage(address: Address): EncodingOf {
    const { changes, stored } = this.#state;
    const slots = changes.storage.get(address);
    const unchanged = stored(storageNodeKey(address));
    if (slots === undefined) return unchanged;
    let made = this.#storage.get(address);
    if (made === undefined) {
      const root = storageRootOf(changes.accounts.get(address));
      const below = this.#earlier.storage.get(address) ?? {
        trie: trieAt(this.#baseOf(address)),
        encodingOf: unchanged,
      };
      made = makeTrie(below, slotChanges(slots), root);
      this.#storage.set(address, made);
    }
    return made.encodingOf;
  }

  #baseOf(address: Address): Uint8Array {
    const { base, stored } = this.#state;
    const account = readTrie(trieAt(base), hashedPath(bytesOf(address)), loadFrom(stored(accountNodeKey)));
    return storageRootOf(account === null ? null : decodeAccount(account));
  }
}

/** The trie that changes make of another one, some of which may be in it. @throws EvmError `EVM_TRIE_MISMATCH` */
function makeTrie(below: MadeTrie, changes: readonly TrieChange[], root: Uint8Array): MadeTrie {
  const encodings = new Map<string, Uint8Array>();
  const load = loadFrom(below.encodingOf);
  const isNew = ({ path, value }: TrieChange): boolean => !sameValue(readTrie(below.trie, path, load), value);
  const trie = updateTrie(below.trie, changes.filter(isNew), {
    load,
    store: (hash, encoded) => {
      encodings.set(wordKey(hash), encoded);
    },
    drop: () => undefined,
  });
  expectRoot(rootHash(trie), root);
  return { trie, encodingOf: (hash) => encodings.get(wordKey(hash)) ?? below.encodingOf(hash) };
}

const sameValue = (a: Uint8Array | null, b: Uint8Array | null): boolean =>
  a === null || b === null ? a === b : bytesEqual(a, b);

const missing = (hash: Uint8Array): never => {
  throw missingNode(hash);
};

import { keccakHex } from '@prime/crypto';
import { type Address, assert, type Hash, type Height } from '@prime/primitives';
import { type AccountRecord, emptyAccount, hasCode } from './account.ts';
import { bytesOf, wordKey } from './bytes.ts';
import type { StateSource } from './source.ts';

/** Storage of one account as far as the overlay knows it. */
export interface ContractStorage {
  readonly slots: Map<Hash, Uint8Array>;
  /** Slots that are not listed are empty, whatever the source says. */
  readonly cleared: boolean;
}

type Undo =
  | { readonly kind: 'account'; readonly address: Address; readonly previous: AccountRecord | null | undefined }
  | { readonly kind: 'contract'; readonly address: Address; readonly previous: ContractStorage | undefined }
  | {
      readonly kind: 'slot';
      readonly slots: Map<Hash, Uint8Array>;
      readonly slot: Hash;
      readonly previous: Uint8Array | undefined;
    };

const nothing = new Uint8Array(0);

/**
 * What a block changed so far, over the committed state.
 *
 * Checkpoints are positions in an undo log: taking one and committing it cost nothing, reverting costs what is undone. The block
 * holds the outermost level open, so nothing is flushed anywhere before its root is wanted. Addresses and slots are lower-case
 * hex, storage values have no leading zeros.
 */
export class StateOverlay {
  readonly accounts = new Map<Address, AccountRecord | null>();
  readonly storage = new Map<Address, ContractStorage>();
  readonly bookHeight: Height | null;
  private readonly codes = new Map<Hash, Uint8Array>();
  private readonly undo: Undo[] = [];
  private readonly checkpoints: number[] = [];
  private readonly source: StateSource;
  /** Values that slots had when the running transaction began, for those that it wrote (EIP-2200). */
  private originals = new Map<Address, Map<Hash, Uint8Array>>();

  /** @param bookHeight the order book that code reads on this state is the one after that block */
  constructor(source: StateSource, bookHeight: Height | null = null) {
    this.source = source;
    this.bookHeight = bookHeight;
  }

  account(address: Address): AccountRecord | null {
    const own = this.accounts.get(address);
    return own === undefined ? this.source.account(address) : own;
  }

  setAccount(address: Address, account: AccountRecord | null): void {
    this.note({ kind: 'account', address, previous: this.accounts.get(address) });
    this.accounts.set(address, account);
  }

  /** Without a checkpoint nobody can come back to what was. */
  private note(entry: Undo): void {
    if (this.checkpoints.length > 0) this.undo.push(entry);
  }

  /** Account and storage; the code stays, other accounts may have the same. */
  deleteAccount(address: Address): void {
    if (this.account(address) === null && !this.storage.has(address)) return;
    this.setAccount(address, null);
    this.clearStorage(address);
  }

  slot(address: Address, slot: Hash): Uint8Array {
    const own = this.storage.get(address);
    const value = own?.slots.get(slot);
    if (value !== undefined) return value;
    return own?.cleared === true ? nothing : this.source.storage(address, slot);
  }

  setSlot(address: Address, slot: Hash, value: Uint8Array): void {
    this.rememberOriginal(address, slot);
    let own = this.storage.get(address);
    if (own === undefined) {
      own = { slots: new Map(), cleared: false };
      this.note({ kind: 'contract', address, previous: undefined });
      this.storage.set(address, own);
    }
    this.note({ kind: 'slot', slots: own.slots, slot, previous: own.slots.get(slot) });
    own.slots.set(slot, value);
  }

  clearStorage(address: Address): void {
    this.note({ kind: 'contract', address, previous: this.storage.get(address) });
    this.storage.set(address, { slots: new Map(), cleared: true });
  }

  originalSlot(address: Address, slot: Hash): Uint8Array {
    return this.originals.get(address)?.get(slot) ?? this.slot(address, slot);
  }

  /** A transaction ended: what slots hold now is what the next one finds. */
  clearOriginals(): void {
    if (this.originals.size > 0) this.originals = new Map();
  }

  private rememberOriginal(address: Address, slot: Hash): void {
    let slots = this.originals.get(address);
    if (slots === undefined) {
      slots = new Map();
      this.originals.set(address, slots);
    }
    if (!slots.has(slot)) slots.set(slot, this.slot(address, slot));
  }

  setCode(address: Address, code: Uint8Array): void {
    const hash = keccakHex(code);
    if (code.length > 0) this.codes.set(hash, code);
    this.setAccount(address, { ...(this.account(address) ?? emptyAccount), codeHash: bytesOf(hash) });
  }

  code(address: Address): Uint8Array {
    const account = this.account(address);
    return account === null ? nothing : this.codeOf(account);
  }

  codeOf(account: AccountRecord): Uint8Array {
    if (!hasCode(account)) return nothing;
    const hash = wordKey(account.codeHash);
    return this.codes.get(hash) ?? this.source.code(hash);
  }

  /** Code that this block brought, by hash; what no account refers to in the end is among it. */
  newCode(hash: Hash): Uint8Array | undefined {
    return this.codes.get(hash);
  }

  checkpoint(): void {
    this.checkpoints.push(this.undo.length);
  }

  commit(): void {
    assert(this.checkpoints.pop() !== undefined, 'commit without a checkpoint');
    // Nobody can go back behind a finished transaction: a block that is not wanted loses its whole overlay.
    if (this.checkpoints.length === 0) this.undo.length = 0;
  }

  revert(): void {
    const mark = this.checkpoints.pop();
    assert(mark !== undefined, 'revert without a checkpoint');
    while (this.undo.length > mark) this.takeBack(this.undo.pop()!);
  }

  /** Checkpoints that are open. */
  get depth(): number {
    return this.checkpoints.length;
  }

  private takeBack(entry: Undo): void {
    if (entry.kind === 'account') restore(this.accounts, entry.address, entry.previous);
    else if (entry.kind === 'contract') restore(this.storage, entry.address, entry.previous);
    else restore(entry.slots, entry.slot, entry.previous);
  }
}

function restore<K, V>(map: Map<K, V>, key: K, previous: V | undefined): void {
  if (previous === undefined) map.delete(key);
  else map.set(key, previous);
}

import type { Account, Address as LibraryAddress } from '@ethereumjs/util';
import type { Address, Hash } from '@prime/primitives';
import { addressKey, wordKey } from '../state/bytes.ts';
import { isEmptyAccount } from '../state/account.ts';
import type { OverlayStateManager } from '../state/stateManager.ts';

/** A touch that a revert takes back, or a place that it makes cold again. */
type Undo =
  | { readonly kind: 'address'; readonly address: Address }
  | { readonly kind: 'slot'; readonly slots: Set<Hash>; readonly slot: Hash }
  | { readonly kind: 'touched'; readonly address: Address };

/** Stays touched when its call is reverted: block 2675119 of Ethereum's main chain has it so. */
const ripemd160 = `0x${'00'.repeat(19)}03` as Address;

const withPrefix = (address: string): Address => (address.startsWith('0x') ? address : `0x${address}`) as Address;
const slotWithPrefix = (slot: string): Hash => (slot.startsWith('0x') ? slot : `0x${slot}`) as Hash;

/**
 * What a transaction has used (EIP-2929) and touched (EIP-161), in place of the library's class of the same name.
 *
 * That one keeps a set and a map for each level and goes over text for each look. Here a revert goes back in one list, as that of the state
 * overlay does. The methods with promises are for the library's own instructions and transactions, which do not know the others.
 */
export class Journal {
  readonly #manager: OverlayStateManager;
  /** Warm from the start on, whatever the transaction is: the precompiles. */
  #base: ReadonlySet<Address> = new Set();
  #warm = new Map<Address, Set<Hash> | null>();
  #touched = new Set<Address>();
  readonly #undo: Undo[] = [];
  readonly #marks: number[] = [];

  constructor(manager: OverlayStateManager) {
    this.#manager = manager;
  }

  /** Begins a transaction. @param base what is warm in each of them */
  begin(base: ReadonlySet<Address>): void {
    this.cleanJournal();
    this.#base = base;
  }

  /** @returns whether it was warm; now it is */
  warmAddress(address: Address): boolean {
    if (this.#warm.has(address) || this.#base.has(address)) return true;
    this.#warm.set(address, null);
    this.#undo.push({ kind: 'address', address });
    return false;
  }

  /** @returns whether it was warm; now it is */
  warmSlot(address: Address, slot: Hash): boolean {
    let slots = this.#warm.get(address);
    if (slots === undefined || slots === null) {
      if (slots === undefined) this.#undo.push({ kind: 'address', address });
      slots = new Set();
      this.#warm.set(address, slots);
    } else if (slots.has(slot)) return true;
    slots.add(slot);
    this.#undo.push({ kind: 'slot', slots, slot });
    return false;
  }

  touch(address: Address): void {
    if (this.#touched.has(address)) return;
    this.#touched.add(address);
    this.#undo.push({ kind: 'touched', address });
  }

  /** Opens a level, of the state too. */
  mark(): void {
    this.#marks.push(this.#undo.length);
    this.#manager.overlay.checkpoint();
  }

  /** Closes a level and keeps what happened in it. */
  keep(): void {
    this.#marks.pop();
    this.#manager.overlay.commit();
  }

  /** Closes a level and takes back what happened in it. */
  rollBack(): void {
    const mark = this.#marks.pop() ?? 0;
    while (this.#undo.length > mark) this.#takeBack(this.#undo.pop()!);
    this.#manager.overlay.revert();
  }

  #takeBack(entry: Undo): void {
    if (entry.kind === 'slot') entry.slots.delete(entry.slot);
    else if (entry.kind === 'address') this.#warm.delete(entry.address);
    else if (entry.address !== ripemd160) this.#touched.delete(entry.address);
  }

  /** EIP-161: what was touched and is empty goes. */
  sweep(): void {
    const { overlay } = this.#manager;
    for (const address of this.#touched) {
      const account = overlay.account(address);
      if (account === null || isEmptyAccount(account)) overlay.deleteAccount(address);
    }
  }

  // From here on for the library.

  cleanJournal(): void {
    if (this.#warm.size > 0) this.#warm = new Map();
    if (this.#touched.size > 0) this.#touched = new Set();
    this.#base = new Set();
    this.#undo.length = 0;
    this.#marks.length = 0;
  }

  async cleanup(): Promise<void> {
    this.sweep();
    this.cleanJournal();
  }

  async checkpoint(): Promise<void> {
    this.#manager.guard?.();
    this.mark();
  }

  async commit(): Promise<void> {
    this.keep();
  }

  async revert(): Promise<void> {
    this.rollBack();
  }

  async putAccount(address: LibraryAddress, account: Account): Promise<void> {
    this.touch(addressKey(address.bytes));
    await this.#manager.putAccount(address, account);
  }

  async deleteAccount(address: LibraryAddress): Promise<void> {
    this.touch(addressKey(address.bytes));
    await this.#manager.deleteAccount(address);
  }

  addAlwaysWarmAddress(address: string): void {
    this.warmAddress(withPrefix(address));
  }

  addAlwaysWarmSlot(address: string, slot: string): void {
    this.warmSlot(withPrefix(address), slotWithPrefix(slot));
  }

  isWarmedAddress(bytes: Uint8Array): boolean {
    const address = addressKey(bytes);
    return this.#warm.has(address) || this.#base.has(address);
  }

  addWarmedAddress(bytes: Uint8Array): void {
    this.warmAddress(addressKey(bytes));
  }

  isWarmedStorage(bytes: Uint8Array, slot: Uint8Array): boolean {
    return this.#warm.get(addressKey(bytes))?.has(wordKey(slot)) === true;
  }

  addWarmedStorage(bytes: Uint8Array, slot: Uint8Array): void {
    this.warmSlot(addressKey(bytes), wordKey(slot));
  }
}

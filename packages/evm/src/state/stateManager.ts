import type { AccountFields, StateManagerInterface } from '@ethereumjs/common';
import { Account, type Address as LibraryAddress } from '@ethereumjs/util';
import { EvmError } from '../errors.ts';
import { type AccountRecord, emptyAccount } from './account.ts';
import { addressKey, trimWord, wordKey } from './bytes.ts';
import { StateOverlay } from './overlay.ts';
import type { StateSource } from './source.ts';

/**
 * The library's view of a {@link StateOverlay}.
 *
 * One manager, and with it one EVM, serves a thread for its whole life: for every block or call it is given a fresh overlay.
 * Nothing here waits; the interface is asynchronous because the library's own managers are.
 */
export class OverlayStateManager implements StateManagerInterface {
  overlay: StateOverlay;
  /** Called at every checkpoint; throws to stop a call that takes too long. */
  guard: (() => void) | null = null;
  readonly originalStorageCache = {
    get: async (address: LibraryAddress, key: Uint8Array): Promise<Uint8Array> =>
      this.overlay.originalSlot(addressKey(address.bytes), wordKey(key)),
    clear: (): void => this.overlay.clearOriginals(),
  };

  constructor(source: StateSource) {
    this.overlay = new StateOverlay(source);
  }

  async getAccount(address: LibraryAddress): Promise<Account | undefined> {
    return this.accountOf(address);
  }

  /** The same without a promise. */
  accountOf(address: LibraryAddress): Account | undefined {
    const record = this.overlay.account(addressKey(address.bytes));
    if (record === null) return undefined;
    return new Account(record.nonce, record.balance, record.storageRoot, record.codeHash);
  }

  async putAccount(address: LibraryAddress, account?: Account): Promise<void> {
    this.overlay.setAccount(addressKey(address.bytes), account === undefined ? null : recordOf(account));
  }

  async deleteAccount(address: LibraryAddress): Promise<void> {
    this.overlay.deleteAccount(addressKey(address.bytes));
  }

  async modifyAccountFields(address: LibraryAddress, fields: AccountFields): Promise<void> {
    const key = addressKey(address.bytes);
    const current = this.overlay.account(key) ?? emptyAccount;
    this.overlay.setAccount(key, {
      nonce: fields.nonce ?? current.nonce,
      balance: fields.balance ?? current.balance,
      storageRoot: fields.storageRoot ?? current.storageRoot,
      codeHash: fields.codeHash ?? current.codeHash,
    });
  }

  async putCode(address: LibraryAddress, code: Uint8Array): Promise<void> {
    this.overlay.setCode(addressKey(address.bytes), code);
  }

  async getCode(address: LibraryAddress): Promise<Uint8Array> {
    return this.overlay.code(addressKey(address.bytes));
  }

  async getCodeSize(address: LibraryAddress): Promise<number> {
    return this.overlay.code(addressKey(address.bytes)).length;
  }

  async getStorage(address: LibraryAddress, key: Uint8Array): Promise<Uint8Array> {
    return this.overlay.slot(addressKey(address.bytes), wordKey(key));
  }

  async putStorage(address: LibraryAddress, key: Uint8Array, value: Uint8Array): Promise<void> {
    this.overlay.setSlot(addressKey(address.bytes), wordKey(key), trimWord(value));
  }

  async clearStorage(address: LibraryAddress): Promise<void> {
    this.overlay.clearStorage(addressKey(address.bytes));
  }

  async checkpoint(): Promise<void> {
    this.guard?.();
    this.overlay.checkpoint();
  }

  async commit(): Promise<void> {
    this.overlay.commit();
  }

  async revert(): Promise<void> {
    this.overlay.revert();
  }

  getStateRoot(): Promise<Uint8Array> {
    return unsupported('getStateRoot');
  }

  setStateRoot(): Promise<void> {
    return unsupported('setStateRoot');
  }

  hasStateRoot(): Promise<boolean> {
    return unsupported('hasStateRoot');
  }

  clearCaches(): void {
    this.overlay.clearOriginals();
  }

  shallowCopy(): StateManagerInterface {
    throw unsupportedError('shallowCopy');
  }
}

/** Roots and copies belong to whoever owns the overlay; a library call that asks for them is a mistake here. */
const unsupportedError = (operation: string): EvmError =>
  new EvmError(`the state manager does not offer ${operation}`, { code: 'EVM_UNSUPPORTED', operation });
const unsupported = async (operation: string): Promise<never> => {
  throw unsupportedError(operation);
};

const recordOf = ({ nonce, balance, storageRoot, codeHash }: Account): AccountRecord => ({
  nonce,
  balance,
  storageRoot,
  codeHash,
});

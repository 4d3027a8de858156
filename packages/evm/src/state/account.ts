import { decodeRlp, encodeRlp, type RlpItem } from '@prime/codec';
import { keccak256 } from '@prime/crypto';
import { bytesEqual, bytesToBigint, bytesToHex } from '@prime/primitives';
import { EvmError } from '../errors.ts';
import { emptyTrieRoot } from '../trie/trie.ts';

/** An account as it stands in the trie. Immutable: the library changes the objects it is given, so it is given copies. */
export interface AccountRecord {
  readonly nonce: bigint;
  readonly balance: bigint;
  /** 32 bytes. */
  readonly storageRoot: Uint8Array;
  /** 32 bytes. */
  readonly codeHash: Uint8Array;
}

/** Keccak-256 of no bytes: the code hash of an account without code. */
export const emptyCodeHash = keccak256(new Uint8Array(0));

/** An account that does not exist, in all four fields; EIP-161 removes one that came to this. */
export const emptyAccount: AccountRecord = {
  nonce: 0n,
  balance: 0n,
  storageRoot: emptyTrieRoot,
  codeHash: emptyCodeHash,
};

/** Whether there is a contract or an EIP-7702 delegation at the account. */
export const hasCode = (account: AccountRecord): boolean => !bytesEqual(account.codeHash, emptyCodeHash);

/** Whether any slot of the account is set. */
export const hasStorage = (account: AccountRecord): boolean => !bytesEqual(account.storageRoot, emptyTrieRoot);

/** EIP-161: no account at all, as far as the rules go. */
export const isEmptyAccount = (account: AccountRecord): boolean =>
  account.nonce === 0n && account.balance === 0n && !hasCode(account);

const delegationPrefix = [0xef, 0x01, 0x00];

/** Code that names another account to run the code of (EIP-7702); an account with it may send transactions. */
export const isDelegation = (code: Uint8Array): boolean =>
  code.length === 23 && delegationPrefix.every((byte, index) => code[index] === byte);

/** Compares all four fields, so storage by its root and code by its hash. */
export const sameAccount = (a: AccountRecord, b: AccountRecord): boolean =>
  a.nonce === b.nonce &&
  a.balance === b.balance &&
  bytesEqual(a.storageRoot, b.storageRoot) &&
  bytesEqual(a.codeHash, b.codeHash);

/** RLP of nonce, balance, storage root and code hash: the value in the trie, and in the flat table too. */
export const encodeAccount = (account: AccountRecord): Uint8Array =>
  encodeRlp([account.nonce, account.balance, account.storageRoot, account.codeHash]);

/** @throws EvmError `EVM_STATE_CORRUPT` */
export function decodeAccount(bytes: Uint8Array): AccountRecord {
  const item: RlpItem = decodeRlp(bytes);
  if (!ArrayBuffer.isView(item) && item.length === 4) {
    const [nonce, balance, storageRoot, codeHash] = item;
    if (isBytes(nonce) && isBytes(balance) && isBytes(storageRoot) && isBytes(codeHash))
      return { nonce: bytesToBigint(nonce), balance: bytesToBigint(balance), storageRoot, codeHash };
  }
  throw new EvmError(`stored account: ${bytesToHex(bytes)}`, { code: 'EVM_STATE_CORRUPT', what: 'account' });
}

const isBytes = (item: RlpItem | undefined): item is Uint8Array => ArrayBuffer.isView(item);

import { prefixedKey, statePrefix } from '@prime/codec';
import { type Address, bigintToNumber, bytesToHash, concatBytes, type Hash, hexToBytes } from '@prime/primitives';
import type { StateDatabase } from '../ports.ts';
import { decodeAccount, hasCode } from './account.ts';

/** Committed accounts and slots, straight from the flat table: microseconds, and no EVM is loaded. */
export interface AccountReader {
  /** `delegated`: it has code, which for a sender is that of an EIP-7702 delegation. */
  account(address: Address): { readonly nonce: number; readonly balance: bigint; readonly delegated: boolean };
  /** Zero when the slot is not set. */
  slot(address: Address, slot: Hash): Hash;
}

/**
 * Reads the flat tables at each call and keeps nothing: an account that is not there has nonce and balance 0.
 *
 * @throws EvmError `EVM_STATE_CORRUPT` by `account`
 */
export const createAccountReader = (database: Pick<StateDatabase, 'getSync'>): AccountReader => ({
  account(address) {
    const bytes = database.getSync(prefixedKey(statePrefix.account, hexToBytes(address, 20)));
    if (bytes === undefined) return { nonce: 0, balance: 0n, delegated: false };
    const account = decodeAccount(bytes);
    return { nonce: bigintToNumber(account.nonce), balance: account.balance, delegated: hasCode(account) };
  },
  slot(address, slot) {
    const key = concatBytes(hexToBytes(address, 20), hexToBytes(slot, 32));
    const value = database.getSync(prefixedKey(statePrefix.storage, key)) ?? new Uint8Array(0);
    const word = new Uint8Array(32);
    word.set(value, 32 - value.length);
    return bytesToHash(word);
  },
});

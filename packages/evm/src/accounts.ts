import { prefixedKey, statePrefix } from '@prime/codec';
import { type Address, bigintToNumber, hexToBytes } from '@prime/primitives';
import type { StateDatabase } from './ports.ts';
import { decodeAccount } from './state/account.ts';

/** Committed nonce and balance of accounts, straight from the flat table: microseconds, and no EVM is loaded. */
export interface AccountReader {
  account(address: Address): { readonly nonce: number; readonly balance: bigint };
}

export const createAccountReader = (database: Pick<StateDatabase, 'getSync'>): AccountReader => ({
  account(address) {
    const bytes = database.getSync(prefixedKey(statePrefix.account, hexToBytes(address, 20)));
    if (bytes === undefined) return { nonce: 0, balance: 0n };
    const { nonce, balance } = decodeAccount(bytes);
    return { nonce: bigintToNumber(nonce), balance };
  },
});

import type { Address, Hash } from '@prime/primitives';
import type { AccountRecord } from './account.ts';

/** Committed state below an overlay. Synchronous: a get of the database takes 5 µs, a promise that waits for a thread 23. */
export interface StateSource {
  account(address: Address): AccountRecord | null;
  /** @returns the value without leading zeros, empty when the slot was never set */
  storage(address: Address, slot: Hash): Uint8Array;
  /** @throws EvmError `EVM_CODE_MISSING` */
  code(hash: Hash): Uint8Array;
}

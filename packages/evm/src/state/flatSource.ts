import { hashKey, prefixedKey, type RecordWrite, statePrefix } from '@prime/codec';
import { type Address, concatBytes, type Hash } from '@prime/primitives';
import { EvmError } from '../errors.ts';
import type { StateDatabase } from '../ports.ts';
import { type AccountRecord, decodeAccount } from './account.ts';
import { bytesOf } from './bytes.ts';
import type { StateSource } from './source.ts';

/** What of the committed state stays in memory between blocks, at most. No result may depend on it; tests give less. */
export interface CacheSizes {
  /** About 300 bytes each. */
  readonly accounts: number;
  /** Storage slots, about 250 bytes each. */
  readonly slots: number;
  /** Of contracts. */
  readonly codeBytes: number;
  /** Loaded nodes of tries, about 1 KiB each; then they are read from the database again. */
  readonly nodes: number;
}

/** About 300 MiB when all caches are full. */
export const usualCacheSizes: CacheSizes = {
  accounts: 100_000,
  slots: 200_000,
  codeBytes: 32 * 1024 * 1024,
  nodes: 200_000,
};

/** Key of the flat account record: prefix and 20 bytes of the address. */
export const accountKey = (address: Address): Uint8Array => prefixedKey(statePrefix.account, bytesOf(address));

/** Key of a flat storage record: prefix, 20 bytes of the address, 32 bytes of the slot; one account's slots stand together. */
export const storageKey = (address: Address, slot: Hash): Uint8Array =>
  prefixedKey(statePrefix.storage, concatBytes(bytesOf(address), bytesOf(slot)));
const storagePrefix = (address: Address): Uint8Array => prefixedKey(statePrefix.storage, bytesOf(address));

/** Key of a contract's code: prefix and its Keccak-256, so accounts with the same code share one record. */
export const codeKey = (hash: Hash): Uint8Array => hashKey(statePrefix.code, hash);

const nothing = new Uint8Array(0);

/** The newest committed state from the flat tables, with caches that live across blocks. */
export interface FlatSource extends StateSource {
  /** Slots of an account that are set, in order. */
  slots(address: Address): AsyncIterable<Hash>;
  /** Tells the caches what a committed block wrote. */
  committed(changes: CommittedChanges): void;
}

/** What a block wrote: null for an account that is gone, no bytes for a slot that is empty. */
export interface CommittedChanges {
  readonly accounts: ReadonlyMap<Address, AccountRecord | null>;
  readonly storage: ReadonlyMap<Address, ReadonlyMap<Hash, Uint8Array>>;
}

/**
 * Caches drop their oldest half, or all, when they are full; sizes change no result.
 *
 * @throws EvmError `EVM_CODE_MISSING`, `EVM_STATE_CORRUPT` by its reads
 */
export function createFlatSource(
  database: Pick<StateDatabase, 'getSync' | 'entries'>,
  sizes: CacheSizes = usualCacheSizes,
): FlatSource {
  const accounts = new Map<Address, AccountRecord | null>();
  const storage = new Map<Address, Map<Hash, Uint8Array>>();
  let slotCount = 0;
  const code = createCodeCache(database, sizes.codeBytes);

  const keepAccount = (address: Address, account: AccountRecord | null): void => {
    if (accounts.size >= sizes.accounts) dropOldestHalf(accounts);
    accounts.set(address, account);
  };
  const keepSlot = (address: Address, slot: Hash, value: Uint8Array): void => {
    if (slotCount >= sizes.slots) {
      storage.clear();
      slotCount = 0;
    }
    let slots = storage.get(address);
    if (slots === undefined) {
      slots = new Map();
      storage.set(address, slots);
    }
    if (!slots.has(slot)) slotCount++;
    slots.set(slot, value);
  };

  return {
    account(address) {
      const known = accounts.get(address);
      if (known !== undefined) return known;
      const stored = database.getSync(accountKey(address));
      const account = stored === undefined ? null : decodeAccount(stored);
      keepAccount(address, account);
      return account;
    },
    storage(address, slot) {
      const known = storage.get(address)?.get(slot);
      if (known !== undefined) return known;
      const value = database.getSync(storageKey(address, slot)) ?? nothing;
      keepSlot(address, slot, value);
      return value;
    },
    code,
    async *slots(address) {
      for await (const [key] of database.entries(storagePrefix(address)))
        yield `0x${Buffer.from(key.subarray(21)).toString('hex')}` as Hash;
    },
    committed(changes) {
      for (const [address, account] of changes.accounts) keepAccount(address, account);
      for (const [address, slots] of changes.storage) for (const [slot, value] of slots) keepSlot(address, slot, value);
    },
  };
}

/** Code by hash, bounded by bytes. The same hash gives the same array, so what is derived from code can be kept by array. */
export function createCodeCache(
  database: Pick<StateDatabase, 'getSync'>,
  bytesMax = usualCacheSizes.codeBytes,
): (hash: Hash) => Uint8Array {
  const codes = new Map<Hash, Uint8Array>();
  let size = 0;
  return (hash) => {
    const known = codes.get(hash);
    if (known !== undefined) return known;
    const stored = database.getSync(codeKey(hash));
    if (stored === undefined)
      throw new EvmError(`code ${hash} is not in the database`, { code: 'EVM_CODE_MISSING', hash });
    if (size + stored.length > bytesMax) {
      codes.clear();
      size = 0;
    }
    codes.set(hash, stored);
    size += stored.length;
    return stored;
  };
}

/** Maps iterate in order of insertion, so the first half is the older one. */
function dropOldestHalf<K>(map: Map<K, unknown>): void {
  let rest = map.size >> 1;
  for (const key of map.keys()) {
    if (rest-- === 0) return;
    map.delete(key);
  }
}

/** A record to write; null deletes the key. */
export const put = (key: Uint8Array, value: Uint8Array | null): RecordWrite => ({ key, value });

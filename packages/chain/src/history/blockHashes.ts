import {
  decodeNumbers,
  encodeFrames,
  encodeNumbers,
  frameAt,
  heightKey,
  type RecordWrite,
  statePrefix,
} from '@prime/codec';
import type { StateDatabase } from '@prime/evm';
import { type Address, bytesToHash, concatBytes, type Hash, type Height, hexToBytes } from '@prime/primitives';

/**
 * Hashes of everything that a block holds, so that showing it does not hash it again, and the accounts that each of its actions concerns: an
 * action itself is in the block alone.
 */
export interface BlockHashes {
  readonly transactionHashes: readonly Hash[];
  readonly actionHashes: readonly Hash[];
}

type Reads = Pick<StateDatabase, 'getSync'>;

const hashBytes = 32;
const addressBytes = 20;
/** Places of the frames. */
const frame = { transactions: 0, actions: 1, accounts: 2, concerned: 3 } as const;

/**
 * Write of {@link BlockHashes}: hashes of the transactions, of the actions, accounts, each once, and of each action how many accounts it concerns and
 * which of them.
 *
 * @param actionAccounts of each action, each account once
 */
export function blockHashesWrite(
  height: Height,
  { transactionHashes, actionHashes }: BlockHashes,
  actionAccounts: readonly (readonly Address[])[],
): RecordWrite {
  const places = new Map<Address, number>();
  const concerned: number[] = [];
  for (const accounts of actionAccounts) {
    concerned.push(accounts.length);
    for (const account of accounts) {
      const place = places.get(account) ?? places.size;
      if (place === places.size) places.set(account, place);
      concerned.push(place);
    }
  }
  const joined = (items: Iterable<Hash | Address>): Uint8Array =>
    concatBytes(...Array.from(items, (item) => hexToBytes(item)));
  const frames = [joined(transactionHashes), joined(actionHashes), joined(places.keys()), encodeNumbers(concerned)];
  return { key: heightKey(statePrefix.blockHashes, height), value: encodeFrames(frames) };
}

/**
 * Tells of the accounts that each action concerns.
 *
 * @param record of {@link blockHashesWrite}
 * @param tell gets where the 20 bytes of the account begin, and the place of the action behind all transactions
 */
export function eachActionAccount(record: Uint8Array, tell: (start: number, place: number) => void): void {
  const accountsStart = frameAt(record, frame.accounts).byteOffset - record.byteOffset;
  const concerned = decodeNumbers(frameAt(record, frame.concerned));
  let place = frameAt(record, frame.transactions).length / hashBytes;
  for (let at = 0; at < concerned.length; place++) {
    const end = at + 1 + concerned[at]!;
    for (at++; at < end; at++) tell(accountsStart + concerned[at]! * addressBytes, place);
  }
}

const recordOf = (database: Reads, height: Height): Uint8Array | undefined =>
  database.getSync(heightKey(statePrefix.blockHashes, height));

/** null for a block that is not stored here; genesis has no transactions and is null too. */
export function readBlockHashes(database: Reads, height: Height): BlockHashes | null {
  const record = recordOf(database, height);
  if (record === undefined) return null;
  return {
    transactionHashes: hashesIn(frameAt(record, frame.transactions)),
    actionHashes: hashesIn(frameAt(record, frame.actions)),
  };
}

const hashesIn = (bytes: Uint8Array): Hash[] =>
  Array.from({ length: bytes.length / hashBytes }, (_, index) => hashAt(bytes, index));

const hashAt = (bytes: Uint8Array, index: number): Hash =>
  bytesToHash(bytes.subarray(index * hashBytes, (index + 1) * hashBytes));

/** Hash of an action of a block; null where the block is not stored here. @param index of the action in the block */
export function readActionHash(database: Reads, height: Height, index: number): Hash | null {
  const record = recordOf(database, height);
  return record === undefined ? null : hashAt(frameAt(record, frame.actions), index);
}

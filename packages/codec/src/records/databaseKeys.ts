import { bytesToBigint, type Hash, type Height, hexToBytes } from '@prime/primitives';

/**
 * Every key of the two databases, in one place. A key is one prefix byte and fixed-width parts; numbers are 8 bytes big-endian,
 * so that iteration is in numeric order. docs/protocol/database.md describes the values.
 */
export const statePrefix = {
  /** a | address → flat account */
  account: 0x61,
  /** s | address | slot → flat storage value */
  storage: 0x73,
  /** c | code hash → code */
  code: 0x63,
  /** n | node hash → node of the account trie and the height that put it */
  accountNode: 0x6e,
  /** u | address | node hash → node of the account's storage trie and the height that put it */
  storageNode: 0x75,
  /** D | state root → what the block that made this state changed, where its trie nodes were not written */
  stateDiff: 0x44,
  /** p | height → keys that no state from the block on needs, where states are pruned */
  droppedNodes: 0x70,
  /** o | record key → record of the order book domain */
  clobRecord: 0x6f,
  /** v | record key → record of the staking state */
  stakingRecord: 0x76,
  /** r | height → receipts of the block, without their logs */
  receipts: 0x72,
  /** g | height → logs of the block; only of blocks that have any */
  logs: 0x67,
  /** e | height → domain events of the block; only of blocks that have any */
  events: 0x65,
  /** k | height → hashes of the block's transactions and actions, accounts that its actions concern, and which of them each does */
  blockHashes: 0x6b,
  /** x | height → execution roots of the block, its hash, time and base fee */
  executed: 0x78,
  /** t | transaction or action hash → height, index, kind */
  transactionLocation: 0x74,
  /** l | action result: height → results of the block's actions */
  actionResults: 0x6c,
  /** f | height → how the orders that left in the block ended: its record of closed orders; only of blocks in which any did */
  endedOrders: 0x66,
  /** h | owner | client id, 16 bytes → height in which the latest order with it ended, place among the ends of the block */
  endedClientOrder: 0x68,
  /** w | height → wei that moved outside of transactions before they ran */
  movesBefore: 0x77,
  /** q | height → what the contracts of the block had the order book do, for the next block; only of blocks that have any */
  contractWrites: 0x71,
  /** b | kind | … → what contracts read and records do not hold as it stands: levels, sums of open orders, client ids */
  orderView: 0x62,
  /** y | key of a record or view | height → its value before the block, empty where there was none */
  orderHistory: 0x79,
  /** z | height → keys of the entries of order history that the block wrote, where states are pruned */
  orderHistoryKeys: 0x7a,
  /** P | list, 1 byte | term | last block of a window → places at which the term is in the blocks of the window */
  postings: 0x50,
  /** W | last block of a window | part, 4 bytes → terms of the window with their lists: the pruner finds their postings by them */
  windowTerms: 0x57,
  /** S | begin of a second, ms → candles of the second, of all markets in which anything happened */
  secondCandles: 0x53,
  /** C | step, 1 byte | market, 4 bytes | begin, ms → candle of the market over that step of time, once its minutes are over */
  candle: 0x43,
  /** E | time until which a candle is needed, ms | rest of its key → 1; from here the pruner knows what is too old */
  candleEnd: 0x45,
  /** m | name → single values: lastApplied, genesis hash, format, the oldest heights that are kept, the first block of no window, since when candles are complete */
  meta: 0x6d,
} as const;

/** First bytes of keys in the block store; {@link statePrefix} has those of the state database. */
export const blockPrefix = {
  /** b | height → block and commit certificate */
  block: 0x62,
  /** h | block hash → height */
  heightByHash: 0x68,
  /** v | height → validator set with proposer priorities, valid for that height */
  validators: 0x76,
  /** m | name → single values: head, format */
  meta: 0x6d,
} as const;

/** prefix | 8-byte big-endian height */
export const heightKey = (prefix: number, height: Height): Uint8Array =>
  termHeightKey(prefix, new Uint8Array(0), height);

/** prefix | any bytes | 8-byte big-endian height */
export function termHeightKey(prefix: number, term: Uint8Array, height: number): Uint8Array {
  const key = new Uint8Array(9 + term.length);
  key[0] = prefix;
  key.set(term, 1);
  let remaining = height;
  for (let index = key.length - 1; index > term.length; index--) {
    key[index] = remaining % 256;
    remaining = Math.floor(remaining / 256);
  }
  return key;
}

/** The height of a {@link heightKey} or {@link termHeightKey}. */
export const heightOfKey = (key: Uint8Array): Height => Number(bytesToBigint(key.subarray(-8))) as Height;

/** prefix | any bytes */
export function prefixedKey(prefix: number, suffix: Uint8Array): Uint8Array {
  const key = new Uint8Array(suffix.length + 1);
  key[0] = prefix;
  key.set(suffix, 1);
  return key;
}

/** prefix | 32-byte hash */
export const hashKey = (prefix: number, hash: Hash): Uint8Array => prefixedKey(prefix, hexToBytes(hash));

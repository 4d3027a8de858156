import { prefixedKey, type Side, statePrefix } from '@prime/codec';
import { EvmError, type StateDatabase } from '@prime/evm';
import { bytesToBigint, bytesToHex, type Height } from '@prime/primitives';
import { readLastApplied, readOldest } from '../history/history.ts';
import { entriesAfter, valueAfter } from './orderHistory.ts';
import { readOrderViewsSince } from './rebuildViews.ts';
import { levelKey, levelPrefix, priceOfLevelKey } from './viewRecords.ts';

interface BookLevel {
  readonly price: bigint;
  readonly size: bigint;
}

/** The order book as it was after one block. What was read once stays in memory. */
export interface BookSource {
  record<T>(key: Uint8Array, decode: (value: Uint8Array) => T): Promise<T | undefined>;
  /** Value of a view, by its whole key. */
  view(key: Uint8Array): Promise<Uint8Array | undefined>;
  /** What follows from all of this, made once. @param key unlike the others */
  once<T>(key: string, make: () => Promise<T>): Promise<T>;
  /** The first entries with a prefix, in the order of their whole keys, which have so many bytes. */
  entries(prefix: Uint8Array, keyBytes: number, count: number): Promise<readonly (readonly [Uint8Array, Uint8Array])[]>;
  /** The best levels of a side, best first. */
  levels(marketId: number, side: Side, count: number): Promise<readonly BookLevel[]>;
}

/** Values that stay in memory, about 200 bytes each; then the memory starts over. */
const keptMax = 20_000;
/** Levels that are read at least: more than one contract asks for the top of a book. */
const levelsMin = 16;

type Database = Pick<StateDatabase, 'getSync' | 'scan'>;

/** Reads of one block's order book. @throws (rejects) EvmError `EVM_NODE_MISSING` when it is not kept any more */
export function createBookSource(database: Database, height: Height): BookSource {
  const kept = new Map<string, unknown>();
  const remember = async <T>(key: string, read: () => Promise<T>): Promise<T> => {
    if (kept.has(key)) return kept.get(key) as T;
    const value = await read();
    if (kept.size >= keptMax) kept.clear();
    kept.set(key, value);
    return value;
  };
  const valueOf = async (key: Uint8Array): Promise<Uint8Array | undefined> => {
    const current = database.getSync(key);
    // Asked afterwards: while the block is the newest one, nothing has replaced what was just read.
    if (readLastApplied(database) === height) return current;
    const value = await valueAfter(database, key, height, current);
    checkKept(database, height);
    return value;
  };
  return {
    record: (key, decode) =>
      remember(`${bytesToHex(key)}o`, async () => {
        const value = await valueOf(prefixedKey(statePrefix.clobRecord, key));
        return value === undefined ? undefined : decode(value);
      }),
    once: remember,
    entries: (prefix, keyBytes, count) => entriesOf(database, height, { prefix, keyBytes }, count),
    view: (key) => remember(bytesToHex(key), () => valueOf(key)),
    async levels(marketId, side, count) {
      const wanted = Math.max(count, levelsMin);
      const prefix = levelPrefix(marketId, side);
      const key = bytesToHex(prefix);
      let known = await remember(key, () => readLevels(database, height, { prefix, side }, wanted));
      if (known.length >= known.asked && known.asked < count) {
        known = await readLevels(database, height, { prefix, side }, wanted);
        kept.set(key, known);
      }
      return known.slice(0, count);
    },
  };
}

/** @returns levels, and how many were asked for */
async function readLevels(
  database: Database,
  height: Height,
  { prefix, side }: { readonly prefix: Uint8Array; readonly side: Side },
  asked: number,
): Promise<readonly BookLevel[] & { readonly asked: number }> {
  const entries = await entriesOf(database, height, { prefix, keyBytes: levelKeyBytes }, asked);
  const levels = entries.map(([key, value]) => ({ price: priceOfLevelKey(key, side), size: bytesToBigint(value) }));
  return Object.assign(levels, { asked });
}

const levelKeyBytes = levelKey(1, 'buy', 1n).length;

async function entriesOf(
  database: Database,
  height: Height,
  { prefix, keyBytes }: { readonly prefix: Uint8Array; readonly keyBytes: number },
  count: number,
): Promise<readonly (readonly [Uint8Array, Uint8Array])[]> {
  const end = prefix.slice();
  end[end.length - 1]!++;
  const scan = database.scan(prefix, end);
  try {
    // The scan shows the moment at which it began.
    if (readLastApplied(database) === height) return await scan.next(count);
  } finally {
    await scan.close();
  }
  const entries = await entriesAfter(database, { prefix, keyBytes }, height, count);
  checkKept(database, height);
  return entries;
}

/** @throws EvmError `EVM_NODE_MISSING` when the past that was just read may have been deleted meanwhile */
function checkKept(database: Database, height: Height): void {
  if (height >= Math.max(readOldest(database, 'oldestState'), readOrderViewsSince(database) ?? 0)) return;
  throw new EvmError(`the order book after block ${height} is not kept`, {
    code: 'EVM_NODE_MISSING',
    hash: `order book ${height}`,
  });
}

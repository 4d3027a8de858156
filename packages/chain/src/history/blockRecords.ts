import { heightKey, heightOfKey, statePrefix } from '@prime/codec';
import type { StateDatabase } from '@prime/evm';
import type { Height } from '@prime/primitives';

/** Records of a block of which its postings are made; null for those that it does not have. */
export interface BlockRecords {
  readonly receipts: Uint8Array | null;
  readonly logs: Uint8Array | null;
  readonly events: Uint8Array | null;
  /** Of the orders that ended in the block. */
  readonly ended: Uint8Array | null;
  /** Hashes of what is in the block, and accounts of its actions. */
  readonly hashes: Uint8Array | null;
}

const prefixes = {
  receipts: statePrefix.receipts,
  logs: statePrefix.logs,
  events: statePrefix.events,
  ended: statePrefix.endedOrders,
  hashes: statePrefix.blockHashes,
} as const;

/** Bytes of them all. */
export const bytesIn = ({ receipts, logs, events, ended, hashes }: BlockRecords): number =>
  [receipts, logs, events, ended, hashes].reduce((sum, record) => sum + (record?.length ?? 0), 0);

/** Those of a block that was committed, each read when it is first asked for; all null where it is not kept. */
export function storedRecords(database: Pick<StateDatabase, 'getSync'>, height: Height): BlockRecords {
  const read = new Map<number, Uint8Array | null>();
  const record = (prefix: number): Uint8Array | null => {
    let bytes = read.get(prefix);
    if (bytes === undefined) read.set(prefix, (bytes = database.getSync(heightKey(prefix, height)) ?? null));
    return bytes;
  };
  return {
    get receipts() {
      return record(prefixes.receipts);
    },
    get logs() {
      return record(prefixes.logs);
    },
    get events() {
      return record(prefixes.events);
    },
    get ended() {
      return record(prefixes.ended);
    },
    get hashes() {
      return record(prefixes.hashes);
    },
  };
}

/**
 * The same database, which keeps in memory what was read last of {@link BlockRecords}: whoever looks for something in the newest blocks reads them again and
 * again. It may tell of blocks that are not kept any more.
 *
 * @param bytesMax of what is kept
 */
export function rememberingRecords<Database extends Pick<StateDatabase, 'getSync'>>(
  database: Database,
  bytesMax: number,
): Database {
  const isOfBlocks: ReadonlySet<number | undefined> = new Set(Object.values(prefixes));
  /** By height and prefix; what was used last is last. */
  const kept = new Map<number, Uint8Array>();
  let bytes = 0;
  const getSync = (key: Uint8Array): Uint8Array | undefined => {
    if (!isOfBlocks.has(key[0])) return database.getSync(key);
    const name = heightOfKey(key) * 256 + key[0]!;
    let value = kept.get(name);
    if (value === undefined) {
      value = database.getSync(key);
      if (value === undefined) return undefined;
      bytes += value.length;
    } else kept.delete(name);
    kept.set(name, value);
    for (const [oldest, record] of kept) {
      if (bytes <= bytesMax) break;
      kept.delete(oldest);
      bytes -= record.length;
    }
    return value;
  };
  return { ...database, getSync };
}

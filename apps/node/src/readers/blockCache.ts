import { readBlockHashes, readEventFrames, readExecuted, readLogs } from '@prime/chain';
import { decodeBlockLog, decodeEvent, frameAt, frameCount } from '@prime/codec';
import type { StateDatabase } from '@prime/evm';
import { assert, type Hash, type Height, type TimestampMs } from '@prime/primitives';
import { eventEntry, type EventEntry, type LogEntry } from '@prime/rpc';

/** Logs and events that stay decoded, about 1 KiB each; then the cache starts over. */
const decodedMax = 50_000;
/** Blocks whose lists are kept beside them, most of them small. */
const blocksMax = 4_096;

/** Logs and domain events of committed blocks. Final blocks never change, so that what was decoded once serves every query. */
export interface BlockCache {
  logs(height: Height, positions: readonly number[] | null): readonly LogEntry[];
  events(height: Height, positions: readonly number[] | null): readonly EventEntry[];
}

interface CachedBlock {
  readonly hash: Hash;
  readonly timestampMs: TimestampMs;
  readonly transactionHashes: readonly Hash[];
  readonly actionHashes: readonly Hash[];
  readonly logs: Uint8Array | null;
  readonly events: Uint8Array | null;
  readonly decodedLogs: (LogEntry | undefined)[];
  readonly decodedEvents: (EventEntry | undefined)[];
}

/** Serves blocks and their items, each decoded once while it stays; when it is full it starts over. */
export function createBlockCache(database: Pick<StateDatabase, 'getSync'>): BlockCache {
  const blocks = new Map<Height, CachedBlock>();
  let decoded = 0;
  const blockAt = (height: Height): CachedBlock => {
    const known = blocks.get(height);
    if (known !== undefined) return known;
    const block = readBlock(database, height);
    if (blocks.size >= blocksMax || decoded >= decodedMax) {
      blocks.clear();
      decoded = 0;
    }
    blocks.set(height, block);
    return block;
  };
  /** Items at the places, decoded at most once while they stay. */
  const take = <T>(
    frames: Uint8Array | null,
    kept: (T | undefined)[],
    positions: readonly number[] | null,
    decode: (position: number) => T,
  ): readonly T[] => {
    if (frames === null) return [];
    return (positions ?? Array.from({ length: frameCount(frames) }, (_, index) => index)).map((position) => {
      let item = kept[position];
      if (item === undefined) {
        item = decode(position);
        kept[position] = item;
        decoded++;
      }
      return item;
    });
  };
  return {
    logs(height, positions) {
      const block = blockAt(height);
      return take(block.logs, block.decodedLogs, positions, (position) => logEntry(height, block, position));
    },
    events(height, positions) {
      const block = blockAt(height);
      return take(block.events, block.decodedEvents, positions, (position) => eventAt(height, block, position));
    },
  };
}

function readBlock(database: Pick<StateDatabase, 'getSync'>, height: Height): CachedBlock {
  const executed = readExecuted(database, height);
  assert(executed !== null, `block ${height} has no stored results`);
  const { hash, timestampMs } = executed;
  // Genesis has events, and neither transactions nor actions.
  const hashes = readBlockHashes(database, height) ?? { transactionHashes: [], actionHashes: [] };
  return {
    ...hashes,
    hash,
    timestampMs,
    logs: readLogs(database, height),
    events: readEventFrames(database, height),
    decodedLogs: [],
    decodedEvents: [],
  };
}

function logEntry(height: Height, block: CachedBlock, logIndex: number): LogEntry {
  const log = decodeBlockLog(block.logs!, logIndex);
  const { hash: blockHash, timestampMs } = block;
  return {
    height,
    blockHash,
    timestampMs,
    transactionHash: block.transactionHashes[log.transactionIndex]!,
    logIndex,
    ...log,
  };
}

const eventAt = (height: Height, block: CachedBlock, index: number): EventEntry =>
  eventEntry(
    height,
    block.timestampMs,
    block.hash,
    index,
    decodeEvent(frameAt(block.events!, index)),
    block.actionHashes,
  );

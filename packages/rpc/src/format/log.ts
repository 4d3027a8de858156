import { bytesToHex, toQuantity } from '@prime/primitives';
import type { Receipt, StoredLog } from '@prime/codec';
import type { BlockRecord, LogEntry } from '../ports/ports.ts';
import { toTimestamp } from './quantity.ts';

/** Log object of execution-apis. */
export const formatLog = (entry: LogEntry): Record<string, unknown> => ({
  address: entry.address,
  topics: entry.topics,
  data: bytesToHex(entry.data),
  blockNumber: toQuantity(entry.height),
  blockHash: entry.blockHash,
  blockTimestamp: toTimestamp(entry.timestampMs),
  transactionHash: entry.transactionHash,
  transactionIndex: toQuantity(entry.transactionIndex),
  logIndex: toQuantity(entry.logIndex),
  removed: false,
});

const texts = new WeakMap<LogEntry, string>();

/** The log object as JSON; remembered, since the same logs of recent blocks are asked for again and again. */
export function logText(entry: LogEntry): string {
  let text = texts.get(entry);
  if (text === undefined) {
    text = JSON.stringify(formatLog(entry));
    texts.set(entry, text);
  }
  return text;
}

/** The logs of one receipt with their place in the block. @param firstIndex logs of the block before it */
export function logEntries(
  record: Pick<BlockRecord, 'block' | 'hash'>,
  receipt: Receipt,
  firstIndex: number,
): LogEntry[] {
  const { height, timestampMs } = record.block.header;
  return receipt.logs.map((log, offset) => ({
    height,
    blockHash: record.hash,
    timestampMs,
    transactionHash: receipt.transactionHash,
    transactionIndex: receipt.transactionIndex,
    logIndex: firstIndex + offset,
    ...log,
  }));
}

/** All logs of a block, in order. */
export function blockLogEntries(
  { hash, block, transactionHashes }: Pick<BlockRecord, 'block' | 'hash' | 'transactionHashes'>,
  logs: readonly StoredLog[],
): LogEntry[] {
  const { height, timestampMs } = block.header;
  return logs.map(({ transactionIndex, address, topics, data }, logIndex) => ({
    height,
    blockHash: hash,
    timestampMs,
    transactionHash: transactionHashes[transactionIndex]!,
    transactionIndex,
    logIndex,
    address,
    topics,
    data,
  }));
}

import { bytesToAddress, bytesToHash, hexToBytes } from '@prime/primitives';
import { encodeFrames, frameAt, frameCount, frameEnds, framesStart } from './blockLists.ts';
import { invalidField } from '../encoding/errors.ts';
import type { Log, Receipt } from '../types.ts';

/** A log with the place of its transaction. */
export interface StoredLog extends Log {
  readonly transactionIndex: number;
}

/** The EVM has LOG0 to LOG4. */
const topicsMax = 4;
const headBytes = 5;
const addressBytes = 20;
const topicBytes = 32;

/** transaction index (4 bytes) | number of topics (1) | address | topics | data */
function encodeLog(log: Log, transactionIndex: number): Uint8Array {
  const topicsStart = headBytes + addressBytes;
  const dataStart = topicsStart + log.topics.length * topicBytes;
  const bytes = new Uint8Array(dataStart + log.data.length);
  new DataView(bytes.buffer).setUint32(0, transactionIndex);
  bytes[4] = log.topics.length;
  bytes.set(hexToBytes(log.address, addressBytes), headBytes);
  log.topics.forEach((topic, index) => {
    bytes.set(hexToBytes(topic, topicBytes), topicsStart + index * topicBytes);
  });
  bytes.set(log.data, dataStart);
  return bytes;
}

/** All logs of a block in order; null when there are none. */
export function encodeBlockLogs(receipts: readonly Receipt[]): Uint8Array | null {
  const logs = receipts.flatMap((receipt) => receipt.logs.map((log) => encodeLog(log, receipt.transactionIndex)));
  return logs.length === 0 ? null : encodeFrames(logs);
}

/** One log of {@link encodeBlockLogs}, by its place in the block. @throws CodecError `CODEC_FIELD_INVALID` */
export function decodeBlockLog(logs: Uint8Array, position: number): StoredLog {
  const bytes = frameAt(logs, position);
  const topicCount = bytes[4] ?? topicsMax + 1;
  const topicsStart = headBytes + addressBytes;
  const dataStart = topicsStart + topicCount * topicBytes;
  if (topicCount > topicsMax || dataStart > bytes.length) return invalidField('log', `${bytes.length} bytes`);
  const topics = Array.from({ length: topicCount }, (_, index) =>
    bytesToHash(bytes.subarray(topicsStart + index * topicBytes, topicsStart + (index + 1) * topicBytes)),
  );
  return {
    transactionIndex: new DataView(bytes.buffer, bytes.byteOffset).getUint32(0),
    address: bytesToAddress(bytes.subarray(headBytes, topicsStart)),
    topics,
    data: bytes.slice(dataStart),
  };
}

/**
 * Tells of what logs are found by, and decodes nothing.
 *
 * @param tell gets 0 for the address and 1 to 4 for the position of a topic, where its bytes begin, and the log's place in the block
 * @throws CodecError `CODEC_FIELD_INVALID`
 */
export function eachLogTerm(logs: Uint8Array, tell: (position: number, start: number, place: number) => void): void {
  const ends = frameEnds(logs);
  let start = framesStart(ends.length);
  ends.forEach((end, place) => {
    const topicCount = logs[start + 4] ?? topicsMax + 1;
    const topicsStart = start + headBytes + addressBytes;
    if (topicCount > topicsMax || topicsStart + topicCount * topicBytes > end) invalidField('log', `${end} bytes`);
    tell(0, start + headBytes, place);
    for (let index = 0; index < topicCount; index++) tell(index + 1, topicsStart + index * topicBytes, place);
    start = end;
  });
}

/** Every log of a block. */
export const decodeBlockLogs = (logs: Uint8Array | null): readonly StoredLog[] =>
  logs === null ? [] : Array.from({ length: frameCount(logs) }, (_, position) => decodeBlockLog(logs, position));

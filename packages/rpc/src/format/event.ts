import type { BlockDelta, DomainEvent } from '@prime/codec';
import { type Hash, type Height, type TimestampMs, toQuantity, toSignedQuantity } from '@prime/primitives';
import type { EventEntry } from '../ports/ports.ts';

/** Fields that are JSON numbers, as in the answers of methods; every other number is a hex quantity. */
const isJsonNumber = (name: string): boolean =>
  name === 'market_id' || name.endsWith('_bps') || name.endsWith('_decimals');

function formatField(name: string, value: DomainEvent['data'][string]): string | number | boolean | null {
  if (typeof value === 'bigint') return toSignedQuantity(value);
  if (typeof value === 'number' && !isJsonNumber(name)) return toSignedQuantity(value);
  return value;
}

/** A domain event as `prime_getDomainEvents` and streams show it; `ticket` is there where a contract caused it. */
export const formatEvent = (entry: EventEntry): Record<string, unknown> => ({
  block_number: toQuantity(entry.height),
  block_hash: entry.blockHash,
  time_ms: toQuantity(entry.timestampMs),
  index: toQuantity(entry.index),
  domain: entry.domain,
  kind: entry.kind,
  transaction_hash: entry.transactionHash,
  ...(entry.contract === undefined ? {} : { ticket: toQuantity(entry.contract.ticket) }),
  data: Object.fromEntries(Object.entries(entry.data).map(([name, value]) => [name, formatField(name, value)])),
});

/** Hash of the action that caused an event, or of the transaction whose contract asked for it; null for what the block itself does. */
const causeOf = ({ actionIndex, contract }: DomainEvent, actionHashes: readonly Hash[]): Hash | null =>
  contract?.transactionHash ?? (actionIndex === null ? null : (actionHashes[actionIndex] ?? null));

/**
 * An event with its place.
 *
 * What is added stands before the spread: V8 gives each object a hidden class of its own where it comes after
 * (docs/performance/object-shapes.md).
 */
export const eventEntry = (
  height: Height,
  timestampMs: TimestampMs,
  blockHash: Hash,
  index: number,
  event: DomainEvent,
  actionHashes: readonly Hash[],
): EventEntry => ({ height, timestampMs, blockHash, index, transactionHash: causeOf(event, actionHashes), ...event });

/** The events of a block with their place in it. */
export function eventEntries(
  record: Pick<BlockDelta, 'block' | 'hash' | 'actionHashes'>,
  events: readonly DomainEvent[],
): EventEntry[] {
  const { height, timestampMs } = record.block.header;
  return events.map((event, index) => eventEntry(height, timestampMs, record.hash, index, event, record.actionHashes));
}

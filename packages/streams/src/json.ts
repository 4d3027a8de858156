import { type ChainRecord, recordTypes } from './record.ts';

/** One line of JSON, without the end of the line. */
export const encodeRecord = (record: ChainRecord): string => JSON.stringify(record);

const isPlace = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

/** A line that {@link encodeRecord} wrote; null for anything that is no record. Its other fields are not looked at. */
export function decodeRecord(line: string): ChainRecord | null {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return null;
  }
  if (typeof value !== 'object' || value === null) return null;
  const { type, height, index, block_hash: hash, time_ms: timeMs } = value as Partial<ChainRecord>;
  const isKnown = recordTypes.some((known) => known === type);
  return isKnown && isPlace(height) && isPlace(index) && typeof hash === 'string' && isPlace(timeMs)
    ? (value as ChainRecord)
    : null;
}

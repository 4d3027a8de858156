import type { NativeBlockHead } from '@prime/sdk';

/** Newest first, each once, at most `max`. */
export function mergeBlocks(
  known: readonly NativeBlockHead[],
  more: readonly NativeBlockHead[],
  max: number,
): readonly NativeBlockHead[] {
  const byNumber = new Map([...known, ...more].map((block) => [block.number, block]));
  return [...byNumber.values()].toSorted((a, b) => (a.number < b.number ? 1 : -1)).slice(0, max);
}

/** Numbers that are missing among the newest `count` blocks, newest first. @param blocks newest first */
export function missingNumbers(blocks: readonly NativeBlockHead[], count: number): readonly bigint[] {
  const newest = blocks[0]?.number;
  if (newest === undefined) return [];
  const known = new Set(blocks.map(({ number }) => number));
  const missing: bigint[] = [];
  for (let number = newest; number >= 0n && newest - number < count; number--)
    if (!known.has(number)) missing.push(number);
  return missing;
}

/** Times between neighbours, oldest first, ms; pairs with a gap between them are left out. @param blocks newest first */
export function intervalsOf(blocks: readonly NativeBlockHead[]): readonly number[] {
  const intervals: number[] = [];
  for (let index = blocks.length - 2; index >= 0; index--) {
    const [newer, older] = [blocks[index]!, blocks[index + 1]!];
    if (newer.number === older.number + 1n) intervals.push(newer.timestampMs - older.timestampMs);
  }
  return intervals;
}

/** Middle value; null of nothing. */
export function medianOf(values: readonly number[]): number | null {
  if (values.length === 0) return null;
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** Time that blocks span, s; null of fewer than two, and of those that span none. @param blocks newest first */
function spanSeconds(blocks: readonly NativeBlockHead[]): number | null {
  const spanMs = blocks.length < 2 ? 0 : blocks[0]!.timestampMs - blocks.at(-1)!.timestampMs;
  return spanMs > 0 ? spanMs / 1_000 : null;
}

/** What blocks hold per second, over the time that they span. @param blocks newest first */
export function ratePerSecond(
  blocks: readonly NativeBlockHead[],
  count: (block: NativeBlockHead) => number,
): number | null {
  const seconds = spanSeconds(blocks);
  // What is in the oldest came in the time before it.
  return seconds === null ? null : blocks.slice(0, -1).reduce((sum, block) => sum + count(block), 0) / seconds;
}

/** How far a node is behind another one. */
export interface Lag {
  readonly tone: 'good' | 'warn' | 'bad';
  readonly text: string;
}

/** What nodes tell of their heads is up to so old, ms. */
const toldWithinMs = 3_000;
/** A node that lacks more is not catching up in a moment, ms. */
const farMs = 60_000;

/** @param intervalMs usual time between blocks; null while it is not known */
export function lagOf(head: bigint, newest: bigint, intervalMs: number | null): Lag {
  const blocks = head > newest ? 0 : Number(newest - head);
  const behindMs = blocks * (intervalMs ?? toldWithinMs);
  if (blocks <= 1 || behindMs <= toldWithinMs) return { tone: 'good', text: 'at the head' };
  return { tone: behindMs > farMs ? 'bad' : 'warn', text: `${blocks} blocks behind` };
}

/** Time until a block, ms, if blocks go on as they do; null while that is not known. */
export const untilBlockMs = (height: bigint, newest: bigint, intervalMs: number | null): number | null =>
  intervalMs === null || height <= newest ? null : Number(height - newest) * intervalMs;

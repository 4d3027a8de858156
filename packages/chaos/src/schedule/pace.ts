/** What a run counts in blocks, by the least time between two of them. */
import { usualBlockIntervalMs } from './manifest.ts';

/**
 * Least time between two snapshots; under load it is twice that. A snapshot reads the whole state: on two processors nine nodes that take one every five
 * seconds, all at once, are a load of their own.
 */
const snapshotIntervalMs = 10_000;
/** Heads are looked at one after the other, and blocks come meanwhile. */
const lagMsMax = 250;
const lagBlocksMin = 2;

/** A network of one machine hardly decides more often, whatever genesis allows. */
const paceMs = (blockIntervalMs: number): number => Math.max(usualBlockIntervalMs, blockIntervalMs);

/** Blocks between two snapshots. */
export const snapshotBlocksAt = (blockIntervalMs: number): number =>
  Math.ceil(snapshotIntervalMs / paceMs(blockIntervalMs));

/** Blocks that a node which is level with the others may seem to be behind them. */
export const lagBlocksAt = (blockIntervalMs: number): number =>
  Math.max(lagBlocksMin, Math.ceil(lagMsMax / paceMs(blockIntervalMs)));

import type { Header } from '@prime/codec';
import type { Height } from '@prime/primitives';

/** What was decided longer ago than this has successors by now, ms. */
const freshMs = 1_000;

/**
 * Decided blocks after one that is applied, as far as they are known to be missing here. At least 1 where the block is old: what peers said of their
 * heads is as old as their last word, and a node that catches up reaches that several times before it is at the head.
 *
 * @param highest head that is known of
 */
export const blocksBehind = ({ height, timestampMs }: Header, highest: Height, nowMs: number): number =>
  Math.max(highest - height, nowMs - timestampMs > freshMs ? 1 : 0);

import type { Hex } from '@prime/primitives';

/** 0x and the fewest hex digits. @param value >= 0 */
export const toQuantity = (value: bigint | number): Hex => `0x${value.toString(16)}` as Hex;

/** {@link toQuantity} with a leading minus for negative amounts. */
export const toSignedQuantity = (value: bigint | number): string =>
  value < 0 ? `-0x${(-value).toString(16)}` : toQuantity(value);

const millisecondsPerSecond = 1000;

/** Seconds since the epoch, as Ethereum's `timestamp`. */
export const toTimestamp = (timestampMs: number): Hex => toQuantity(Math.floor(timestampMs / millisecondsPerSecond));

import { type Hex, toQuantity } from '@prime/primitives';

const millisecondsPerSecond = 1000;

/** Seconds since the epoch, as Ethereum's `timestamp`. */
export const toTimestamp = (timestampMs: number): Hex => toQuantity(Math.floor(timestampMs / millisecondsPerSecond));

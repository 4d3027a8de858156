import { candleIntervalMs as intervalMs, selfTradeModes as modes } from '@prime/codec';
import type { CandleInterval } from './types/market.ts';
import type { SelfTradeMode } from './types/primitives.ts';

/** What may happen when an order meets one of its own account, in the order of the numbers that encodings have for them. */
export const selfTradeModes: readonly SelfTradeMode[] = modes;

/** Lengths of candles, from the shortest to the longest, ms. */
export const candleIntervalMs: Readonly<Record<CandleInterval, number>> = intervalMs;

/**
 * States of a market, by the number in its record. See docs/protocol/clob.md, Life of a market.
 *
 * `post_only`: orders that rest; `cancel_only`: none; `halted`: no cancels either; `settling`: orders and positions are being closed; `delisted`: none
 * is left.
 */
export const marketStatuses = ['trading', 'post_only', 'cancel_only', 'halted', 'settling', 'delisted'] as const;
/** Part of each market's record, and shown to clients. */
export type MarketStatus = (typeof marketStatuses)[number];
/** What a change can make of a market: it is delisted by itself, once it is settled. */
export const settableStatuses: readonly Exclude<MarketStatus, 'delisted'>[] = [
  'trading',
  'post_only',
  'cancel_only',
  'halted',
  'settling',
];

import type { Fill, OrderUpdate } from '@prime/sdk';
import { hex } from '../trading/trading.ts';

/** What the SDK tells, as a node's own streams have it. */
export type Wire = Readonly<Record<string, unknown>>;

/** A whole number as nodes write it. */
export const signed = (value: bigint): string =>
  value < 0n ? `-0x${(-value).toString(16)}` : `0x${value.toString(16)}`;
const idOf = (id: number | null): string | null => (id === null ? null : hex(id));
const wei = (value: bigint | null): string | null => (value === null ? null : signed(value));

/** As the node's stream `fills` has it. */
export const wireFill = (fill: Fill): Wire => ({
  trade_id: idOf(fill.tradeId),
  order_id: idOf(fill.orderId),
  market_id: fill.marketId,
  side: fill.side,
  price: wei(fill.price),
  size: wei(fill.size),
  value: wei(fill.value),
  fees: wei(fill.fee),
  liquidity: fill.liquidity,
  kind: fill.kind,
  event_index: hex(fill.eventIndex),
});

/** As the node's stream `orders` has it. */
export const wireUpdate = (update: OrderUpdate): Wire => ({
  order_id: idOf(update.orderId),
  market_id: update.marketId,
  owner: update.owner,
  side: update.side,
  price: wei(update.price),
  size: wei(update.size),
  filled: wei(update.filled),
  remaining: wei(update.remaining),
  reduced: wei(update.reduced),
  decremented: wei(update.decremented),
  tif: update.tif,
  client_id: update.clientId,
  status: update.status,
  reason: update.reason,
  kind: update.kind,
});

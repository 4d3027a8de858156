import type { OrderRecord } from '@prime/codec';
import type { OpenOrder } from '@prime/rpc';

/** An order that rests, as methods answer it. */
export const toOpenOrder = (record: OrderRecord): OpenOrder => ({
  orderId: record.orderId,
  marketId: record.marketId,
  owner: record.owner,
  side: record.side,
  price: record.price,
  size: record.size,
  remaining: record.remaining,
  tif: record.tif,
  reduceOnly: record.reduceOnly,
  clientId: record.clientId,
  expiresAt: record.expiresAt,
  createdHeight: record.createdBlock as OpenOrder['createdHeight'],
});

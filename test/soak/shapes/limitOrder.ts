import type { ActionPayload, OrderFields } from '@prime/codec';
import type { MarketId } from '@prime/primitives';

/** A bid that rests in the first market, where nothing else is said. */
export const limitOrder = (fields: Pick<OrderFields, 'price'> & Partial<OrderFields>): ActionPayload => ({
  type: 'order',
  marketId: 1 as MarketId,
  side: 'buy',
  size: 1n,
  tif: 'gtc',
  postOnly: false,
  reduceOnly: false,
  selfTrade: 'cancel_maker',
  clientId: null,
  expiresAt: 0,
  ...fields,
});

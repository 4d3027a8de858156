import { defaultMarketDecimals, encodeMarketRecord, type MarketRecord, marketRecordKey } from '@prime/codec';
import type { MarketId } from '@prime/primitives';

/** The record of a market as a block writes it. */
export const marketWrite = (
  marketId: MarketId,
  said: Partial<MarketRecord> = {},
): { readonly key: Uint8Array; readonly value: Uint8Array } => ({
  key: marketRecordKey(marketId),
  value: encodeMarketRecord({
    marketId,
    symbol: 'A/B',
    tickSize: 1n,
    lotSize: 1n,
    ...defaultMarketDecimals,
    lastPrice: null,
    markPrice: null,
    tradeBlocks: 0,
    margin: null,
    status: 'trading',
    ...said,
  }),
});

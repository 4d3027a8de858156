import type { Market } from '@prime/sdk';
import { useNode } from './context.ts';

/** Markets by id: an account is in all of them. Empty before they are known. */
export const useMarkets = (): ReadonlyMap<number, Market> =>
  new Map((useNode().markets.value.value ?? []).map((market) => [market.marketId, market]));

import { computed } from '@preact/signals';
import type { Market } from '@prime/sdk';
import type { Markets } from '../chain/markets.ts';
import { ofNode } from '../live/ofNode.ts';
import { useNode } from './context.ts';

const marketsOf = ofNode(({ markets }) =>
  computed((): Markets => new Map((markets.value.value ?? []).map((market) => [market.marketId, market]))),
);

/** Markets by id: an account is in all of them. Empty before they are known. */
export const useMarkets = (): Markets => marketsOf(useNode()).value;

/** One of them; undefined where it is not known. */
export const useMarket = (id: number): Market | undefined => useMarkets().get(id);

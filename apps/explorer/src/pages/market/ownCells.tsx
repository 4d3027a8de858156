import type { Market } from '@prime/sdk';
import type { JSX } from 'preact';
import { useNode } from '../../app/context.ts';

/** Markets by id: an account is in all of them. */
export const useMarkets = (): ReadonlyMap<number, Market> =>
  new Map((useNode().markets.value.value ?? []).map((market) => [market.marketId, market]));

/** A price or a size in the units of its market; as the chain has it where the market is not known. */
export const number = (
  markets: ReadonlyMap<number, Market>,
  marketId: number,
  value: bigint,
  text: (market: Market, value: bigint) => string,
): JSX.Element => {
  const market = markets.get(marketId);
  return <span class="number">{market === undefined ? value.toString() : text(market, value)}</span>;
};

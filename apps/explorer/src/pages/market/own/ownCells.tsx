import type { Market } from '@prime/sdk';
import type { JSX } from 'preact';

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

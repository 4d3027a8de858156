import type { JSX } from 'preact';
import { useMarket, useMarkets } from '../app/useMarkets.ts';
import { orNone, priceText, sizeText } from '../kit/index.ts';
import { MarketLink } from './links.tsx';
import { marketName } from './markets.ts';

/** A market by its id, which leads to its page; its number where it is not known. */
export function MarketOf({ id }: { readonly id: number }): JSX.Element {
  const symbol = useMarket(id)?.symbol;
  return symbol === undefined ? <span>market {id}</span> : <MarketLink symbol={symbol} />;
}

/** Its symbol alone. */
export const MarketSymbol = ({ id }: { readonly id: number }): JSX.Element => <>{marketName(useMarkets(), id)}</>;

interface MarketPriceProps {
  readonly id: number;
  readonly price: bigint;
  readonly class?: string;
}

/** A price in a market; nothing where the market is not known. */
export function MarketPrice({ id, price, class: more = '' }: MarketPriceProps): JSX.Element | null {
  const market = useMarket(id);
  return market === undefined ? null : <span class={`number ${more}`.trim()}>{priceText(market, price)}</span>;
}

interface MarketSizeProps {
  readonly id: number;
  readonly size: bigint;
  /** Says also what is counted. */
  readonly hasUnit?: boolean;
}

/** A size in a market, whole on pointing at it; nothing where the market is not known. */
export function MarketSize({ id, size, hasUnit = false }: MarketSizeProps): JSX.Element | null {
  const market = useMarket(id);
  if (market === undefined) return null;
  return (
    <span class="number" title={market.formatSize(size)}>
      {sizeText(market, size)}
      {hasUnit && <span class="faint"> {market.base}</span>}
    </span>
  );
}

/** Price by which a position is judged; a quiet word where there is none. */
export const MarkPrice = (props: Omit<MarketPriceProps, 'price'>): JSX.Element => (
  <>
    {orNone(useMarket(props.id)?.markPrice, 'none yet', (mark) => (
      <MarketPrice {...props} price={mark} />
    ))}
  </>
);

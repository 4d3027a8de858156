import type { Market } from '@prime/sdk';
import type { JSX } from 'preact';
import { useNode } from '../../app/context.ts';
import { useMarket } from '../../app/useMarkets.ts';
import { Flash, priceText, Skeleton } from '../../kit/index.ts';

/** Price of the latest trade, in the colour of who took it. */
export function LastPrice({ market }: { readonly market: Market }): JSX.Element {
  const { trades } = useNode();
  const newest = trades.byMarket.value.get(market.marketId)?.[0];
  const known = useMarket(market.marketId);
  const price = newest?.price ?? known?.lastPrice ?? null;
  if (known === undefined) return <Skeleton width="7ch" />;
  if (price === null) return <span class="faint">no trade yet</span>;
  return (
    <span class={`last ${newest?.side ?? ''}`}>
      <Flash value={price}>{priceText(market, price)}</Flash>
      {newest !== undefined && (
        <>
          <span aria-hidden="true">{newest.side === 'buy' ? ' ↑' : ' ↓'}</span>
          <span class="unseen">, taken by a {newest.side}</span>
        </>
      )}
    </span>
  );
}

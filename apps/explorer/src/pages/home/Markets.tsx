import type { Market } from '@prime/sdk';
import type { JSX } from 'preact';
import { useNode } from '../../app/context.ts';
import { MarketLink } from '../../chain/links.tsx';
import { MarkPrice } from '../../chain/marketCells.tsx';
import { Badge, type Column, Empty, Flash, Known, orNone, priceText, Sparkline, TableCard } from '../../kit/index.ts';
import { resourceOf } from '../../live/poll.ts';
import type { FeedTrade } from '../../live/trades.ts';

type TradesByMarket = ReadonlyMap<number, readonly FeedTrade[]>;

function columnsOf(byMarket: TradesByMarket): readonly Column<Market>[] {
  const lastOf = (market: Market): bigint | null => byMarket.get(market.marketId)?.[0]?.price ?? market.lastPrice;
  return [
    {
      title: 'Market',
      cell: ({ symbol, status }) => (
        <span class="row">
          <strong>
            <MarketLink symbol={symbol} />
          </strong>
          {status !== 'trading' && <Badge tone="warn">{status}</Badge>}
        </span>
      ),
    },
    {
      title: 'Last price',
      align: 'right',
      width: '24%',
      cell: (market) =>
        orNone(lastOf(market), 'no trade yet', (last) => <Flash value={last}>{priceText(market, last)}</Flash>),
    },
    {
      title: 'Mark',
      align: 'right',
      width: '22%',
      wideOnly: true,
      cell: ({ marketId }) => <MarkPrice id={marketId} class="muted" />,
    },
    {
      title: 'Latest trades',
      align: 'right',
      width: '130px',
      cell: ({ marketId, symbol }) => {
        const prices = (byMarket.get(marketId) ?? []).map(({ price }) => Number(price)).toReversed();
        return <Sparkline values={prices} label={`Prices of the latest ${prices.length} trades of ${symbol}`} />;
      },
    },
  ];
}

/** All markets with their prices. */
export function Markets(): JSX.Element {
  const { markets, trades } = useNode();
  return (
    <Known what="The markets" of={resourceOf(markets)} inCard title="Markets">
      <TableCard
        title="Markets"
        columns={columnsOf(trades.byMarket.value)}
        rows={markets.value.value}
        keyOf={({ marketId }) => marketId}
        expected={3}
        empty={<Empty title="No market was opened yet" />}
      />
    </Known>
  );
}

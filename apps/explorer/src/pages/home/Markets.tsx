import type { Market } from '@prime/sdk';
import type { JSX } from 'preact';
import { useHref, useNode } from '../../app/context.ts';
import { Badge, Card, type Column, Empty, Flash, priceText, Sparkline, Table, Known } from '../../kit/index.ts';
import type { FeedTrade } from '../../live/trades.ts';
import { marketSlug, type Route } from '../../router/routes.ts';

type TradesByMarket = ReadonlyMap<number, readonly FeedTrade[]>;

function columnsOf(href: (route: Route) => string, byMarket: TradesByMarket): readonly Column<Market>[] {
  const lastOf = (market: Market): bigint | null => byMarket.get(market.marketId)?.[0]?.price ?? market.lastPrice;
  return [
    {
      title: 'Market',
      cell: ({ symbol, status }) => (
        <span class="row">
          <a href={href({ page: 'market', market: marketSlug(symbol) })}>
            <strong>{symbol}</strong>
          </a>
          {status !== 'open' && <Badge tone="warn">{status}</Badge>}
        </span>
      ),
    },
    {
      title: 'Last price',
      align: 'right',
      width: '24%',
      cell: (market) => {
        const last = lastOf(market);
        return last === null ? (
          <span class="faint">no trade yet</span>
        ) : (
          <Flash value={last}>{priceText(market, last)}</Flash>
        );
      },
    },
    {
      title: 'Mark',
      align: 'right',
      width: '22%',
      wideOnly: true,
      cell: (market) =>
        market.markPrice === null ? (
          <span class="faint">none yet</span>
        ) : (
          <span class="muted number">{priceText(market, market.markPrice)}</span>
        ),
    },
    {
      title: 'Latest trades',
      align: 'right',
      width: '130px',
      cell: (market) => {
        const prices = (byMarket.get(market.marketId) ?? []).map(({ price }) => Number(price)).toReversed();
        return <Sparkline values={prices} label={`Prices of the latest ${prices.length} trades of ${market.symbol}`} />;
      },
    },
  ];
}

/** All markets with their prices. */
export function Markets(): JSX.Element {
  const href = useHref();
  const { markets, trades } = useNode();
  const columns = columnsOf(href, trades.byMarket.value);
  return (
    <Card title="Markets" flush>
      <Known what="The markets" poll={markets}>
        <Table
          label="Markets"
          columns={columns}
          rows={markets.value.value}
          keyOf={({ marketId }) => marketId}
          expected={3}
          empty={<Empty title="No market was opened yet" />}
        />
      </Known>
    </Card>
  );
}

import { BlockLink } from '../../chain/BlockLink.tsx';
import type { JSX } from 'preact';
import { useHref, useNode } from '../../app/context.ts';
import { Card, type Column, Empty, priceText, SideBadge, sizeText, Table } from '../../kit/index.ts';
import type { FeedTrade } from '../../live/trades.ts';
import { marketSlug } from '../../router/routes.ts';

const shownTrades = 16;

/** What was traded last, in all markets. */
export function LatestTrades(): JSX.Element {
  const href = useHref();
  const { markets, trades } = useNode();
  const byId = new Map((markets.value.value ?? []).map((market) => [market.marketId, market]));
  const columns: readonly Column<FeedTrade>[] = [
    {
      key: 'market',
      title: 'Market',
      cell: ({ marketId }) => {
        const symbol = byId.get(marketId)?.symbol;
        return symbol === undefined ? (
          marketId
        ) : (
          <a href={href({ page: 'market', market: marketSlug(symbol) })}>{symbol}</a>
        );
      },
    },
    { key: 'side', title: 'Side', width: '62px', cell: ({ side }) => <SideBadge side={side} /> },
    {
      key: 'price',
      title: 'Price',
      align: 'right',
      cell: ({ marketId, price, side }) => {
        const market = byId.get(marketId);
        return market === undefined ? '' : <span class={`number ${side}`}>{priceText(market, price)}</span>;
      },
    },
    {
      key: 'size',
      title: 'Size',
      align: 'right',
      cell: ({ marketId, size }) => {
        const market = byId.get(marketId);
        if (market === undefined) return '';
        return (
          <span class="number" title={market.formatSize(size)}>
            {sizeText(market, size)}
          </span>
        );
      },
    },
    {
      key: 'block',
      title: 'Block',
      align: 'right',
      wideOnly: true,
      cell: ({ blockNumber }) => <BlockLink number={blockNumber} />,
    },
  ];
  return (
    <Card title="Latest trades" flush>
      <Table
        label="Latest trades"
        dense
        columns={columns}
        rows={trades.latest.value?.slice(0, shownTrades) ?? null}
        keyOf={({ marketId, tradeId }) => `${marketId} ${tradeId}`}
        expected={shownTrades}
        empty={<Empty title="Nobody traded yet">The first trade appears here within a block.</Empty>}
      />
    </Card>
  );
}

import { MarketLink } from '../../chain/links.tsx';
import { BlockLink } from '../../chain/BlockLink.tsx';
import type { JSX } from 'preact';
import { useMarkets } from '../../app/useMarkets.ts';
import { useNode } from '../../app/context.ts';
import { Card, type Column, Empty, priceText, SideBadge, sizeText, Table } from '../../kit/index.ts';
import type { FeedTrade } from '../../live/trades.ts';

const shownTrades = 16;

/** What was traded last, in all markets. */
export function LatestTrades(): JSX.Element {
  const { trades } = useNode();
  const markets = useMarkets();
  const columns: readonly Column<FeedTrade>[] = [
    {
      title: 'Market',
      cell: ({ marketId }) => {
        const symbol = markets.get(marketId)?.symbol;
        return symbol === undefined ? marketId : <MarketLink symbol={symbol} />;
      },
    },
    { title: 'Side', width: '62px', cell: ({ side }) => <SideBadge side={side} /> },
    {
      title: 'Price',
      align: 'right',
      cell: ({ marketId, price, side }) => {
        const market = markets.get(marketId);
        return market === undefined ? '' : <span class={`number ${side}`}>{priceText(market, price)}</span>;
      },
    },
    {
      title: 'Size',
      align: 'right',
      cell: ({ marketId, size }) => {
        const market = markets.get(marketId);
        if (market === undefined) return '';
        return (
          <span class="number" title={market.formatSize(size)}>
            {sizeText(market, size)}
          </span>
        );
      },
    },
    { title: 'Block', align: 'right', wideOnly: true, cell: ({ blockNumber }) => <BlockLink number={blockNumber} /> },
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

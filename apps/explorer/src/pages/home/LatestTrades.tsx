import type { JSX } from 'preact';
import { useNode } from '../../app/context.ts';
import { BlockLink } from '../../chain/BlockLink.tsx';
import { MarketOf, MarketPrice, MarketSize } from '../../chain/marketCells.tsx';
import { type Column, Empty, SideBadge, TableCard } from '../../kit/index.ts';
import type { FeedTrade } from '../../live/trades.ts';

const shownTrades = 16;

const columns: readonly Column<FeedTrade>[] = [
  { title: 'Market', cell: ({ marketId }) => <MarketOf id={marketId} /> },
  { title: 'Side', width: '62px', cell: ({ side }) => <SideBadge side={side} /> },
  {
    title: 'Price',
    align: 'right',
    cell: ({ marketId, price, side }) => <MarketPrice id={marketId} price={price} class={side} />,
  },
  { title: 'Size', align: 'right', cell: ({ marketId, size }) => <MarketSize id={marketId} size={size} /> },
  { title: 'Block', align: 'right', wideOnly: true, cell: ({ blockNumber }) => <BlockLink number={blockNumber} /> },
];

/** What was traded last, in all markets. */
export const LatestTrades = (): JSX.Element => (
  <TableCard
    title="Latest trades"
    dense
    columns={columns}
    rows={useNode().trades.latest.value?.slice(0, shownTrades) ?? null}
    keyOf={({ marketId, tradeId }) => `${marketId} ${tradeId}`}
    expected={shownTrades}
    empty={<Empty title="Nobody traded yet">The first trade appears here within a block.</Empty>}
  />
);

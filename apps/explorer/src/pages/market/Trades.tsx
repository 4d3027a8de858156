import type { Market } from '@prime/sdk';
import type { JSX } from 'preact';
import { useNode } from '../../app/context.ts';
import { BlockLink } from '../../chain/BlockLink.tsx';
import { type Column, Empty, priceText, sizeText, TableCard } from '../../kit/index.ts';
import type { FeedTrade } from '../../live/trades.ts';

const shownTrades = 40;

/** The latest trades of the market. */
export function Trades({ market }: { readonly market: Market }): JSX.Element {
  const { trades } = useNode();
  const columns: readonly Column<FeedTrade>[] = [
    {
      title: 'Price',
      cell: ({ price, side }) => (
        <span class={`number ${side}`}>
          <span aria-hidden="true">{side === 'buy' ? '▲ ' : '▼ '}</span>
          <span class="unseen">{side} at </span>
          {priceText(market, price)}
        </span>
      ),
    },
    {
      title: 'Size',
      align: 'right',
      cell: ({ size }) => (
        <span class="number" title={market.formatSize(size)}>
          {sizeText(market, size)}
        </span>
      ),
    },
    {
      title: 'Block',
      align: 'right',
      width: '34%',
      cell: ({ blockNumber }) => <BlockLink number={blockNumber} class="muted" />,
    },
  ];
  const known = trades.byMarket.value.get(market.marketId);
  return (
    <TableCard
      title="Trades"
      class="tape"
      dense
      columns={columns}
      rows={known?.slice(0, shownTrades) ?? null}
      keyOf={({ tradeId }) => tradeId}
      expected={12}
      empty={<Empty title="Nobody traded yet">The first trade appears here within a block.</Empty>}
    />
  );
}

import { BlockLink } from '../../../chain/BlockLink.tsx';
import { useMarkets } from '../../../app/useMarkets.ts';
import type { AccountFill } from '@prime/sdk';
import type { JSX } from 'preact';
import { Amount, type Column, Empty, priceText, SideBadge, sizeText, Table } from '../../../kit/index.ts';
import { number } from './ownCells.tsx';

const shownFills = 50;

/** What was traded for the account lately. */
export function Fills({ fills }: { readonly fills: readonly AccountFill[] | null }): JSX.Element {
  const markets = useMarkets();
  const columns: readonly Column<AccountFill>[] = [
    { title: 'Market', cell: ({ marketId }) => markets.get(marketId)?.symbol ?? marketId },
    { title: 'Side', width: '62px', cell: ({ side }) => <SideBadge side={side} /> },
    {
      title: 'Price',
      align: 'right',
      cell: ({ marketId, price }) =>
        price === null ? <span class="faint">none</span> : number(markets, marketId, price, priceText),
    },
    { title: 'Size', align: 'right', cell: ({ marketId, size }) => number(markets, marketId, size, sizeText) },
    { title: 'Fee', align: 'right', wideOnly: true, cell: ({ fee }) => <Amount wei={fee} digitsMax={4} /> },
    { title: 'As', wideOnly: true, cell: ({ liquidity, cause }) => (cause === 'order' ? liquidity : cause) },
    { title: 'Block', align: 'right', cell: ({ blockNumber }) => <BlockLink number={blockNumber} /> },
  ];
  return (
    <Table
      label="Fills"
      columns={columns}
      rows={fills === null ? null : fills.slice(-shownFills).toReversed()}
      keyOf={({ blockNumber, tradeId, marketId, orderId }) => `${marketId} ${tradeId} ${orderId} ${blockNumber}`}
      expected={3}
      empty={<Empty title="No fills yet">What was traded for you lately appears here.</Empty>}
    />
  );
}

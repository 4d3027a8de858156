import type { AccountFill } from '@prime/sdk';
import type { JSX } from 'preact';
import { BlockLink } from '../../../chain/BlockLink.tsx';
import { MarketPrice, MarketSize, MarketSymbol } from '../../../chain/marketCells.tsx';
import { Amount, type Column, Empty, orNone, SideBadge, Table } from '../../../kit/index.ts';

const shownFills = 50;

const columns: readonly Column<AccountFill>[] = [
  { title: 'Market', cell: ({ marketId }) => <MarketSymbol id={marketId} /> },
  { title: 'Side', width: '62px', cell: ({ side }) => <SideBadge side={side} /> },
  {
    title: 'Price',
    align: 'right',
    cell: ({ marketId, price }) => orNone(price, 'none', (known) => <MarketPrice id={marketId} price={known} />),
  },
  { title: 'Size', align: 'right', cell: ({ marketId, size }) => <MarketSize id={marketId} size={size} /> },
  { title: 'Fee', align: 'right', wideOnly: true, cell: ({ fee }) => <Amount wei={fee} digitsMax={4} /> },
  { title: 'As', wideOnly: true, cell: ({ liquidity, cause }) => (cause === 'order' ? liquidity : cause) },
  { title: 'Block', align: 'right', cell: ({ blockNumber }) => <BlockLink number={blockNumber} /> },
];

/** What was traded for the account lately. */
export const Fills = ({ fills }: { readonly fills: readonly AccountFill[] | null }): JSX.Element => (
  <Table
    label="Fills"
    columns={columns}
    rows={fills && fills.slice(-shownFills).toReversed()}
    keyOf={({ blockNumber, tradeId, marketId, orderId }) => `${marketId} ${tradeId} ${orderId} ${blockNumber}`}
    expected={3}
    empty={<Empty title="No fills yet">What was traded for you lately appears here.</Empty>}
  />
);

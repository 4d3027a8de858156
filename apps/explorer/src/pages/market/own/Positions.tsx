import { bigintAbs } from '@prime/primitives';
import type { HeldPosition, MarginAccount } from '@prime/sdk';
import type { JSX } from 'preact';
import { useMarkets } from '../../../app/useMarkets.ts';
import { MarketPrice, MarketSize, MarkPrice } from '../../../chain/marketCells.tsx';
import { marketName, type Markets } from '../../../chain/markets.ts';
import { Amount, Button, type Column, Empty, orNone, Table } from '../../../kit/index.ts';
import { useTicket } from '../ticket/ticketState.ts';

interface PositionsProps {
  readonly positions: readonly HeldPosition[] | null;
  readonly margin: MarginAccount | null;
}

interface ColumnParts {
  readonly markets: Markets;
  /** At the mark; null where there is none. */
  readonly profit: (marketId: number) => bigint | null;
  readonly close: (position: HeldPosition) => void;
}

const columnsOf = ({ markets, profit, close }: ColumnParts): readonly Column<HeldPosition>[] => [
  { title: 'Market', cell: ({ marketId }) => marketName(markets, marketId) },
  {
    title: 'Position',
    cell: ({ marketId, size }) => (
      <span class={size > 0n ? 'buy' : 'sell'}>
        {size > 0n ? 'long ' : 'short '}
        <MarketSize id={marketId} size={bigintAbs(size)} />
      </span>
    ),
  },
  {
    title: 'Entry',
    align: 'right',
    cell: ({ marketId, size, entry }) => <MarketPrice id={marketId} price={entry / bigintAbs(size)} />,
  },
  { title: 'Mark', align: 'right', wideOnly: true, cell: ({ marketId }) => <MarkPrice id={marketId} /> },
  {
    title: 'Unrealized',
    align: 'right',
    cell: ({ marketId }) =>
      orNone(profit(marketId), '–', (wei) => (
        <Amount wei={wei} signed digitsMax={2} unit={markets.get(marketId)?.quote} />
      )),
  },
  {
    title: '',
    align: 'right',
    width: '80px',
    cell: (position) => (
      <Button size="small" title="Fills in the order that would close it" onClick={() => close(position)}>
        Close
      </Button>
    ),
  },
];

/** What the account holds, and what closing it now would bring. */
export function Positions({ positions, margin }: PositionsProps): JSX.Element {
  const markets = useMarkets();
  const ticket = useTicket();
  const profit = (marketId: number): bigint | null =>
    margin?.positions.find((one) => one.marketId === marketId)?.unrealized ?? null;
  const close = ({ marketId, size }: HeldPosition): void => {
    const market = markets.get(marketId);
    const price = market?.markPrice ?? market?.lastPrice;
    if (market === undefined || price == null) return;
    ticket.close(size > 0n ? 'sell' : 'buy', market.formatPrice(price), market.formatSize(bigintAbs(size)));
  };
  return (
    <Table
      label="Positions"
      columns={columnsOf({ markets, profit, close })}
      rows={positions}
      keyOf={({ marketId }) => marketId}
      expected={2}
      onPhone="cards"
      empty={<Empty title="No positions">What you buy or sell appears here.</Empty>}
    />
  );
}

import type { Ticker } from '@prime/sdk';
import { coin } from '@prime/sdk/explain';
import type { JSX } from 'preact';
import { useMarket } from '../../app/useMarkets.ts';
import { MarketLink } from '../../chain/links.tsx';
import { MarketPrice, MarketSize } from '../../chain/marketCells.tsx';
import { shareOf } from '../../chain/share.ts';
import {
  Amount,
  Change,
  type Column,
  Empty,
  formatPercent,
  Known,
  Meter,
  ofKnown,
  orNone,
  TableCard,
} from '../../kit/index.ts';
import type { Resource } from '../../live/poll.ts';
import { exposureOf } from './exposure.ts';

type Row = Ticker & { readonly exposure: bigint | null; readonly share: number };

function rowsOf(tickers: readonly Ticker[]): readonly Row[] {
  const exposures = tickers.map(exposureOf);
  const largest = exposures.reduce<bigint>((most, exposure) => ((exposure ?? 0n) > most ? exposure! : most), 0n);
  return tickers.map((ticker, index) => {
    const exposure = exposures[index]!;
    return { exposure, share: shareOf(exposure ?? 0n, largest, 1_000n), ...ticker };
  });
}

const bps = (value: number): string => formatPercent(value / 10_000, 1);

function Margins({ id }: { readonly id: number }): JSX.Element | null {
  const market = useMarket(id);
  if (market === undefined) return null;
  return (
    <span class="number">
      {bps(market.initialMarginBps)} <span class="faint">/</span> {bps(market.maintenanceMarginBps)}
    </span>
  );
}

const columns: readonly Column<Row>[] = [
  { title: 'Market', cell: ({ symbol }) => <MarketLink symbol={symbol} /> },
  {
    title: 'Mark',
    align: 'right',
    wideOnly: true,
    cell: ({ marketId, markPrice }) =>
      orNone(markPrice, 'none yet', (mark) => <MarketPrice id={marketId} price={mark} />),
  },
  {
    title: '24 h',
    align: 'right',
    wideOnly: true,
    cell: ({ day }) => orNone(day.changeBps, 'no trade', (change) => <Change bps={change} />),
  },
  {
    title: 'Open interest',
    align: 'right',
    cell: ({ marketId, openInterest }) => <MarketSize id={marketId} size={openInterest} hasUnit />,
  },
  {
    title: 'At the mark',
    align: 'right',
    cell: ({ exposure }) => orNone(exposure, 'none yet', (wei) => <Amount wei={wei} unit={coin} digitsMax={2} />),
  },
  {
    title: 'Beside the largest',
    width: '150px',
    wideOnly: true,
    cell: ({ share, symbol }) => (
      <Meter share={share} label={`Open interest of ${symbol} beside the largest`} text={formatPercent(share)} />
    ),
  },
  { title: 'Margin to open / keep', align: 'right', wideOnly: true, cell: ({ marketId }) => <Margins id={marketId} /> },
];

/** How much is at risk in each market. */
export const Exposure = ({ tickers }: { readonly tickers: Resource<readonly Ticker[]> }): JSX.Element => (
  <Known what="The markets" of={tickers} inCard title="Open interest">
    <TableCard
      title="Open interest"
      columns={columns}
      rows={ofKnown(tickers.value, rowsOf)}
      keyOf={({ marketId }) => marketId}
      expected={2}
      empty={<Empty title="No market was opened yet" />}
    />
  </Known>
);

import { shareOf } from '../../chain/share.ts';
import { MarketLink } from '../../chain/links.tsx';
import type { Market, Ticker } from '@prime/sdk';
import type { JSX } from 'preact';
import { useNode } from '../../app/context.ts';
import { coin } from '@prime/sdk/explain';
import {
  Amount,
  Card,
  type Column,
  Empty,
  formatChange,
  formatPercent,
  Meter,
  priceText,
  sizeText,
  Table,
  Known,
} from '../../kit/index.ts';
import type { Poll } from '../../live/poll.ts';
import { exposureOf } from './exposure.ts';

type Row = Ticker & { readonly market: Market | undefined; readonly exposure: bigint | null; readonly share: number };

const bps = (value: number): string => formatPercent(value / 10_000, 1);

const none = <span class="faint">none yet</span>;

function rowsOf(tickers: readonly Ticker[], markets: readonly Market[]): readonly Row[] {
  const exposures = tickers.map((ticker) => exposureOf(ticker));
  const largest = exposures.reduce<bigint>((most, exposure) => ((exposure ?? 0n) > most ? exposure! : most), 0n);
  return tickers.map((ticker, index) => {
    const exposure = exposures[index]!;
    return {
      market: markets.find(({ marketId }) => marketId === ticker.marketId),
      exposure,
      share: shareOf(exposure ?? 0n, largest, 1_000n),
      ...ticker,
    };
  });
}

const change = (changeBps: number | null): JSX.Element =>
  changeBps === null ? (
    <span class="faint">no trade</span>
  ) : (
    <span class={`number ${changeBps > 0 ? 'buy' : changeBps < 0 ? 'sell' : ''}`}>
      {formatChange(changeBps / 10_000)}
    </span>
  );

const columns: readonly Column<Row>[] = [
  { title: 'Market', cell: ({ symbol }) => <MarketLink symbol={symbol} /> },
  {
    title: 'Mark',
    align: 'right',
    wideOnly: true,
    cell: ({ market, markPrice }) =>
      market === undefined || markPrice === null ? none : <span class="number">{priceText(market, markPrice)}</span>,
  },
  { title: '24 h', align: 'right', wideOnly: true, cell: ({ day }) => change(day.changeBps) },
  {
    title: 'Open interest',
    align: 'right',
    cell: ({ market, openInterest }) =>
      market !== undefined && (
        <span class="number">
          {sizeText(market, openInterest)} <span class="faint">{market.base}</span>
        </span>
      ),
  },
  {
    title: 'At the mark',
    align: 'right',
    cell: ({ exposure }) => (exposure === null ? none : <Amount wei={exposure} unit={coin} digitsMax={2} />),
  },
  {
    title: 'Beside the largest',
    width: '150px',
    wideOnly: true,
    cell: ({ share, symbol }) => (
      <Meter share={share} label={`Open interest of ${symbol} beside the largest`} text={formatPercent(share)} />
    ),
  },
  {
    title: 'Margin to open / keep',
    align: 'right',
    wideOnly: true,
    cell: ({ market }) =>
      market !== undefined && (
        <span class="number">
          {bps(market.initialMarginBps)} <span class="faint">/</span> {bps(market.maintenanceMarginBps)}
        </span>
      ),
  },
];

/** How much is at risk in each market. */
export function Exposure({ tickers }: { readonly tickers: Poll<readonly Ticker[]> }): JSX.Element {
  const markets = useNode().markets.value.value ?? [];
  const known = tickers.value.value;
  return (
    <Card title="Open interest" flush>
      <Known what="The markets" poll={tickers}>
        <Table
          label="Open interest"
          columns={columns}
          rows={known === null ? null : rowsOf(known, markets)}
          keyOf={({ marketId }) => marketId}
          expected={2}
          empty={<Empty title="No market was opened yet" />}
        />
      </Known>
    </Card>
  );
}

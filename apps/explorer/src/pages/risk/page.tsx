import './risk.css';
import { type DomainEventOf, getTickers } from '@prime/sdk';
import { coin } from '@prime/sdk/explain';
import type { JSX } from 'preact';
import { useHeld, useNode } from '../../app/context.ts';
import { usePoll } from '../../app/useResource.ts';
import { EventTabs, useEventFeed } from '../../chain/EventFeed.tsx';
import { shareOf } from '../../chain/share.ts';
import { useExchangeTotals } from '../../chain/useExchangeTotals.ts';
import {
  Amount,
  Empty,
  formatInteger,
  formatPercent,
  ofKnown,
  PageHead,
  Sparkline,
  Stat,
  Stats,
} from '../../kit/index.ts';
import type { ExchangeTotals } from '../../live/exchangeTotals.ts';
import { totalExposure } from './exposure.ts';
import { Exposure } from './Exposure.tsx';
import { Liquidations } from './Liquidations.tsx';

const tickersEveryMs = 1_500;

/** What could go wrong on the exchange, and what did. */
export function Page(): JSX.Element {
  useHeld(useNode().markets);
  const totals = useExchangeTotals();
  const tickers = usePoll('tickers', ({ client }) => getTickers(client.sdk), tickersEveryMs);
  return (
    <div class="stack">
      <PageHead title="Risk" kind="Insurance, liquidations and what is at stake" />
      <Figures totals={totals.value} exposure={ofKnown(tickers.value, totalExposure)} />
      <Exposure tickers={tickers} />
      <Liquidations />
      <Records />
    </div>
  );
}

interface FiguresProps {
  readonly totals: ExchangeTotals | null;
  readonly exposure: bigint | null;
}

function Figures({ totals, exposure }: FiguresProps): JSX.Element {
  const fund = useEventFeed({ kind: 'insurance_changed' });
  const debts = useEventFeed({ kind: 'bad_debt' });
  const balances = balancesOf(fund?.events.value ?? []);
  const indebted = debts?.events.value ?? null;
  const share =
    totals === null || exposure === null || exposure === 0n ? null : shareOf(totals.insurance, exposure, 1_000_000n);
  return (
    <Stats>
      <Stat
        label="Insurance fund"
        value={ofKnown(totals, ({ insurance }) => <Amount wei={insurance} digitsMax={2} />)}
        unit={coin}
        note={
          share === null
            ? 'pays what an account has less than nothing'
            : `${formatPercent(share, 2)} of the open interest`
        }
      />
      <Stat
        label="Its balance so far"
        value={
          balances.length < 2 ? (
            <span class="faint">–</span>
          ) : (
            <Sparkline
              values={balances}
              label={`Balance of the insurance fund over its latest ${balances.length} changes`}
            />
          )
        }
        note={balances.length < 2 ? 'it did not change twice yet' : `latest ${balances.length} changes`}
      />
      <Stat
        label="Open interest"
        value={ofKnown(exposure, (wei) => <Amount wei={wei} digitsMax={0} />)}
        unit={coin}
        note="of all markets, at the mark"
      />
      <Stat
        label="Collateral and queues"
        value={ofKnown(totals, ({ owed, insurance }) => <Amount wei={owed - insurance} digitsMax={0} />)}
        unit={coin}
        note="that the exchange owes to accounts"
      />
      <Stat
        label="Bad debt"
        value={indebted === null ? null : formatInteger(indebted.length)}
        note={
          indebted === null ? (
            ''
          ) : indebted.length === 0 ? (
            <span class="buy">nobody left any</span>
          ) : (
            'accounts that left some, see below'
          )
        }
      />
    </Stats>
  );
}

/** Oldest first. */
const balancesOf = (events: readonly DomainEventOf[]): readonly number[] =>
  (events as readonly DomainEventOf<'insurance_changed'>[]).map(({ data }) => Number(data.balance)).toReversed();

const records = [
  { title: 'Insurance fund', selection: { kind: 'insurance_changed' } },
  { title: 'Deleveraging', selection: { kind: 'deleveraged' } },
  { title: 'Debt covered', selection: { kind: 'debt_covered' } },
  { title: 'Bad debt', selection: { kind: 'bad_debt' } },
  { title: 'Debts of markets', selection: { kind: 'market_debt' } },
  { title: 'Debts repaid', selection: { kind: 'debt_repaid' } },
  { title: 'Funding', selection: { kind: 'funding_index' } },
] as const;

/** What happened, kind by kind. */
const Records = (): JSX.Element => (
  <EventTabs
    title="Records"
    label="Kind of record"
    listLabel="Records of risk"
    parts={records}
    expected={4}
    empty={<Empty title="It did not happen yet">It appears here within a block when it does.</Empty>}
  />
);

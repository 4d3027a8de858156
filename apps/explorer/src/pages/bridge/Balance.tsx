import { coin } from '@prime/sdk/explain';
import type { JSX } from 'preact';
import { useHref } from '../../app/context.ts';
import { shareOf } from '../../chain/share.ts';
import { Amount, Badge, Card, formatInteger, formatPercent, meterProps, ofKnown, orPlace } from '../../kit/index.ts';
import type { ExchangeTotals } from '../../live/exchangeTotals.ts';

/** What the contract holds, against what it owes. */
export function Balance({ totals }: { readonly totals: ExchangeTotals | null }): JSX.Element {
  const href = useHref();
  const isCovered = totals === null || totals.escrow >= totals.owed;
  return (
    <Card
      title="Escrow"
      aside={
        totals !== null && (
          <Badge tone={isCovered ? 'good' : 'bad'}>{isCovered ? 'every coin is there' : 'coins are missing'}</Badge>
        )
      }
    >
      <div class="balance">
        <Bar name="Held in the EVM, by 0x…0100" wei={totals?.escrow ?? null} of={totals} tone="held" />
        <Bar name="Owed by the exchange" wei={totals?.owed ?? null} of={totals} tone={isCovered ? 'owed' : 'missing'} />
        <dl class="sums">
          <Sum name="Ever came in" wei={totals?.deposited} />
          <Sum name="Ever went out" wei={totals?.withdrawn} />
          <Sum name="Insurance fund, part of it" wei={totals?.insurance} />
          <Sum name="Held above what is owed" wei={ofKnown(totals, ({ escrow, owed }) => escrow - owed)} />
        </dl>
        <p class="faint">
          {orPlace(totals, '40ch', ({ blockNumber }) => (
            <>
              Both are of{' '}
              <a href={href({ page: 'block', block: blockNumber.toString() })}>block {formatInteger(blockNumber)}</a>{' '}
              and come with a proof. What is above are deposits of contracts that the next block credits, and coins that
              belong to nobody.
            </>
          ))}
        </p>
      </div>
    </Card>
  );
}

const coins = (wei: bigint): JSX.Element => <Amount wei={wei} unit={coin} digitsMax={6} />;

interface BarProps {
  readonly name: string;
  readonly wei: bigint | null;
  readonly of: ExchangeTotals | null;
  readonly tone: string;
}

function Bar({ name, wei, of, tone }: BarProps): JSX.Element {
  const whole = of === null ? 0n : of.escrow > of.owed ? of.escrow : of.owed;
  const share = shareOf(wei ?? 0n, whole);
  return (
    <div class="balance-bar">
      <div class="labels">
        <span class="muted">{name}</span>
        {orPlace(wei, '10ch', coins)}
      </div>
      <div class="track" {...meterProps(name, share, formatPercent(share))}>
        <span class={tone} style={{ width: `${share * 100}%` }} />
      </div>
    </div>
  );
}

const Sum = ({ name, wei }: { readonly name: string; readonly wei: bigint | null | undefined }): JSX.Element => (
  <div>
    <dt class="muted">{name}</dt>
    <dd>{orPlace(wei, '8ch', coins)}</dd>
  </div>
);

import type { MarginAccount } from '@prime/sdk';
import { coin } from '@prime/sdk/explain';
import type { JSX } from 'preact';
import { Amount, Badge, Card, formatPercent, meterProps } from '../../kit/index.ts';
import { type MarginBar, marginBarOf } from './margin.ts';

const stateBadges: Readonly<Record<MarginBar['state'], { tone: 'plain' | 'good' | 'warn' | 'bad'; words: string }>> = {
  none: { tone: 'plain', words: 'nothing at risk' },
  safe: { tone: 'good', words: 'safe' },
  tight: { tone: 'warn', words: 'tight' },
  liquidatable: { tone: 'bad', words: 'may be liquidated' },
};

/** How much of the equity positions and orders hold, and how far liquidation is. */
export function Margin({ account }: { readonly account: MarginAccount }): JSX.Element {
  const bar = marginBarOf(account);
  const { tone, words } = stateBadges[bar.state];
  const used =
    bar.used === null ? 'no equity' : `${formatPercent(bar.used)} of the equity is needed to keep the positions`;
  const taken = account.equity - account.freeCollateral;
  return (
    <Card title="Margin" aside={<Badge tone={tone}>{words}</Badge>}>
      <div class="margin">
        <div class={`margin-bar ${bar.state}`} {...meterProps('Equity that is needed', bar.maintenance, used)}>
          <span class="maintenance" style={{ width: `${bar.maintenance * 100}%` }} />
          <span class="initial" style={{ width: `${bar.initial * 100}%` }} />
        </div>
        <ul class="margin-legend">
          <Figure mark="maintenance" name="To keep positions" wei={account.maintenanceMargin} />
          <Figure mark="initial" name="Held for positions and orders" wei={taken > 0n ? taken : 0n} />
          <Figure mark="free" name="Free" wei={account.freeCollateral} />
          <Figure mark={null} name="May be withdrawn" wei={account.withdrawable} />
        </ul>
        <p class="faint">
          {bar.state === 'none' ? 'It has no position and no order that could cost it anything.' : `${used}.`}
        </p>
      </div>
    </Card>
  );
}

interface FigureProps {
  readonly mark: string | null;
  readonly name: string;
  readonly wei: bigint;
}

const Figure = ({ mark, name, wei }: FigureProps): JSX.Element => (
  <li>
    <span class={`mark ${mark ?? ''}`} aria-hidden="true" />
    <span class="muted">{name}</span>
    <Amount wei={wei} unit={coin} digitsMax={6} />
  </li>
);

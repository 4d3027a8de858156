import type { MarginAccount, Market } from '@prime/sdk';
import type { JSX } from 'preact';
import { shareOf } from '../../../chain/share.ts';
import { Amount, Badge, Card, Empty, Fact, Meter, orNone, Tabs } from '../../../kit/index.ts';
import type { WalletSession } from '../../../wallet/session.ts';
import { Deposit } from './Deposit.tsx';
import { Fills } from './Fills.tsx';
import type { LiveAccount } from './liveAccount.ts';
import { Orders } from './Orders.tsx';
import { Positions } from './Positions.tsx';

interface OwnProps {
  readonly market: Market;
  readonly session: WalletSession | null;
  readonly account: LiveAccount | null;
}

/** What somebody has: orders, positions, fills, collateral. All markets, live. */
export function Own({ market, session, account }: OwnProps): JSX.Element {
  if (session === null || account === null)
    return (
      <Card title="Your account">
        <Empty title="Nobody is connected">
          Connect a wallet beside the order, or take a test account where there are some.
        </Empty>
      </Card>
    );
  const view = account.view.value;
  const margin = account.margin.value.value;
  const tabs = [
    {
      title: 'Open orders',
      count: view?.openOrders.length,
      show: () => <Orders orders={view?.openOrders ?? null} market={market} session={session} />,
    },
    {
      title: 'Positions',
      count: view?.positions.length,
      show: () => <Positions positions={view?.positions ?? null} margin={margin} />,
    },
    { title: 'Fills', count: view?.fills.length, show: () => <Fills fills={view?.fills ?? null} /> },
    { title: 'Deposit', show: () => <Deposit market={market} session={session} /> },
  ];
  return (
    <Card flush>
      <div class="own">
        <Health margin={margin} quote={market.quote} isSure={view?.status === 'sure'} />
        <Tabs label="Your account" tabs={tabs} />
      </div>
    </Card>
  );
}

interface HealthProps {
  readonly margin: MarginAccount | null;
  readonly quote: string;
  readonly isSure: boolean;
}

/** How much of the equity keeps positions open, and how near liquidation is. */
function Health({ margin, quote, isSure }: HealthProps): JSX.Element {
  const used = margin === null ? 0 : shareOf(margin.maintenanceMargin, margin.equity, 1_000n);
  const text = `${(used * 100).toFixed(1)} %`;
  const figure = (name: string, wei: bigint | undefined): JSX.Element => (
    <Fact name={name}>
      {orNone(wei, '–', (known) => (
        <Amount wei={known} unit={quote} digitsMax={2} />
      ))}
    </Fact>
  );
  return (
    <div class="health">
      <dl>
        {figure('Equity', margin?.equity)}
        {figure('Free', margin?.freeCollateral)}
        {figure('Margin in use', margin?.initialMargin)}
        <div class="maintenance">
          <dt>
            Maintenance of equity {margin?.liquidatable === true && <Badge tone="bad">may be liquidated</Badge>}
            {!isSure && <Badge tone="warn">catching up</Badge>}
          </dt>
          <dd>
            <Meter
              share={used}
              tone={used < 0.5 ? 'good' : used < 0.8 ? 'warn' : 'bad'}
              label="Maintenance margin of the equity"
              text={text}
            />
            <span class="number">{text}</span>
          </dd>
        </div>
      </dl>
    </div>
  );
}

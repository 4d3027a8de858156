import { bigintAbs } from '@prime/primitives';
import type { Agent, OpenOrder, Position } from '@prime/sdk';
import type { JSX } from 'preact';
import { BlockLink } from '../../chain/BlockLink.tsx';
import { AccountLink } from '../../chain/links.tsx';
import { MarketOf, MarketPrice, MarketSize, MarkPrice } from '../../chain/marketCells.tsx';
import {
  Amount,
  Badge,
  Card,
  type Column,
  Empty,
  formatInteger,
  orNone,
  SideBadge,
  Table,
  Tabs,
  Until,
} from '../../kit/index.ts';
import type { ExchangeAccount } from './readAccount.ts';

/** What it holds, what it wants, and who may act for it. */
export function Holdings({ exchange }: { readonly exchange: ExchangeAccount | null }): JSX.Element {
  const tabs = [
    {
      title: 'Positions',
      count: exchange?.account.positions.length,
      show: () => <Positions positions={exchange?.account.positions ?? null} />,
    },
    {
      title: 'Open orders',
      count: exchange?.orders.length,
      show: () => <Orders orders={exchange?.orders ?? null} />,
    },
    { title: 'Agents', count: exchange?.agents.length, show: () => <Agents agents={exchange?.agents ?? null} /> },
  ];
  return (
    <Card flush>
      <Tabs label="On the exchange" tabs={tabs} />
    </Card>
  );
}

const positionColumns: readonly Column<Position>[] = [
  { title: 'Market', cell: ({ marketId }) => <MarketOf id={marketId} /> },
  {
    title: 'Side',
    cell: ({ size }) => <span class={size > 0n ? 'buy' : 'sell'}>{size > 0n ? '▲ long' : '▼ short'}</span>,
  },
  {
    title: 'Size',
    align: 'right',
    cell: ({ marketId, size }) => <MarketSize id={marketId} size={bigintAbs(size)} hasUnit />,
  },
  {
    title: 'Entry price',
    align: 'right',
    cell: ({ marketId, size, entry }) => <MarketPrice id={marketId} price={entry / bigintAbs(size)} />,
  },
  { title: 'Mark price', align: 'right', cell: ({ marketId }) => <MarkPrice id={marketId} /> },
  {
    title: 'Unrealized',
    align: 'right',
    cell: ({ unrealized }) => orNone(unrealized, 'no mark yet', (wei) => <Amount wei={wei} signed />),
  },
];

const Positions = ({ positions }: { readonly positions: readonly Position[] | null }): JSX.Element => (
  <Table
    label="Positions"
    columns={positionColumns}
    rows={positions}
    keyOf={({ marketId }) => marketId}
    expected={2}
    onPhone="cards"
    empty={<Empty title="No position">It neither holds nor owes anything in any market.</Empty>}
  />
);

const orderColumns: readonly Column<OpenOrder>[] = [
  { title: 'Order', cell: ({ orderId }) => <span class="number">{formatInteger(orderId)}</span> },
  { title: 'Market', cell: ({ marketId }) => <MarketOf id={marketId} /> },
  { title: 'Side', cell: ({ side }) => <SideBadge side={side} /> },
  { title: 'Price', align: 'right', cell: ({ marketId, price }) => <MarketPrice id={marketId} price={price} /> },
  {
    title: 'Left of',
    align: 'right',
    cell: ({ marketId, remaining, size }) => (
      <>
        <MarketSize id={marketId} size={remaining} /> <span class="faint">of</span>{' '}
        <MarketSize id={marketId} size={size} />
      </>
    ),
  },
  { title: 'Since block', align: 'right', cell: ({ createdBlock }) => <BlockLink number={createdBlock} /> },
];

const Orders = ({ orders }: { readonly orders: readonly OpenOrder[] | null }): JSX.Element => (
  <Table
    label="Open orders"
    columns={orderColumns}
    rows={orders}
    keyOf={({ orderId }) => orderId}
    expected={2}
    onPhone="cards"
    empty={<Empty title="No open order" />}
  />
);

const agentColumns: readonly Column<Agent>[] = [
  { title: 'Key', cell: ({ agent }) => <AccountLink address={agent} /> },
  { title: 'Name', cell: ({ name }) => (name === '' ? <span class="faint">none</span> : name) },
  { title: 'May', cell: ({ permissions }) => permissions.join(', ') },
  { title: 'Until', cell: ({ validUntilMs }) => <Until ms={validUntilMs} /> },
  {
    title: 'State',
    align: 'right',
    cell: ({ status }) => <Badge tone={status === 'live' ? 'good' : 'plain'}>{status}</Badge>,
  },
];

const Agents = ({ agents }: { readonly agents: readonly Agent[] | null }): JSX.Element => (
  <Table
    label="Agents"
    columns={agentColumns}
    rows={agents}
    keyOf={({ agent }) => agent}
    expected={1}
    onPhone="cards"
    empty={<Empty title="No agent">Only its own key signs for it.</Empty>}
  />
);

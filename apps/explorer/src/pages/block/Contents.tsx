import type { BlockAction, DomainEventOf } from '@prime/sdk';
import type { JSX } from 'preact';
import { useMarkets } from '../../app/useMarkets.ts';
import { describeAction } from '../../chain/action.ts';
import { EventTable } from '../../chain/EventTable.tsx';
import { AccountLink, TransactionLink } from '../../chain/links.tsx';
import { Amount, Badge, Card, type Column, Empty, Raw, Table, Tabs } from '../../kit/index.ts';
import type { ListedTransaction, ReadBlock } from './readBlock.ts';

/** What is in a block. */
export function Contents({ read }: { readonly read: ReadBlock }): JSX.Element {
  const { block, actions, transactions, raw } = read;
  const tabs = [
    { title: 'Actions', count: actions?.length, show: () => <Actions actions={actions} /> },
    {
      title: 'EVM transactions',
      count: transactions.length,
      show: () => <Transactions transactions={transactions} />,
    },
    { title: 'Events', count: block.domainEvents.length, show: () => <Events events={block.domainEvents} /> },
    { title: 'Raw', show: () => <Raw label="The block as JSON" value={raw} /> },
  ];
  const first = actions?.length === 0 && transactions.length > 0 ? 'EVM transactions' : 'Actions';
  return (
    <Card flush>
      <Tabs label="Parts of the block" tabs={tabs} first={first} />
    </Card>
  );
}

function Actions({ actions }: { readonly actions: readonly BlockAction[] | null }): JSX.Element {
  const markets = useMarkets();
  if (actions === null) return <Empty title="The actions of this block are no longer kept by this node" />;
  const rows = actions.map((action) => ({ ...action, ...describeAction(action.raw, markets) }));
  const columns: readonly Column<(typeof rows)[number]>[] = [
    { title: 'Action', width: '170px', cell: ({ hash }) => <TransactionLink hash={hash} /> },
    { title: 'Type', width: '130px', cell: ({ type }) => type ?? <span class="faint">unknown</span> },
    { title: 'Account', width: '190px', cell: ({ account }) => account !== null && <AccountLink address={account} /> },
    { title: 'What', cell: ({ words }) => <span class="muted">{words}</span> },
    {
      title: 'Outcome',
      align: 'right',
      width: '100px',
      cell: ({ status }) =>
        status === 'success' ? <Badge tone="good">done</Badge> : <Badge tone="bad">refused</Badge>,
    },
  ];
  return (
    <Table
      label="Actions"
      columns={columns}
      rows={rows}
      keyOf={({ hash }) => hash}
      onPhone="cards"
      empty={<Empty title="No action in this block" />}
    />
  );
}

function Transactions({ transactions }: { readonly transactions: readonly ListedTransaction[] }): JSX.Element {
  const account = (address: `0x${string}`): JSX.Element => <AccountLink address={address} />;
  const columns: readonly Column<ListedTransaction>[] = [
    { title: 'Transaction', cell: ({ hash }) => <TransactionLink hash={hash} /> },
    { title: 'From', cell: ({ from }) => account(from) },
    { title: 'To', cell: ({ to }) => (to === null ? <Badge>makes a contract</Badge> : account(to)) },
    { title: 'Value', align: 'right', cell: ({ value }) => <Amount wei={value} digitsMax={6} /> },
  ];
  return (
    <Table
      label="EVM transactions"
      columns={columns}
      rows={transactions}
      keyOf={({ hash }) => hash}
      onPhone="cards"
      empty={<Empty title="No EVM transaction in this block" />}
    />
  );
}

const Events = ({ events }: { readonly events: readonly DomainEventOf[] }): JSX.Element => (
  <EventTable label="Events" events={events} without="Block" empty={<Empty title="Nothing happened in this block" />} />
);

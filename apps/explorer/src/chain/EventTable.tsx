import './events.css';
import type { DomainEventOf } from '@prime/sdk';
import type { ComponentChildren, JSX } from 'preact';
import { useMarkets } from '../app/useMarkets.ts';
import { Badge, type Column, Table } from '../kit/index.ts';
import { BlockLink } from './BlockLink.tsx';
import { type DescribedEvent, describeEvent } from './event.ts';
import { AccountLink, TransactionLink } from './links.tsx';

interface EventTableProps {
  readonly label: string;
  /** null while they are being read. */
  readonly events: readonly DomainEventOf[] | null;
  /** A column that says the same in every row. */
  readonly without?: 'Caused by' | 'Block';
  readonly expected?: number | undefined;
  readonly empty: ComponentChildren;
}

type Row = DomainEventOf & { readonly described: DescribedEvent };

const accountsShown = 2;

/** Domain events in words, with whom they name, where they are and what caused them. */
export function EventTable({ label, events, without, expected = 8, empty }: EventTableProps): JSX.Element {
  const markets = useMarkets();
  const columns: readonly Column<Row>[] = [
    { title: 'Block', width: '110px', cell: ({ blockNumber }) => <BlockLink number={blockNumber} /> },
    { title: 'Event', width: '190px', cell: ({ described: { title, tone } }) => <Badge tone={tone}>{title}</Badge> },
    {
      title: 'What',
      cell: ({ described: { words } }) => (
        <span class="event-words" title={words}>
          {words}
        </span>
      ),
    },
    {
      title: 'Accounts',
      width: '300px',
      cell: ({ described: { accounts } }) => (
        <span class="event-accounts">
          {accounts.slice(0, accountsShown).map((address) => (
            <AccountLink key={address} address={address} copy={false} />
          ))}
          {accounts.length === 0 && <span class="faint">none</span>}
        </span>
      ),
    },
    {
      title: 'Caused by',
      align: 'right',
      width: '150px',
      cell: ({ transactionHash: hash }) =>
        hash === null ? <span class="faint">the block itself</span> : <TransactionLink hash={hash} copy={false} />,
    },
  ];
  return (
    <div class="event-table">
      <Table
        label={label}
        dense
        columns={columns.filter(({ title }) => title !== without)}
        rows={events?.map((event) => ({ ...event, described: describeEvent(event, markets) }) as Row) ?? null}
        keyOf={({ blockNumber, index }) => `${blockNumber} ${index}`}
        expected={expected}
        onPhone="cards"
        empty={empty}
      />
    </div>
  );
}

import './events.css';
import { BlockLink } from './BlockLink.tsx';
import type { DomainEventOf } from '@prime/sdk';
import type { ComponentChildren, JSX } from 'preact';
import { useHref, useNode } from '../app/context.ts';
import { Badge, type Column, Hash, Table } from '../kit/index.ts';
import { describeEvent, type DescribedEvent } from './event.ts';

interface EventTableProps {
  readonly label: string;
  /** null while they are being read. */
  readonly events: readonly DomainEventOf[] | null;
  /** Columns that say the same in every row are left out. */
  readonly without?: 'cause' | 'block';
  readonly expected?: number;
  readonly empty: ComponentChildren;
}

type Row = DomainEventOf & { readonly described: DescribedEvent };

const accountsShown = 2;

/** Domain events in words, with whom they name, where they are and what caused them. */
export function EventTable({ label, events, without, expected = 8, empty }: EventTableProps): JSX.Element {
  const href = useHref();
  const markets = useNode().markets.value.value ?? [];
  const columns: readonly Column<Row>[] = [
    {
      key: 'block',
      title: 'Block',
      width: '110px',
      cell: ({ blockNumber }) => <BlockLink number={blockNumber} />,
    },
    {
      key: 'kind',
      title: 'Event',
      width: '190px',
      cell: ({ described: { title, tone } }) => <Badge tone={tone}>{title}</Badge>,
    },
    {
      key: 'words',
      title: 'What',
      cell: ({ described: { words } }) => (
        <span class="event-words" title={words}>
          {words}
        </span>
      ),
    },
    {
      key: 'accounts',
      title: 'Accounts',
      width: '300px',
      cell: ({ described: { accounts } }) => (
        <span class="event-accounts">
          {accounts.slice(0, accountsShown).map((address) => (
            <Hash key={address} value={address} href={href({ page: 'address', address })} chip copy={false} />
          ))}
          {accounts.length === 0 && <span class="faint">none</span>}
        </span>
      ),
    },
    {
      key: 'cause',
      title: 'Caused by',
      align: 'right',
      width: '150px',
      cell: ({ transactionHash: hash }) =>
        hash === null ? (
          <span class="faint">the block itself</span>
        ) : (
          <Hash value={hash} href={href({ page: 'transaction', hash })} copy={false} />
        ),
    },
  ];
  return (
    <div class="event-table">
      <Table
        label={label}
        dense
        columns={columns.filter(({ key }) => key !== without)}
        rows={events?.map((event) => ({ ...event, described: describeEvent(event, markets) }) as Row) ?? null}
        keyOf={({ blockNumber, index }) => `${blockNumber} ${index}`}
        expected={expected}
        onPhone="cards"
        empty={empty}
      />
    </div>
  );
}

import type { DomainEventOf } from '@prime/sdk';
import type { JSX } from 'preact';
import { BlockLink } from '../../chain/BlockLink.tsx';
import { eventsOf, FeedEnd, useEventFeed } from '../../chain/EventFeed.tsx';
import { ValidatorLink } from '../../chain/links.tsx';
import { Amount, Badge, type Column, Empty, Known, ofKnown, TableCard, wordsOf } from '../../kit/index.ts';

interface Change {
  readonly validator?: `0x${string}`;
  readonly stake?: bigint;
  readonly reason?: string;
}

const tones: Readonly<Record<string, 'good' | 'warn' | 'bad'>> = {
  joined: 'good',
  unjailed: 'good',
  jailed: 'warn',
  slashed: 'bad',
  left: 'warn',
};

const columns: readonly Column<DomainEventOf>[] = [
  { title: 'Block', width: '110px', cell: ({ blockNumber }) => <BlockLink number={blockNumber} /> },
  {
    title: 'What happened',
    width: '190px',
    cell: ({ kind }) => <Badge tone={tones[kind] ?? 'plain'}>{wordsOf(kind)}</Badge>,
  },
  {
    title: 'Validator',
    cell: ({ data }) => {
      const { validator } = data as Change;
      return ofKnown(validator, (address) => <ValidatorLink address={address} />);
    },
  },
  {
    title: 'Stake afterwards',
    align: 'right',
    wideOnly: true,
    cell: ({ data }) => {
      const { stake } = data as Change;
      return ofKnown(stake, (wei) => <Amount wei={wei} digitsMax={2} />);
    },
  },
];

/** Who joined, left, was jailed, or signed twice. */
export function History({ address }: { readonly address?: `0x${string}` }): JSX.Element {
  const feed = useEventFeed({ domain: 'validators', ...(address && { address }) });
  const events = eventsOf(feed);
  return (
    <Known what="What happened to validators" of={events} inCard title="Membership and evidence">
      <TableCard
        title="Membership and evidence"
        columns={columns}
        rows={events.value}
        keyOf={({ blockNumber, index }) => `${blockNumber} ${index}`}
        expected={2}
        empty={
          <Empty title="Nobody joined, left or was punished">
            Who is away too long is jailed, and who signs two blocks of one height loses stake and place. Both would
            stand here.
          </Empty>
        }
      >
        {feed !== null && events.value !== null && <FeedEnd feed={feed} />}
      </TableCard>
    </Known>
  );
}

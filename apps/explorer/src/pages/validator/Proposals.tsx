import type { CommitSummary } from '@prime/sdk';
import type { JSX } from 'preact';
import { useNode } from '../../app/context.ts';
import { BlockLink } from '../../chain/BlockLink.tsx';
import { Badge, type Column, Empty, TableCard, Time } from '../../kit/index.ts';
import { commitsOf } from '../../live/commits.ts';

const shownProposals = 8;

/** Blocks that it proposed. */
export function Proposals({ address }: { readonly address: string }): JSX.Element {
  const commits = commitsOf(useNode()).commits.value;
  const rows = commits && commits.filter(({ proposer }) => proposer === address).slice(0, shownProposals);
  const columns: readonly Column<CommitSummary>[] = [
    { title: 'Block', cell: ({ blockNumber }) => <BlockLink number={blockNumber} /> },
    { title: 'Age', cell: ({ timestampMs }) => <Time timestampMs={timestampMs} /> },
    {
      title: 'Round',
      align: 'right',
      cell: ({ round }) => (round === 0 ? <span class="faint number">0</span> : <Badge tone="warn">{round}</Badge>),
    },
    { title: 'Signed by', align: 'right', cell: ({ signers }) => <span class="number muted">{signers.length}</span> },
  ];
  return (
    <TableCard
      title="Proposed"
      label="Blocks that it proposed"
      columns={columns}
      rows={rows}
      keyOf={({ blockNumber }) => blockNumber}
      expected={shownProposals}
      empty={<Empty title="It proposed none of the latest blocks" />}
    />
  );
}

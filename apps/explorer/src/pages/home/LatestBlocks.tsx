import type { NativeBlockHead } from '@prime/sdk';
import type { JSX } from 'preact';
import { useNode } from '../../app/context.ts';
import { BlockLink } from '../../chain/BlockLink.tsx';
import { ValidatorLink } from '../../chain/links.tsx';
import { Badge, type Column, Empty, formatInteger, ofKnown, orNone, TableCard, Time } from '../../kit/index.ts';

const shownBlocks = 12;

const count = (value: number): JSX.Element => (
  <span class={value === 0 ? 'faint number' : 'number'}>{formatInteger(value)}</span>
);

/** @param size of the set; undefined while that is not known */
const columnsOf = (size: number | undefined): readonly Column<NativeBlockHead>[] => [
  { title: 'Block', width: '18%', cell: ({ number }) => <BlockLink number={number} /> },
  { title: 'Age', width: '17%', cell: ({ timestampMs }) => <Time timestampMs={timestampMs} /> },
  {
    title: 'Proposer',
    cell: ({ proposer, commit }) => orNone(commit, 'genesis', () => <ValidatorLink address={proposer} />),
  },
  {
    title: 'Round',
    align: 'right',
    width: '60px',
    wideOnly: true,
    cell: ({ commit }) => ofKnown(commit, ({ round }) => (round === 0 ? count(0) : <Badge tone="warn">{round}</Badge>)),
  },
  {
    title: 'Signed',
    align: 'right',
    width: '70px',
    wideOnly: true,
    cell: ({ commit }) =>
      ofKnown(commit, ({ signatureCount }) => (
        <span class="number muted">{size === undefined ? signatureCount : `${signatureCount}/${size}`}</span>
      )),
  },
  {
    title: 'Txs',
    align: 'right',
    width: '56px',
    wideOnly: true,
    cell: ({ transactionCount }) => count(transactionCount),
  },
  { title: 'Actions', align: 'right', width: '64px', cell: ({ actionCount }) => count(actionCount) },
];

/** The newest blocks as they are decided. */
export function LatestBlocks(): JSX.Element {
  const { chain, validators } = useNode();
  const blocks = chain.blocks.value.slice(0, shownBlocks);
  // Until those of before are read, so that the list never grows under the eyes of somebody.
  const isFull = blocks.length === shownBlocks || blocks.at(-1)?.number === 0n;
  return (
    <TableCard
      title="Latest blocks"
      columns={columnsOf(validators.value.value?.length)}
      rows={isFull ? blocks : null}
      keyOf={({ number }) => number}
      expected={shownBlocks}
      empty={<Empty title="No block yet" />}
    />
  );
}

import { ValidatorLink } from '../../chain/links.tsx';
import { BlockLink } from '../../chain/BlockLink.tsx';
import type { NativeBlockHead } from '@prime/sdk';
import type { JSX } from 'preact';
import { useNode } from '../../app/context.ts';
import { Badge, Card, type Column, Empty, formatInteger, Table, Time } from '../../kit/index.ts';

const shownBlocks = 12;

const count = (value: number): JSX.Element => (
  <span class={value === 0 ? 'faint number' : 'number'}>{formatInteger(value)}</span>
);

interface Validators {
  /** Monikers by address. */
  readonly names: ReadonlyMap<string, string>;
  /** Of the set; undefined while that is not known. */
  readonly size: number | undefined;
}

const columnsOf = ({ names, size }: Validators): readonly Column<NativeBlockHead>[] => [
  { title: 'Block', width: '18%', cell: ({ number }) => <BlockLink number={number} /> },
  { title: 'Age', width: '17%', cell: ({ timestampMs }) => <Time timestampMs={timestampMs} /> },
  {
    title: 'Proposer',
    cell: ({ proposer, commit }) =>
      commit === null ? (
        <span class="faint">genesis</span>
      ) : (
        <ValidatorLink address={proposer} name={names.get(proposer)} />
      ),
  },
  {
    title: 'Round',
    align: 'right',
    width: '60px',
    wideOnly: true,
    cell: ({ commit }) =>
      commit === null ? '' : commit.round === 0 ? count(0) : <Badge tone="warn">{commit.round}</Badge>,
  },
  {
    title: 'Signed',
    align: 'right',
    width: '70px',
    wideOnly: true,
    cell: ({ commit }) =>
      commit === null ? (
        ''
      ) : (
        <span class="number muted">
          {size === undefined ? commit.signatureCount : `${commit.signatureCount}/${size}`}
        </span>
      ),
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
  const known = validators.value.value;
  const names = new Map((known ?? []).map(({ address, moniker }) => [address, moniker]));
  const columns = columnsOf({ names, size: known?.length });
  const blocks = chain.blocks.value.slice(0, shownBlocks);
  // Until those of before are read, so that the list never grows under the eyes of somebody.
  const isFull = blocks.length === shownBlocks || blocks.at(-1)?.number === 0n;
  return (
    <Card title="Latest blocks" flush>
      <Table
        label="Latest blocks"
        columns={columns}
        rows={isFull ? blocks : null}
        keyOf={({ number }) => number}
        expected={shownBlocks}
        empty={<Empty title="No block yet" />}
      />
    </Card>
  );
}

import type { NetworkNodes } from '@prime/sdk';
import { lagOf } from '@prime/sdk/explain';
import type { JSX } from 'preact';
import { useNode } from '../../app/context.ts';
import { ValidatorLink } from '../../chain/links.tsx';
import { usePace } from '../../chain/usePace.ts';
import { Badge, type Column, Empty, formatInteger, orNone, TableCard } from '../../kit/index.ts';

type ValidatorNode = NetworkNodes['validators'][number];
type OtherNode = NetworkNodes['others'][number];

interface NodesProps {
  readonly known: NetworkNodes | null;
}

function Lag({ head }: { readonly head: bigint }): JSX.Element {
  const newest = useNode().chain.head.value?.number ?? head;
  const { tone, text } = lagOf(head, newest, usePace());
  return <Badge tone={tone}>{text}</Badge>;
}

const headColumn = {
  title: 'Newest block',
  align: 'right',
  width: '110px',
  wideOnly: true,
  cell: ({ head }: { readonly head: bigint | null }) =>
    orNone(head, 'not told', (known) => <span class="number">{formatInteger(known)}</span>),
} as const;

const rulesColumn = {
  title: 'Rules',
  align: 'right',
  width: '90px',
  wideOnly: true,
  cell: ({ knownVersion }: { readonly knownVersion: number | null }) =>
    orNone(knownVersion, 'not told', (version) => <span class="number">version {version}</span>),
} as const;

/** Validators, and where they stand. */
export function ValidatorNodes({ known }: NodesProps): JSX.Element {
  const columns: readonly Column<ValidatorNode>[] = [
    { title: 'Validator', cell: ({ address, moniker }) => <ValidatorLink address={address} name={moniker} /> },
    headColumn,
    rulesColumn,
    {
      title: 'Stands',
      align: 'right',
      width: '150px',
      cell: ({ isPresent, head }) =>
        !isPresent ? (
          <Badge tone="bad">away</Badge>
        ) : head === null ? (
          <Badge tone="good" title="It is heard of, and not connected to this node, or stands behind sentries">
            heard of
          </Badge>
        ) : (
          <Lag head={head} />
        ),
    },
  ];
  return (
    <TableCard
      title="Validators"
      columns={columns}
      rows={known?.validators ?? null}
      keyOf={({ address }) => address}
      expected={4}
      empty={<Empty title="No validators" />}
    />
  );
}

interface Listed extends OtherNode {
  readonly index: number;
}

/** Followers and archives: no name and no address is told of them. */
export function OtherNodes({ known }: NodesProps): JSX.Element {
  const columns: readonly Column<Listed>[] = [
    { title: 'Node', cell: ({ role }) => (role === 'archive' ? 'archive, keeps all of history' : 'follows the chain') },
    headColumn,
    rulesColumn,
    { title: 'Stands', align: 'right', width: '150px', cell: ({ head }) => <Lag head={head} /> },
  ];
  return (
    <TableCard
      title="Other nodes"
      columns={columns}
      rows={known && known.others.map((other, index) => ({ ...other, index }))}
      keyOf={({ index }) => index}
      expected={2}
      empty={
        <Empty title="No other node is connected to this one">
          Whoever follows the chain without voting stands here, without a name: operators may not want to be found.
        </Empty>
      }
    />
  );
}

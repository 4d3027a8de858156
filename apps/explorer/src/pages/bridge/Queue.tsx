import { coin } from '@prime/sdk/explain';
import type { JSX } from 'preact';
import { BlockLink } from '../../chain/BlockLink.tsx';
import { AccountLink } from '../../chain/links.tsx';
import { Amount, Badge, type Column, Empty, formatInteger, TableCard } from '../../kit/index.ts';
import type { WaitingTransfer } from './queues.ts';

interface QueueProps {
  readonly title: string;
  /** null while it is not known. */
  readonly waiting: readonly WaitingTransfer[] | null;
  /** Whether nobody can be missing in it. */
  readonly isWhole: boolean;
}

type Row = WaitingTransfer & { readonly place: number };
const shownMax = 100;

/** Who waits to get to the other side, in their order. */
export function Queue({ title, waiting, isWhole }: QueueProps): JSX.Element {
  const sum = (waiting ?? []).reduce((total, { amount }) => total + amount, 0n);
  const account = (address: `0x${string}`): JSX.Element => <AccountLink address={address} copy={false} />;
  const columns: readonly Column<Row>[] = [
    { title: 'Place', width: '64px', cell: ({ place }) => <span class="number">{formatInteger(place)}</span> },
    { title: 'From', cell: ({ from }) => account(from) },
    { title: 'To', cell: ({ to }) => account(to) },
    { title: 'Amount', align: 'right', cell: ({ amount }) => <Amount wei={amount} unit={coin} /> },
    { title: 'Since block', align: 'right', cell: ({ blockNumber }) => <BlockLink number={blockNumber} /> },
  ];
  return (
    <TableCard
      title={title}
      aside={waiting !== null && <Total {...{ count: waiting.length, sum, isWhole }} />}
      columns={columns}
      rows={waiting?.slice(0, shownMax).map((transfer, index) => ({ ...transfer, place: index + 1 })) ?? null}
      keyOf={({ transferId }) => transferId}
      expected={3}
      onPhone="cards"
      empty={<Empty title="Nobody waits">{isWhole ? '' : 'As far as the events that were read tell.'}</Empty>}
    >
      {waiting !== null && waiting.length > shownMax && (
        <p class="faint foot">and {formatInteger(waiting.length - shownMax)} more behind them</p>
      )}
    </TableCard>
  );
}

interface TotalProps {
  readonly count: number;
  readonly sum: bigint;
  readonly isWhole: boolean;
}

function Total({ count, sum, isWhole }: TotalProps): JSX.Element {
  if (count === 0) return <Badge tone={isWhole ? 'good' : 'plain'}>empty</Badge>;
  return (
    <span class="row">
      {!isWhole && <Badge tone="warn">at least</Badge>}
      <Badge tone="accent">{formatInteger(count)} waiting</Badge>
      <Amount wei={sum} unit={coin} />
    </span>
  );
}

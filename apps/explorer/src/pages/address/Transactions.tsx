import type { AccountRole, AccountTransaction, AccountTransactions, Address } from '@prime/sdk';
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { useHeld, useNode } from '../../app/context.ts';
import { useMarkets } from '../../app/useMarkets.ts';
import { describeAction } from '../../chain/action.ts';
import { BlockLink } from '../../chain/BlockLink.tsx';
import { Older } from '../../chain/EventFeed.tsx';
import { AccountLink, TransactionLink } from '../../chain/links.tsx';
import type { Markets } from '../../chain/markets.ts';
import { Amount, Badge, Card, type Column, Empty, formatInteger, formatMoment, Known, Table } from '../../kit/index.ts';
import { resourceOf } from '../../live/poll.ts';
import { createAccountHistory } from './accountHistory.ts';

const millisecondsPerSecond = 1_000;
const selectorDigits = 10;

const roleWords: Readonly<Record<AccountRole, string>> = {
  sender: 'from it',
  recipient: 'to it',
  created: 'made it',
  named: 'names it',
  agent: 'signed by it',
};

/** What the account sent, got and signed: transactions of the EVM and actions of the exchange, live and back to genesis. */
export function Transactions({ address }: { readonly address: Address }): JSX.Element {
  const node = useNode();
  const history = useMemo(() => createAccountHistory(node.client, address), [node, address]);
  useHeld(history);
  const read = resourceOf(history);
  const shown = read.value;
  return (
    <Card title="Transactions" flush>
      <Known what="The transactions of this account" of={read}>
        <List transactions={shown?.transactions ?? null} />
        {shown !== null && (
          <Older
            said={read.error === null ? extentOf(shown) : 'The node did not answer.'}
            isReading={history.isReading.value}
            onOlder={shown.next === null ? null : history.readOlder}
          />
        )}
      </Known>
    </Card>
  );
}

function extentOf({ next, oldestBlock }: AccountTransactions): string {
  if (next !== null) return `Everything since block ${formatInteger(next.blockNumber)}.`;
  return oldestBlock > 1n
    ? `The node keeps nothing of before block ${formatInteger(oldestBlock)}.`
    : 'That is all since genesis.';
}

function List({ transactions }: { readonly transactions: readonly AccountTransaction[] | null }): JSX.Element {
  const markets = useMarkets();
  const rows = transactions?.map((one) => ({ ...one, ...wordsOf(one, markets) })) ?? null;
  const columns: readonly Column<NonNullable<typeof rows>[number]>[] = [
    { title: 'Transaction', width: '170px', cell: ({ hash }) => <TransactionLink hash={hash} /> },
    {
      title: 'Block',
      width: '110px',
      cell: ({ blockNumber, blockTimestamp }) => (
        <BlockLink number={blockNumber} title={formatMoment(blockTimestamp * millisecondsPerSecond)} />
      ),
    },
    {
      title: 'Account',
      width: '130px',
      cell: ({ roles }) => <span class="muted">{roles.map((role) => roleWords[role]).join(', ')}</span>,
    },
    { title: 'Type', width: '130px', cell: ({ kind }) => kind },
    { title: 'What', cell: ({ words }) => <span class="muted">{words}</span> },
    {
      title: 'Value',
      align: 'right',
      width: '130px',
      cell: ({ value }) => (value === 0n ? '' : <Amount wei={value} digitsMax={6} />),
    },
    {
      title: 'Outcome',
      align: 'right',
      width: '100px',
      cell: ({ isOk, actionType }) =>
        isOk ? (
          <Badge tone="good">done</Badge>
        ) : (
          <Badge tone="bad">{actionType === null ? 'reverted' : 'refused'}</Badge>
        ),
    },
  ];
  return (
    <Table
      label="Transactions of the account"
      columns={columns}
      rows={rows}
      keyOf={({ blockNumber, transactionIndex }) => `${blockNumber} ${transactionIndex}`}
      expected={5}
      onPhone="cards"
      empty={<Empty title="No transaction">It appears here within a block when there is one.</Empty>}
    />
  );
}

function wordsOf(
  { actionType, input, to, from }: AccountTransaction,
  markets: Markets,
): { readonly kind: string; readonly words: JSX.Element | string } {
  if (actionType !== null) {
    const { type, words } = describeAction(input, markets);
    return { kind: type ?? actionType, words };
  }
  if (to === null) return { kind: 'new contract', words: <Party address={from} word="by" /> };
  if (input.length < selectorDigits) return { kind: 'transfer', words: <Party address={to} word="to" /> };
  return { kind: `call ${input.slice(0, selectorDigits)}`, words: <Party address={to} word="of" /> };
}

function Party({ address, word }: { readonly address: Address; readonly word: string }): JSX.Element {
  return (
    <>
      {word} <AccountLink address={address} chip={false} copy={false} />
    </>
  );
}

import type { JSX } from 'preact';
import { useNode } from '../../app/context.ts';
import { EventTable } from '../../chain/EventTable.tsx';
import { Card, Empty, Raw, Tabs } from '../../kit/index.ts';
import { AbiForm } from './AbiForm.tsx';
import { Input } from './Input.tsx';
import { Logs } from './Logs.tsx';
import { type FinalTransaction, isNative, type TransactionProps } from './readTransaction.ts';
import { Trace } from './Trace.tsx';

/** What it caused, and its bytes. */
export function Contents({ transaction, final }: TransactionProps): JSX.Element {
  const native = isNative(transaction);
  const logs = final?.receipt.logs ?? [];
  const raw = final === null ? { transaction } : { transaction, receipt: final.receipt };
  const tabs = [
    ...(native ? [] : [{ title: 'Logs', count: logs.length, show: () => <Logs logs={logs} /> }]),
    { title: 'Events', count: final?.events.length, show: () => <Events final={final} /> },
    ...(native ? [] : [{ title: 'Calls', show: () => <Trace transaction={transaction} isFinal={final !== null} /> }]),
    { title: native ? 'Signed fields' : 'Input', show: () => <Input transaction={transaction} /> },
    { title: 'Raw', show: () => <Raw label="The transaction as JSON" value={raw} /> },
  ];
  return (
    <>
      <Card flush>
        <Tabs
          label="Parts of the transaction"
          tabs={tabs}
          first={native ? 'Events' : logs.length > 0 ? 'Logs' : 'Input'}
        />
      </Card>
      {!native && (transaction.input !== '0x' || logs.length > 0) && <AbiForm />}
    </>
  );
}

function Events({ final }: { readonly final: FinalTransaction | null }): JSX.Element {
  const head = useNode().chain.head.value;
  if (final === null) return <Empty title="Nothing happened yet" />;
  const isEarly = !final.isSettled && head !== null;
  return (
    <EventTable
      label="Events"
      events={final.events}
      without="Caused by"
      empty={
        isEarly ? (
          <Empty title="Nothing happened yet">
            What a contract asks of the order book is done in the block after. It is shown when that is there.
          </Empty>
        ) : (
          <Empty title="It changed nothing on the exchange" />
        )
      }
    />
  );
}

import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useNode } from '../../app/context.ts';
import { EventTable } from '../../chain/EventTable.tsx';
import { Card, Empty, Raw, Tabs } from '../../kit/index.ts';
import { AbiForm } from './AbiForm.tsx';
import { Input } from './Input.tsx';
import { Logs } from './Logs.tsx';
import { type FinalTransaction, isNative, type TransactionProps } from './readTransaction.ts';
import { Trace } from './Trace.tsx';

type Part = 'events' | 'logs' | 'trace' | 'input' | 'raw';

/** What it caused, and its bytes. */
export function Contents({ transaction, final }: TransactionProps): JSX.Element {
  const native = isNative(transaction);
  const logs = final?.receipt.logs ?? [];
  const [chosen, setPart] = useState<Part | null>(null);
  const part = chosen ?? (native ? 'events' : logs.length > 0 ? 'logs' : 'input');
  const tabs = [
    ...(native ? [] : [{ id: 'logs', title: 'Logs', count: logs.length } as const]),
    { id: 'events', title: 'Events', count: final?.events.length } as const,
    ...(native ? [] : [{ id: 'trace', title: 'Calls' } as const]),
    { id: 'input', title: native ? 'Signed fields' : 'Input' } as const,
    { id: 'raw', title: 'Raw' } as const,
  ];
  return (
    <>
      <Card flush>
        <Tabs<Part> label="Parts of the transaction" tabs={tabs} selected={part} onSelect={setPart}>
          {part === 'events' && <Events final={final} />}
          {part === 'logs' && <Logs logs={logs} />}
          {part === 'trace' && <Trace transaction={transaction} isFinal={final !== null} />}
          {part === 'input' && <Input transaction={transaction} />}
          {part === 'raw' && (
            <Raw
              label="The transaction as JSON"
              value={final === null ? { transaction } : { transaction, receipt: final.receipt }}
            />
          )}
        </Tabs>
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

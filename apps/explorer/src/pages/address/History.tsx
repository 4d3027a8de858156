import type { Address } from '@prime/sdk';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { EventFeedList, useEventFeed } from '../../chain/EventFeed.tsx';
import { Card, Empty, Tabs } from '../../kit/index.ts';
import type { EventSelection } from '../../live/eventPages.ts';

const parts = {
  all: {},
  trades: { kind: 'trade' },
  orders: { kind: 'order_accepted' },
  bridge: { domain: 'bridge' },
} as const satisfies Readonly<Record<string, EventSelection>>;
type Part = keyof typeof parts;

const tabs = [
  { id: 'all', title: 'Everything' },
  { id: 'trades', title: 'Trades' },
  { id: 'orders', title: 'Orders' },
  { id: 'bridge', title: 'Bridge' },
] as const;

/** What happened to the account on the exchange, live and as far back as the node keeps it. */
export function History({ address }: { readonly address: Address }): JSX.Element {
  const [part, setPart] = useState<Part>('all');
  const feed = useEventFeed({ ...parts[part], address });
  return (
    <Card title="History on the exchange" flush>
      <Tabs label="Kind of history" tabs={tabs} selected={part} onSelect={setPart}>
        <EventFeedList
          label="History of the account"
          feed={feed}
          expected={6}
          empty={<Empty title="Nothing happened">It appears here within a block when something does.</Empty>}
        />
      </Tabs>
    </Card>
  );
}

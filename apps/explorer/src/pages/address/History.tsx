import type { Address } from '@prime/sdk';
import type { JSX } from 'preact';
import { EventTabs } from '../../chain/EventFeed.tsx';
import { Empty } from '../../kit/index.ts';

const parts = [
  { title: 'Everything', selection: {} },
  { title: 'Trades', selection: { kind: 'trade' } },
  { title: 'Orders', selection: { kind: 'order_accepted' } },
  { title: 'Bridge', selection: { domain: 'bridge' } },
] as const;

/** What happened to the account on the exchange, live and as far back as the node keeps it. */
export const History = ({ address }: { readonly address: Address }): JSX.Element => (
  <EventTabs
    title="History on the exchange"
    label="Kind of history"
    listLabel="History of the account"
    parts={parts}
    within={{ address }}
    expected={6}
    empty={<Empty title="Nothing happened">It appears here within a block when something does.</Empty>}
  />
);

import './bridge.css';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { useHeld, useNode } from '../../app/context.ts';
import { useResource } from '../../app/useResource.ts';
import { EventFeedList, useEventFeed } from '../../chain/EventFeed.tsx';
import { useExchangeTotals } from '../../chain/useExchangeTotals.ts';
import { Card, Empty, KeyCard, Known, orPlace, PageHead } from '../../kit/index.ts';
import type { EventFeed } from '../../live/eventFeed.ts';
import { Balance } from './Balance.tsx';
import { Queue } from './Queue.tsx';
import { queuesOf } from './queues.ts';

/** What lies between the EVM and the exchange: the escrow, who waits, and the rules. */
export function Page(): JSX.Element {
  useHeld(useNode().markets);
  const totals = useExchangeTotals();
  const feed = useEventFeed({ domain: 'bridge' });
  const events = feed?.events.value ?? null;
  const queues = events === null ? null : queuesOf(events, feed?.end.value === 'genesis');
  useWholeQueues(feed, queues?.isWhole ?? true);
  return (
    <div class="stack">
      <PageHead title="Bridge" kind="Between the EVM and the exchange" />
      <div class="columns">
        <Known what="The escrow" of={totals} inCard title="Escrow">
          <Balance totals={totals.value} />
        </Known>
        <Rules />
      </div>
      <div class="columns even">
        <Queue
          title="To the exchange"
          waiting={queues?.waiting.evm_to_orders ?? null}
          isWhole={queues?.isWhole ?? false}
        />
        <Queue title="To the EVM" waiting={queues?.waiting.orders_to_evm ?? null} isWhole={queues?.isWhole ?? false} />
      </div>
      <Card title="Transfers" flush>
        <EventFeedList
          label="Transfers"
          feed={feed}
          empty={<Empty title="Nobody sent anything to the other side yet" />}
        />
      </Card>
    </div>
  );
}

/** Events that are looked at by itself to find who waits; beyond them somebody has to ask. */
const soughtEventsMax = 500;

/** Looks back until nobody can be missing in the queues. */
function useWholeQueues(feed: EventFeed | null, isWhole: boolean): void {
  const count = feed?.events.value?.length ?? 0;
  const isReading = feed?.isReading.value ?? true;
  const hasFailed = feed?.error.value != null;
  useEffect(() => {
    if (!isWhole && !isReading && !hasFailed && count < soughtEventsMax) feed?.readOlder();
  }, [feed, isWhole, isReading, hasFailed, count]);
}

function Rules(): JSX.Element {
  const rules = useResource('rules', async ({ client }) => {
    const genesis = (await client.request({ method: 'prime_getGenesis' })) as {
      readonly clob: Record<string, unknown>;
    };
    return { isAutomatic: genesis.clob['autoDequeue'] === true };
  });
  return (
    <KeyCard
      title="Rules and limits"
      entries={[
        { name: 'Order', value: 'first in, first out, in each direction' },
        {
          name: 'Carried out',
          value: orPlace(rules.value, '24ch', ({ isAutomatic }) =>
            isAutomatic ? 'by the next block, by itself' : 'when somebody asks for it; anybody may',
          ),
        },
        { name: 'In one block', value: 'at most 1,000 of each direction' },
        { name: 'In a queue', value: 'at most 100,000' },
        { name: 'A deposit', value: 'needs no queue: it counts in the block that has it' },
        {
          name: 'A withdrawal',
          value: 'is refused while any account owes more than it has, since what others won is not backed then',
        },
        { name: 'A failed one', value: 'goes back to where it came from' },
      ]}
    />
  );
}

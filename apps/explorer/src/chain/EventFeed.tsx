import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { useNode } from '../app/context.ts';
import { Button, ErrorState, formatInteger } from '../kit/index.ts';
import { type EventFeed, openEventFeed } from '../live/eventFeed.ts';
import type { EventSelection } from '../live/eventPages.ts';
import { EventTable } from './EventTable.tsx';

/** The feed of a selection while the component is there; null for a moment after it changed. */
export function useEventFeed(selection: EventSelection): EventFeed | null {
  const node = useNode();
  const key = JSON.stringify(selection);
  const [opened, setOpened] = useState<{ readonly key: string; readonly feed: EventFeed } | null>(null);
  useEffect(() => {
    const feed = openEventFeed(node, JSON.parse(key) as EventSelection);
    setOpened({ key, feed });
    return () => feed.close();
  }, [key, node]);
  return opened?.key === key ? opened.feed : null;
}

interface EventFeedListProps {
  readonly label: string;
  readonly feed: EventFeed | null;
  readonly empty: ComponentChildren;
  readonly expected?: number;
}

/** Events of a feed with the way back in time below them. */
export function EventFeedList({ label, feed, empty, expected }: EventFeedListProps): JSX.Element {
  const error = feed?.error.value ?? null;
  const events = feed?.events.value ?? null;
  if (feed !== null && events === null && error !== null)
    return <ErrorState what="The events" error={error} onRetry={feed.readOlder} />;
  return (
    <>
      <EventTable label={label} events={events} empty={empty} {...(expected === undefined ? {} : { expected })} />
      {feed !== null && events !== null && <Before feed={feed} />}
    </>
  );
}

function Before({ feed }: { readonly feed: EventFeed }): JSX.Element {
  const from = feed.fromBlock.value;
  const { value: end } = feed.end;
  const said =
    feed.error.value !== null
      ? 'The node did not answer.'
      : end === 'genesis'
        ? 'That is all since genesis.'
        : end === 'pruned'
          ? `The node keeps nothing of before block ${formatInteger(from ?? 0n)}.`
          : from === null
            ? ''
            : `Everything since block ${formatInteger(from)}.`;
  return (
    <div class="events-before">
      <span class="faint">{said}</span>
      {end === null && (
        <Button size="small" onClick={feed.readOlder} disabled={feed.isReading.value}>
          {feed.isReading.value ? 'Looking back …' : 'Show earlier ones'}
        </Button>
      )}
    </div>
  );
}

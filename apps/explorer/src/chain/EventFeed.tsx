import type { DomainEventOf } from '@prime/sdk';
import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { useNode } from '../app/context.ts';
import { Button, Card, formatInteger, Known, Tabs } from '../kit/index.ts';
import { type EventFeed, openEventFeed } from '../live/eventFeed.ts';
import type { EventSelection } from '../live/eventPages.ts';
import type { Resource } from '../live/poll.ts';
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

/** What a feed knows now. */
export const eventsOf = (feed: EventFeed | null): Resource<readonly DomainEventOf[]> => ({
  value: feed?.events.value ?? null,
  error: feed?.error.value ?? null,
  reload: () => feed?.readOlder(),
});

interface EventFeedListProps {
  readonly label: string;
  readonly feed: EventFeed | null;
  readonly empty: ComponentChildren;
  readonly expected?: number | undefined;
}

/** Events of a feed with the way back in time below them. */
export function EventFeedList({ label, feed, empty, expected }: EventFeedListProps): JSX.Element {
  const events = feed?.events.value ?? null;
  return (
    <Known what="The events" of={eventsOf(feed)}>
      <EventTable label={label} events={events} empty={empty} expected={expected} />
      {feed !== null && events !== null && <FeedEnd feed={feed} />}
    </Known>
  );
}

interface EventTabsProps extends Pick<EventFeedListProps, 'empty' | 'expected'> {
  readonly title: string;
  /** What the tabs choose among, and what they list, for screen readers. */
  readonly label: string;
  readonly listLabel: string;
  readonly parts: readonly { readonly title: string; readonly selection: EventSelection }[];
  /** What all parts are limited to. */
  readonly within?: EventSelection;
}

/** Events in parts, of which one is followed. */
export function EventTabs({ title, label, listLabel, parts, within, ...list }: EventTabsProps): JSX.Element {
  const tabs = parts.map((part) => ({
    title: part.title,
    show: () => <SelectedEvents label={listLabel} selection={{ ...part.selection, ...within }} {...list} />,
  }));
  return (
    <Card title={title} flush>
      <Tabs label={label} tabs={tabs} />
    </Card>
  );
}

const SelectedEvents = ({
  selection,
  ...list
}: Omit<EventFeedListProps, 'feed'> & { readonly selection: EventSelection }): JSX.Element => (
  <EventFeedList feed={useEventFeed(selection)} {...list} />
);

/** Below events of a feed: how far back they go, and the way further. */
export function FeedEnd({ feed }: { readonly feed: EventFeed }): JSX.Element {
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
  const { value: isReading } = feed.isReading;
  return <Older said={said} isReading={isReading} onOlder={end === null ? feed.readOlder : null} />;
}

interface OlderProps {
  /** How far back the list goes. */
  readonly said: string;
  readonly isReading: boolean;
  /** null where there is nothing further back. */
  readonly onOlder: (() => void) | null;
}

/** Below a list: how far back it goes, and the way further. */
export const Older = ({ said, isReading, onOlder }: OlderProps): JSX.Element => (
  <div class="events-before">
    <span class="faint">{said}</span>
    {onOlder !== null && (
      <Button size="small" onClick={onOlder} disabled={isReading}>
        {isReading ? 'Looking back …' : 'Show earlier ones'}
      </Button>
    )}
  </div>
);

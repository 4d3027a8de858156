import type { DomainEventOf, DomainEventFilter, DomainEventKind } from './domainEvents.ts';
import type { FeedSource } from './feed/feed.ts';
import type { StreamsClient } from './streams.ts';
import type { BlockPosition } from './types.ts';
import { type FeedParameters, type FromBlock, type Unwatch, watchFeed } from './watch.ts';
import { readEvents } from './wire/events.ts';
import { toObject } from './wire/fields.ts';
import { blockPosition } from './wire/position.ts';

/** Which events are wanted, from which block on, and who gets them. */
export interface WatchDomainEventsParameters<kind extends DomainEventKind = DomainEventKind>
  extends FeedParameters,
    FromBlock,
    Omit<DomainEventFilter, 'kind'> {
  /** Events of this kind only; their type follows from it. */
  readonly kind?: kind | undefined;
  /** The events of one block, in the order of execution. */
  readonly onEvents: (events: readonly DomainEventOf<kind>[], block: BlockPosition) => unknown;
}

/** Events as a node sends them, of those that a filter selects. */
export function eventsSource(filter: DomainEventFilter): FeedSource<readonly DomainEventOf[], DomainEventOf> {
  const wanted = normal(filter);
  return {
    kind: 'domainEvents',
    options: wanted,
    filters: [wanted],
    read: (result) => {
      const json = toObject(result, 'events');
      return { ...blockPosition(json), live: readEvents(json['events']) };
    },
    convert: (block) => ('live' in block ? block.live : block.events),
  };
}

/** Without fields that are not set, and addresses as the node writes them. */
function normal({ domain, kind, address }: DomainEventFilter): DomainEventFilter & Readonly<Record<string, unknown>> {
  const lower = (account: string): `0x${string}` => account.toLowerCase() as `0x${string}`;
  return {
    ...(domain === undefined ? {} : { domain }),
    ...(kind === undefined ? {} : { kind }),
    ...(address === undefined ? {} : { address: typeof address === 'string' ? lower(address) : address.map(lower) }),
  };
}

/** Tells domain events, each once and in order, also those of the time without a connection. */
export function watchDomainEvents<kind extends DomainEventKind = DomainEventKind>(
  client: StreamsClient,
  parameters: WatchDomainEventsParameters<kind>,
): Unwatch {
  const onEvents = parameters.onEvents as (events: readonly DomainEventOf[], block: BlockPosition) => unknown;
  return watchFeed(client, eventsSource(parameters), parameters, onEvents, parameters.fromBlock ?? null);
}

import { type ReadonlySignal, signal } from '@preact/signals';
import { type DomainEventOf, getDomainEvents, watchDomainEvents } from '@prime/sdk';
import type { ExplorerNode } from '../node/node.ts';
import { type EndOfEvents, type EventPage, type EventSelection, isSelected, readEventPage } from './eventPages.ts';
import { collect, type RequestFrame } from './frames.ts';

/** Events as they happen, and as far back as somebody asks for. */
export interface EventFeed {
  /** Newest first; null before the first answer. */
  readonly events: ReadonlySignal<readonly DomainEventOf[] | null>;
  /** That came while the feed was paused and are not in the list. */
  readonly waiting: ReadonlySignal<number>;
  readonly isPaused: ReadonlySignal<boolean>;
  /** Whether it is looking back now. */
  readonly isReading: ReadonlySignal<boolean>;
  /** First block of which the list has everything. */
  readonly fromBlock: ReadonlySignal<bigint | null>;
  readonly end: ReadonlySignal<EndOfEvents | null>;
  readonly error: ReadonlySignal<unknown>;
  pause(isPaused: boolean): void;
  /** Reads what was before. */
  readOlder(): void;
  close(): void;
}

/** Events that a list keeps; with more of them its oldest go, and can be read again. */
const keptMax = 1_000;
const pageEvents = 50;

/** A long list is drawn anew so often at most: people read it, and do not watch it move. ms */
const drawnEveryMs = 250;
const calmFrames: RequestFrame = (run) => void setTimeout(run, drawnEveryMs);

const placeOf = ({ blockNumber, index }: DomainEventOf): string => `${blockNumber} ${index}`;

type Node = Pick<ExplorerNode, 'client' | 'streams'>;

/** What a feed shows, and what it keeps back while it is paused. */
function createEventList() {
  const events = signal<readonly DomainEventOf[] | null>(null);
  const fromBlock = signal<bigint | null>(null);
  const end = signal<EndOfEvents | null>(null);
  const isPaused = signal(false);
  const waiting = signal(0);
  let held: readonly DomainEventOf[] = [];
  const show = (newer: readonly DomainEventOf[]): void => {
    const { list, cutAt } = prepend(events.value ?? [], newer, keptMax);
    events.value = list;
    if (cutAt === null) return;
    fromBlock.value = cutAt;
    end.value = null;
  };
  const hold = (newer: readonly DomainEventOf[]): void => {
    held = [...held, ...newer].slice(-keptMax);
    waiting.value = held.length;
  };
  return {
    events,
    fromBlock,
    end,
    isPaused,
    waiting,
    /** @param newer oldest first */
    take: (newer: readonly DomainEventOf[]): void => (isPaused.value ? hold : show)(newer),
    addPage(page: EventPage): void {
      const known = new Set((events.value ?? []).map(placeOf));
      events.value = [...(events.value ?? []), ...page.events.filter((event) => !known.has(placeOf(event)))];
      fromBlock.value = page.fromBlock;
      end.value = page.end;
    },
    pause(next: boolean): void {
      isPaused.value = next;
      if (next) return;
      const all = held;
      held = [];
      waiting.value = 0;
      if (all.length > 0) show(all);
    },
  };
}

/** Follows a selection from now on, and reads a page of what was before. */
export function openEventFeed({ client, streams }: Node, selection: EventSelection): EventFeed {
  const list = createEventList();
  const error = signal<unknown>(null);
  const isReading = signal(false);
  let isOver = false;
  let unwatch = (): void => undefined;
  const { marketId: _, ...filter } = selection;
  const push = collect<DomainEventOf>(calmFrames, keptMax, (newer) => {
    if (!isOver) list.take(newer);
  });
  /** Begins to follow, so that nothing is between what is told and what is read. @returns first block that is told */
  const follow = async (): Promise<bigint> => {
    const first = BigInt((await client.request({ method: 'eth_blockNumber' })) as string) + 1n;
    if (isOver) return first;
    unwatch = watchDomainEvents(streams, {
      ...filter,
      fromBlock: first,
      onEvents: (told) => told.filter((event) => isSelected(event, selection)).forEach(push),
    });
    return first;
  };
  const read = async (): Promise<void> => {
    list.fromBlock.value ??= await follow();
    const ask = (from: bigint, to: bigint): Promise<readonly DomainEventOf[]> =>
      getDomainEvents(client.sdk, { ...filter, fromBlock: from, toBlock: to });
    const page = await readEventPage(ask, { selection, before: list.fromBlock.value, wanted: pageEvents });
    if (!isOver) list.addPage(page);
  };
  const readOlder = (): void => {
    if (isReading.value || isOver || list.end.value !== null) return;
    isReading.value = true;
    error.value = null;
    read()
      .catch((thrown: unknown) => {
        error.value = thrown;
      })
      .finally(() => {
        isReading.value = false;
      });
  };
  readOlder();
  return {
    ...list,
    isReading,
    error,
    readOlder,
    close() {
      isOver = true;
      unwatch();
    },
  };
}

/**
 * @param newer oldest first
 * @returns newest first, and the first block of which all are in it where some had to go
 */
export function prepend(
  list: readonly DomainEventOf[],
  newer: readonly DomainEventOf[],
  max: number,
): { readonly list: readonly DomainEventOf[]; readonly cutAt: bigint | null } {
  const all = [...newer.toReversed(), ...list];
  const first = all[max];
  if (first === undefined) return { list: all, cutAt: null };
  // Of that block some may be in the list and some not: a page of before has it once more, and only what is missing is taken of it.
  return { list: all.slice(0, max), cutAt: first.blockNumber + 1n };
}

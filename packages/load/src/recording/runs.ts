import type { Cause, EventFacts } from './networkBlocks.ts';

/** Events of one cause that stand together. */
export interface Run {
  readonly cause: Cause;
  readonly events: readonly EventFacts[];
  /** Whether the cause had a run before: a cancel of a batch that waited for its order. */
  readonly isLater: boolean;
}

const keyOf = (cause: Cause): string =>
  cause.of === 'action' ? cause.hash : cause.of === 'contract' ? `ticket ${cause.ticket}` : 'block';

/** Splits the events of a block by what caused them: the order of the runs is the order of execution. */
export function runsOf(events: readonly EventFacts[]): Run[] {
  const runs: { cause: Cause; events: EventFacts[]; isLater: boolean }[] = [];
  const seen = new Set<string>();
  let current = '';
  for (const event of events) {
    const key = keyOf(event.cause);
    if (key !== current)
      runs.push({ cause: event.cause, events: [], isLater: event.cause.of !== 'block' && seen.has(key) });
    current = key;
    seen.add(key);
    runs.at(-1)!.events.push(event);
  }
  return runs;
}

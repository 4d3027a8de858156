import type { Address } from '@prime/primitives';
import type { Heap } from './heap.ts';
import type { Entry, SenderQueue } from './senderQueue.ts';

export interface EvictionPlan {
  /** How many go from the end of each queue. */
  readonly taken: ReadonlyMap<SenderQueue, number>;
  /** The least worthy transaction that is still the last of its sender; undefined when nothing is left. */
  next(): Entry | undefined;
  /** Puts back what {@link next} took out of the index. */
  undo(): void;
}

/** Chooses victims without touching the queues, so that a refusal half-way costs nobody a place. */
export function createEvictionPlan(bySender: ReadonlyMap<Address, SenderQueue>, tails: Heap<Entry>): EvictionPlan {
  const taken = new Map<SenderQueue, number>();
  const victims: Entry[] = [];
  return {
    taken,
    next() {
      for (let entry = tails.pop(); entry !== undefined; entry = tails.pop()) {
        const queue = bySender.get(entry.transaction.sender);
        if (queue === undefined) continue;
        const before = taken.get(queue) ?? 0;
        // Anything else is a stale entry of the index.
        if (queue.entries.at(-1 - before) !== entry) continue;
        victims.push(entry);
        taken.set(queue, before + 1);
        const following = queue.entries.at(-2 - before);
        if (following !== undefined) tails.push(following);
        return entry;
      }
      return undefined;
    },
    undo() {
      for (const victim of victims) tails.push(victim);
    },
  };
}

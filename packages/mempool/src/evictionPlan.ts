import type { Address, Heap } from '@prime/primitives';
import type { Entry, SenderQueue } from './senderQueue.ts';

/**
 * Order of eviction. First by class: what waits behind a gap or beyond a sender's guaranteed places goes before what has one, and
 * within both what came from elsewhere goes before what this node's own clients sent. Then by fee. So a flood from one account
 * displaces nobody's first transactions, whatever it pays.
 */
export interface Candidate {
  readonly entry: Entry;
  /** 0 goes first. */
  readonly rank: number;
}

/** The first to go: lowest class, then lowest fee cap, then lowest tip, then latest arrival. */
export function compareCandidates(a: Candidate, b: Candidate): number {
  if (a.rank !== b.rank) return a.rank - b.rank;
  const [left, right] = [a.entry.transaction, b.entry.transaction];
  if (left.maxFeePerGas !== right.maxFeePerGas) return left.maxFeePerGas < right.maxFeePerGas ? -1 : 1;
  if (left.maxPriorityFeePerGas !== right.maxPriorityFeePerGas)
    return left.maxPriorityFeePerGas < right.maxPriorityFeePerGas ? -1 : 1;
  return b.entry.arrival - a.entry.arrival;
}

/** @param place in its sender's queue @param isPending whether it is behind no gap there */
export function candidate(entry: Entry, place: number, isPending: boolean, senderGuaranteed: number): Candidate {
  const guaranteed = isPending && place < senderGuaranteed;
  return { entry, rank: (guaranteed ? 2 : 0) + (entry.local ? 1 : 0) };
}

/** Who would have to go for a newcomer. Nothing is evicted until the caller carries it out. */
export interface EvictionPlan {
  /** How many go from the end of each queue. */
  readonly taken: ReadonlyMap<SenderQueue, number>;
  /** The least worthy transaction that is still the last of its sender; undefined when nothing is left. */
  next(): Candidate | undefined;
  /** Puts back what {@link next} took out of the index. */
  undo(): void;
}

/** Chooses victims without touching the queues, so that a refusal half-way costs nobody a place. */
export function createEvictionPlan(
  bySender: ReadonlyMap<Address, SenderQueue>,
  tails: Heap<Candidate>,
  rankAt: (queue: SenderQueue, place: number) => Candidate,
): EvictionPlan {
  const taken = new Map<SenderQueue, number>();
  const victims: Candidate[] = [];
  return {
    taken,
    next() {
      for (let tail = tails.pop(); tail !== undefined; tail = tails.pop()) {
        const queue = bySender.get(tail.entry.transaction.sender);
        if (queue === undefined) continue;
        const takenCount = taken.get(queue) ?? 0;
        const place = queue.entries.length - 1 - takenCount;
        // Anything else is a stale entry of the index.
        if (queue.entries[place] !== tail.entry || rankAt(queue, place).rank !== tail.rank) continue;
        victims.push(tail);
        taken.set(queue, takenCount + 1);
        if (place > 0) tails.push(rankAt(queue, place - 1));
        return tail;
      }
      return undefined;
    },
    undo() {
      for (const victim of victims) tails.push(victim);
    },
  };
}

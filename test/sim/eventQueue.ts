/** Events on virtual time: earliest first, and among those of one instant in the order in which they were added. */
export interface EventQueue {
  /** Virtual time, ms: that of the event taken last. */
  readonly nowMs: number;
  after(delayMs: number, action: () => void): void;
  /** Carries out the next event; false when there is none. */
  runNext(): boolean;
}

interface Entry {
  readonly atMs: number;
  readonly order: number;
  readonly action: () => void;
}

const precedes = (a: Entry, b: Entry): boolean => a.atMs < b.atMs || (a.atMs === b.atMs && a.order < b.order);

export function createEventQueue(): EventQueue {
  const heap: Entry[] = [];
  let nowMs = 0;
  let added = 0;

  function push(entry: Entry): void {
    let index = heap.push(entry) - 1;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if (!precedes(entry, heap[parent]!)) break;
      heap[index] = heap[parent]!;
      index = parent;
    }
    heap[index] = entry;
  }

  function pop(): Entry | undefined {
    const first = heap[0];
    const last = heap.pop();
    if (first === undefined || last === undefined || heap.length === 0) return first;
    let index = 0;
    for (;;) {
      let child = 2 * index + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && precedes(heap[child + 1]!, heap[child]!)) child += 1;
      if (!precedes(heap[child]!, last)) break;
      heap[index] = heap[child]!;
      index = child;
    }
    heap[index] = last;
    return first;
  }

  return {
    get nowMs() {
      return nowMs;
    },
    after(delayMs, action) {
      push({ atMs: nowMs + delayMs, order: added++, action });
    },
    runNext() {
      const entry = pop();
      if (entry === undefined) return false;
      nowMs = entry.atMs;
      entry.action();
      return true;
    },
  };
}

/**
 * Undo log of the order book domain.
 *
 * A block is executed in place, because copying the state would cost more than the block; what it changed must be taken back
 * when another block is decided, and an action that fails half way must leave nothing behind. Every change pushes the step
 * that reverses it. Steps run in reverse order, so each one finds exactly the state that its change left: linked lists are
 * mended with the links that a removed element still holds.
 *
 * Objects with many fields are saved whole on their first change after a mark: `epoch` grows with each mark, and an object
 * whose `savedIn` is the current epoch is saved already.
 */
export interface Journal {
  /** Changes with every mark and undo; never 0. */
  epoch(): number;
  push(undo: () => void): void;
  /** Opens a new span of changes. @returns what {@link undoTo} takes */
  mark(): number;
  /** Takes back everything since the mark. */
  undoTo(mark: number): void;
  /** Accepts everything. */
  clear(): void;
}

/** An object that is saved as a whole, see {@link saveOnce}. */
export interface Savable {
  /** Epoch in which the object was last saved. */
  savedIn: number;
}

export function createJournal(): Journal {
  let epoch = 1;
  const steps: (() => void)[] = [];
  return {
    epoch: () => epoch,
    push: (undo) => void steps.push(undo),
    mark() {
      epoch++;
      return steps.length;
    },
    undoTo(mark) {
      while (steps.length > mark) steps.pop()!();
      // What was saved in the undone span must be saved again before it changes again.
      epoch++;
    },
    clear() {
      steps.length = 0;
      epoch++;
    },
  };
}

/** Saves the object's fields before its first change of the span. Fields that hold objects are saved by reference. */
export function saveOnce<T extends Savable>(journal: Journal, target: T): T {
  const epoch = journal.epoch();
  if (target.savedIn === epoch) return target;
  const saved = { ...target };
  target.savedIn = epoch;
  journal.push(() => {
    Object.assign(target, saved);
    target.savedIn = 0;
  });
  return target;
}

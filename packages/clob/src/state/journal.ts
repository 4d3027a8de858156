import { grown } from '@prime/primitives';
import { type FirstRoom, usualRoom } from '../book/firstRoom.ts';

/** Where an undo of the state goes back to. */
export interface StateMark {
  readonly steps: number;
  readonly events: number;
  readonly ends: number;
}

/** Reverses a step that {@link Journal.note} took. */
export type UndoStep<T> = (target: T, code: number, handle: number, amount: number) => void;

/**
 * Undo log of the order book domain.
 *
 * A block is executed in place, because copying the state would cost more than the block; what it changed must be taken back
 * when another block is decided, and an action that fails half way must leave nothing behind. Every change notes the step
 * that reverses it. Steps run in reverse order, so each one finds exactly the state that its change left: linked lists are
 * mended with the links that a removed element still holds.
 *
 * What happens to orders is most of what happens, so those steps are numbers in columns ({@link Journal.note}); rarer ones are functions.
 *
 * Objects with many fields are saved whole on their first change after a mark: `epoch` grows with each mark, and an object
 * whose `savedIn` is the current epoch is saved already.
 */
export class Journal {
  /** Changes with every mark and undo; never 0. */
  epoch = 1;
  #count = 0;
  /** 0 for a function, else what {@link note} was given. */
  #codes: Uint8Array;
  #handles: Int32Array;
  #amounts: Float64Array;
  readonly #functions: (() => void)[] = [];

  constructor(firstRoom: FirstRoom = usualRoom) {
    const capacity = firstRoom(1024);
    this.#codes = new Uint8Array(capacity);
    this.#handles = new Int32Array(capacity);
    this.#amounts = new Float64Array(capacity);
  }

  push(undo: () => void): void {
    this.note(0, 0, 0);
    this.#functions.push(undo);
  }

  /** @param code above 0, which says what happened to the order of that handle */
  note(code: number, handle: number, amount: number): void {
    if (this.#count === this.#codes.length) this.#grow();
    this.#codes[this.#count] = code;
    this.#handles[this.#count] = handle;
    this.#amounts[this.#count++] = amount;
  }

  /** Opens a new span of changes. @returns what {@link undoTo} takes */
  mark(): number {
    this.epoch++;
    return this.#count;
  }

  /** Takes back everything since the mark. @param undo reverses a step in columns, in what `target` is */
  undoTo<T>(mark: number, target: T, undo: UndoStep<T>): void {
    while (this.#count > mark) {
      const step = --this.#count;
      const code = this.#codes[step]!;
      if (code === 0) this.#functions.pop()!();
      else undo(target, code, this.#handles[step]!, this.#amounts[step]!);
    }
    // What was saved in the undone span must be saved again before it changes again.
    this.epoch++;
  }

  /** Whether nothing was changed since the last {@link clear}. */
  get isEmpty(): boolean {
    return this.#count === 0;
  }

  /** Accepts everything. */
  clear(): void {
    this.#count = 0;
    this.#functions.length = 0;
    this.epoch++;
  }

  #grow(): void {
    const capacity = this.#codes.length * 2;
    this.#codes = grown(this.#codes, capacity);
    this.#handles = grown(this.#handles, capacity);
    this.#amounts = grown(this.#amounts, capacity);
  }
}

/** An object that is saved as a whole, see {@link saveOnce}. */
export interface Savable {
  /** Epoch in which the object was last saved. */
  savedIn: number;
}

/** Saves the object's fields before its first change of the span. Fields that hold objects are saved by reference. */
export function saveOnce<T extends Savable>(journal: Journal, target: T): T {
  if (target.savedIn !== journal.epoch) save(journal, target);
  return target;
}

/** Apart, as in all that is asked for every order: what a step of undo remembers would be made in each call of the function in which it is written. */
function save<T extends Savable>(journal: Journal, target: T): void {
  const saved = { ...target };
  target.savedIn = journal.epoch;
  journal.push(() => {
    Object.assign(target, saved);
    target.savedIn = 0;
  });
}

/** Steps that are numbers, see {@link Journal.note}. */
export const step = { rested: 1, removed: 2, filled: 3, accountSaved: 4, exposureSaved: 5 } as const;

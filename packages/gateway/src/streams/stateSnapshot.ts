import type { BlockRecord } from '@prime/rpc';

/** Updates that may wait behind a small snapshot, characters. */
const updatesLengthMin = 256 * 1024;

/**
 * A snapshot in parts, and what blocks changed since. Whoever is not through with it shares it: readers that are slow need no memory of their own, and a
 * stream has no more of it than twice what stands.
 */
export class StateSnapshot {
  readonly head: BlockRecord;
  readonly isOneMessage: boolean;
  /** How many are not through. */
  readers = 0;
  /** The parts, then the updates. */
  readonly #texts: string[];
  /** Characters that updates may still have. */
  #room: number;

  constructor(head: BlockRecord, parts: readonly unknown[]) {
    this.head = head;
    this.isOneMessage = parts.length === 1;
    this.#texts = parts.map((part) => JSON.stringify(part));
    this.#room = Math.max(
      updatesLengthMin,
      this.#texts.reduce((length, text) => length + text.length, 0),
    );
  }

  /** @returns undefined behind the newest one */
  text(at: number): string | undefined {
    return this.#texts[at];
  }

  /** @returns false when the updates are more than it: whoever is not through is better off with a new one */
  add(update: string): boolean {
    this.#room -= update.length;
    if (this.#room < 0) return false;
    this.#texts.push(update);
    return true;
  }
}

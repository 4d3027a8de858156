import type { Operation, Operations } from '../../scenario/operation.ts';
import type { Announced } from './messages.ts';

/** An operation that was signed, with its place among those that have a hash; null for one that has none. */
export interface Placed {
  readonly operation: Operation;
  readonly place: number | null;
}

/** Operations that are signed and announced together: few enough that whoever signs in between is not late for long. */
const signedAtOnce = 64;

/**
 * Operations that are signed before they are due, in their order. Each is announced before it is handed out, so that whoever hears the announcements knows
 * everything that may ever be sent.
 */
export class AheadQueue {
  readonly #operations: Operations;
  readonly #announce: (announced: Announced) => void;
  readonly #room: number;
  #ready: Placed[] = [];
  #first = 0;
  #places = 0;

  /** @param room operations that wait here at most */
  constructor(operations: Operations, room: number, announce: (announced: Announced) => void) {
    this.#operations = operations;
    this.#room = room;
    this.#announce = announce;
  }

  /** Signed and not taken. */
  get length(): number {
    return this.#ready.length - this.#first;
  }

  /** Signs until so many wait, or there is no room for more, or `isEnough` says so. @returns how many were signed */
  fill(wanted: number, isEnough: () => boolean = () => false): number {
    const goal = Math.min(wanted, this.#room);
    let signed = 0;
    while (this.length < goal && !isEnough()) {
      const count = Math.min(signedAtOnce, goal - this.length);
      this.#sign(count);
      signed += count;
    }
    return signed;
  }

  take(): Placed {
    if (this.length === 0) this.#sign(1);
    const placed = this.#ready[this.#first]!;
    this.#first++;
    if (this.#first >= 4096 && this.#first * 2 >= this.#ready.length) {
      this.#ready = this.#ready.slice(this.#first);
      this.#first = 0;
    }
    return placed;
  }

  #sign(count: number): void {
    const announced: Operation[] = [];
    const first = this.#places;
    for (let index = 0; index < count; index++) {
      const operation = this.#operations.next();
      if (operation.hash !== null) announced.push(operation);
      this.#ready.push({ operation, place: operation.hash === null ? null : this.#places++ });
    }
    if (announced.length === 0) return;
    this.#announce({
      type: 'announced',
      first,
      kinds: announced.map(({ kind }) => kind),
      hashes: announced.map(({ hash }) => hash!),
      senders: announced.map(({ sender }) => sender),
    });
  }
}

import { grown } from '@prime/primitives';
import { type FirstRoom, usualRoom } from './firstRoom.ts';

/** Each order book has a stack, and most books of a long list of markets have no orders. */
const noNumbers = new Int32Array(0);
const usualNumbers = 64;

/** Stack of 32-bit whole numbers that keeps its room: emptying an Array gives it back, and filling it in the next block makes it anew, step by step. */
export class IntStack {
  length = 0;
  #numbers = noNumbers;
  readonly #firstRoom: FirstRoom;

  constructor(firstRoom: FirstRoom = usualRoom) {
    this.#firstRoom = firstRoom;
  }

  push(value: number): void {
    if (this.length === this.#numbers.length) this.#grow();
    this.#numbers[this.length++] = value;
  }

  /** For stacks of numbers that are not negative. @returns -1 when there is none: `undefined` would make an object of each number */
  pop(): number {
    return this.length === 0 ? -1 : this.#numbers[--this.length]!;
  }

  /** @param index below {@link length} */
  at(index: number): number {
    return this.#numbers[index]!;
  }

  clear(): void {
    this.length = 0;
  }

  #grow(): void {
    this.#numbers = grown(this.#numbers, Math.max(this.#firstRoom(usualNumbers), this.length * 2));
  }
}

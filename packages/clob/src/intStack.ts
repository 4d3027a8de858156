/** Stack of 32-bit whole numbers that keeps its room: emptying an Array gives it back, and filling it in the next block makes it anew, step by step. */
export class IntStack {
  length = 0;
  #numbers = new Int32Array(64);

  push(value: number): void {
    if (this.length === this.#numbers.length) {
      const numbers = new Int32Array(this.length * 2);
      numbers.set(this.#numbers);
      this.#numbers = numbers;
    }
    this.#numbers[this.length++] = value;
  }

  /** @returns undefined when there is none */
  pop(): number | undefined {
    return this.length === 0 ? undefined : this.#numbers[--this.length];
  }

  /** @param index below {@link length} */
  at(index: number): number {
    return this.#numbers[index]!;
  }

  clear(): void {
    this.length = 0;
  }
}

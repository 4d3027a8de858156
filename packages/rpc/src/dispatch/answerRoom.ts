/** What the answers of one batch may take together, characters. */
export class AnswerRoom {
  isFull = false;
  readonly lengthMax: number;
  private remaining: number;

  constructor(lengthMax: number) {
    this.lengthMax = lengthMax;
    this.remaining = lengthMax;
  }

  /** @returns false where the answer does not fit; one that never would takes no room from the others */
  take(length: number): boolean {
    if (length > this.lengthMax) return false;
    this.remaining -= length;
    this.isFull = this.remaining < 0;
    return !this.isFull;
  }
}

/** What an answer has to fit into. */
export type Room = Pick<AnswerRoom, 'take' | 'lengthMax'>;

/** What the answers of one batch may take together, characters. */
export class AnswerRoom {
  isFull = false;
  readonly lengthMax: number;
  private left: number;

  constructor(lengthMax: number) {
    this.lengthMax = lengthMax;
    this.left = lengthMax;
  }

  /** @returns false where the answer does not fit; one that never would takes no room from the others */
  take(length: number): boolean {
    if (length > this.lengthMax) return false;
    this.left -= length;
    this.isFull = this.left < 0;
    return !this.isFull;
  }
}

/** What an answer has to fit into. */
export type Room = Pick<AnswerRoom, 'take' | 'lengthMax'>;

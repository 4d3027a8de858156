/** Why something is as it is, in words for people who do not know the protocol. */
export interface Explanation {
  readonly tone: 'good' | 'warn' | 'bad';
  /** The answer in a few words, without a full stop. */
  readonly title: string;
  /** Whole sentences with the numbers that decided. */
  readonly text: string;
}

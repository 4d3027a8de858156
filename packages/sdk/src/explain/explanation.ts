/** Why something is as it is, in words for people who do not know the protocol. */
export interface Explanation {
  readonly tone: 'good' | 'warn' | 'bad';
  /** The answer in a few words, without a full stop. */
  readonly title: string;
  /** Whole sentences with the numbers that decided. */
  readonly text: string;
}

type Tell = (title: string, text: string) => Explanation;
const inTone =
  (tone: Explanation['tone']): Tell =>
  (title, text) => ({ tone, title, text });

/** All is as it should be. */
export const good: Tell = inTone('good');
/** Nothing is wrong, or not yet. */
export const warn: Tell = inTone('warn');
/** Something is wrong. */
export const bad: Tell = inTone('bad');

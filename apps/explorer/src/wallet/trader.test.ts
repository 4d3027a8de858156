import { expect, it } from '@jest/globals';
import { whyNot } from './trader.ts';

it.each([
  [{ code: 4001, message: 'User rejected the request.' }, 'You declined it in the wallet. Nothing was sent.'],
  [Object.assign(new Error('x'), { cause: { code: 4001 } }), 'You declined it in the wallet. Nothing was sent.'],
  [
    Object.assign(new Error('long\ntext'), { shortMessage: 'Refused: insufficient margin.' }),
    'Refused: insufficient margin.',
  ],
  [new Error('first line\nsecond'), 'first line'],
  [{ code: -32000 }, 'The wallet did not say why (-32000).'],
  [undefined, 'The wallet did not say why.'],
])('%#: is told in words', (error, words) => {
  expect(whyNot(error)).toBe(words);
});

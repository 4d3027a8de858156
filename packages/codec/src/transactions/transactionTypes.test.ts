import { expect, it } from '@jest/globals';
import { nativeTransactionType } from '../actions/nativeTransaction.ts';
import { blobTransactionType, transactionTypeOf, transactionTypes } from './transactionTypes.ts';

it('the first byte tells the type: that of a list a legacy transaction, and only four types are executed', () => {
  const typed = new Map<number, number>([1, 2, 4].map((type) => [type, type]));
  for (let first = 0; first <= 0xff; first++)
    expect(transactionTypeOf(first)).toBe(first >= 0xc0 ? transactionTypes.legacy : (typed.get(first) ?? null));
  expect([blobTransactionType, nativeTransactionType].map(transactionTypeOf)).toEqual([null, null]);
});

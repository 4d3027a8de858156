import { describe, expect, it } from '@jest/globals';
import { admissionCodes, admissionMeaning, admissionOf, explainWaiting } from './admission.ts';

describe('what a node refuses before a block', () => {
  it.each(admissionCodes)('%s means something', (code) => {
    expect(admissionMeaning(code)).toMatch(/^[A-Z].*\.$/s);
  });

  it.each([
    ['nonce too low: next nonce 5, tx nonce 3', 'MEMPOOL_NONCE_TOO_LOW'],
    ['Nonce too high: next nonce 5, tx nonce 9; it was not added to the pool', 'ENGINE_NONCE_GAP'],
    ['nonce too old: it is 1', 'ENGINE_ACTION_NONCE'],
    ['transaction underpriced: the pool is full', 'MEMPOOL_UNDERPRICED'],
    ['replacement transaction underpriced', 'MEMPOOL_REPLACEMENT_UNDERPRICED'],
    ['insufficient funds for gas * price + value: balance 1, cost 2', 'MEMPOOL_INSUFFICIENT_FUNDS'],
    ['something else', null],
    ['', null],
  ])('"%s" is %s', (words, code) => {
    expect(admissionOf(words)).toBe(code);
  });

  it('other codes mean nothing here', () => {
    expect([admissionMeaning('ENGINE_DIVERGED'), admissionMeaning('toString')]).toEqual([null, null]);
  });
});

describe('why a transaction waits', () => {
  const waits = { nonce: 7n, nextNonce: 7n, maxFeePerGas: 10n, baseFee: 10n };
  it.each([
    [
      { nextNonce: 5n },
      'Its nonce is 7, and 2 transactions of its sender with a lower one are in no block yet. It goes on when they came.',
    ],
    [
      { nextNonce: 6n },
      'Its nonce is 7, and 1 transaction of its sender with a lower one is in no block yet. It goes on when that one came.',
    ],
    [{ baseFee: 11n }, /^It pays 0\.00000001 gwei for its gas at most, and the base fee is 0\.000000011 gwei\./],
    [{}, /^Nothing is in its way/],
    [{ nextNonce: null, baseFee: null }, /^Nothing is in its way/],
    [{ nextNonce: 8n }, /^Nothing is in its way/],
  ])('%j', (more, words) => {
    expect(explainWaiting({ ...waits, ...more })).toMatch(words);
  });
});

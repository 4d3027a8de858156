import { describe, expect, it } from '@jest/globals';
import { encodeErrorResult, parseAbi } from 'viem';
import { explainRevert, explainTransaction, revertReason } from './transaction.ts';

const hash = `0x${'ab'.repeat(32)}` as const;
const abi = parseAbi(['error InvalidPrice(uint256 price)', 'error Error(string)', 'error Panic(uint256)']);
const gas = { gas: 100_000n, gasUsed: 30_000n };
const reverted = encodeErrorResult({ abi, errorName: 'Error', args: ['no such token'] });

describe('why a transaction reverted', () => {
  it.each([
    [reverted, 'no such token'],
    [encodeErrorResult({ abi, errorName: 'Panic', args: [0x12n] }), 'a division by zero'],
    [encodeErrorResult({ abi, errorName: 'Panic', args: [0x99n] }), 'panic 153'],
    [encodeErrorResult({ abi, errorName: 'InvalidPrice', args: [7n] }), 'InvalidPrice(price: 7)'],
    ['0x12345678', 'an error that is not known here, 0x12345678'],
  ] as const)('%s', (output, words) => {
    expect(revertReason(output, [parseAbi(['error InvalidPrice(uint256 price)'])])).toBe(words);
  });

  it('without a reason it is the gas, or nothing that anybody told', () => {
    expect([revertReason('0x'), revertReason('0x1234')]).toEqual([null, null]);
    expect(explainRevert({ output: '0x', gas: 21_000n, gasUsed: 21_000n })).toBe('it used up all of its gas, 21,000');
    expect(explainRevert({ output: '0x', gas: 21_001n, gasUsed: 21_000n })).toBe('the contract gave no reason');
  });
});

describe('what became of a transaction', () => {
  const evm = { stage: 'evm', hash, blockNumber: 12n, isOk: true, ...gas, output: '0x', refusedWrites: [] } as const;
  const action = {
    stage: 'action',
    hash,
    blockNumber: 12n,
    type: 'order',
    refused: null,
    refusedItems: [],
    items: 0,
    order: null,
  } as const;
  const refusal = { kind: 'post_only', message: 'post-only order would cross', data: {} };

  it('nobody knows it, or it waits', () => {
    expect(explainTransaction({ stage: 'unknown', hash }).text).toContain('may have been refused before a block');
    const pending = { stage: 'pending', hash, nonce: 3n, nextNonce: 1n, maxFeePerGas: 1n, baseFee: 1n } as const;
    expect(explainTransaction(pending)).toMatchObject({
      tone: 'warn',
      text: expect.stringContaining('2 transactions'),
    });
  });

  it('that reverted: with the reason and the gas', () => {
    expect(explainTransaction({ ...evm, isOk: false, output: reverted })).toEqual({
      tone: 'bad',
      title: 'It reverted',
      text: 'The reason: no such token. Nothing of it counts, but block 12 took the gas: 30,000 of 100,000.',
    });
  });

  it('that was carried out, or whose wishes the order book refused', () => {
    expect(explainTransaction(evm)).toMatchObject({ tone: 'good', text: 'It is in block 12, and used 30,000 gas.' });
    const told = explainTransaction({ ...evm, refusedWrites: ['post_only', 'newer_kind'] });
    expect(told.tone).toBe('warn');
    expect(told.text).toMatch(
      /^Block 12 carried it out\. In the block after, the order book refused 2 writes .*post-only.* newer kind\.$/,
    );
  });

  it('an action was refused, or some of its items, or none', () => {
    const refused = explainTransaction({ ...action, refused: { refusal, market: null } });
    expect(refused).toMatchObject({ tone: 'bad', title: 'It was refused: post-only order would cross' });
    expect(refused.text).toMatch(/^It was to rest and not to trade .* The order is in block 12 and changed nothing\.$/);
    const items = explainTransaction({
      ...action,
      type: 'batch',
      items: 3,
      refusedItems: [{ item: 2, refusal, market: null }],
    });
    expect(items.title).toBe('1 of 3 items were refused');
    expect(items.text).toMatch(/^Item 2: It was to rest/);
    expect(explainTransaction({ ...action, type: null }).text).toBe('The action is in block 12.');
    const order = { tone: 'warn', title: 'order 7 was killed', text: 'Why.' } as const;
    expect(explainTransaction({ ...action, order })).toEqual({ ...order, text: 'The order is in block 12. Why.' });
  });
});

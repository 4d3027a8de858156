import { describe, expect, it } from '@jest/globals';
import type { AccountTransaction, AccountTransactions } from '@prime/sdk';
import { createAccountHistory, withNewest } from './accountHistory.ts';

/** Places as `block.index`, the last first. */
const pageOf = (places: readonly string[], hasMore: boolean): AccountTransactions => {
  const transactions = places.map((place) => {
    const [blockNumber, transactionIndex] = place.split('.');
    return { blockNumber: BigInt(blockNumber!), transactionIndex: Number(transactionIndex) } as AccountTransaction;
  });
  return { transactions, next: hasMore ? transactions.at(-1)! : null, oldestBlock: 1n };
};
const placesOf = ({ transactions }: AccountTransactions): string[] =>
  transactions.map(({ blockNumber, transactionIndex }) => `${blockNumber}.${transactionIndex}`);

describe('transactions of an account', () => {
  it('begin with the first page', () => {
    expect(placesOf(withNewest(null, pageOf(['2.0', '1.0'], true)))).toEqual(['2.0', '1.0']);
    expect(placesOf(withNewest(pageOf([], false), pageOf(['2.0'], false)))).toEqual(['2.0']);
  });

  it('keep what was read of the past when some are new, of the same block too', () => {
    const list = pageOf(['5.1', '5.0', '4.0', '1.0'], false);
    const grown = withNewest(list, pageOf(['7.0', '5.2', '5.1', '5.0'], true));
    expect(placesOf(grown)).toEqual(['7.0', '5.2', '5.1', '5.0', '4.0', '1.0']);
    expect(grown.next).toBeNull();
  });

  it('are the same list when nothing is new', () => {
    const list = pageOf(['5.1', '4.0'], false);
    expect(withNewest(list, pageOf(['5.1'], true))).toBe(list);
  });

  it('begin anew where more came than a page holds', () => {
    const grown = withNewest(pageOf(['5.1', '4.0'], false), pageOf(['9.0', '8.0'], true));
    expect(placesOf(grown)).toEqual(['9.0', '8.0']);
    expect(grown.next).toMatchObject({ blockNumber: 8n });
    // All of them are new, and nothing is behind them.
    expect(placesOf(withNewest(pageOf(['5.1'], false), pageOf(['9.0', '8.0'], false)))).toEqual(['9.0', '8.0', '5.1']);
  });

  it('keep what was read of the past while the newest were asked for', async () => {
    const questions: { readonly isOlder: boolean; readonly answer: (page: unknown) => void }[] = [];
    const request = ({ params: [, { before }] }: { params: [string, { before?: unknown }] }): Promise<unknown> =>
      new Promise((answer) => questions.push({ isOlder: before !== undefined, answer }));
    const history = createAccountHistory({ sdk: { request } as never }, `0x${'1'.repeat(40)}`);
    const letGo = history.hold();
    questions[0]!.answer(wirePage([9, 8], true));
    await settled();
    history.reload();
    history.readOlder();
    expect(questions.map(({ isOlder }) => isOlder)).toEqual([false, false, true]);
    questions[2]!.answer(wirePage([7, 6], false));
    await settled();
    questions[1]!.answer(wirePage([10, 9], true));
    await settled();
    expect(placesOf(history.value.value!)).toEqual(['10.0', '9.0', '8.0', '7.0', '6.0']);
    letGo();
  });
});

/** A page as a node tells it, a transaction in each block. */
const wirePage = (heights: readonly number[], hasMore: boolean): unknown => ({
  transactions: heights.map((height) => ({
    roles: ['sender'],
    status: '0x1',
    transaction: {
      hash: '0x',
      type: '0x2',
      value: '0x0',
      nonce: '0x0',
      blockNumber: `0x${height.toString(16)}`,
      blockTimestamp: '0x1',
      transactionIndex: '0x0',
    },
  })),
  next: hasMore ? { block_number: `0x${heights.at(-1)!.toString(16)}`, transaction_index: '0x0' } : null,
  oldest_block: '0x1',
});
/** Everything that was answered has been taken in. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

import { describe, expect, it } from '@jest/globals';
import type { AccountTransaction, AccountTransactions } from '@prime/sdk';
import { withNewest } from './accountHistory.ts';

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
});

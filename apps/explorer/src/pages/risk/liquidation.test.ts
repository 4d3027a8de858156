import { describe, expect, it } from '@jest/globals';
import type { DomainEventOf } from '@prime/sdk';
import { storyOf } from './liquidation.ts';

const alice = `0x${'a'.repeat(40)}`;
const event = (kind: string, data: object): DomainEventOf => ({ kind, data }) as unknown as DomainEventOf;
const liquidation = event('liquidation', {
  address: alice,
  orderId: 9,
  marketId: 1,
  size: 100n,
  fee: 37n,
  insurancePaid: 0n,
});
const story = (...others: readonly DomainEventOf[]) =>
  storyOf(liquidation as DomainEventOf<'liquidation'>, [liquidation, ...others]);

describe('the story of a liquidation', () => {
  it('has what the book took, at which price on average, and what was closed against others', () => {
    const trade = (price: bigint, size: bigint, takerOrderId = 9) => event('trade', { price, size, takerOrderId });
    const other = { counterparty: alice, marketId: 1, size: 60n, value: 5_400n, orderId: 9 };
    const told = story(trade(94n, 10n), trade(90n, 30n), trade(1n, 500n, 8), event('deleveraged', other));
    expect(told).toMatchObject({ inBook: 40n, bookPrice: 91n, trades: 2, bankruptcyPrice: 90n, fee: 37n });
    expect(told.deleveraged.length).toBe(1);
  });

  it('counts short positions the same way', () => {
    const other = { counterparty: alice, marketId: 1, size: -60n, value: 5_400n, orderId: 9 };
    expect(story(event('deleveraged', other))).toMatchObject({ inBook: 0n, bookPrice: null, bankruptcyPrice: 90n });
  });

  it('has the debt of this account, and of no other', () => {
    const debt = (kind: string, address: string, amount: bigint) => event(kind, { address, amount });
    const told = story(debt('bad_debt', alice, 3n), debt('bad_debt', '0x1', 7n), debt('debt_covered', alice, 5n));
    expect(told).toMatchObject({ badDebt: 3n, debtCovered: 5n });
  });
});

import { describe, expect, it } from '@jest/globals';
import type { DomainEventOf } from '../streams/domainEvents.ts';
import { explainLiquidation, explainNotLiquidated, liquidationStory, liquidationWords } from './liquidation.ts';

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
  liquidationStory(liquidation as DomainEventOf<'liquidation'>, [liquidation, ...others]);

describe('the story of a liquidation', () => {
  it('has what the book took, at which price on average, and what was closed against others', () => {
    const trade = (price: bigint, size: bigint, takerOrderId = 9) => event('trade', { price, size, takerOrderId });
    const other = { counterparty: alice, marketId: 1, size: 60n, value: 5_400n, orderId: 9 };
    const told = story(trade(94n, 10n), trade(90n, 30n), trade(1n, 500n, 8), event('deleveraged', other));
    expect(told).toMatchObject({ inBook: 40n, bookPrice: 91n, trades: 2, closingPrice: 90n, fee: 37n });
    expect(told.deleveraged.length).toBe(1);
  });

  it('counts short positions the same way', () => {
    const other = { counterparty: alice, marketId: 1, size: -60n, value: 5_400n, orderId: 9 };
    expect(story(event('deleveraged', other))).toMatchObject({ inBook: 0n, bookPrice: null, closingPrice: 90n });
  });

  it('has the debt of this account, and of no other', () => {
    const debt = (kind: string, address: string, amount: bigint) => event(kind, { address, amount });
    const told = story(debt('bad_debt', alice, 3n), debt('bad_debt', '0x1', 7n), debt('debt_covered', alice, 5n));
    expect(told).toMatchObject({ badDebt: 3n, debtCovered: 5n });
  });
});

const market = { symbol: 'ETH/USD', base: 'ETH', formatPrice: String, formatSize: String };
const coins = (count: bigint): bigint => count * 10n ** 18n;

describe('a liquidation in words', () => {
  const trade = (price: bigint, size: bigint) => event('trade', { price, size, takerOrderId: 9 });
  const other = { counterparty: alice, marketId: 1, size: 60n, value: 5_400n, orderId: 9 };
  const told = story(trade(93n, 40n), event('deleveraged', other));
  const before = { collateral: coins(1_000n), equity: coins(400n), initialMargin: 0n, maintenanceMargin: coins(470n) };

  it('has the figures that decided it, and how each position was closed', () => {
    const facts = { block: 41n, positions: [{ story: told, market }], before, cancelledOrders: 2 };
    const { tone, title, text } = explainLiquidation(facts);
    expect([tone, title]).toEqual(['warn', 'It was liquidated in block 41']);
    expect(text).toBe(
      'Before block 41 its equity was 400 PRIME and its maintenance margin 470 PRIME: 70 PRIME were missing. 2 open orders of it were cancelled first. ' +
        'Its long position of 100 ETH in ETH/USD was closed. The book took 40 ETH at 93. The rest was closed against 1 position of others: 60 ETH at 90. ' +
        'The insurance fund got a fee of 37 wei.',
    );
  });

  it('says where the state before is not kept, or something in the block itself did it', () => {
    const facts = { block: 41n, positions: [{ story: told, market: null }], before: null, cancelledOrders: 0 };
    expect(explainLiquidation(facts).text).toMatch(
      /^In block 41 its equity was below its maintenance margin\. Its long position of 100 units was closed/,
    );
    const well = { ...before, equity: before.maintenanceMargin };
    expect(explainLiquidation({ ...facts, before: well }).text).toContain('it was a change in that block');
  });

  it('a debt that nothing covers is bad, and what the fund paid is told', () => {
    const poor = story(
      event('bad_debt', { address: alice, amount: 3n }),
      event('debt_covered', { address: alice, amount: 5n }),
    );
    const { tone, text } = explainLiquidation({
      block: 1n,
      positions: [{ story: poor, market }],
      before,
      cancelledOrders: 0,
    });
    expect(tone).toBe('bad');
    expect(text).toContain(
      'The insurance fund paid 5 wei. Nobody paid the other 3 wei, which is a debt of its markets.',
    );
    expect(liquidationWords(poor, market)).toMatchObject({ inBook: 'nothing', against: 'nothing', badDebt: '3 wei' });
  });

  it('what the book did not take is still open', () => {
    const part = story(trade(93n, 40n));
    expect(part.remaining).toBe(60n);
    const facts = { block: 41n, positions: [{ story: part, market }], before, cancelledOrders: 0 };
    expect(explainLiquidation(facts).text).toContain('was reduced. The book took 40 ETH at 93. 60 ETH are still open.');
  });

  it('what keeps an account from it', () => {
    const health = (equity: bigint, maintenanceMargin: bigint) =>
      explainNotLiquidated({ equity, maintenanceMargin, liquidatable: equity < maintenanceMargin }, 1n);
    expect(health(coins(500n), coins(470n)).text).toBe(
      'It was not liquidated since genesis. Its equity is 500 PRIME, and its maintenance margin 470 PRIME: it may lose 30 PRIME before it can be.',
    );
    expect(health(coins(469n), coins(470n))).toMatchObject({
      tone: 'bad',
      text: expect.stringContaining('1 PRIME are missing'),
    });
    expect(health(0n, 0n).text).toContain('no position');
    expect(explainNotLiquidated({ equity: 0n, maintenanceMargin: 0n, liquidatable: false }, 7n).text).toContain(
      'since block 7',
    );
  });
});

import { describe, expect, it } from '@jest/globals';
import type { Market } from '@prime/sdk';
import { describeEvent } from './event.ts';

const market = {
  marketId: 1,
  symbol: 'ETH/USD',
  base: 'ETH',
  tickSize: 5n,
  lotSize: 1n,
  formatPrice: (price: bigint) => `${Number(price) / 100}`,
  formatSize: (size: bigint) => `${Number(size) / 10}`,
} as unknown as Market;
const address = (letter: string): `0x${string}` => `0x${letter.repeat(40)}`;

describe('an event in words', () => {
  it('has human units of its market, and the accounts that it names', () => {
    const data = {
      tradeId: 1,
      marketId: 1,
      price: 301_255n,
      size: 25n,
      makerOrderId: 1,
      takerOrderId: 2,
      maker: address('a'),
      taker: address('b'),
      side: 'buy',
      fees: 0n,
    } as const;
    expect(describeEvent({ kind: 'trade', data }, new Map([[1, market]]))).toEqual({
      title: 'trade',
      words: 'buy 2.5 ETH at 3,012.55 in ETH/USD',
      accounts: [address('b'), address('a')],
      tone: 'buy',
    });
    expect(describeEvent({ kind: 'trade', data }, new Map()).words).toBe('buy 25 units at 301,255 in market 1');
  });

  it('names an account that trades with itself once', () => {
    const data = { from: address('a'), to: address('a'), amount: 10n ** 18n };
    expect(describeEvent({ kind: 'collateral_transferred', data }, new Map())).toMatchObject({
      words: '1 PRIME',
      accounts: [address('a')],
    });
  });

  it('of a kind that is not known shows what it has', () => {
    const event = { kind: 'oracle_moved', data: { by: 3n, who: 'x' } } as unknown as Parameters<
      typeof describeEvent
    >[0];
    expect(describeEvent(event, new Map())).toMatchObject({
      title: 'oracle moved',
      words: 'by 3, who x',
      tone: 'plain',
    });
  });
});

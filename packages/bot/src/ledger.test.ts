import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type BotFill, createLedger } from './ledger.ts';

const fill = (side: 'buy' | 'sell', size: bigint, price: bigint, fee = 0n): BotFill => ({
  blockNumber: 1n,
  tradeId: 1,
  orderId: 1,
  side,
  size,
  value: size * price,
  fee,
  liquidity: 'maker',
});

describe('a ledger', () => {
  it('has position and profit after fees', () => {
    const ledger = createLedger(0n, 0n);
    ledger.apply(fill('buy', 10n, 100n, 3n));
    ledger.apply(fill('sell', 4n, 110n, -1n));
    expect([ledger.position, ledger.profit(105n), ledger.fees, ledger.volume, ledger.turnover, ledger.fills]).toEqual([
      6n,
      -1_000n - 3n + 440n + 1n + 630n,
      2n,
      14n,
      1_440n,
      2,
    ]);
  });

  it('begins without profit, whatever the account holds', () => {
    expect(createLedger(-7n, 120n).profit(120n)).toBe(0n);
    expect(createLedger(-7n, 120n).profit(121n)).toBe(-7n);
  });

  it('of both sides of any trades has no profit but the fees', () => {
    const trades = fc.array(fc.record({ isBuy: fc.boolean(), size: fc.bigInt(1n, 99n), price: fc.bigInt(1n, 999n) }));
    fc.assert(
      fc.property(trades, fc.bigInt(1n, 999n), (list, price) => {
        const [one, other] = [createLedger(0n, 0n), createLedger(0n, 0n)];
        for (const trade of list) {
          one.apply(fill(trade.isBuy ? 'buy' : 'sell', trade.size, trade.price, 2n));
          other.apply(fill(trade.isBuy ? 'sell' : 'buy', trade.size, trade.price, 1n));
        }
        expect(one.position + other.position).toBe(0n);
        expect(one.profit(price) + other.profit(price)).toBe(-3n * BigInt(list.length));
      }),
    );
  });
});

import { describe, expect, it } from '@jest/globals';
import { defaultMarketDecimals, type FeeParams } from '@prime/codec';
import fc from 'fast-check';
import { partOf } from '../book/quantity.ts';
import { addressOf, alice, bob, createHarness, type Harness, marketId, order, startMs } from '../testing/harness.ts';

describe('parts of exact numbers', () => {
  it('are those of bigints, however large the product', () => {
    const value = fc.oneof(fc.maxSafeNat(), fc.nat(3_000_000));
    for (const base of [10_000, 1_000_000])
      fc.assert(
        fc.property(value, fc.integer({ min: 0, max: base }), (number, rate) => {
          expect(BigInt(partOf(number, rate, base))).toBe((BigInt(number) * BigInt(rate)) / BigInt(base));
        }),
        {
          examples: [
            [Number.MAX_SAFE_INTEGER, base],
            [Number.MAX_SAFE_INTEGER, base - 1],
            [0, base],
            [base - 1, base - 1],
          ],
        },
      );
  });
});

describe('fees in exact numbers', () => {
  const markets = [{ symbol: 'FEE/USD', tickSize: 1n, lotSize: 1n, ...defaultMarketDecimals }];
  const inMarket = { marketId: marketId(1) };
  const rates = fc
    .record({
      takerPpm: fc.oneof(fc.integer({ min: 0, max: 100_000 }), fc.integer({ min: 1, max: 99 })),
      makerPpm: fc.integer({ min: -100_000, max: 100_000 }),
      treasury: fc.constantFrom(addressOf(0x7ea), null),
      treasuryShareBps: fc.oneof(fc.integer({ min: 1, max: 10_000 }), fc.constantFrom(1, 9_999, 10_000)),
    })
    .map(
      ({ takerPpm, makerPpm, treasury, treasuryShareBps }): FeeParams => ({
        takerPpm,
        makerPpm: Math.max(makerPpm, -takerPpm),
        treasury,
        treasuryShareBps: treasury === null ? 0 : treasuryShareBps,
      }),
    );

  /** Someone quotes, so that there is a mark. */
  function open(wideBooks: boolean, fees: FeeParams, price: bigint): Harness {
    const harness = createHarness({ wideBooks, markets, params: { fees } });
    for (const owner of [alice, bob]) harness.deposit(owner, 10n ** 24n);
    harness.act(alice, order('buy', price - 1n, 1n, inMarket));
    harness.act(alice, order('sell', price + 1n, 1n, inMarket));
    return harness;
  }

  it('are to the wei those of the general one, whatever rates and notionals', () => {
    const price = fc.oneof(fc.bigInt({ min: 2n, max: 1n << 24n }), fc.constantFrom(2n, 10_000n, 1_000_000n));
    const sizes = fc.array(fc.oneof(fc.bigInt({ min: 1n, max: 1n << 24n }), fc.constantFrom(1n, 9_999n)), {
      minLength: 1,
      maxLength: 4,
    });
    fc.assert(
      fc.property(rates, price, sizes, (fees, at, parts) => {
        const [short, general] = [open(false, fees, at), open(true, fees, at)];
        const total = parts.reduce((sum, size) => sum + size, 0n);
        const steps = [
          ...parts.map((size) => ({ account: alice, payload: order('sell', at, size, inMarket) })),
          { account: bob, payload: order('buy', at, total, { ...inMarket, tif: 'ioc' }) },
        ];
        const [a, b] = [short, general].map((harness) => harness.block(steps, startMs + 60_000));
        expect([a!.results, a!.events, a!.writes]).toEqual([b!.results, b!.events, b!.writes]);
        expect(short.state.log.answerCount).toBe(steps.length);
        expect(general.state.log.answerCount).toBe(0);
      }),
      { numRuns: 60 },
    );
  });
});

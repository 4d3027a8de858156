import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { InvalidAmountError, InvalidPriceError, InvalidSizeError } from '../errors/own.ts';
import { createMarketUnits } from './marketUnits.ts';

/** ETH/USD: 0.0001 ETH is one base unit, a dollar is 10^18 wei, prices in steps of five cents, sizes of a hundredth. */
const grid = { symbol: 'ETH/USD', tickSize: 5n * 10n ** 12n, lotSize: 100n, baseDecimals: 4, quoteDecimals: 18 };
const market = createMarketUnits(grid);

const thrownBy = (run: () => unknown): unknown => {
  try {
    run();
  } catch (thrown) {
    return thrown;
  }
  throw new Error('it was not refused');
};

describe('units of a market', () => {
  it('a price is wei of the quote for one base unit, a size base units', () => {
    expect(market.price('3012.55')).toBe(301_255_000_000_000_000n);
    expect(market.size('0.25')).toBe(2500n);
    expect(market.formatPrice(301_255_000_000_000_000n)).toBe('3012.55');
    expect(market.formatSize(2500n)).toBe('0.25');
  });

  it('notional of both is what people would say', () => {
    const notional = market.notional(market.price('3012.55'), market.size('0.25'));
    expect(market.formatQuoteAmount(notional)).toBe('753.1375');
  });

  it('a price between two ticks: the error names both', () => {
    const error = thrownBy(() => market.price('3012.52'));
    expect(error).toBeInstanceOf(InvalidPriceError);
    expect(error).toMatchObject({
      code: 'INVALID_PRICE',
      value: '3012.52',
      nearest: { below: 301_250_000_000_000_000n, above: 301_255_000_000_000_000n },
      nearestText: { below: '3012.5', above: '3012.55' },
    });
    expect((error as Error).message).toContain('prices are multiples of 0.05');
    expect((error as Error).message).toContain('Nearest: 3012.5 and 3012.55');
  });

  it('with a rounding it is made valid', () => {
    expect(market.formatPrice(market.price('3012.52', { rounding: 'down' }))).toBe('3012.5');
    expect(market.formatPrice(market.price('3012.52', { rounding: 'up' }))).toBe('3012.55');
    expect(market.formatPrice(market.price('3012.52', { rounding: 'nearest' }))).toBe('3012.5');
    expect(market.formatPrice(market.price('3012.525', { rounding: 'nearest' }))).toBe('3012.55');
    expect(market.formatSize(market.size('0.2599', { rounding: 'down' }))).toBe('0.25');
  });

  it.each(['0', '-1', '0.01'])('a price of %s is none, also rounded down: the least is one tick', (text) => {
    const rounding = text === '0.01' ? ({ rounding: 'down' } as const) : {};
    expect(thrownBy(() => market.price(text, rounding))).toMatchObject({ nearestText: { below: null, above: '0.05' } });
  });

  it('a size below the lot, and one between two lots', () => {
    expect(thrownBy(() => market.size('0.001'))).toMatchObject({ nearest: { below: null, above: 100n } });
    const error = thrownBy(() => market.size('1.0150'));
    expect(error).toBeInstanceOf(InvalidSizeError);
    expect(error).toMatchObject({ code: 'INVALID_SIZE', nearestText: { below: '1.01', above: '1.02' } });
  });

  it('an amount of the quote is exact to the wei, and refused beyond', () => {
    expect(market.quoteAmount('1.000000000000000001')).toBe(10n ** 18n + 1n);
    expect(thrownBy(() => market.quoteAmount('0.0000000000000000001'))).toBeInstanceOf(InvalidAmountError);
  });

  it('a base with more decimals than the quote has prices in whole quotes only as far as the tick allows', () => {
    const fine = createMarketUnits({ ...grid, tickSize: 1n, lotSize: 1n, baseDecimals: 8, quoteDecimals: 6 });
    expect(fine.formatPrice(1n)).toBe('100');
    expect(fine.price('3000')).toBe(30n);
    expect(thrownBy(() => fine.price('3012.55'))).toMatchObject({ nearestText: { below: '3000', above: '3100' } });
  });

  it('every price on the grid survives text, whatever the decimals', () => {
    const decimals = fc.integer({ min: 0, max: 36 });
    const step = fc.bigInt({ min: 1n, max: 10n ** 24n });
    const steps = fc.bigInt({ min: 1n, max: 1n << 64n });
    fc.assert(
      fc.property(decimals, decimals, step, steps, (baseDecimals, quoteDecimals, tickSize, count) => {
        const units = createMarketUnits({ symbol: 'A/B', tickSize, lotSize: tickSize, baseDecimals, quoteDecimals });
        const value = count * tickSize;
        expect(units.price(units.formatPrice(value))).toBe(value);
        expect(units.size(units.formatSize(value))).toBe(value);
        expect(units.quoteAmount(units.formatQuoteAmount(value))).toBe(value);
      }),
    );
  });

  it('a rounded price is less than a tick from what was asked for, on the side that was asked for', () => {
    // In wei for one base unit, from one tick on: no multiple of the tick as a rule.
    const wanted = fc.bigInt({ min: grid.tickSize, max: 10n ** 30n });
    fc.assert(
      fc.property(wanted, fc.constantFrom('down', 'up', 'nearest' as const), (exact, rounding) => {
        const found = market.price(market.formatPrice(exact), { rounding });
        const off = found - exact;
        expect(found % grid.tickSize).toBe(0n);
        if (rounding === 'down') expect(off <= 0n && -off < grid.tickSize).toBe(true);
        else if (rounding === 'up') expect(off >= 0n && off < grid.tickSize).toBe(true);
        else expect(2n * (off < 0n ? -off : off) <= grid.tickSize).toBe(true);
      }),
    );
  });
});

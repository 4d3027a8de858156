import { InvalidAmountError, InvalidPriceError, InvalidSizeError, type Nearest } from '../errors/own.ts';
import type { Price, Size, Wei } from '../types/primitives.ts';
import { floorDivide, formatDecimal, parseDecimal, type Rounding, roundDivide } from './decimal.ts';

/** What is done with a value between two steps: without a rounding it is refused, and the error names both. */
export interface RoundingOptions {
  readonly rounding?: Rounding | undefined;
}

/**
 * The units of one market. People write `3012.55` quote for one base and `0.25` base; the chain counts wei of the quote for one base
 * unit, and base units. All arithmetic is exact: no floats are taken and none are made.
 */
export interface MarketUnits {
  /**
   * A price as the chain has it, a multiple of the tick size.
   *
   * @throws InvalidPriceError with the nearest valid prices, for one that is not above zero, or is between two ticks and no rounding is named
   * @throws InvalidDecimalError
   */
  price(value: string, options?: RoundingOptions): Price;
  /** A size as the chain has it, a multiple of the lot size. @throws InvalidSizeError, InvalidDecimalError */
  size(value: string, options?: RoundingOptions): Size;
  /** An amount of the quote in wei: deposits, withdrawals, notionals. @throws InvalidAmountError, InvalidDecimalError */
  quoteAmount(value: string): Wei;
  /** `3012550000000000n` as `"3012.55"`: exact, without zeros at the end. */
  formatPrice(price: Price): string;
  formatSize(size: Size): string;
  formatQuoteAmount(amount: Wei): string;
  /** Price times size, exact, wei. */
  notional(price: Price, size: Size): Wei;
}

/** What units follow from. */
export interface MarketGrid {
  readonly symbol: string;
  readonly tickSize: bigint;
  readonly lotSize: bigint;
  readonly baseDecimals: number;
  readonly quoteDecimals: number;
}

/** A grid of multiples of `step`, which people write divided by 10^scale. */
interface Axis {
  readonly step: bigint;
  /** May be negative: a price of a base with more decimals than the quote. */
  readonly scale: number;
}

/** The value as a fraction of steps. */
function inSteps(text: string, { step, scale }: Axis): { readonly numerator: bigint; readonly denominator: bigint } {
  const { digits, scale: given } = parseDecimal(text);
  const shift = scale - given;
  return shift >= 0
    ? { numerator: digits * 10n ** BigInt(shift), denominator: step }
    : { numerator: digits, denominator: step * 10n ** BigInt(-shift) };
}

/** A multiple of the step above zero, or the ones around the value. */
function onAxis(text: string, axis: Axis, rounding: Rounding | undefined): bigint | Nearest<bigint> {
  const { numerator, denominator } = inSteps(text, axis);
  const { floor, rest } = floorDivide(numerator, denominator);
  const steps = rest === 0n ? floor : rounding === undefined ? null : roundDivide(numerator, denominator, rounding);
  if (steps !== null && steps > 0n) return steps * axis.step;
  const above = rest === 0n ? floor : floor + 1n;
  return { below: floor > 0n ? floor * axis.step : null, above: (above > 0n ? above : 1n) * axis.step };
}

const formatNearest = ({ below, above }: Nearest<bigint>, scale: number): Nearest<string> => ({
  below: below === null ? null : formatDecimal(below, scale),
  above: above === null ? null : formatDecimal(above, scale),
});

/** The units of a market from its grid. */
export function createMarketUnits(grid: MarketGrid): MarketUnits {
  const { symbol, tickSize, lotSize, baseDecimals, quoteDecimals } = grid;
  // A price of P quote for one base is P · 10^quoteDecimals wei for 10^baseDecimals base units.
  const ticks: Axis = { step: tickSize, scale: quoteDecimals - baseDecimals };
  const lots: Axis = { step: lotSize, scale: baseDecimals };
  const offGrid = (value: string, { step, scale }: Axis, nearest: Nearest<bigint>) => ({
    value,
    symbol,
    step: formatDecimal(step, scale),
    nearest,
    nearestText: formatNearest(nearest, scale),
  });
  return {
    price(value, { rounding } = {}) {
      const found = onAxis(value, ticks, rounding);
      if (typeof found === 'bigint') return found;
      throw new InvalidPriceError(offGrid(value, ticks, found));
    },
    size(value, { rounding } = {}) {
      const found = onAxis(value, lots, rounding);
      if (typeof found === 'bigint') return found;
      throw new InvalidSizeError(offGrid(value, lots, found));
    },
    quoteAmount(value) {
      const { numerator, denominator } = inSteps(value, { step: 1n, scale: quoteDecimals });
      if (numerator % denominator !== 0n) throw new InvalidAmountError(value, symbol, quoteDecimals);
      return numerator / denominator;
    },
    formatPrice: (price) => formatDecimal(price, ticks.scale),
    formatSize: (size) => formatDecimal(size, baseDecimals),
    formatQuoteAmount: (amount) => formatDecimal(amount, quoteDecimals),
    notional: (price, size) => price * size,
  };
}

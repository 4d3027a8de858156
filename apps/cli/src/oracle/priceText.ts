/** How prices are written outside: digits, a point, an exponent. */
const pattern = /^(\d{1,60})(?:\.(\d{1,60}))?(?:[eE]([+-]?\d{1,3}))?$/;

/** Most digits that an exponent may add or take: beyond it no market has prices. */
const exponentMax = 120;

/**
 * Wei for one base unit of what is written for one whole unit, rounded down.
 *
 * @param text as `3012.55`, `1e-7` @param decimals of the quote less those of the base
 * @returns null when it is no number above 0
 */
export function weiPerBaseUnit(text: string, decimals: number): bigint | null {
  const [, whole, fraction = '', exponent = '0'] = pattern.exec(text.trim()) ?? [];
  if (whole === undefined) return null;
  const shift = decimals - fraction.length + Number(exponent);
  if (Math.abs(shift) > exponentMax) return null;
  const digits = BigInt(whole + fraction);
  const price = shift >= 0 ? digits * 10n ** BigInt(shift) : digits / 10n ** BigInt(-shift);
  return price > 0n ? price : null;
}

/** The number digits / 10^decimals as text, exact. */
export function decimalText(digits: bigint, decimals: number): string {
  const sign = digits < 0n ? '-' : '';
  const text = (digits < 0n ? -digits : digits).toString().padStart(decimals + 1, '0');
  const whole = text.slice(0, text.length - decimals);
  const fraction = text.slice(text.length - decimals).replace(/0+$/, '');
  return `${sign}${whole}${fraction === '' ? '' : `.${fraction}`}`;
}

/** The fraction of two integers as text, cut behind so many decimals. */
export function ratioText(numerator: bigint, denominator: bigint, decimals: number): string {
  return decimalText((numerator * 10n ** BigInt(decimals)) / denominator, decimals);
}

/** Text of a decimal number as digits / 10^decimals; what is finer is cut off. Null for what is no number. */
export function parseDecimalDown(text: string, decimals: number): bigint | null {
  const match = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text);
  if (match === null) return null;
  const [, sign, whole, fraction = ''] = match;
  const digits = BigInt(`${whole}${fraction.slice(0, decimals).padEnd(decimals, '0')}`);
  return sign === '-' ? -digits : digits;
}

/** Absolute value; `Math.abs` takes no bigints. */
export const magnitude = (value: bigint): bigint => (value < 0n ? -value : value);

/** The coin of the chain has eighteen decimals, and collateral is that coin. */
const coinDecimals = 18;
/** Commas stand between thousands and nowhere else: `1,5` is not 15. */
const amountPattern = /^(?:\d{1,20}|\d{1,3}(?:,\d{3}){1,6})(?:\.\d{1,18})?$/;

/** Wei of an amount of coins as it is typed, with commas and spaces as people copy them; null for what is no amount. */
export function readAmount(text: string): bigint | null {
  const clean = text.replace(/\s/g, '');
  if (!amountPattern.test(clean)) return null;
  const [whole = '0', fraction = ''] = clean.replaceAll(',', '').split('.');
  return BigInt(whole + fraction.padEnd(coinDecimals, '0'));
}

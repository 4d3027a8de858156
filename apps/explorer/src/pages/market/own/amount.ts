/** The coin of the chain has eighteen decimals, and collateral is that coin. */
const coinDecimals = 18;
const amountPattern = /^\d{1,20}(?:\.\d{1,18})?$/;

/** Wei of an amount as it is typed; null for what is none. */
export function readAmount(text: string): bigint | null {
  const clean = text.replace(/[\s,]/g, '');
  if (!amountPattern.test(clean)) return null;
  const [whole = '0', fraction = ''] = clean.split('.');
  const wei = BigInt(whole + fraction.padEnd(coinDecimals, '0'));
  return wei === 0n ? null : wei;
}

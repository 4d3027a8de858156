import { type CliError, usageError } from '../errors.ts';

/** Decimals of the chain's coin, in which collateral is counted. */
const coinDecimals = 18;
/** Name of the chain's coin. */
export const coin = 'PRIME';

/** Wei of an amount of the coin such as 100 or 0.25. @throws CliError `CLI_USAGE` */
export function parseAmount(text: string, argument: string): bigint {
  const [, whole, fraction = ''] = /^(\d{1,60})(?:\.(\d+))?$/.exec(text) ?? [];
  const refuse = (what: string): CliError => usageError(`${argument} must be ${what}, got ${text}`, argument);
  if (whole === undefined) throw refuse(`an amount of ${coin} such as 100 or 0.25`);
  if (fraction.length > coinDecimals) throw refuse(`an amount of ${coin} of at most ${coinDecimals} decimals`);
  const wei = BigInt(`${whole}${fraction.padEnd(coinDecimals, '0')}`);
  if (wei === 0n) throw refuse('above zero');
  return wei;
}

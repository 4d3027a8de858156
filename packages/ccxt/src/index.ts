import ccxt, { type Exchange } from 'ccxt';
import { createPrime } from './create.ts';

export * from './create.ts';

/** A class of ccxt: its instances are exchanges with all that ccxt's own types say of one. */
type ExchangeClass = new (config?: object) => Exchange;

const classes = createPrime(ccxt) as unknown as {
  readonly prime: ExchangeClass;
  readonly pro: { readonly prime: ExchangeClass };
};

/** Prime as a class of ccxt: `new prime({ privateKey })`. */
export const prime: ExchangeClass = classes.prime;
/** And with streams: `new pro.prime({ privateKey })`. */
export const pro: { readonly prime: ExchangeClass } = classes.pro;

import { withAccount } from './classes/account.ts';
import { type ClassOf, createBase } from './classes/base.ts';
import { withPublic } from './classes/public.ts';
import { type PrimePro, withStreams } from './classes/streams.ts';
import { type PrimeRest, withTrading } from './classes/trading.ts';
import type { CcxtLibrary } from './library.ts';

export type { ClassOf } from './classes/base.ts';
export type { PrimePro } from './classes/streams.ts';
export type { PrimeRest } from './classes/trading.ts';
export type {
  CcxtExchange,
  CcxtLibrary,
  CcxtMarket,
  ExceptionName,
  Limit,
  Num,
  Params,
  Since,
  Structure,
  Symbols,
} from './library.ts';
export type { OrderArguments } from './rest/orderRequest.ts';

/** The classes of Prime for a ccxt: what `index.ts` does with the installed one. */
export interface PrimeClasses {
  /** As `ccxt.binance`. */
  readonly prime: ClassOf<PrimeRest>;
  /** As `ccxt.pro`. */
  readonly pro: { readonly prime: ClassOf<PrimePro> };
}

/** @param library what `import ccxt from 'ccxt'` gives */
export function createPrime(library: CcxtLibrary): PrimeClasses {
  const prime = withTrading(withAccount(withPublic(createBase(library))));
  return { prime, pro: { prime: withStreams(prime) } };
}

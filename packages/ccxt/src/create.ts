import { type ClassOf, createRest, type PrimeRest } from './classes/base.ts';
import { type PrimePro, withStreams } from './classes/streams.ts';
import type { CcxtLibrary } from './library.ts';

export type { ClassOf, PrimeRest } from './classes/base.ts';
export type { PrimePro } from './classes/streams.ts';
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
  const prime = createRest(library);
  return { prime, pro: { prime: withStreams(prime) } };
}

import { marketIdOf } from '../../decode/references.ts';
import type { MarketReference } from '../../types/primitives.ts';
import { watchKept, wholeStates } from '../feed/keptWatcher.ts';
import type { WatchParameters } from '../feed/subscriber.ts';
import { sessionOf, type StreamsClient } from '../streams.ts';
import type { BestPrices } from '../types.ts';
import type { Unwatch } from '../watch.ts';
import { readBestPrices } from '../wire/states.ts';

/** Of which market, and who is told. */
export interface WatchBboParameters extends WatchParameters {
  readonly market: MarketReference;
  /** While a promise of it is not settled newer prices replace each other, and the newest are told then. */
  readonly onBbo: (best: BestPrices) => unknown;
}

/** Tells best bid and best ask of a market: at once, and after each block that changed a price or a size of them. */
export function watchBbo(client: StreamsClient, parameters: WatchBboParameters): Unwatch {
  const options = { market_id: marketIdOf(parameters.market) };
  const source = wholeStates('bbo', options, 'best prices', readBestPrices);
  return watchKept(sessionOf(client), source, parameters, (best) => parameters.onBbo(best));
}

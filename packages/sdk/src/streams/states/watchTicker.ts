import { marketIdOf } from '../../decode/references.ts';
import type { MarketReference } from '../../types/primitives.ts';
import { watchKept, wholeStates } from '../feed/keptWatcher.ts';
import type { WatchParameters } from '../feed/subscriber.ts';
import { sessionOf, type StreamsClient } from '../streams.ts';
import type { StreamedTicker } from '../types.ts';
import type { Unwatch } from '../watch.ts';
import { readTicker } from '../wire/states.ts';

/** Of which market, and who is told. */
export interface WatchTickerParameters extends WatchParameters {
  readonly market: MarketReference;
  /** While a promise of it is not settled newer tickers replace each other, and the newest is told then. */
  readonly onTicker: (ticker: StreamedTicker) => unknown;
}

/** Tells what a market does, as `getTickers` has it: at once, and after each block that changed something of it. */
export function watchTicker(client: StreamsClient, parameters: WatchTickerParameters): Unwatch {
  const options = { market_id: marketIdOf(parameters.market) };
  const source = wholeStates('ticker', options, 'tickers', readTicker);
  return watchKept(sessionOf(client), source, parameters, (ticker) => parameters.onTicker(ticker));
}

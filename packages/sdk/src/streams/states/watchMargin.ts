import { lowerCase } from '../../decode/quantity.ts';
import type { Address } from '../../types/primitives.ts';
import { watchKept, wholeStates } from '../feed/keptWatcher.ts';
import type { WatchParameters } from '../feed/subscriber.ts';
import { sessionOf, type StreamsClient } from '../streams.ts';
import type { StreamedMargin } from '../types.ts';
import type { Unwatch } from '../watch.ts';
import { readMargin } from '../wire/states.ts';

/** Of which account, and who is told. */
export interface WatchMarginParameters extends WatchParameters {
  readonly address: Address;
  /** While a promise of it is not settled newer accounts replace each other, and the newest is told then. */
  readonly onMargin: (account: StreamedMargin) => unknown;
}

/**
 * Tells collateral, equity, margin and positions of an account, as `getAccount` has them: at once, after each block that touched it, and at most once
 * a second where only prices moved. `watchAccount` tells of orders and fills, which this does not, and knows no prices.
 */
export function watchMargin(client: StreamsClient, parameters: WatchMarginParameters): Unwatch {
  const source = wholeStates('account', { address: lowerCase(parameters.address) }, 'an account', readMargin);
  return watchKept(sessionOf(client), source, parameters, (account) => parameters.onMargin(account));
}

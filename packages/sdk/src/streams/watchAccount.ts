import {
  type AccountChange,
  type AccountView,
  createLocalAccountState,
  type LocalAccountStateParameters,
} from './account/state.ts';
import type { StreamsClient } from './streams.ts';
import type { Unwatch } from './watch.ts';

/** Whose account is watched, and who is told of each change. */
export interface WatchAccountParameters extends Omit<LocalAccountStateParameters, 'onChange'> {
  /** The account after each change, and why it changed; `account.status` says whether it is sure. */
  readonly onAccount: (account: AccountView, change: AccountChange) => void;
}

/** Tells collateral, positions, orders and fills of an account whenever a block changes them. */
export function watchAccount(client: StreamsClient, { onAccount, ...parameters }: WatchAccountParameters): Unwatch {
  const state = createLocalAccountState(client, { ...parameters, onChange: onAccount });
  return () => state.stop();
}

import type { DomainEvent } from '@prime/codec';
import type { Account } from '../state/accounts.ts';
import type { Market } from '../state/markets.ts';

/** What the rows of a block's log are; blockLog.ts writes and reads them. */

/** The rows of a log, for another thread. */
export interface LogRows {
  readonly kinds: Uint8Array;
  readonly actions: Int32Array;
  readonly markets: Float64Array;
  readonly numbers: Float64Array;
  readonly answers: Float64Array;
  /** Of accepted orders, by row. */
  readonly clientIds: ReadonlyMap<number, string>;
  /** Events that are no rows, by row. */
  readonly objects: ReadonlyMap<number, DomainEvent>;
}

/** What an event says, with the names that orders and the trade have here. */
export function renamed(data: DomainEvent['data'], idOf: (id: number) => number, tradeId: number): DomainEvent['data'] {
  const names: Record<string, number> = {};
  for (const name of ['order_id', 'maker_order_id', 'taker_order_id'])
    if (data[name] !== undefined) names[name] = idOf(data[name] as number);
  return { ...data, ...names, ...(data['trade_id'] === undefined ? {} : { trade_id: tradeId }) };
}

/** What rows name by their place. */
export interface Known {
  readonly accounts: readonly Account[];
  readonly markets: readonly Market[];
}

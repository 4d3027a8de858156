import type { DomainEvent, Side } from '@prime/codec';
import type { Account } from '../state/accounts.ts';
import type { Market } from '../state/markets.ts';
import { buySide } from '../book/orderPool.ts';

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

/** Kinds of rows. */
export const row = { event: 0, accepted: 1, traded: 2, cancelled: 3, charged: 4 } as const;
export const eventNumbers = 8;
export const answerNumbers = 7;
/** Why orders on the short way end, by status. */
export const reasons = [null, null, null, 'ioc', 'fok'] as const;
export const sideOf = (side: number): Side => (side === buySide ? 'buy' : 'sell');

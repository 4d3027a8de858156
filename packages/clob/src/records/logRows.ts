import type { DomainEvent, TradeValue } from '@prime/codec';
import type { OrderId } from '@prime/primitives';
import type { Account } from '../state/accounts.ts';
import type { Exposure } from '../book/exposure.ts';
import type { Quantity } from '../book/quantity.ts';
import type { Market } from '../state/markets.ts';
import type { TakerOrder } from '../state/takerOrder.ts';

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

/** Wei that a trade moved; what the maker paid is negative for a rebate. */
export interface ChargedFees<N extends Quantity = Quantity> {
  readonly takerFee: N;
  readonly makerFee: N;
  readonly insurance: N;
  readonly treasury: N;
}

/** Two orders that trade. */
export interface Trade<N extends Quantity = Quantity> {
  readonly taker: TakerOrder;
  readonly maker: Account;
  /** Of the maker in the market. */
  readonly makerExposure: Exposure;
  readonly makerOrder: OrderId;
  readonly ticks: N;
  readonly lots: N;
  /** Whether the maker surely has equity for what it costs, see room.ts. */
  readonly isMakerSure: boolean;
}

/** The trade of which an event tells. */
export const tradeOf = (data: DomainEvent['data']): TradeValue =>
  ({
    tradeId: data['trade_id'],
    price: data['price'],
    size: data['size'],
    makerOrderId: data['maker_order_id'],
    takerOrderId: data['taker_order_id'],
    maker: data['maker'],
    taker: data['taker'],
    side: data['side'],
    fee: data['fees'],
  }) as TradeValue;

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

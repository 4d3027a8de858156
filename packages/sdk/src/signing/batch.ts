import { BatchSizeError } from '../errors/own.ts';
import type { BatchItem } from '../types/action.ts';
import type { OrderRequest } from '../types/order.ts';
import type { Hex, MarketReference, Price, Size } from '../types/primitives.ts';
import { batchSizeMax } from './checkAction.ts';

/** Items of a batch in their order. Each method adds one and gives the builder back. */
export interface BatchBuilder {
  order(order: OrderRequest): BatchBuilder;
  cancel(orderId: number): BatchBuilder;
  cancelByClientId(market: MarketReference, clientId: Hex): BatchBuilder;
  /** Without a market: in all of them. */
  cancelAll(market?: MarketReference): BatchBuilder;
  /** `size` is what is to be open afterwards. */
  modify(orderId: number, to: { readonly price: Price; readonly size: Size }): BatchBuilder;
  readonly items: readonly BatchItem[];
}

/**
 * Builds a batch: `submitBatch({ items: createBatch().cancel(7).order({ … }).items })`.
 *
 * A batch of nothing but cancels runs before the orders of its block; in any other the items run one after the other. Each method throws
 * BatchSizeError for the 101st item.
 */
export function createBatch(): BatchBuilder {
  const items: BatchItem[] = [];
  const builder: BatchBuilder = {
    order: (order) => add({ type: 'order', ...order }),
    cancel: (orderId) => add({ type: 'cancel', orderId }),
    cancelByClientId: (market, clientId) => add({ type: 'cancelByClientId', market, clientId }),
    cancelAll: (market) => add({ type: 'cancelAll', market }),
    modify: (orderId, { price, size }) => add({ type: 'modify', orderId, price, size }),
    items,
  };
  const add = (item: BatchItem): BatchBuilder => {
    if (items.length >= batchSizeMax) throw new BatchSizeError(items.length + 1, batchSizeMax);
    items.push(item);
    return builder;
  };
  return builder;
}

/** Any number of items as batches of at most 100, in their order. */
export function splitIntoBatches(items: readonly BatchItem[]): readonly (readonly BatchItem[])[] {
  const batches: (readonly BatchItem[])[] = [];
  for (let start = 0; start < items.length; start += batchSizeMax)
    batches.push(items.slice(start, start + batchSizeMax));
  return batches;
}

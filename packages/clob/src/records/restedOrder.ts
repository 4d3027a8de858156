import type { OrderEnd } from '@prime/codec';
import type { Account } from '../state/accounts.ts';
import { baseUnits, type Market, priceOf } from '../state/markets.ts';
import type { EndedOrder } from './orderMemory.ts';
import type { OrderPool } from '../book/orderPool.ts';
import { minus, type Quantity } from '../book/quantity.ts';

/** Place of gtc in the protocol's list: nothing else rests. */
const gtc = 0;

/** An order that is about to leave the book, as the memory keeps it. @param left lots */
export function restedOrder(
  orders: OrderPool,
  market: Market,
  handle: number,
  { owner, left, end }: { readonly owner: Account; readonly left: Quantity; readonly end: OrderEnd },
): EndedOrder {
  const { size, ticks } = market.book.columns;
  return {
    orderId: orders.id[handle]!,
    marketId: market.id,
    owner,
    side: orders.side[handle]!,
    price: priceOf(market, ticks[handle]!),
    size: baseUnits(market, size[handle]!),
    tif: gtc,
    end,
    filled: baseUnits(market, minus(size[handle]!, left)),
    remaining: baseUnits(market, left),
    clientId: orders.clientId(handle),
    createdBlock: orders.createdBlock[handle]!,
    expiresAt: orders.expiresAt[handle]!,
  };
}

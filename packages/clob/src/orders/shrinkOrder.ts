import type { OrderReduction } from '@prime/codec';
import type { Account } from '../state/accounts.ts';
import type { Market } from '../state/markets.ts';
import { fillOrder } from '../state/openOrders.ts';
import { noteGone } from '../margin/room.ts';
import type { ClobState } from '../state/state.ts';
import { minus, type Quantity } from '../book/quantity.ts';

/** Makes a resting order smaller, as if it had been made for less, and tells it. @param lots fewer than are left of it */
export function shrinkOrder(state: ClobState, handle: number, lots: Quantity, by: OrderReduction): void {
  const { orders } = state;
  const market = state.marketOf(handle);
  const { columns } = market.book;
  const size = columns.size[handle]!;
  noteGone(state, handle, lots);
  fillOrder(state, handle, lots);
  columns.size[handle] = minus(size, lots);
  state.journal.push(() => {
    columns.size[handle] = size;
  });
  const account = state.accounts[orders.owner[handle]!]!;
  const [amount, remaining] = [BigInt(lots) * market.lotSize, state.remainingOf(handle)];
  tellReduced(state, { id: orders.id[handle]!, market, account }, by, amount, remaining);
}

/** Tells that an order became smaller without a fill. @param amount base units that went @param remaining base units that stay */
export function tellReduced(
  state: ClobState,
  { id, market, account }: { readonly id: number; readonly market: Market; readonly account: Account },
  by: OrderReduction,
  amount: bigint,
  remaining: bigint,
): void {
  state.emit('order_reduced', {
    order_id: id,
    market_id: market.id,
    owner: account.address,
    by,
    amount,
    remaining,
  });
}

import type { CancelReason } from '@prime/codec';
import { removeOrder } from '../state/openOrders.ts';
import { noteGone } from '../lane/room.ts';
import type { ClobState } from '../state/state.ts';

/** Takes an order out of the book and says why. */
export function cancelOrder(state: ClobState, handle: number, reason: CancelReason): void {
  const { orders } = state;
  const market = state.marketOf(handle);
  const [id, left] = [orders.id[handle]!, market.book.columns.remaining[handle]!];
  const owner = state.accounts[orders.owner[handle]!]!;
  noteGone(state, handle, left);
  removeOrder(state, handle, market, owner, left, reason);
  if (typeof left === 'number' && state.contract === null)
    state.log.cancelled(state.actionIndex, id, market, owner, left, reason);
  else {
    const remaining = BigInt(left) * market.lotSize;
    state.emit('order_cancelled', { order_id: id, market_id: market.id, owner: owner.address, remaining, reason });
  }
}

import type { OrderFields } from '@prime/codec';
import { type ModelAccount, type ModelState, ordersThat } from './state.ts';
import type { Undo } from './undo.ts';

/** What rests on the other side at an order's limit or better, whoever it belongs to. */
export function reachable(state: ModelState, { marketId, side, price: limit }: OrderFields): bigint {
  const buy = side === 'buy';
  return ordersThat(
    state,
    (order) => order.market === marketId && order.buy !== buy && (buy ? order.price <= limit : order.price >= limit),
  ).reduce((sum, { remaining }) => sum + remaining, 0n);
}

/** Books a fill. @param quantity negative for a sale */
export function bookFill(undo: Undo, account: ModelAccount, market: number, quantity: bigint, price: bigint): void {
  const position = account.positions[market] ?? { size: 0n, entry: 0n, owed: 0n };
  let { size, entry } = position;
  // One base unit after the other would round differently: close first, then open, as the rule says.
  const opposite = size !== 0n && size > 0n !== quantity > 0n;
  let left = quantity < 0n ? -quantity : quantity;
  if (opposite) {
    const held = size < 0n ? -size : size;
    const closed = left < held ? left : held;
    const released = (entry * closed) / held;
    undo.add(account, 'collateral', size > 0n ? closed * price - released : released - closed * price);
    entry -= released;
    size += quantity > 0n ? closed : -closed;
    left -= closed;
  }
  size += quantity > 0n ? left : -left;
  entry += left * price;
  if (size === 0n) undo.remove(account.positions, market);
  else undo.set(account.positions, market, { ...position, size, entry });
}

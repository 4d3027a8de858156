import type { OrderFields } from '@prime/codec';
import { type ModelAccount, type ModelState, sideOf } from './state.ts';

/** What rests on the other side at an order's limit or better, whoever it belongs to. */
export function reachable(state: ModelState, { marketId, side, price: limit }: OrderFields): bigint {
  const buy = side === 'buy';
  return sideOf(state, marketId, !buy)
    .filter(({ price }) => (buy ? price <= limit : price >= limit))
    .reduce((sum, { remaining }) => sum + remaining, 0n);
}

/** Books a fill. @param quantity negative for a sale */
export function bookFill(account: ModelAccount, market: number, quantity: bigint, price: bigint): void {
  const position = account.positions[market] ?? { size: 0n, entry: 0n, owed: 0n };
  // One base unit after the other would round differently: close first, then open, as the rule says.
  const opposite = position.size !== 0n && position.size > 0n !== quantity > 0n;
  let left = quantity < 0n ? -quantity : quantity;
  if (opposite) {
    const held = position.size < 0n ? -position.size : position.size;
    const closed = left < held ? left : held;
    const released = (position.entry * closed) / held;
    account.collateral += position.size > 0n ? closed * price - released : released - closed * price;
    position.entry -= released;
    position.size += quantity > 0n ? closed : -closed;
    left -= closed;
  }
  position.size += quantity > 0n ? left : -left;
  position.entry += left * price;
  account.positions[market] = position;
  if (position.size === 0n) delete account.positions[market];
}

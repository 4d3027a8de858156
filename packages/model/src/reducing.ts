import { ordersOf } from './fields.ts';
import { max, min, type ModelOrder, type ModelState, type RulesHost } from './state.ts';

/** Orders that rest and become smaller: reduce-only ones, and those that their owners modify; clob.md, Orders. */

interface ReducingHost extends RulesHost {
  changes: number;
  cancel(order: ModelOrder, reason: string): unknown;
}

/** Those of an account in a market, the youngest first. */
const reducers = (state: ModelState, owner: string, market: number): ModelOrder[] =>
  ordersOf(state, owner, market)
    .filter(({ fields }) => fields.reduceOnly)
    .reverse();

/** What of a position a buy, or a sell, may close. */
function against(state: ModelState, owner: string, market: number, buy: boolean): bigint {
  const held = state.accounts[owner]?.positions[market]?.size ?? 0n;
  return max(0n, buy ? -held : held);
}

/** What one more reduce-only order may rest with. */
export function roomToReduce(state: ModelState, owner: string, market: number, buy: boolean): bigint {
  const resting = reducers(state, owner, market).reduce((sum, { remaining }) => sum + remaining, 0n);
  return max(0n, against(state, owner, market, buy) - resting);
}

/** After a position changed: the oldest reduce-only orders keep what they can close, the younger ones what is left of it. */
export function cutReducers(host: ReducingHost, owner: string, market: number): void {
  const { state, undo, events } = host;
  const kept = new Map<number, bigint>();
  const oldestFirst = reducers(state, owner, market).reverse();
  let room = oldestFirst.length === 0 ? 0n : against(state, owner, market, oldestFirst[0]!.buy);
  for (const { id, remaining } of oldestFirst) {
    kept.set(id, min(room, remaining));
    room -= min(room, remaining);
  }
  for (const order of reducers(state, owner, market)) {
    const keeps = kept.get(order.id)!;
    const less = order.remaining - keeps;
    if (less === 0n) continue;
    if (keeps === 0n) {
      host.cancel(order, 'reduce_only');
      continue;
    }
    host.changes++;
    undo.add(order, 'remaining', -less);
    undo.add(order, 'size', -less);
    events.push(`reduced ${order.id} position ${less} ${keeps}`);
  }
}

/** Makes an order smaller for its owner, in its place. @param size at most what is left of it @returns what its owner is told */
export function shrinkTo(host: ReducingHost, order: ModelOrder, size: bigint): unknown {
  const less = order.remaining - size;
  if (less > 0n) {
    host.changes++;
    host.events.push(`reduced ${order.id} modify ${less} ${size}`);
  }
  host.undo.add(order, 'size', -less);
  host.undo.set(order, 'remaining', size);
  const filled = order.size - size;
  return {
    type: 'order',
    id: order.id,
    filled,
    remaining: size,
    trades: [],
    status: filled > 0n ? 'partially_filled' : 'open',
    decremented: 0n,
    reason: null,
  };
}

import { decodeLevelRecord, recordKind } from '@prime/codec';
import type { ClobState } from '../state/state.ts';

/** Levels as text, in one order whatever gave them. */
const textOf = (market: number, side: string, price: bigint, size: bigint): string =>
  `${market} ${side} ${price}: ${size}`;

/** Levels that stand in records. */
export const levelsOf = (records: Iterable<readonly [Uint8Array, Uint8Array]>): string[] =>
  [...records]
    .filter(([key]) => recordKind(key) === 'level')
    .map(([, value]) => decodeLevelRecord(value))
    .map(({ marketId, side, price, size }) => textOf(marketId, side, price, size))
    .sort();

/** What the live orders add up to, order by order: no sum of the book is asked. */
export function levelsOfOrders(state: ClobState): string[] {
  const sums = new Map<string, [market: number, side: string, price: bigint, size: bigint]>();
  for (const id of state.orders.byId.ids()) {
    const handle = state.orders.byId.get(id)!;
    const { id: market, tickSize, book } = state.marketOf(handle);
    const side = state.orders.side[handle] === 0 ? 'buy' : 'sell';
    const price = BigInt(book.columns.ticks[handle]!) * tickSize;
    const place = `${market} ${side} ${price}`;
    sums.set(place, [market, side, price, (sums.get(place)?.[3] ?? 0n) + state.remainingOf(handle)]);
  }
  return [...sums.values()].map((level) => textOf(...level)).sort();
}

import type { OrderRecord } from '@prime/codec';
import type { Address, MarketId, OrderId } from '@prime/primitives';
import type { EventEntry, OrderUpdate } from '@prime/rpc';
import type { OrderChange } from '../readModel/orderBooks.ts';

type Described = Pick<OrderUpdate, 'marketId' | 'owner' | 'side' | 'price' | 'size' | 'remaining' | 'tif' | 'clientId'>;

const fromRecord = (record: OrderRecord): Described => ({
  marketId: record.marketId,
  owner: record.owner,
  side: record.side,
  price: record.price,
  size: record.size,
  remaining: record.remaining,
  tif: record.tif,
  clientId: record.clientId,
});

const fromEvent = ({ data }: EventEntry): Described => ({
  marketId: data['market_id'] as MarketId,
  owner: data['owner'] as Address,
  side: data['side'] as string,
  price: data['price'] as bigint,
  size: data['size'] as bigint,
  remaining: data['size'] as bigint,
  tif: data['tif'] as string,
  clientId: data['client_id'] as string | null,
});

/**
 * What a block made of each order that it touched, by order id: one update per order, whatever happened to it in between. Orders
 * that never rested are known from their events, the others from their records.
 */
export function orderUpdates(
  events: readonly EventEntry[],
  changes: ReadonlyMap<OrderId, OrderChange>,
): readonly OrderUpdate[] {
  const accepted = new Map<number, EventEntry>();
  const cancelled = new Map<number, EventEntry>();
  const filled = new Map<number, bigint>();
  const fill = (id: number, size: bigint): void => void filled.set(id, (filled.get(id) ?? 0n) + size);
  for (const event of events) {
    const id = event.data['order_id'] as number;
    if (event.kind === 'order_accepted') accepted.set(id, event);
    else if (event.kind === 'order_cancelled') cancelled.set(id, event);
    else if (event.kind === 'trade') {
      const size = event.data['size'] as bigint;
      fill(event.data['maker_order_id'] as number, size);
      fill(event.data['taker_order_id'] as number, size);
    }
  }
  const ids = new Set<number>([...changes.keys(), ...accepted.keys(), ...cancelled.keys()]);
  const updates: OrderUpdate[] = [];
  for (const orderId of [...ids].sort((a, b) => a - b)) {
    const { before = null, after = null } = changes.get(orderId as OrderId) ?? {};
    if (after !== null) {
      updates.push({ orderId, ...fromRecord(after), status: 'open', reason: null });
      continue;
    }
    const event = accepted.get(orderId);
    const start = before !== null ? fromRecord(before) : event === undefined ? null : fromEvent(event);
    if (start === null) continue;
    const end = cancelled.get(orderId);
    const remaining = (end?.data['remaining'] as bigint | undefined) ?? start.remaining - (filled.get(orderId) ?? 0n);
    const reason = (end?.data['reason'] as string | undefined) ?? null;
    updates.push({ orderId, ...start, remaining, status: end === undefined ? 'filled' : 'cancelled', reason });
  }
  return updates;
}

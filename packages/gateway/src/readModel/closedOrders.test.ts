import { describe, expect, it } from '@jest/globals';
import { type ClosedOrder, encodeClosedOrdersRecord } from '@prime/codec';
import type { Address, MarketId, OrderId } from '@prime/primitives';
import { ClosedOrders } from './closedOrders.ts';

const owner = `0x${'a1'.repeat(20)}` as Address;
const clientId = `0x${'22'.repeat(16)}`;

const closed = (orderId: number, changes: Partial<ClosedOrder> = {}): ClosedOrder => ({
  orderId: orderId as OrderId,
  marketId: 1 as MarketId,
  owner,
  side: 'buy',
  price: 100n,
  size: 10n,
  tif: 'gtc',
  end: 'user',
  filled: 0n,
  remaining: 10n,
  clientId: null,
  createdBlock: 1,
  expiresAt: 0,
  ...changes,
});

const record = (height: number, orders: readonly ClosedOrder[]): Uint8Array =>
  encodeClosedOrdersRecord({ height, orders });

describe('ClosedOrders', () => {
  it('tells each order of a record with the height that it left in', () => {
    const orders = new ClosedOrders();
    const many = Array.from({ length: 300 }, (_, index) => closed(1000 + index, { filled: BigInt(index) }));
    orders.write(7, record(7, many));
    for (const order of many) expect(orders.byOrderId(order.orderId)).toEqual({ ...order, closedHeight: 7 });
    expect(orders.byOrderId(999 as OrderId)).toBeUndefined();
    expect(orders.byOrderId(1300 as OrderId)).toBeUndefined();
  });

  it('does not change with the bytes that it was given', () => {
    const orders = new ClosedOrders();
    const bytes = record(7, [closed(1)]);
    orders.write(7, bytes);
    bytes.fill(0);
    expect(orders.byOrderId(1 as OrderId)).toEqual({ ...closed(1), closedHeight: 7 });
  });

  it('answers the latest order with a client id, in whatever order records are loaded', () => {
    const orders = new ClosedOrders();
    orders.write(9, record(9, [closed(5, { clientId })]));
    orders.write(7, record(7, [closed(2, { clientId })]));
    expect(orders.byOwner(owner, clientId)).toEqual({ ...closed(5, { clientId }), closedHeight: 9 });
    orders.write(9, null);
    expect(orders.byOwner(owner, clientId)).toBeUndefined();
  });

  it('forgets what a record ended with, and takes what replaces it', () => {
    const orders = new ClosedOrders();
    orders.write(7, record(7, [closed(1), closed(2, { clientId })]));
    orders.write(7, record(7, [closed(3)]));
    expect(orders.byOrderId(1 as OrderId)).toBeUndefined();
    expect(orders.byOwner(owner, clientId)).toBeUndefined();
    expect(orders.byOrderId(3 as OrderId)?.closedHeight).toBe(7);
    orders.write(7, null);
    expect(orders.byOrderId(3 as OrderId)).toBeUndefined();
  });
});

import { type ClosedOrdersRecord, decodeClosedOrdersRecord } from '@prime/codec';
import type { Address, Height, OrderId } from '@prime/primitives';
import type { ClosedOrderInfo } from '@prime/rpc';

/** Orders that are gone, as long as the order book remembers them: fed by its records, so every node answers alike. */
export class ClosedOrders {
  private readonly byHeight = new Map<number, ClosedOrdersRecord>();
  private readonly byId = new Map<OrderId, ClosedOrderInfo>();
  /** The latest order with a client id of an owner. */
  private readonly byClientId = new Map<string, OrderId>();

  /** Takes the record of a height, or its end. @throws CodecError when it is malformed */
  write(height: number, value: Uint8Array | null): void {
    const known = this.byHeight.get(height);
    if (known !== undefined) this.forget(known);
    if (value === null) return;
    const record = decodeClosedOrdersRecord(value);
    this.byHeight.set(height, record);
    for (const order of record.orders) {
      this.byId.set(order.orderId, { ...order, closedHeight: height as Height });
      if (order.clientId !== null) this.remember(clientKey(order.owner, order.clientId), order.orderId);
    }
  }

  byOrderId(id: OrderId): ClosedOrderInfo | undefined {
    return this.byId.get(id);
  }

  /** The latest one that is remembered. */
  byOwner(owner: Address, clientId: string): ClosedOrderInfo | undefined {
    const id = this.byClientId.get(clientKey(owner, clientId));
    return id === undefined ? undefined : this.byId.get(id);
  }

  /** Records are loaded in any order: the order with the greatest id is the latest. */
  private remember(key: string, id: OrderId): void {
    if (id > (this.byClientId.get(key) ?? 0)) this.byClientId.set(key, id);
  }

  private forget({ height, orders }: ClosedOrdersRecord): void {
    this.byHeight.delete(height);
    for (const { orderId, owner, clientId } of orders) {
      this.byId.delete(orderId);
      if (clientId === null) continue;
      const key = clientKey(owner, clientId);
      if (this.byClientId.get(key) === orderId) this.byClientId.delete(key);
    }
  }
}

const clientKey = (owner: Address, clientId: string): string => `${owner}${clientId}`;

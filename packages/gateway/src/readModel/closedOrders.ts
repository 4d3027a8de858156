import { type ClosedOrder, decodeClosedOrderAt, decodeClosedOrdersRecord } from '@prime/codec';
import { type Address, assert, type Height, type OrderId } from '@prime/primitives';
import type { ClosedOrderInfo } from '@prime/rpc';

/** Where an order stands: the height that it left in, and its place in the record of that height. */
interface Place {
  readonly height: number;
  readonly index: number;
}

/** What left in one block, and under what it is found here: forgetting it decodes nothing. */
interface Left {
  readonly record: Uint8Array;
  readonly ids: readonly OrderId[];
  readonly named: readonly { readonly key: string; readonly orderId: OrderId }[];
}

/**
 * Orders that are gone, as long as the order book remembers them: fed by its records, so every node answers alike.
 *
 * They are kept as the bytes of their records and decoded when somebody asks: hundreds of thousands are remembered, and few are asked for.
 */
export class ClosedOrders {
  private readonly byHeight = new Map<number, Left>();
  private readonly byId = new Map<OrderId, Place>();
  /** The latest order with a client id of an owner. */
  private readonly byClientId = new Map<string, OrderId>();

  /** Takes the record of a height, or its end. @throws CodecError when it is malformed */
  write(height: number, value: Uint8Array | null): void {
    const known = this.byHeight.get(height);
    if (known !== undefined) this.forget(height, known);
    if (value === null) return;
    const { orders } = decodeClosedOrdersRecord(value);
    const named: { key: string; orderId: OrderId }[] = [];
    orders.forEach(({ orderId, owner, clientId }, index) => {
      this.byId.set(orderId, { height, index });
      if (clientId === null) return;
      const key = clientKey(owner, clientId);
      named.push({ key, orderId });
      this.remember(key, orderId);
    });
    // A copy: the record that comes is a part of the message that told of its block, and would keep all of it.
    this.byHeight.set(height, { record: value.slice(), ids: orders.map(({ orderId }) => orderId), named });
  }

  byOrderId(id: OrderId): ClosedOrderInfo | undefined {
    const place = this.byId.get(id);
    return place && { closedHeight: place.height as Height, ...this.at(place) };
  }

  /** The latest one that is remembered. */
  byOwner(owner: Address, clientId: string): ClosedOrderInfo | undefined {
    const id = this.byClientId.get(clientKey(owner, clientId));
    return id === undefined ? undefined : this.byOrderId(id);
  }

  private at({ height, index }: Place): ClosedOrder {
    const left = this.byHeight.get(height);
    assert(left !== undefined, `an order that left in block ${height} is known, and its record is not`);
    return decodeClosedOrderAt(left.record, index);
  }

  /** Records are loaded in any order: the order with the greatest id is the latest. */
  private remember(key: string, id: OrderId): void {
    if (id > (this.byClientId.get(key) ?? 0)) this.byClientId.set(key, id);
  }

  private forget(height: number, { ids, named }: Left): void {
    this.byHeight.delete(height);
    for (const id of ids) this.byId.delete(id);
    for (const { key, orderId } of named) if (this.byClientId.get(key) === orderId) this.byClientId.delete(key);
  }
}

const clientKey = (owner: Address, clientId: string): string => `${owner}${clientId}`;

import {
  type ClosedOrder,
  closedOrderIds,
  decodeClosedOrderAt,
  type NamedEnd,
  namedEnds,
  type OrderName,
  orderName,
} from '@prime/codec';
import { type Address, assert, type Height, type OrderId } from '@prime/primitives';
import type { ClosedOrderInfo } from '@prime/rpc';

/** Orders that closed in one block, and the client ids that it is found by. */
interface ClosedInBlock {
  readonly record: Uint8Array;
  readonly named: readonly NamedEnd[];
}

/**
 * Orders that are gone, as long as the order book remembers them: fed by its records, so every node answers alike.
 *
 * They are kept as the bytes of their records, of which only the ids are read, and decoded when somebody asks: hundreds of thousands are remembered, and few
 * are asked for. Each of them costs an entry of two small integers.
 */
export class ClosedOrders {
  private readonly byHeight = new Map<number, ClosedInBlock>();
  /** The height that an order closed in. */
  private readonly heightOf = new Map<OrderId, number>();
  /** The latest order with a client id of an owner. */
  private readonly byClientId = new Map<OrderName, OrderId>();

  /** Takes the record of a height, or its end. @throws CodecError when it is malformed */
  write(height: number, value: Uint8Array | null): void {
    const known = this.byHeight.get(height);
    if (known !== undefined) this.forget(height, known);
    if (value === null) return;
    for (const id of closedOrderIds(value)) this.heightOf.set(id, height);
    const named = namedEnds(value);
    for (const { name, orderId } of named) this.remember(name, orderId);
    // A copy: the record that comes is a part of the message that told of its block, and would keep all of it.
    this.byHeight.set(height, { record: value.slice(), named });
  }

  byOrderId(id: OrderId): ClosedOrderInfo | undefined {
    const height = this.heightOf.get(id);
    return height === undefined ? undefined : { closedHeight: height as Height, ...this.closedIn(height, id) };
  }

  /** The latest one that is remembered. */
  byOwner(owner: Address, clientId: string): ClosedOrderInfo | undefined {
    const id = this.byClientId.get(orderName(owner, clientId));
    return id === undefined ? undefined : this.byOrderId(id);
  }

  private closedIn(height: number, id: OrderId): ClosedOrder {
    const closed = this.byHeight.get(height);
    assert(closed !== undefined, `an order that closed in block ${height} is known, and its record is not`);
    return decodeClosedOrderAt(closed.record, closedOrderIds(closed.record).indexOf(id));
  }

  /** Records are loaded in any order: the order with the greatest id is the latest. */
  private remember(name: OrderName, id: OrderId): void {
    if (id > (this.byClientId.get(name) ?? 0)) this.byClientId.set(name, id);
  }

  private forget(height: number, { record, named }: ClosedInBlock): void {
    this.byHeight.delete(height);
    for (const id of closedOrderIds(record)) this.heightOf.delete(id);
    for (const { name, orderId } of named) if (this.byClientId.get(name) === orderId) this.byClientId.delete(name);
  }
}

import {
  type ClosedOrder,
  type ClosedOrdersRecord,
  closedOrdersRecordKey,
  encodeClosedOrdersRecord,
  type RecordWrite,
} from '@prime/codec';
import type { Height, OrderId } from '@prime/primitives';

/**
 * How orders ended, for a number of blocks.
 *
 * A cancel that comes too late is answered with what happened to the order. That answer is in a block's results and events, so
 * every node has to give the same one, also a node that was just restored: the memory is state. All ends of a block are one
 * record, which costs the root two leaves a block, however many orders ended (docs/adr/0064-order-memory.md).
 */
export class OrderMemory {
  /** Of the open block, in the order in which they left. */
  readonly current: ClosedOrder[] = [];
  readonly #blocks: number;
  readonly #ends = new Map<OrderId, ClosedOrder>();
  readonly #byHeight = new Map<number, readonly ClosedOrder[]>();

  /** @param blocks for which an end is remembered; 0 remembers nothing */
  constructor(blocks: number) {
    this.#blocks = blocks;
  }

  /** @returns undefined for an order that is open, was never there, or is forgotten */
  get(id: OrderId): ClosedOrder | undefined {
    return this.#ends.get(id);
  }

  note(order: ClosedOrder): void {
    if (this.#blocks === 0) return;
    this.current.push(order);
    this.#ends.set(order.orderId, order);
  }

  /** Takes back what was noted after the open block had that many ends. */
  truncate(length: number): void {
    while (this.current.length > length) this.#ends.delete(this.current.pop()!.orderId);
  }

  /** The record of the open block, and the end of the one that falls out. */
  writes(height: number): RecordWrite[] {
    const writes: RecordWrite[] = [];
    const forgotten = height - this.#blocks;
    if (this.#byHeight.has(forgotten)) writes.push({ key: closedOrdersRecordKey(forgotten), value: null });
    if (this.current.length === 0) return writes;
    const value = encodeClosedOrdersRecord({ height: height as Height, orders: this.current });
    return [...writes, { key: closedOrdersRecordKey(height), value }];
  }

  /** Keeps the open block and forgets the one that falls out. */
  commit(height: number): void {
    if (this.current.length > 0) this.#byHeight.set(height, [...this.current]);
    this.current.length = 0;
    for (const { orderId } of this.#byHeight.get(height - this.#blocks) ?? []) this.#ends.delete(orderId);
    this.#byHeight.delete(height - this.#blocks);
  }

  load({ height, orders }: ClosedOrdersRecord): void {
    this.#byHeight.set(height, orders);
    for (const order of orders) this.#ends.set(order.orderId, order);
  }
}

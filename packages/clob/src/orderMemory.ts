import {
  type ClosedOrder,
  type ClosedOrderParts,
  type ClosedOrdersRecord,
  closedOrdersRecordKey,
  endClosedOrders,
  orderEnds,
  writeClosedOrder,
} from '@prime/codec';
import type { Account } from './accounts.ts';
import { OrderIndex } from './orderIndex.ts';
import type { RecordBatch } from './recordBatch.ts';

/** Columns of the orders that left in the open block, in the order in which they did. */
interface Leavers {
  readonly orderId: number[];
  readonly marketId: number[];
  readonly owner: Account[];
  /** Place in {@link orderEnds}. */
  readonly end: number[];
  /** Base units. */
  readonly filled: (number | bigint)[];
  readonly remaining: (number | bigint)[];
  readonly clientId: (string | null)[];
}

/**
 * How orders ended, for a number of blocks.
 *
 * A cancel that comes too late is answered with what happened to the order. That answer is in a block's results and events, so
 * every node has to give the same one, also a node that was just restored: the memory is state. All ends of a block are one
 * record, which costs the root two leaves a block, however many orders ended (docs/adr/0064-order-memory.md).
 */
export class OrderMemory {
  readonly #current: Leavers = {
    orderId: [],
    marketId: [],
    owner: [],
    end: [],
    filled: [],
    remaining: [],
    clientId: [],
  };
  readonly #blocks: number;
  /** How each remembered order ended: a place in {@link orderEnds}. */
  readonly #ends = new OrderIndex();
  readonly #idsOf = new Map<number, Float64Array>();

  /** @param blocks for which an end is remembered; 0 remembers nothing */
  constructor(blocks: number) {
    this.#blocks = blocks;
  }

  /** Orders that left in the open block. */
  get count(): number {
    return this.#current.orderId.length;
  }

  /** @returns undefined for an order that is open, was never there, or is forgotten */
  endOf(id: number): ClosedOrder['end'] | undefined {
    const end = this.#ends.get(id);
    return end === undefined ? undefined : orderEnds[end];
  }

  /** @param filled base units, as @param remaining */
  note(
    orderId: number,
    marketId: number,
    owner: Account,
    end: ClosedOrder['end'],
    filled: number | bigint,
    remaining: number | bigint,
    clientId: string | null,
  ): void {
    if (this.#blocks === 0) return;
    const place = orderEnds.indexOf(end);
    const current = this.#current;
    current.orderId.push(orderId);
    current.marketId.push(marketId);
    current.owner.push(owner);
    current.end.push(place);
    current.filled.push(filled);
    current.remaining.push(remaining);
    current.clientId.push(clientId);
    this.#ends.set(orderId, place);
  }

  /** Takes back what was noted after the open block had that many ends. */
  truncate(length: number): void {
    const { orderId } = this.#current;
    for (let index = orderId.length - 1; index >= length; index--) this.#ends.delete(orderId[index]!);
    this.#shorten(length);
  }

  /** Writes the end of the record that falls out, and the record of the open block. */
  writeTo(batch: RecordBatch, height: number): void {
    const forgotten = height - this.#blocks;
    if (this.#idsOf.has(forgotten)) batch.remove(closedOrdersRecordKey(forgotten));
    const { orderId, marketId, owner, end, filled, remaining, clientId } = this.#current;
    if (orderId.length === 0) return;
    const { writer } = batch;
    const from = writer.length;
    const parts = { ...noOrder };
    for (let index = orderId.length - 1; index >= 0; index--) {
      parts.orderId = orderId[index]!;
      parts.marketId = marketId[index]!;
      parts.owner = owner[index]!.addressBytes;
      parts.end = end[index]!;
      parts.filled = filled[index]!;
      parts.remaining = remaining[index]!;
      parts.clientId = clientId[index]!;
      writeClosedOrder(writer, parts);
    }
    endClosedOrders(writer, height, from);
    batch.put(closedOrdersRecordKey(height), from);
  }

  /** Keeps the open block and forgets the one that falls out. */
  commit(height: number): void {
    const { orderId } = this.#current;
    if (orderId.length > 0) this.#idsOf.set(height, Float64Array.from(orderId));
    this.#shorten(0);
    const forgotten = height - this.#blocks;
    for (const id of this.#idsOf.get(forgotten) ?? []) this.#ends.delete(id);
    this.#idsOf.delete(forgotten);
  }

  load({ height, orders }: ClosedOrdersRecord): void {
    this.#idsOf.set(
      height,
      Float64Array.from(orders, ({ orderId }) => orderId),
    );
    for (const { orderId, end } of orders) this.#ends.set(orderId, orderEnds.indexOf(end));
  }

  #shorten(length: number): void {
    const current = this.#current;
    current.orderId.length = length;
    current.marketId.length = length;
    current.owner.length = length;
    current.end.length = length;
    current.filled.length = length;
    current.remaining.length = length;
    current.clientId.length = length;
  }
}

/** Filled in for each order in turn. */
const noOrder: ClosedOrderParts = {
  orderId: 0,
  marketId: 0,
  owner: new Uint8Array(20),
  end: 0,
  filled: 0,
  remaining: 0,
  clientId: null,
};

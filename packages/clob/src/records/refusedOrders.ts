import {
  encodeRefusedOrdersRecord,
  type RecordWrite,
  type RefusedOrder,
  type RefusedOrdersRecord,
  refusedOrdersRecordKey,
} from '@prime/codec';
import { nextForgotten } from './orderMemory.ts';

/**
 * Orders of contracts that were refused, for a number of blocks.
 *
 * A contract learns the result of its order in no answer; it asks later, by the client id that it gave. What it is told is part of an
 * execution, so the memory is state. One record a block, as with orders that ended.
 */
export class RefusedOrders {
  /** Of the open block. */
  readonly current: RefusedOrder[] = [];
  readonly #blocks: number;
  readonly #heights = new Set<number>();

  /** @param blocks for which a refusal is remembered; 0 remembers nothing */
  constructor(blocks: number) {
    this.#blocks = blocks;
  }

  note(order: RefusedOrder): void {
    if (this.#blocks > 0) this.current.push(order);
  }

  /** The record of the open block, and the end of the one that falls out. */
  writes(height: number): RecordWrite[] {
    const forgotten = height - this.#blocks;
    const writes: RecordWrite[] = this.#heights.has(forgotten)
      ? [{ key: refusedOrdersRecordKey(forgotten), value: null }]
      : [];
    if (this.current.length === 0) return writes;
    const value = encodeRefusedOrdersRecord({ height, orders: this.current });
    return [...writes, { key: refusedOrdersRecordKey(height), value }];
  }

  /** Keeps the open block and forgets the one that falls out. */
  commit(height: number): void {
    if (this.current.length > 0) this.#heights.add(height);
    this.#heights.delete(height - this.#blocks);
  }

  /** The first height after this one at which something is forgotten; Infinity for none. */
  nextForgotten(height: number): number {
    return nextForgotten(this.#heights, this.#blocks, height);
  }

  load({ height }: RefusedOrdersRecord): void {
    this.#heights.add(height);
  }
}

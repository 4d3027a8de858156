import {
  type ClosedOrder,
  type ClosedOrderParts,
  type ClosedOrdersRecord,
  closedOrdersRecordKey,
  type EndedTrigger,
  endClosedOrders,
  orderEnds,
  triggerKinds,
  writeClosedOrder,
} from '@prime/codec';
import { type Address, grown } from '@prime/primitives';
import type { Account } from '../state/accounts.ts';
import { type FirstRoom, usualRoom } from '../book/firstRoom.ts';
import { IdPages } from '../book/idPages.ts';
import type { RecordBatch } from './recordBatch.ts';

/** Columns of the orders that left in the open block, in the order in which they did; used again by the next. */
class Leavers {
  count = 0;
  orderId: Float64Array;
  marketId: Float64Array;
  owner: Int32Array;
  side: Uint8Array;
  tif: Uint8Array;
  /** Place in {@link orderEnds}. */
  end: Uint8Array;
  createdBlock: Float64Array;
  expiresAt: Float64Array;
  /** Wei, then base units; where one of an order's is beyond exact numbers all of them are in {@link big}. */
  price: Float64Array;
  size: Float64Array;
  filled: Float64Array;
  remaining: Float64Array;
  readonly big = new Map<number, EndedAmounts>();
  readonly clientIds = new Map<number, string>();
  /** Of those that were triggers, what they waited for. */
  readonly triggers = new Map<number, EndedTrigger>();
  /** Accounts whose client ids are kept from being used again. */
  readonly keepers = new Map<number, Account>();

  constructor(firstRoom: FirstRoom) {
    const capacity = firstRoom(256);
    this.orderId = new Float64Array(capacity);
    this.marketId = new Float64Array(capacity);
    this.owner = new Int32Array(capacity);
    this.side = new Uint8Array(capacity);
    this.tif = new Uint8Array(capacity);
    this.end = new Uint8Array(capacity);
    this.createdBlock = new Float64Array(capacity);
    this.expiresAt = new Float64Array(capacity);
    this.price = new Float64Array(capacity);
    this.size = new Float64Array(capacity);
    this.filled = new Float64Array(capacity);
    this.remaining = new Float64Array(capacity);
  }

  add(order: EndedOrder): number {
    if (this.count === this.end.length) this.#grow();
    const at = this.count++;
    this.orderId[at] = order.orderId;
    this.marketId[at] = order.marketId;
    this.owner[at] = order.owner.index;
    this.side[at] = order.side;
    this.tif[at] = order.tif;
    this.end[at] = endPlace(order.end);
    this.createdBlock[at] = order.createdBlock;
    this.expiresAt[at] = order.expiresAt;
    const { price, size, filled, remaining } = order;
    // What was filled and what remains are parts of the size.
    if (typeof price === 'number' && typeof size === 'number') {
      this.price[at] = price;
      this.size[at] = size;
      this.filled[at] = Number(filled);
      this.remaining[at] = Number(remaining);
    } else this.big.set(at, { price, size, filled, remaining });
    if (order.trigger !== undefined) this.triggers.set(at, order.trigger);
    return at;
  }

  /** Those of a place. */
  amountsAt(at: number): EndedAmounts | undefined {
    return this.big.size === 0 ? undefined : this.big.get(at);
  }

  shorten(count: number): void {
    for (let at = this.count - 1; at >= count && this.big.size + this.clientIds.size + this.triggers.size > 0; at--) {
      this.big.delete(at);
      this.triggers.delete(at);
      this.clientIds.delete(at);
      this.keepers.delete(at);
    }
    this.count = count;
  }

  #grow(): void {
    const capacity = this.count * 2;
    this.orderId = grown(this.orderId, capacity);
    this.marketId = grown(this.marketId, capacity);
    this.owner = grown(this.owner, capacity);
    this.side = grown(this.side, capacity);
    this.tif = grown(this.tif, capacity);
    this.end = grown(this.end, capacity);
    this.createdBlock = grown(this.createdBlock, capacity);
    this.expiresAt = grown(this.expiresAt, capacity);
    this.price = grown(this.price, capacity);
    this.size = grown(this.size, capacity);
    this.filled = grown(this.filled, capacity);
    this.remaining = grown(this.remaining, capacity);
  }
}

/**
 * How orders ended, for a number of blocks.
 *
 * A cancel that comes too late is answered with what happened to the order. That answer is in a block's results and events, so
 * every node has to give the same one, also a node that was just restored: the memory is state. All ends of a block are one
 * record, which costs the root two leaves a block, however many orders ended (docs/adr/0064-order-memory.md).
 */
export class OrderMemory {
  readonly #current: Leavers;
  readonly #blocks: number;
  /** How each remembered order ended: a place in {@link orderEnds}. */
  readonly #ends = new IdPages();
  readonly #idsOf = new Map<number, Float64Array>();
  /** Client ids that are forgotten with the block, and whose they are. */
  readonly #keptOf = new Map<number, readonly KeptClientId[]>();

  /** @param blocks for which an end is remembered; 0 remembers nothing */
  constructor(blocks: number, firstRoom: FirstRoom = usualRoom) {
    this.#blocks = blocks;
    this.#current = new Leavers(firstRoom);
  }

  /** Orders that left in the open block. */
  get count(): number {
    return this.#current.count;
  }

  /** @returns undefined for an order that is open, was never there, or is forgotten */
  endOf(id: number): ClosedOrder['end'] | undefined {
    const end = this.#ends.get(id);
    return end < 0 ? undefined : orderEnds[end];
  }

  /**
   * Notes how an order ended. One that traded, and that its owner did not cancel, keeps its client id from being used again for as long as it is
   * remembered: who did not hear the answer and sends the order once more must not trade twice.
   */
  note(order: EndedOrder): void {
    if (this.#blocks === 0) return;
    const { orderId, owner, end, filled, clientId } = order;
    const current = this.#current;
    const at = current.add(order);
    this.#ends.set(orderId, current.end[at]!);
    if (clientId === null) return;
    current.clientIds.set(at, clientId);
    if (!keepsClientId(end, filled)) return;
    current.keepers.set(at, owner);
    keepClientId(owner, clientId, orderId);
  }

  /** Ends of the open block, for another thread's memory: {@link take} there. */
  rows(): EndRows {
    const { count, big, clientIds, ...columns } = this.#current;
    const { orderId, marketId, owner, side, tif, end, createdBlock, expiresAt } = columns;
    const { price, size, filled, remaining } = columns;
    return {
      orderId: orderId.subarray(0, count),
      marketId: marketId.subarray(0, count),
      owner: owner.subarray(0, count),
      side: side.subarray(0, count),
      tif: tif.subarray(0, count),
      end: end.subarray(0, count),
      createdBlock: createdBlock.subarray(0, count),
      expiresAt: expiresAt.subarray(0, count),
      price: price.subarray(0, count),
      size: size.subarray(0, count),
      filled: filled.subarray(0, count),
      remaining: remaining.subarray(0, count),
      big: new Map(big),
      clientIds: new Map(clientIds),
    };
  }

  /** Notes an end of another memory. @param idOf what an order is called here */
  take(rows: EndRows, at: number, accounts: readonly Account[], idOf: (id: number) => number): void {
    const amounts = rows.big.get(at);
    this.note({
      orderId: idOf(rows.orderId[at]!),
      marketId: rows.marketId[at]!,
      owner: accounts[rows.owner[at]!]!,
      side: rows.side[at]!,
      tif: rows.tif[at]!,
      end: orderEnds[rows.end[at]!]!,
      createdBlock: rows.createdBlock[at]!,
      expiresAt: rows.expiresAt[at]!,
      price: amounts?.price ?? rows.price[at]!,
      size: amounts?.size ?? rows.size[at]!,
      filled: amounts?.filled ?? rows.filled[at]!,
      remaining: amounts?.remaining ?? rows.remaining[at]!,
      clientId: rows.clientIds.get(at) ?? null,
    });
  }

  /** Takes back what was noted after the open block had that many ends. */
  truncate(length: number): void {
    const { orderId, count, keepers, clientIds } = this.#current;
    for (let index = count - 1; index >= length; index--) {
      this.#ends.delete(orderId[index]!);
      if (keepers.size > 0) keepers.get(index)?.endedClientIds?.delete(clientIds.get(index)!);
    }
    this.#current.shorten(length);
  }

  /** Writes the end of the record that falls out, and the record of the open block. */
  writeTo(batch: RecordBatch, height: number, accounts: readonly Account[]): void {
    const forgotten = height - this.#blocks;
    if (this.#idsOf.has(forgotten)) batch.remove(closedOrdersRecordKey(forgotten));
    const current = this.#current;
    if (current.count === 0) return;
    const { writer } = batch;
    const from = writer.length;
    const parts = { ...noOrder };
    for (let at = current.count - 1; at >= 0; at--) {
      const amounts = current.amountsAt(at);
      parts.orderId = current.orderId[at]!;
      parts.marketId = current.marketId[at]!;
      parts.owner = accounts[current.owner[at]!]!.addressBytes;
      parts.side = current.side[at]!;
      parts.price = amounts?.price ?? current.price[at]!;
      parts.size = amounts?.size ?? current.size[at]!;
      parts.tif = current.tif[at]!;
      parts.end = current.end[at]!;
      parts.filled = amounts?.filled ?? current.filled[at]!;
      parts.remaining = amounts?.remaining ?? current.remaining[at]!;
      parts.createdBlock = current.createdBlock[at]!;
      parts.expiresAt = current.expiresAt[at]!;
      parts.clientId = current.clientIds.get(at) ?? null;
      const trigger = current.triggers.size === 0 ? undefined : current.triggers.get(at);
      parts.trigger = trigger === undefined ? null : { ...trigger, kind: triggerKinds.indexOf(trigger.kind) };
      writeClosedOrder(writer, parts);
    }
    endClosedOrders(writer, height, from);
    batch.put(closedOrdersRecordKey(height), from);
  }

  /** Keeps the open block and forgets the one that falls out. */
  commit(height: number): void {
    const current = this.#current;
    if (current.count > 0) this.#idsOf.set(height, current.orderId.slice(0, current.count));
    const kept = [...current.keepers].map(([at, owner]) => ({ owner, clientId: current.clientIds.get(at)! }));
    if (kept.length > 0) this.#keptOf.set(height, kept);
    current.shorten(0);
    const forgotten = height - this.#blocks;
    const ids = this.#idsOf.get(forgotten) ?? noIds;
    for (let at = 0; at < ids.length; at++) this.#ends.delete(ids[at]!);
    this.#idsOf.delete(forgotten);
    for (const { owner, clientId } of this.#keptOf.get(forgotten) ?? []) owner.endedClientIds?.delete(clientId);
    this.#keptOf.delete(forgotten);
  }

  /** The first height after this one at which something is forgotten; Infinity for none. */
  nextForgotten(height: number): number {
    return nextForgotten(this.#idsOf.keys(), this.#blocks, height);
  }

  /** @param accountOf the account of an owner */
  load({ height, orders }: ClosedOrdersRecord, accountOf: (owner: Address) => Account): void {
    this.#idsOf.set(
      height,
      Float64Array.from(orders, ({ orderId }) => orderId),
    );
    const kept: KeptClientId[] = [];
    for (const { orderId, end, owner: address, clientId, filled } of orders) {
      this.#ends.set(orderId, endPlace(end));
      if (clientId === null || !keepsClientId(end, filled)) continue;
      const owner = accountOf(address);
      keepClientId(owner, clientId, orderId);
      kept.push({ owner, clientId });
    }
    if (kept.length > 0) this.#keptOf.set(height, kept);
  }
}

/** Wei and base units: numbers where they are exact. */
interface EndedAmounts {
  readonly price: number | bigint;
  readonly size: number | bigint;
  readonly filled: number | bigint;
  readonly remaining: number | bigint;
}

/** An order that left, or never rested; see ClosedOrder of the codec. */
export interface EndedOrder extends EndedAmounts {
  readonly orderId: number;
  readonly marketId: number;
  readonly owner: Account;
  /** 0 buys, 1 sells. */
  readonly side: number;
  /** Place of the word in the protocol's list. */
  readonly tif: number;
  readonly end: ClosedOrder['end'];
  readonly clientId: string | null;
  readonly createdBlock: number;
  readonly expiresAt: number;
  /** Of a trigger, whose price is that of its limit. */
  readonly trigger?: EndedTrigger;
}

/** A client id that no order of the account may have. */
interface KeptClientId {
  readonly owner: Account;
  readonly clientId: string;
}

const keepsClientId = (end: ClosedOrder['end'], filled: number | bigint): boolean => end !== 'user' && filled > 0;

function keepClientId(owner: Account, clientId: string, orderId: number): void {
  owner.endedClientIds ??= new Map();
  owner.endedClientIds.set(clientId, orderId);
}

/** The least of the heights at which what is remembered of others falls out, above the given one; Infinity for none. */
export function nextForgotten(remembered: Iterable<number>, blocks: number, height: number): number {
  let next = Number.POSITIVE_INFINITY;
  for (const of of remembered) if (of + blocks > height && of + blocks < next) next = of + blocks;
  return next;
}

/** Columns of ends; accounts and markets by their places. */
export interface EndRows {
  readonly orderId: Float64Array;
  readonly marketId: Float64Array;
  readonly owner: Int32Array;
  readonly side: Uint8Array;
  readonly tif: Uint8Array;
  readonly end: Uint8Array;
  readonly createdBlock: Float64Array;
  readonly expiresAt: Float64Array;
  readonly price: Float64Array;
  readonly size: Float64Array;
  readonly filled: Float64Array;
  readonly remaining: Float64Array;
  readonly big: ReadonlyMap<number, EndedAmounts>;
  readonly clientIds: ReadonlyMap<number, string>;
}

/** Place in {@link orderEnds}; nearly all orders end in one of two ways, and the list is not searched for them. */
export function endPlace(end: ClosedOrder['end']): number {
  if (end === 'filled') return filledPlace;
  return end === 'user' ? userPlace : orderEnds.indexOf(end);
}
const filledPlace = orderEnds.indexOf('filled');
const userPlace = orderEnds.indexOf('user');

const noIds = new Float64Array(0);

/** Filled in for each order in turn. */
const noOrder: ClosedOrderParts = {
  orderId: 0,
  marketId: 0,
  owner: new Uint8Array(20),
  side: 0,
  price: 0,
  size: 0,
  tif: 0,
  end: 0,
  filled: 0,
  remaining: 0,
  clientId: null,
  createdBlock: 0,
  expiresAt: 0,
  trigger: null,
};

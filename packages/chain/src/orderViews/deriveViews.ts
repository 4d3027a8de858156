import {
  type ClosedOrdersRecord,
  decodeRestingOrder,
  decodeRefusedOrdersRecord,
  namedClosedOrders,
  recordKind,
  recordNumber,
  type RefusedOrdersRecord,
  type RestingOrder,
} from '@prime/codec';
import { type Address, assert, bigintToBytes, bytesToBigint, bytesToHex, type Hex } from '@prime/primitives';
import {
  type ClientOrder,
  clientOrderKey,
  decodeClientOrder,
  decodeOpenOrders,
  encodeClientOrder,
  encodeOpenOrders,
  levelKey,
  openOrdersKey,
  type OpenOrderSums,
  orderStatus,
} from './viewRecords.ts';

/** A record with its value before and after a block; null where there is none. */
export interface RecordChange {
  readonly key: Uint8Array;
  readonly before: Uint8Array | null;
  readonly after: Uint8Array | null;
}

/** The stored entries of views, for those keys; null where there is none. */
export type ReadViews = (keys: readonly Uint8Array[]) => Promise<readonly (Uint8Array | null)[]>;

type MutableSums = { -readonly [K in keyof OpenOrderSums]: OpenOrderSums[K] };

/** What the changes of records mean for the views. Nothing but the changes and the views before them counts, so every node has the same. */
export async function deriveViews(changes: readonly RecordChange[], read: ReadViews): Promise<RecordChange[]> {
  const changed = new ChangedOrders();
  for (const change of changes) changed.add(change);
  return [
    ...(await changed.levelChanges(read)),
    ...(await changed.sumChanges(read)),
    ...(await changed.clientChanges(read)),
  ];
}

class ChangedOrders {
  /** By market, side and price. */
  readonly #levels = new Map<string, Level>();
  readonly #sums = new Map<Address, Map<number, MutableSums>>();
  readonly #opened: RestingOrder[] = [];
  readonly #gone: RestingOrder[] = [];
  /** Ascending by height, as their keys come. */
  readonly #closed: ClosedOrdersRecord[] = [];
  readonly #refused: RefusedOrdersRecord[] = [];
  readonly #forgotten: { readonly owner: Address; readonly clientId: string; readonly height: number }[] = [];

  add({ key, before, after }: RecordChange): void {
    switch (recordKind(key)) {
      case 'order':
        return this.#addOrder(before, after);
      case 'closedOrders':
        if (after !== null) this.#closed.push(namedEnds(key, after));
        else if (before !== null) this.#forget(namedEnds(key, before));
        return;
      case 'refusedOrders':
        if (after !== null) this.#refused.push(decodeRefusedOrdersRecord(after));
        else if (before !== null) this.#forget(decodeRefusedOrdersRecord(before));
        return;
      default:
    }
  }

  async levelChanges(read: ReadViews): Promise<RecordChange[]> {
    const moved = [...this.#levels.values()].filter(({ by }) => by !== 0n);
    const keys = moved.map(({ marketId, side, price }) => levelKey(marketId, side, price));
    const sizes = await read(keys);
    return moved.map(({ by }, index) => {
      const before = sizes[index]!;
      const size = (before === null ? 0n : bytesToBigint(before)) + by;
      assert(size >= 0n, 'a level of the order book is below zero');
      return { key: keys[index]!, before, after: size === 0n ? null : bigintToBytes(size) };
    });
  }

  async sumChanges(read: ReadViews): Promise<RecordChange[]> {
    const owners = [...this.#sums];
    const keys = owners.map(([owner]) => openOrdersKey(owner));
    const stored = await read(keys);
    return owners.flatMap(([, byMarket], index) => {
      const before = stored[index]!;
      const after = addSums(before === null ? [] : decodeOpenOrders(before), byMarket);
      if (after === null) return [];
      return [{ key: keys[index]!, before, after: after.length === 0 ? null : encodeOpenOrders(after) }];
    });
  }

  /** Live orders come before ended ones, and those before refused ones of the same block; else what is newer counts. */
  async clientChanges(read: ReadViews): Promise<RecordChange[]> {
    const named = [
      ...[...this.#opened, ...this.#gone, ...this.#forgotten].map(({ owner, clientId }) => ({ owner, clientId })),
      ...[...this.#closed, ...this.#refused].flatMap(
        ({ orders }): readonly { owner: Address; clientId: string | null }[] => orders,
      ),
    ];
    const keys = new Map<Hex, Uint8Array>();
    for (const { owner, clientId } of named) {
      if (clientId === null) continue;
      const key = clientOrderKey(owner, clientId);
      keys.set(bytesToHex(key), key);
    }
    const order = [...keys.values()];
    const before = await read(order);
    const entries = new ClientEntries(order, before);
    for (const one of this.#forgotten) entries.forget(one);
    for (const one of this.#gone) entries.remove(one);
    for (const { height, orders } of inHeightOrder(this.#refused, this.#closed)) entries.end(height, orders);
    for (const one of this.#opened) entries.open(one);
    return entries.changes();
  }

  #addOrder(before: Uint8Array | null, after: Uint8Array | null): void {
    const old = before === null ? null : decodeRestingOrder(before);
    const next = after === null ? null : decodeRestingOrder(after);
    if (old !== null) this.#count(old, -old.remaining);
    if (next !== null) this.#count(next, next.remaining);
    if (old === null && next !== null && next.clientId !== null) this.#opened.push(next);
    if (next === null && old !== null && old.clientId !== null) this.#gone.push(old);
  }

  #count({ marketId, side, price, owner }: RestingOrder, by: bigint): void {
    const name = `${marketId}${side}${price}`;
    const level = this.#levels.get(name);
    if (level === undefined) this.#levels.set(name, { marketId, side, price, by });
    else level.by += by;
    const byMarket = this.#sums.get(owner) ?? new Map<number, MutableSums>();
    this.#sums.set(owner, byMarket);
    const sums = byMarket.get(marketId) ?? { marketId, buySize: 0n, buyNotional: 0n, sellSize: 0n, sellNotional: 0n };
    byMarket.set(marketId, sums);
    if (side === 'buy') {
      sums.buySize += by;
      sums.buyNotional += by * price;
    } else {
      sums.sellSize += by;
      sums.sellNotional += by * price;
    }
  }

  #forget({ height, orders }: ClosedOrdersRecord | RefusedOrdersRecord): void {
    for (const { owner, clientId } of orders) if (clientId !== null) this.#forgotten.push({ owner, clientId, height });
  }
}

/** A price of a market, and by how much its size changed. */
interface Level extends Pick<RestingOrder, 'marketId' | 'side' | 'price'> {
  by: bigint;
}

/** Of the orders that ended in a block those that views know by a name. */
const namedEnds = (key: Uint8Array, record: Uint8Array): ClosedOrdersRecord => ({
  height: recordNumber(key),
  orders: namedClosedOrders(record).map(({ order }) => order),
});

type Ended = ClosedOrdersRecord['orders'][number] | RefusedOrdersRecord['orders'][number];

/** Records by height; of one height the refused orders first. */
function inHeightOrder(
  refused: readonly RefusedOrdersRecord[],
  closed: readonly ClosedOrdersRecord[],
): readonly { readonly height: number; readonly orders: readonly Ended[] }[] {
  const isClosed = (record: object): number => (closed.includes(record as ClosedOrdersRecord) ? 1 : 0);
  return [...refused, ...closed].sort((a, b) => a.height - b.height || isClosed(a) - isClosed(b));
}

/** Orders by client id, while a block changes them. */
class ClientEntries {
  readonly #keys: readonly Uint8Array[];
  readonly #before: readonly (Uint8Array | null)[];
  readonly #now = new Map<Hex, ClientOrder | null>();

  constructor(keys: readonly Uint8Array[], before: readonly (Uint8Array | null)[]) {
    this.#keys = keys;
    this.#before = before;
    keys.forEach((key, index) => {
      const value = before[index]!;
      this.#now.set(bytesToHex(key), value === null ? null : decodeClientOrder(value));
    });
  }

  /** The memory of a height ends. */
  forget({
    owner,
    clientId,
    height,
  }: {
    readonly owner: Address;
    readonly clientId: string;
    readonly height: number;
  }): void {
    const key = keyText(owner, clientId);
    if (this.#now.get(key)?.height === height) this.#now.set(key, null);
  }

  /** An order left the book; how it ended is in the memory, if it is remembered at all. */
  remove({ owner, clientId, orderId }: RestingOrder): void {
    const key = keyText(owner, clientId!);
    if (this.#now.get(key)?.orderId === orderId) this.#now.set(key, null);
  }

  end(height: number, orders: readonly Ended[]): void {
    for (const ended of orders) {
      if (ended.clientId === null) continue;
      const key = keyText(ended.owner, ended.clientId);
      if (this.#now.get(key)?.status === orderStatus.open) continue;
      if ('ticket' in ended) this.#now.set(key, { orderId: 0, status: orderStatus.rejected, filled: 0n, height });
      else {
        const status = ended.end === 'filled' ? orderStatus.filled : orderStatus.cancelled;
        this.#now.set(key, { orderId: ended.orderId, status, filled: ended.filled, height });
      }
    }
  }

  open({ owner, clientId, orderId }: RestingOrder): void {
    this.#now.set(keyText(owner, clientId!), { orderId, status: orderStatus.open, filled: 0n, height: 0 });
  }

  changes(): RecordChange[] {
    return this.#keys.flatMap((key, index) => {
      const before = this.#before[index]!;
      const now = this.#now.get(bytesToHex(key)) ?? null;
      const after = now === null ? null : encodeClientOrder(now);
      return sameBytes(before, after) ? [] : [{ key, before, after }];
    });
  }
}

const keyText = (owner: Address, clientId: string): Hex => bytesToHex(clientOrderKey(owner, clientId));

/** @returns null when nothing changes */
function addSums(known: readonly OpenOrderSums[], by: ReadonlyMap<number, OpenOrderSums>): OpenOrderSums[] | null {
  const all = new Map<number, MutableSums>(known.map((sums) => [sums.marketId, { ...sums }]));
  let isChanged = false;
  for (const [marketId, change] of by) {
    const sums = all.get(marketId) ?? { marketId, buySize: 0n, buyNotional: 0n, sellSize: 0n, sellNotional: 0n };
    all.set(marketId, sums);
    for (const field of ['buySize', 'buyNotional', 'sellSize', 'sellNotional'] as const) {
      if (change[field] !== 0n) isChanged = true;
      sums[field] += change[field];
      assert(sums[field] >= 0n, 'the open orders of an account are below zero');
    }
  }
  if (!isChanged) return null;
  return [...all.values()]
    .filter(({ buySize, sellSize }) => buySize > 0n || sellSize > 0n)
    .sort((a, b) => a.marketId - b.marketId);
}

const sameBytes = (a: Uint8Array | null, b: Uint8Array | null): boolean =>
  a === null || b === null ? a === b : Buffer.compare(a, b) === 0;

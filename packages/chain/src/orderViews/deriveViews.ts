import {
  decodeRestingOrder,
  decodeRefusedOrdersRecord,
  namedEnds,
  type OrderName,
  orderName,
  recordKind,
  recordNumber,
  type RestingOrder,
} from '@prime/codec';
import { type Address, assert, bigintToBytes, bytesToBigint } from '@prime/primitives';
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
  /** Orders with a client id that came into the book, and that left it. */
  readonly #opened: NamedOrder[] = [];
  readonly #gone: NamedOrder[] = [];
  /** Ascending by height, as their keys come. */
  readonly #closed: Ends[] = [];
  readonly #refused: Ends[] = [];
  readonly #forgotten: Ends[] = [];

  add({ key, before, after }: RecordChange): void {
    switch (recordKind(key)) {
      case 'order':
        return this.#addOrder(before, after);
      case 'closedOrders':
        if (after !== null) this.#closed.push(closedEnds(key, after));
        else if (before !== null) this.#forgotten.push(closedEnds(key, before));
        return;
      case 'refusedOrders':
        if (after !== null) this.#refused.push(refusedEnds(after));
        else if (before !== null) this.#forgotten.push(refusedEnds(before));
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
    const entries = new ClientEntries();
    for (const { name } of [...this.#opened, ...this.#gone]) entries.add(name);
    for (const { orders } of [...this.#forgotten, ...this.#closed, ...this.#refused])
      for (const { name } of orders) entries.add(name);
    await entries.read(read);
    for (const ends of this.#forgotten) entries.forget(ends);
    for (const one of this.#gone) entries.remove(one);
    for (const ends of inHeightOrder(this.#refused, this.#closed)) entries.end(ends);
    for (const one of this.#opened) entries.open(one);
    return entries.changes();
  }

  #addOrder(before: Uint8Array | null, after: Uint8Array | null): void {
    const old = before === null ? null : decodeRestingOrder(before);
    const next = after === null ? null : decodeRestingOrder(after);
    if (old !== null) this.#count(old, -old.remaining);
    if (next !== null) this.#count(next, next.remaining);
    if (old === null && next !== null) addNamed(this.#opened, next);
    if (next === null && old !== null) addNamed(this.#gone, old);
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
}

/** A price of a market, and by how much its size changed. */
interface Level extends Pick<RestingOrder, 'marketId' | 'side' | 'price'> {
  by: bigint;
}

/** A live order with a client id. */
interface NamedOrder {
  readonly name: OrderName;
  readonly orderId: number;
}

function addNamed(orders: NamedOrder[], { owner, clientId, orderId }: RestingOrder): void {
  if (clientId !== null) orders.push({ name: orderName(owner, clientId), orderId });
}

/** Orders with a client id that ended in a block, or were refused in it. */
interface Ends {
  readonly height: number;
  readonly orders: readonly (Omit<ClientOrder, 'height'> & { readonly name: OrderName })[];
}

const closedEnds = (key: Uint8Array, record: Uint8Array): Ends => ({
  height: recordNumber(key),
  orders: namedEnds(record).map(({ name, orderId, isFilled, filled }) => ({
    name,
    orderId,
    status: isFilled ? orderStatus.filled : orderStatus.cancelled,
    filled,
  })),
});

function refusedEnds(record: Uint8Array): Ends {
  const { height, orders } = decodeRefusedOrdersRecord(record);
  const refused = { orderId: 0, status: orderStatus.rejected, filled: 0n };
  return { height, orders: orders.map(({ owner, clientId }) => ({ name: orderName(owner, clientId), ...refused })) };
}

/** By height; of one height the refused orders first. */
const inHeightOrder = (refused: readonly Ends[], closed: readonly Ends[]): readonly Ends[] =>
  [...refused, ...closed].sort((a, b) => a.height - b.height);

/** What views tell of a client id, while a block changes it. */
interface ClientEntry {
  readonly key: Uint8Array;
  before: Uint8Array | null;
  now: ClientOrder | null;
}

/** Orders by client id, while a block changes them. */
class ClientEntries {
  readonly #entries = new Map<OrderName, ClientEntry>();

  /** Has the name {@link read}. */
  add(name: OrderName): void {
    if (!this.#entries.has(name)) this.#entries.set(name, { key: clientOrderKey(name), before: null, now: null });
  }

  async read(read: ReadViews): Promise<void> {
    const entries = [...this.#entries.values()];
    const values = await read(entries.map(({ key }) => key));
    entries.forEach((entry, index) => {
      const value = values[index]!;
      if (value === null) return;
      entry.before = value;
      entry.now = decodeClientOrder(value);
    });
  }

  /** The memory of a height ends. */
  forget({ height, orders }: Ends): void {
    for (const { name } of orders) {
      const entry = this.#of(name);
      if (entry.now?.height === height) entry.now = null;
    }
  }

  /** An order left the book; how it ended is in the memory, if it is remembered at all. */
  remove({ name, orderId }: NamedOrder): void {
    const entry = this.#of(name);
    if (entry.now?.orderId === orderId) entry.now = null;
  }

  end({ height, orders }: Ends): void {
    for (const { name, orderId, status, filled } of orders) {
      const entry = this.#of(name);
      if (entry.now?.status !== orderStatus.open) entry.now = { orderId, status, filled, height };
    }
  }

  open({ name, orderId }: NamedOrder): void {
    this.#of(name).now = { orderId, status: orderStatus.open, filled: 0n, height: 0 };
  }

  changes(): RecordChange[] {
    const changes: RecordChange[] = [];
    for (const { key, before, now } of this.#entries.values()) {
      const after = now === null ? null : encodeClientOrder(now);
      if (!sameBytes(before, after)) changes.push({ key, before, after });
    }
    return changes;
  }

  #of(name: OrderName): ClientEntry {
    const entry = this.#entries.get(name);
    assert(entry !== undefined, 'a client id was not read');
    return entry;
  }
}

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

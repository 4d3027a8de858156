import { heightKey, type RecordWrite, recordKind, statePrefix, termHeightKey } from '@prime/codec';
import type { Scan, StateDatabase } from '@prime/evm';
import { assert, concatBytes, type Height } from '@prime/primitives';
import { deriveViews, type RecordChange } from './deriveViews.ts';

/**
 * The order book of the past: beside each value that contracts can ask for stands, by height, what it was before a block changed it. The
 * value after block H is the oldest one that a later block replaced, or the current one. Like a database's undo log it costs a
 * write per change and nothing per block, and a read of the head costs no more than without it.
 */

/** What reads of contracts are answered from: these records, and the views. */
const readKinds: ReadonlySet<string> = new Set(['global', 'market', 'order', 'account', 'proposal', 'parameters']);
/** What views are derived from besides. */
const sourceKinds: ReadonlySet<string> = new Set(['closedOrders', 'refusedOrders']);

const nothing = new Uint8Array(0);

const recordKey = (key: Uint8Array): Uint8Array => concatBytes(Uint8Array.of(statePrefix.clobRecord), key);

type Reads = Pick<StateDatabase, 'getMany'>;

async function readAll(database: Reads, keys: readonly Uint8Array[]): Promise<(Uint8Array | null)[]> {
  if (keys.length === 0) return [];
  return (await database.getMany(keys)).map((value) => value ?? null);
}

/**
 * Writes of views and of their history for the records that a block changed. The database is the one before the block.
 *
 * @param listsKeys whether the entries of history are listed, which pruning needs
 */
export async function orderViewWrites(
  database: Reads,
  height: Height,
  writes: readonly RecordWrite[],
  listsKeys: boolean,
): Promise<RecordWrite[]> {
  if (writes.length === 0) return [];
  const relevant = writes.filter(({ key }) => readKinds.has(recordKind(key)) || sourceKinds.has(recordKind(key)));
  const before = await readAll(
    database,
    relevant.map(({ key }) => recordKey(key)),
  );
  const changes = relevant.map(({ key, value }, index) => ({ key, before: before[index]!, after: value }));
  const views = await deriveViews(changes, (keys) => readAll(database, keys));
  const past = [
    ...changes
      .filter(({ key }) => readKinds.has(recordKind(key)))
      .map((change) => ({ ...change, key: recordKey(change.key) })),
    ...views,
  ];
  return [...views.map(({ key, after }) => ({ key, value: after })), ...historyWrites(height, past, listsKeys)];
}

function historyWrites(height: Height, changes: readonly RecordChange[], listsKeys: boolean): RecordWrite[] {
  // Nobody asks for what was before genesis.
  if (height === 0 || changes.length === 0) return [];
  const entries = changes.map(({ key, before }) => ({ key: historyKey(key, height), value: before ?? nothing }));
  if (!listsKeys) return entries;
  const list = concatBytes(...entries.flatMap(({ key }) => [Uint8Array.of(key.length), key]));
  return [...entries, { key: heightKey(statePrefix.orderHistoryKeys, height), value: list }];
}

/** y | key | height */
const historyKey = (key: Uint8Array, height: number): Uint8Array =>
  termHeightKey(statePrefix.orderHistory, key, height);

/** Deletes what only the states from one height up to before another one needed. */
export async function orderHistoryDeletions(
  database: Pick<StateDatabase, 'scan'>,
  from: Height,
  to: Height,
): Promise<RecordWrite[]> {
  const { orderHistoryKeys } = statePrefix;
  const after = (height: Height): Uint8Array => heightKey(orderHistoryKeys, (height + 1) as Height);
  const scan = database.scan(after(from), after(to));
  const deletions: RecordWrite[] = [];
  try {
    for (;;) {
      const entries = await scan.next(listsPerRead);
      if (entries.length === 0) return deletions;
      for (const [key, list] of entries) {
        for (let at = 0; at < list.length; ) {
          const end = at + 1 + list[at]!;
          deletions.push({ key: list.slice(at + 1, end), value: null });
          at = end;
        }
        deletions.push({ key, value: null });
      }
    }
  } finally {
    await scan.close();
  }
}
const listsPerRead = 8;

/** Greatest height of a key, 2^53 - 1. */
const lastHeight = Number.MAX_SAFE_INTEGER;

/** The value that a key had after a block. @param current what it has now, or had at any moment since the block was committed */
export async function valueAfter(
  database: Pick<StateDatabase, 'scan'>,
  key: Uint8Array,
  height: Height,
  current: Uint8Array | undefined,
): Promise<Uint8Array | undefined> {
  const scan = database.scan(historyKey(key, height + 1), historyKey(key, lastHeight));
  try {
    const [entry] = await scan.next(1);
    return entry === undefined ? current : valueOf(entry[1]);
  } finally {
    await scan.close();
  }
}

const valueOf = (stored: Uint8Array): Uint8Array | undefined => (stored.length === 0 ? undefined : stored);

/**
 * The first entries with a beginning of their keys as they were after a block, in the order of their keys.
 *
 * Costs what it shows, and what there was in front of it and is gone.
 *
 * @param prefix keys are longer by a fixed number of bytes
 * @param keyBytes length of the keys
 */
export async function entriesAfter(
  database: Pick<StateDatabase, 'scan'>,
  { prefix, keyBytes }: { readonly prefix: Uint8Array; readonly keyBytes: number },
  height: Height,
  count: number,
): Promise<(readonly [Uint8Array, Uint8Array])[]> {
  // In this order: what is committed in between has its former values in the history.
  const current = new Walk(database.scan(prefix, prefixEnd(prefix)));
  const history = database.scan(
    historyKey(prefix, 0).subarray(0, prefix.length + 1),
    prefixEnd(concatBytes(Uint8Array.of(statePrefix.orderHistory), prefix)),
  );
  const past = new PastKeys(history, keyBytes, height);
  try {
    const found: (readonly [Uint8Array, Uint8Array])[] = [];
    while (found.length < count) {
      const now = await current.peek();
      const then = await past.peek();
      if (now === null && then === null) break;
      const order = now === null ? 1 : then === null ? -1 : Buffer.compare(now[0], then.key);
      const key = order <= 0 ? now![0] : then!.key;
      const value = order >= 0 && then!.value !== null ? valueOf(then!.value) : order <= 0 ? now![1] : undefined;
      if (value !== undefined) found.push([key, value]);
      if (order <= 0) current.pop();
      if (order >= 0) past.pop();
    }
    return found;
  } finally {
    await current.close();
    await past.close();
  }
}

/** First key behind all with a prefix; no prefix here ends the space of keys. */
function prefixEnd(prefix: Uint8Array): Uint8Array {
  const end = prefix.slice();
  for (let index = end.length - 1; index >= 0; index--) {
    if (end[index]! < 255) {
      end[index]!++;
      return end.slice(0, index + 1);
    }
  }
  return assert(false, 'a prefix of nothing but 255') as never;
}

/** A scan that is read in portions; going on to a key near by costs no read. */
class Walk {
  readonly #scan: Scan;
  #entries: (readonly [Uint8Array, Uint8Array])[] = [];
  #isDone = false;

  constructor(scan: Scan) {
    this.#scan = scan;
  }

  async peek(): Promise<readonly [Uint8Array, Uint8Array] | null> {
    if (this.#entries.length === 0 && !this.#isDone) {
      this.#entries = [...(await this.#scan.next(entriesPerRead))];
      this.#isDone = this.#entries.length === 0;
    }
    return this.#entries[0] ?? null;
  }

  pop(): void {
    this.#entries.shift();
  }

  /** Goes on at the first key that is not below the given one. */
  seek(key: Uint8Array): void {
    const place = this.#entries.findIndex(([other]) => Buffer.compare(other, key) >= 0);
    if (place >= 0) this.#entries.splice(0, place);
    else if (this.#entries.length > 0) {
      this.#entries = [];
      this.#scan.seek(key);
    }
  }

  close(): Promise<void> {
    return this.#scan.close();
  }
}
const entriesPerRead = 32;

/** Keys that ever changed, each with the value that the first block above a height replaced; null where none did. */
class PastKeys {
  readonly #walk: Walk;
  readonly #keyBytes: number;
  readonly #height: Height;
  #next: { readonly key: Uint8Array; readonly value: Uint8Array | null } | null = null;

  constructor(scan: Scan, keyBytes: number, height: Height) {
    this.#walk = new Walk(scan);
    this.#keyBytes = keyBytes;
    this.#height = height;
  }

  async peek(): Promise<{ readonly key: Uint8Array; readonly value: Uint8Array | null } | null> {
    if (this.#next !== null) return this.#next;
    const entry = await this.#walk.peek();
    if (entry === null) return null;
    const key = this.#keyOf(entry).slice();
    this.#walk.seek(historyKey(key, this.#height + 1));
    const later = await this.#walk.peek();
    const value = later !== null && Buffer.compare(this.#keyOf(later), key) === 0 ? later[1] : null;
    this.#walk.seek(historyKey(key, lastHeight));
    this.#next = { key, value };
    return this.#next;
  }

  pop(): void {
    this.#next = null;
  }

  close(): Promise<void> {
    return this.#walk.close();
  }

  #keyOf([key]: readonly [Uint8Array, Uint8Array]): Uint8Array {
    return key.subarray(1, 1 + this.#keyBytes);
  }
}

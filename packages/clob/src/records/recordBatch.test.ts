import { describe, expect, it } from '@jest/globals';
import {
  decodeRlp,
  encodeRlp,
  leafKeyOf,
  marketRecordKey,
  orderPageIds,
  orderRecordKey,
  type RecordWrite,
} from '@prime/codec';
import { compareBytes, type MarketId, type OrderId } from '@prime/primitives';
import { RecordBatch } from './recordBatch.ts';
import { RecordTrie } from './recordTrie.ts';

/** Rows that a batch has room for when it is made. */
const roomAtFirst = 64;
const sizes = [1, roomAtFirst - 1, roomAtFirst, roomAtFirst + 1, 2 * roomAtFirst, 2 * roomAtFirst + 1, 5000];

const numbered = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);
const valueOf = (number: number): Uint8Array => encodeRlp([number, new Uint8Array(number % 70).fill(7)]);

/** What a batch says that changed, once a trie has taken it in. */
function writesOf(batch: RecordBatch, trie: RecordTrie): RecordWrite[] {
  trie.apply(batch);
  trie.commit();
  return batch.effectiveWrites();
}

/** A page of orders in which each is either written or gone. */
function putPage(
  batch: RecordBatch,
  page: number,
  orders: readonly (readonly [id: number, value: Uint8Array | null])[],
): void {
  const begin = batch.writer.length;
  for (const [id, value] of orders.toReversed()) {
    if (value === null) batch.dropOrder(id);
    else {
      const from = batch.writer.length;
      batch.writer.raw(value);
      batch.noteOrder(id, from);
    }
  }
  batch.putPage(page, begin);
}

/** Puts orders with ascending ids into their pages. */
function putOrders(batch: RecordBatch, ids: readonly number[], value: (id: number) => Uint8Array | null): void {
  let page: [number, Uint8Array | null][] = [];
  ids.forEach((id, index) => {
    page.push([id, value(id)]);
    const next = ids[index + 1];
    if (next !== undefined && Math.floor(next / orderPageIds) === Math.floor(id / orderPageIds)) return;
    putPage(batch, Math.floor(id / orderPageIds), page);
    page = [];
  });
}

describe.each(sizes)('a batch of %i records', (count) => {
  const ids = numbered(count);

  it('that come and then go in one block says so of each', () => {
    const batch = new RecordBatch();
    const trie = new RecordTrie();
    for (const id of ids) batch.add({ key: marketRecordKey(id as MarketId), value: valueOf(id) });
    expect(writesOf(batch, trie).map(({ value }) => decodeRlp(value!))).toEqual(
      ids.map((id) => decodeRlp(valueOf(id))),
    );
    // A batch that never grew, as in a process that was just started.
    for (const gone of [new RecordBatch(), batch]) {
      const trieOfAll = new RecordTrie();
      const all = new RecordBatch();
      for (const id of ids) all.add({ key: marketRecordKey(id as MarketId), value: valueOf(id) });
      trieOfAll.apply(all);
      trieOfAll.commit();
      gone.reset();
      for (const id of ids) gone.remove(marketRecordKey(id as MarketId));
      expect(writesOf(gone, trieOfAll)).toEqual(
        ids.map((id) => ({ key: marketRecordKey(id as MarketId), value: null })),
      );
      expect(BigInt(trieOfAll.root())).toBe(0n);
    }
  });

  it('that are orders says of each what it became, gone or not', () => {
    const batch = new RecordBatch();
    const trie = new RecordTrie();
    putOrders(batch, ids, valueOf);
    expect(writesOf(batch, trie)).toEqual(
      ids.map((id) => ({ key: orderRecordKey(id as OrderId), value: valueOf(id) })),
    );
    for (const fresh of [new RecordBatch(), batch]) {
      fresh.reset();
      const left = (id: number): Uint8Array | null => (id % 3 === 0 ? valueOf(id + 1) : null);
      putOrders(fresh, ids, left);
      expect(writesOf(fresh, trie)).toEqual(ids.map((id) => ({ key: orderRecordKey(id as OrderId), value: left(id) })));
    }
  });
});

describe('a record that nobody could read again', () => {
  const key = leafKeyOf(marketRecordKey(1 as MarketId));
  const torn = encodeRlp([1, 2, 3]).slice(0, -1);

  it.each([
    ['empty', new Uint8Array(0)],
    ['cut short', torn],
    ['longer than it says', new Uint8Array([...encodeRlp([1]), 0])],
    ['a string', encodeRlp(new Uint8Array(40))],
  ])('is refused where records leave the batch: %s', (_, value) => {
    const batch = new RecordBatch();
    const from = batch.writer.length;
    batch.writer.raw(value);
    batch.put(key, from);
    new RecordTrie().apply(batch);
    expect(() => batch.effectiveWrites()).toThrow(/the record 0x0100000001 is no list of \d+ bytes/);
  });

  it('is refused as an order too', () => {
    const batch = new RecordBatch();
    const begin = batch.writer.length;
    batch.noteOrder(1, begin);
    batch.writer.raw(valueOf(2));
    batch.putPage(0, begin);
    new RecordTrie().apply(batch);
    expect(() => batch.effectiveWrites()).toThrow(/is no list of 0 bytes/);
  });
});

it('the records of a batch leave it in the order of their keys', () => {
  const batch = new RecordBatch();
  for (const id of [1, 2, 300]) batch.add({ key: marketRecordKey(id as MarketId), value: valueOf(id) });
  const keys = writesOf(batch, new RecordTrie()).map(({ key }) => key);
  expect(keys.toSorted(compareBytes)).toEqual(keys);
});

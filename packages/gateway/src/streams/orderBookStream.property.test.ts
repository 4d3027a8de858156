import { describe, expect, it } from '@jest/globals';
import { crc32 } from 'node:zlib';
import { decodeRecordFrames, type RecordWrite } from '@prime/codec';
import type { Topic } from '@prime/rpc';
import fc from 'fast-check';
import { PendingTransactions } from '../services/pendingTransactions.ts';
import { CandleModel } from '../readModel/candles.ts';
import { OrderBookModel } from '../readModel/orderBooks.ts';
import { RecentBlocks } from '../readModel/recentBlocks.ts';
import { FakeNode } from '../testing/fakeNode.ts';
import { gone, market, marketId, order } from '../testing/streams.ts';
import { allKept } from '../testing/testGateway.ts';
import { type Sink, StreamHub } from './streamHub.ts';

/** Whatever blocks do to a book and however slow a reader is: what the reader puts together is what the node has. */

interface Change {
  readonly id: number;
  readonly side: 'buy' | 'sell';
  readonly price: number;
  /** 0 removes the order. */
  readonly remaining: number;
}
const write = ({ id, side, price, remaining }: Change): RecordWrite =>
  remaining === 0 ? gone(id) : order(id, side, BigInt(price), 100n, BigInt(remaining));

interface Entry {
  /** Only where single orders are told. */
  readonly order_id?: string;
  readonly price: string;
  readonly size: string;
}
interface Message {
  readonly type: 'snapshot' | 'update';
  readonly sequence: number;
  readonly previous_sequence?: number;
  readonly part?: number;
  readonly parts?: number;
  readonly bids: readonly Entry[];
  readonly asks: readonly Entry[];
  readonly checksum: string;
}
interface Held {
  readonly orderId: number;
  readonly price: bigint;
  readonly size: bigint;
}

const ascending = (a: Held, b: Held): number => Number(a.price - b.price) || a.orderId - b.orderId;
/** As the document writes it: in turn, best first, 25 of each side. */
function checksumOf(kind: BookKind, bids: readonly Held[], asks: readonly Held[]): string {
  const text = ({ orderId, price, size }: Held): string =>
    [...(kind === 'bookOrders' ? [orderId] : []), price, size].map((value) => `0x${value.toString(16)}`).join(':');
  const best = [...bids].sort((a, b) => Number(b.price - a.price) || a.orderId - b.orderId);
  const parts: string[] = [];
  for (let place = 0; place < 25; place++)
    for (const held of [best[place], asks[place]]) if (held !== undefined) parts.push(text(held));
  return `0x${crc32(parts.join(':')).toString(16)}`;
}

type BookKind = 'orderBook' | 'bookOrders';

/** A client as docs/protocol/streams.md tells to write one. */
class Reader {
  readonly #kind: BookKind;
  /** The newest part of a snapshot that is not whole yet; else 0. */
  #part = 0;
  sequence = -1;
  readonly bids = new Map<string, Held>();
  readonly asks = new Map<string, Held>();

  constructor(kind: BookKind) {
    this.#kind = kind;
  }

  take(text: string): void {
    const message = (JSON.parse(text) as { params: { result: Message } }).params.result;
    const { part = 0, parts = 0 } = message;
    if (message.type === 'update' && message.previous_sequence !== this.sequence)
      throw new Error('a gap in the sequence');
    if (part > 1 && message.sequence !== this.sequence) throw new Error('parts of two snapshots');
    if (part > 1 ? part !== this.#part + 1 : this.#part !== 0 && part === 0) throw new Error('a part is missing');
    if (part === 1) for (const side of [this.bids, this.asks]) side.clear();
    this.#part = part === parts ? 0 : part;
    this.sequence = message.sequence;
    for (const name of ['bids', 'asks'] as const)
      for (const { order_id: id = '0x0', price, size } of message[name]) {
        const key = `${price} ${id}`;
        if (BigInt(size) === 0n) this[name].delete(key);
        else this[name].set(key, { orderId: Number(id), price: BigInt(price), size: BigInt(size) });
      }
    if (!this.isWhole) return;
    const { bids, asks } = this.book();
    if (checksumOf(this.#kind, bids, asks) !== message.checksum) throw new Error('a wrong checksum');
  }

  get isWhole(): boolean {
    return this.#part === 0;
  }

  book() {
    return { bids: [...this.bids.values()].sort(ascending), asks: [...this.asks.values()].sort(ascending) };
  }
}

/** What the node has, summed up where levels are told. */
function expectedOf(kind: BookKind, books: OrderBookModel) {
  const sides = { bids: [] as Held[], asks: [] as Held[] };
  for (const { orderId, side, price, remaining } of books.restingOrders(marketId)) {
    const held = sides[side === 'buy' ? 'bids' : 'asks'];
    const at = held.findIndex((level) => level.price === price);
    if (kind === 'bookOrders') held.push({ orderId, price, size: remaining });
    else if (at < 0) held.push({ orderId: 0, price, size: remaining });
    else held[at] = { ...held[at]!, size: held[at]!.size + remaining };
  }
  return { bids: sides.bids.sort(ascending), asks: sides.asks.sort(ascending) };
}

const anyChange: fc.Arbitrary<Change> = fc.record({
  id: fc.integer({ min: 1, max: 12 }),
  side: fc.constantFrom('buy', 'sell'),
  price: fc.integer({ min: 1, max: 6 }),
  remaining: fc.integer({ min: 0, max: 3 }),
});
const anyBlock = fc.record({
  changes: fc.array(anyChange, { maxLength: 6 }),
  /** How many messages the slow reader takes before it is behind: while the block comes, and after it. */
  room: fc.constantFrom(0, 0, 1, 2, 1000),
  more: fc.constantFrom(0, 1, 2, 1000),
  /** When another one joins. */
  joins: fc.boolean(),
});

describe('a stream of a book', () => {
  it.each(['orderBook', 'bookOrders'] as const)('%s put together is the book, at each block', async (kind) => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyBlock, { maxLength: 25 }), async (plan) => {
        const node = new FakeNode();
        const books = new OrderBookModel({ minTrades: 0 });
        books.load([[market.key, market.value!]], 0);
        const blocks = new RecentBlocks({ blocks: 4, bytes: 1 << 20 }, node.genesis, node.genesis, 1n);
        const hub = new StreamHub({
          info: { privacyForkBlock: null },
          subscriptionsMax: 10,
          books,
          candles: new CandleModel({ oldestMs: allKept, markets: [] }),
          pending: new PendingTransactions(node.backends.consensus, 1),
          networkStatus: () => node.backends.consensus.networkStatus(),
          head: node.genesis,
          partEntriesMax: 3,
        });
        const topic: Topic = { kind, marketId };
        const join = async (isBehind: () => boolean, onSent = (): void => undefined) => {
          const reader = new Reader(kind);
          const send = (text: string): void => {
            reader.take(text);
            onSent();
          };
          const sink: Sink = { surface: 'public', send, isBehind, end: () => undefined };
          const streams = hub.attach(sink);
          const { subscriptions, begin } = streams.request();
          await subscriptions.open(topic, 'eth');
          begin();
          return { reader, resume: () => streams.resume() };
        };
        let room = 1000;
        const slow = await join(
          () => room <= 0,
          () => void room--,
        );
        const quick = [await join(() => false)];
        for (const block of plan) {
          room = block.room;
          const delta = node.commit({ records: block.changes.map(write) });
          blocks.add(delta);
          hub.onBlock(blocks.recent(node.height)!, books.apply(decodeRecordFrames(delta.clobRecords), node.height));
          if (block.joins) quick.push(await join(() => false));
          const expected = expectedOf(kind, books);
          for (const { reader } of quick) expect(reader.book()).toEqual(expected);
          if (block.more > 0) {
            room = block.more;
            slow.resume();
          }
          if (room > 0) expect([slow.reader.isWhole, slow.reader.book()]).toEqual([true, expected]);
        }
        room = 1000;
        slow.resume();
        expect(slow.reader.isWhole).toBe(true);
        expect(slow.reader.book()).toEqual(expectedOf(kind, books));
      }),
      { numRuns: 150 },
    );
  });
});

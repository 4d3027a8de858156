import { describe, expect, it } from '@jest/globals';
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
import { bookChecksum } from './bookChecksum.ts';
import { type Sink, StreamHub } from './streamHub.ts';

/** Whatever blocks do to a book and however slow a reader is: what the reader puts together is what the node answers. */

interface Change {
  readonly id: number;
  readonly side: 'buy' | 'sell';
  readonly price: number;
  /** 0 removes the order. */
  readonly remaining: number;
}
const write = ({ id, side, price, remaining }: Change): RecordWrite =>
  remaining === 0 ? gone(id) : order(id, side, BigInt(price), 100n, BigInt(remaining));

interface Level {
  readonly price: string;
  readonly size: string;
}
interface Message {
  readonly type: 'snapshot' | 'update';
  readonly sequence: number;
  readonly previous_sequence?: number;
  readonly bids: readonly Level[];
  readonly asks: readonly Level[];
  readonly checksum: string;
}

/** A client as docs/protocol/streams.md tells to write one. */
class Reader {
  sequence = -1;
  readonly bids = new Map<bigint, bigint>();
  readonly asks = new Map<bigint, bigint>();

  take(text: string): void {
    const message = (JSON.parse(text) as { params: { result: Message } }).params.result;
    if (message.type === 'snapshot') for (const side of [this.bids, this.asks]) side.clear();
    else if (message.previous_sequence !== this.sequence) throw new Error('a gap in the sequence');
    this.sequence = message.sequence;
    for (const name of ['bids', 'asks'] as const)
      for (const { price, size } of message[name]) {
        if (BigInt(size) === 0n) this[name].delete(BigInt(price));
        else this[name].set(BigInt(price), BigInt(size));
      }
    const { bids, asks } = this.book();
    if (bookChecksum({ bids: bids.toReversed(), asks }) !== message.checksum) throw new Error('a wrong checksum');
  }

  book() {
    const sorted = (side: ReadonlyMap<bigint, bigint>) =>
      [...side].map(([price, size]) => ({ price, size })).sort((a, b) => Number(a.price - b.price));
    return { bids: sorted(this.bids), asks: sorted(this.asks) };
  }
}

const anyChange: fc.Arbitrary<Change> = fc.record({
  id: fc.integer({ min: 1, max: 12 }),
  side: fc.constantFrom('buy', 'sell'),
  price: fc.integer({ min: 1, max: 6 }),
  remaining: fc.integer({ min: 0, max: 3 }),
});
const anyBlock = fc.record({
  changes: fc.array(anyChange, { maxLength: 6 }),
  /** Whether the reader is slow while the block comes, and when another one joins. */
  behind: fc.boolean(),
  joins: fc.boolean(),
});

describe('an order book stream', () => {
  it('put together is the order book, at each block', async () => {
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
        });
        const topic: Topic = { kind: 'orderBook', marketId };
        const join = async (isBehind: () => boolean): Promise<{ reader: Reader; resume: () => void }> => {
          const reader = new Reader();
          const sink: Sink = { surface: 'public', send: (text) => reader.take(text), isBehind, end: () => undefined };
          const streams = hub.attach(sink);
          const { subscriptions, begin } = streams.request();
          await subscriptions.open(topic, 'eth');
          begin();
          return { reader, resume: () => streams.resume() };
        };
        let behind = false;
        const slow = await join(() => behind);
        const quick = [await join(() => false)];
        for (const block of plan) {
          behind = block.behind;
          const delta = node.commit({ records: block.changes.map(write) });
          blocks.add(delta);
          hub.onBlock(blocks.recent(node.height)!, books.apply(decodeRecordFrames(delta.clobRecords), node.height));
          if (block.joins) quick.push(await join(() => false));
          const expected = await books.orderBook(marketId);
          for (const { reader } of quick) expect(reader.book()).toEqual(expected);
          if (!behind) expect(slow.reader.book()).toEqual(expected);
        }
        behind = false;
        slow.resume();
        expect(slow.reader.book()).toEqual(await books.orderBook(marketId));
      }),
      { numRuns: 150 },
    );
  });
});

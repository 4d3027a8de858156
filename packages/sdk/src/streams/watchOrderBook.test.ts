import { describe, expect, it } from '@jest/globals';
import { TestChain } from '../testing/node/testChain.ts';
import { Signal, untilHolds } from '../testing/node/until.ts';
import type { StreamError } from './errors.ts';
import type { OrderBookState, StreamStatus } from './types.ts';
import { type BookUpdate, watchOrderBook } from './watchOrderBook.ts';
import { useStreams } from '../testing/node/useStreams.ts';

const { startNode, streamsOf } = useStreams();

function watch(urls: readonly string[], onOrderBook: (book: OrderBookState) => unknown = () => undefined) {
  const streams = streamsOf(urls);
  const signal = new Signal();
  const seen = {
    books: [] as OrderBookState[],
    updates: [] as BookUpdate[],
    errors: [] as StreamError[],
    statuses: [] as StreamStatus[],
  };
  watchOrderBook(streams, {
    market: 1,
    onOrderBook: (book, update) => {
      seen.books.push(book);
      seen.updates.push(update);
      signal.notify();
      return onOrderBook(book);
    },
    onError: signal.into(seen.errors),
    onStatus: signal.into(seen.statuses),
  });
  return { ...seen, signal, streams };
}

/** One level more on each side. */
function quote(chain: TestChain): void {
  const step = BigInt(chain.height);
  chain.add([], { bids: [[100n - step, 1n + step]], asks: [[101n + step, 2n]] });
}

/** Whether each book is the chain's at its block. */
function expectBooks(chain: TestChain, books: readonly OrderBookState[]): void {
  for (const { blockNumber, bids, asks } of books) {
    const { book } = chain.blocks[Number(blockNumber)]!;
    expect(new Map(bids.map(({ price, size }) => [price, size]))).toEqual(book.bids);
    expect(new Map(asks.map(({ price, size }) => [price, size]))).toEqual(book.asks);
  }
  const heights = books.map(({ blockNumber }) => blockNumber);
  expect(heights).toEqual(heights.toSorted((a, b) => (a < b ? -1 : 1)));
}
const heightsOf = (books: readonly OrderBookState[]): number[] => books.map(({ blockNumber }) => Number(blockNumber));

describe('an order book', () => {
  it('is shown whole after each block that changed it, with what changed', async () => {
    const chain = new TestChain();
    quote(chain);
    const node = await startNode(chain);
    const { books, updates, signal, errors } = watch([node.url]);
    await signal.until(() => books.length === 1);
    quote(chain);
    chain.add();
    quote(chain);
    node.show();
    await signal.until(() => books.length === 3);
    expectBooks(chain, books);
    expect(heightsOf(books)).toEqual([1, 2, 4]);
    expect(updates).toEqual([
      { change: null, skipped: 0 },
      { change: { bids: [{ price: 99n, size: 2n }], asks: [{ price: 102n, size: 2n }] }, skipped: 0 },
      { change: { bids: [{ price: 97n, size: 4n }], asks: [{ price: 104n, size: 2n }] }, skipped: 0 },
    ]);
    expect(errors).toEqual([]);
  });

  it('with a wrong checksum is not shown: it is subscribed to again, and the old subscription is ended', async () => {
    const chain = new TestChain();
    quote(chain);
    const node = await startNode(chain);
    const { books, signal, errors, statuses } = watch([node.url]);
    await signal.until(() => books.length === 1);
    node.tamper = (text) => text.replace(/"checksum":"0x[0-9a-f]+"/, '"checksum":"0x1234"');
    quote(chain);
    const wrong = chain.height;
    node.show();
    node.tamper = (text) => text;
    await signal.until(() => books.length === 2);
    quote(chain);
    node.show();
    await signal.until(() => books.length === 3);
    expectBooks(chain, books);
    expect(errors.map(({ detail }) => detail)).toMatchObject([
      { code: 'STREAM_CHECKSUM_WRONG', marketId: 1, blockNumber: BigInt(wrong), expected: '0x1234' },
    ]);
    expect(statuses).toEqual(['live', 'syncing', 'live']);
    // newHeads and one book.
    expect(node.subscriptions).toBe(2);
  });

  it('that stays wrong at one node is read from another one', async () => {
    const chain = new TestChain();
    quote(chain);
    const [liar, honest] = [await startNode(chain), await startNode(chain)];
    liar.tamper = (text) => text.replace(/"size":"0x2"/, '"size":"0x3"');
    const { books, signal, errors } = watch([liar.url, honest.url]);
    await signal.until(() => books.length === 1);
    expectBooks(chain, books);
    const codes = errors.map(({ code }) => code);
    expect(codes.filter((code) => code === 'STREAM_CHECKSUM_WRONG').length).toBeGreaterThanOrEqual(3);
    expect(liar.asked.filter((method) => method === 'eth_subscribe').length).toBe(4);
  });

  it('that misses an update is subscribed to again', async () => {
    const chain = new TestChain();
    quote(chain);
    const node = await startNode(chain);
    const { books, signal, errors } = watch([node.url]);
    await signal.until(() => books.length === 1);
    let left = 1;
    node.tamper = (text) => (text.includes('"type":"update"') && left-- > 0 ? null : text);
    quote(chain);
    quote(chain);
    node.show();
    await signal.until(() => heightsOf(books).includes(3));
    expectBooks(chain, books);
    expect(errors.map(({ code }) => code)).toEqual(['STREAM_SEQUENCE_BROKEN']);
  });

  it('is not shown as it was earlier: of a node that is behind not before it is as far', async () => {
    const chain = new TestChain();
    for (let block = 0; block < 6; block++) quote(chain);
    const [first, behind] = [await startNode(chain), await startNode(chain, 3)];
    const { books, signal, statuses } = watch([first.url, behind.url]);
    await signal.until(() => books.length === 1);
    await first.stop();
    await signal.until(() => statuses.includes('interrupted'));
    await untilHolds(() => behind.subscriptions === 2);
    quote(chain);
    behind.show();
    await signal.until(() => heightsOf(books).includes(7));
    expectBooks(chain, books);
    expect(heightsOf(books)).toEqual([6, 6, 7]);
  });

  it('for a slow reader: books in between are left out, which is told', async () => {
    const chain = new TestChain();
    quote(chain);
    const node = await startNode(chain);
    let release: () => void = () => undefined;
    const { books, updates, signal, streams } = watch([node.url], (book) =>
      book.blockNumber === 1n ? new Promise<void>((resolve) => void (release = resolve)) : undefined,
    );
    await signal.until(() => books.length === 1);
    // Another watcher of the same connection hears of each block behind the first one.
    let [probed, hasAll] = [0, false];
    watchOrderBook(streams, {
      market: 1,
      onOrderBook: ({ blockNumber }) => {
        probed++;
        hasAll = blockNumber === 6n;
        signal.notify();
      },
    });
    await signal.until(() => probed === 1);
    for (let block = 0; block < 5; block++) quote(chain);
    node.show();
    await signal.until(() => hasAll);
    release();
    await signal.until(() => books.length === 2);
    expectBooks(chain, books);
    expect([heightsOf(books), updates[1]]).toEqual([[1, 6], { change: null, skipped: 4 }]);
  });

  it('of a node that answers no id for it is an error, and another connection is made', async () => {
    const node = await startNode(new TestChain());
    node.methods['eth_subscribe'] = ([kind]) => (kind === 'newHeads' ? '0xff' : { not: 'an id' });
    const { errors, signal } = watch([node.url]);
    await signal.until(() => errors.length > 0);
    expect(errors[0]).toMatchObject({ code: 'STREAM_MESSAGE_MALFORMED' });
  });
});

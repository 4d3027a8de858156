/** Matching alone: our book, with numbers or bigints, and npm nodejs-order-book, on the same operations. */
import { OrderBook } from 'nodejs-order-book';
import { match, verdict } from '../dist/book/match.js';
import { OrderPool } from '../dist/book/orderPool.js';
import { cancel, fok, gtc, move, operationNumbers } from './streams.mjs';

/** Operations between two looks at the clock. */
export const recordsPerSample = 100;

/**
 * What the latest run ran on. The compiler's code is for the hidden classes of objects, which go with the last object of their kind: without
 * it each run would begin with code that is thrown away, which an exchange, that has one order book for weeks, never sees.
 */
let kept = null;

/** Keeps objects until the next run has its own. */
export function keep(objects) {
  kept = objects;
  return kept;
}

/**
 * Runs every operation, and takes the time of each hundred behind the warm-up.
 *
 * @param runner has a method `run(index)`. Not a function of its own for each run: the compiler keeps what it learnt with the function
 */
export function timed({ operations, warm }, runner) {
  const samples = [];
  runSome(runner, 0, warm);
  const before = process.cpuUsage();
  for (let index = warm; index < operations.length; index += recordsPerSample) {
    const start = performance.now();
    runSome(runner, index, Math.min(operations.length, index + recordsPerSample));
    samples.push((performance.now() - start) / 1e3);
  }
  return { samples, seconds: samples.reduce((sum, sample) => sum + sample, 0), cpuSeconds: cpuSecondsSince(before) };
}

/**
 * A function of its own, which is called often: the loop of one that runs once a pass would be compiled anew while it runs, in each pass after a
 * collection, which took as much processor time as a pass and ran half of it uncompiled.
 */
function runSome(runner, from, end) {
  for (let index = from; index < end; index++) runner.run(index);
}

/** Processor time of this process, its compiler and collector included, seconds. */
export function cpuSecondsSince(before) {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}

/** The order on its way. One at a time, as in the engine: objects of their own would drive what is matched out of the processor's cache. */
const row = {
  id: 0,
  market: { id: 0 },
  side: 0,
  account: { index: 0 },
  expiresAt: 0,
  postOnly: false,
  selfTrade: 'cancel_maker',
  clientId: null,
};

/** What the book needs of an engine: makers lose what they trade, and leave when nothing is left. */
class BarePolicy {
  trades = 0;

  constructor(pool, book) {
    this.pool = pool;
    this.book = book;
  }

  meet() {
    return verdict.trade;
  }

  trade(maker, quantity) {
    this.trades++;
    if (this.book.columns.remaining[maker] === quantity) this.drop(maker, true);
    else this.book.adjust(maker, -quantity);
  }

  drop(handle, isBest = false) {
    this.pool.byId.delete(this.pool.id[handle]);
    if (isBest) this.book.removeBest(handle);
    else this.book.remove(handle);
    this.pool.discard(handle);
  }

  rest(id, market, side, ticks, size) {
    const { pool, book } = this;
    row.id = id;
    row.market.id = market;
    row.side = side;
    const handle = pool.allocate(row, 0);
    book.columns.ticks[handle] = ticks;
    book.columns.size[handle] = size;
    book.columns.remaining[handle] = size;
    pool.byId.set(id, handle);
    book.append(handle);
  }
}

class BookRun {
  /** @param createBook of numbers or of bigints */
  constructor({ operations, rows, markets }, createBook) {
    this.rows = rows;
    this.pool = new OrderPool();
    this.policies = Array.from({ length: markets }, () => new BarePolicy(this.pool, createBook(this.pool)));
    const { of, zero } = this.policies[0].book;
    this.zero = zero;
    // Numbers are what the rows hold.
    const isWide = typeof zero === 'bigint';
    this.prices = isWide ? operations.map(({ price }) => of(BigInt(price))) : null;
    this.sizes = isWide ? operations.map(({ size }) => of(BigInt(size))) : null;
  }

  run(index) {
    const { pool, rows, prices, sizes } = this;
    const at = index * operationNumbers;
    const kind = rows[at];
    const id = rows[at + 1];
    const market = rows[at + 2];
    const side = rows[at + 3];
    const policy = this.policies[market];
    const { book } = policy;
    const price = prices === null ? rows[at + 4] : prices[index];
    if (kind === cancel) policy.drop(pool.byId.get(id));
    else if (kind === move) {
      const handle = pool.byId.get(id);
      book.remove(handle);
      book.columns.ticks[handle] = price;
      // A moved order may cross like a new one.
      const left = match(book, side, price, book.columns.remaining[handle], policy);
      book.columns.remaining[handle] = left;
      book.append(handle);
    } else {
      const size = sizes === null ? rows[at + 5] : sizes[index];
      if (kind === fok && !book.holds(1 - side, price, size)) return;
      const left = match(book, side, price, size, policy);
      if (kind === gtc && left > this.zero) policy.rest(id, market, side, price, left);
    }
  }
}

export function runBook(stream, createBook) {
  const runner = new BookRun(stream, createBook);
  const result = timed(stream, runner);
  keep(runner);
  const trades = runner.policies.reduce((sum, policy) => sum + policy.trades, 0);
  return { ...result, trades, live: runner.pool.byId.size };
}

const sides = ['buy', 'sell'];

class PeerRun {
  trades = 0;

  constructor({ operations, markets }) {
    this.operations = operations;
    this.books = Array.from({ length: markets }, () => new OrderBook());
    this.ids = operations.map(({ id }) => String(id));
  }

  run(index) {
    const { kind, side, price, size, market } = this.operations[index];
    const id = this.ids[index];
    const book = this.books[market];
    if (kind === 'cancel') book.cancel(id);
    else if (kind === 'move') book.modify(id, { price });
    else {
      const { done, partial } = book.limit({ side: sides[side], id, size, price, timeInForce: kind.toUpperCase() });
      for (const entry of done) if (entry.id !== id) this.trades++;
      if (partial && partial.id !== id) this.trades++;
    }
  }
}

export function runPeer(stream) {
  const runner = new PeerRun(stream);
  const result = timed(stream, runner);
  keep(runner);
  let live = 0;
  for (const book of runner.books) {
    const { bids, asks } = book.snapshot();
    for (const { orders } of [...bids, ...asks]) live += orders.length;
  }
  return { ...result, trades: runner.trades, live };
}

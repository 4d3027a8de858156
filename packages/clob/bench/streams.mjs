/**
 * The streams of the benchmark: seeded, and worked out on a slow book of their own, so that they depend on no engine under test and
 * every cancel and move names an order that is live at that moment.
 *
 * An operation is { kind: gtc | ioc | fok | cancel | move, id, market, side, price, size, owner }. Orders that rest never cross
 * when they come, so that owners of makers and takers can be kept apart and no engine meets a self-trade.
 *
 * They come as rows of numbers, too.
 *
 * A stream is made of a number of operations and, for warming up, a shift of its seed.
 */
import { createPrng } from '@prime/primitives';

/** Ticks, around which prices are. */
export const middle = 1000;
const prices = 2 * middle;
/** Of a taker that takes whatever rests, ticks: beyond all orders, and within the widest band around the middle. */
const farReach = 600;
/** Traders; the first half makes, the second half takes. */
export const traders = 200;

/** One market of the slow book: a queue for each price. */
class Market {
  queues = Array.from({ length: prices }, () => []);
  best = [0, prices - 1];

  add(order) {
    this.queues[order.price].push(order);
    const { side, price } = order;
    if (side === 0 ? price > this.best[0] : price < this.best[1]) this.best[side] = price;
  }

  remove(order) {
    const queue = this.queues[order.price];
    queue.splice(queue.indexOf(order), 1);
  }

  /** The order that is first in turn on a side. */
  first(side) {
    const step = side === 0 ? -1 : 1;
    while (this.best[side] > 0 && this.best[side] < prices - 1 && this.queues[this.best[side]].length === 0)
      this.best[side] += step;
    return this.queues[this.best[side]][0];
  }

  /** Lots within a limit against a taker of that side. */
  within(side, limit) {
    let lots = 0;
    this.first(1 - side);
    const step = side === 0 ? 1 : -1;
    for (let price = this.best[1 - side]; side === 0 ? price <= limit : price >= limit; price += step)
      for (const { left } of this.queues[price] ?? []) lots += left;
    return lots;
  }
}

class Writer {
  operations = [];
  live = [];
  trades = 0;
  #id = 0;

  constructor(seed, markets) {
    this.random = createPrng(seed);
    this.markets = Array.from({ length: markets }, () => new Market());
  }

  get #someMarket() {
    return this.markets.length === 1 ? 0 : this.random.below(this.markets.length);
  }

  #passive = (side, width) => middle + (side === 0 ? -1 - this.random.below(width) : 1 + this.random.below(width));

  gtc({ side = this.random.below(2), width = 100, sizeMax = 50 } = {}) {
    const id = ++this.#id;
    const market = this.#someMarket;
    const size = 1 + this.random.below(sizeMax);
    const owner = this.random.below(traders / 2);
    const order = { id, market, side, price: this.#passive(side, width), owner, left: size, place: this.live.length };
    this.operations.push({ kind: 'gtc', id, market, side, price: order.price, size, owner });
    this.live.push(order);
    this.markets[market].add(order);
  }

  take(kind, { side = this.random.below(2), size, reach = farReach }) {
    const id = ++this.#id;
    const market = this.#someMarket;
    const price = side === 0 ? middle + reach : middle - reach;
    const owner = traders / 2 + this.random.below(traders / 2);
    this.operations.push({ kind, id, market, side, price, size, owner });
    const book = this.markets[market];
    if (kind === 'fok' && book.within(side, price) < size) return;
    for (let left = size; left > 0; ) {
      const maker = book.first(1 - side);
      if (maker === undefined || (side === 0 ? maker.price > price : maker.price < price)) return;
      const quantity = Math.min(left, maker.left);
      left -= quantity;
      maker.left -= quantity;
      this.trades++;
      if (maker.left === 0) this.#drop(maker);
    }
  }

  #drop(order) {
    this.markets[order.market].remove(order);
    const last = this.live.pop();
    if (last === order) return;
    this.live[order.place] = last;
    last.place = order.place;
  }

  #someLive() {
    return this.live[this.random.below(this.live.length)];
  }

  cancel() {
    const { id, market, owner, ...order } = this.#someLive();
    this.operations.push({ kind: 'cancel', id, market, owner, side: order.side, price: 0, size: 0 });
    this.#drop(this.live[order.place]);
  }

  /** Another price for what remains, behind the others of that price. */
  move() {
    const order = this.#someLive();
    const book = this.markets[order.market];
    book.remove(order);
    const before = order.price;
    // Never the same one: an engine may keep an order that does not change where it is.
    while (order.price === before) order.price = this.#passive(order.side, 100);
    book.add(order);
    const { id, market, side, price, left, owner } = order;
    this.operations.push({ kind: 'move', id, market, side, price, size: left, owner });
  }

  lots(max) {
    return 1 + this.random.below(max);
  }
}

const kinds = ['gtc', 'ioc', 'fok', 'cancel', 'move'];
/** What rows call them. */
export const [gtc, ioc, fok, cancel, move] = kinds.keys();

/** Numbers of an operation: kind, id, market, side, price, size. */
export const operationNumbers = 6;

/** Operations one behind the other: objects of a stream that was made beforehand lie all over the memory, and fetching them is no matching. */
function rowsOf(operations) {
  const rows = new Int32Array(operations.length * operationNumbers);
  for (const [index, { kind, id, market, side, price, size }] of operations.entries())
    rows.set([kinds.indexOf(kind), id, market, side, price, size], index * operationNumbers);
  return rows;
}

/** Fills the book, then writes `count` operations. @returns operations, how many of them fill the book, what both engines must end with */
function write(seed, { markets = 1, resting, width = 100, sizeMax = 50 }, count, next) {
  const writer = new Writer(seed, markets);
  while (writer.live.length < resting) writer.gtc({ width, sizeMax });
  const warm = writer.operations.length;
  while (writer.operations.length < warm + count) next(writer);
  const { operations, trades, live } = writer;
  return { operations, rows: rowsOf(operations), warm, markets, trades, live: live.length };
}

/** @param shares of 100 operations: gtc, ioc, fok, cancel, the rest moves @param takerLots so that fills and cancels undo what gtc adds */
const mix = ([gtc, ioc, fok, cancel], takerLots) => {
  return (writer) => {
    const dice = writer.random.below(100);
    if (dice < gtc) writer.gtc();
    else if (dice < gtc + ioc) writer.take('ioc', { size: writer.lots(takerLots) });
    else if (dice < gtc + ioc + fok) writer.take('fok', { size: writer.lots(takerLots), reach: 2 });
    else if (dice < gtc + ioc + fok + cancel) writer.cancel();
    else writer.move();
  };
};

/** 500 orders of one side, then takers that eat as much of that side; then the other side. */
function bursts() {
  let turn = 0;
  return (writer) => {
    const side = Math.floor(turn / 1000) % 2;
    if (turn++ % 1000 < 500) writer.gtc({ side });
    else writer.take('ioc', { side: 1 - side, size: writer.lots(50) });
  };
}

/** A taker that eats about 100 makers of a side, then 100 makers in their places. */
function sweeps() {
  let turn = 0;
  return (writer) => {
    const side = Math.floor(turn / 101) % 2;
    if (turn++ % 101 === 0) writer.take('ioc', { side: 1 - side, size: 550 });
    else writer.gtc({ side, width: 500, sizeMax: 10 });
  };
}

export const streams = [
  {
    name: 'exchange-core mix',
    note: '9 gtc / 3 ioc / 6 cancel / 82 move, 1000 live',
    make: (count, shift = 0) => write(1 + shift, { resting: 1000 }, count, mix([9, 3, 0, 6], 50)),
  },
  {
    name: 'maker mix',
    note: '44 gtc / 5 ioc / 1 fok / 40 cancel / 10 replace, 1000 live',
    make: (count, shift = 0) => write(2 + shift, { resting: 1000 }, count, mix([44, 5, 1, 40], 33)),
  },
  {
    name: 'maker mix, 200 markets',
    note: 'the same, 20 000 live',
    make: (count, shift = 0) => write(3 + shift, { markets: 200, resting: 20_000 }, count, mix([44, 5, 1, 40], 33)),
  },
  {
    name: 'bursts',
    note: '500 gtc of one side, then 500 ioc against it',
    make: (count, shift = 0) => write(4 + shift, { resting: 1000 }, count, bursts()),
  },
  {
    name: 'sweeps',
    note: 'one ioc through about 100 makers, then 100 gtc',
    make: (count, shift = 0) => write(5 + shift, { resting: 1000, width: 500, sizeMax: 10 }, count, sweeps()),
  },
];

/**
 * What matching in JavaScript costs at least: a queue for each price, a bitmap of the prices that have one, and orders as rows of typed arrays, all of
 * them made beforehand. No events, owners, checks, undo or growth, ids are places in arrays, and operations are numbers already: no
 * engine, but a bound for one.
 */
import { keep, timed } from './bare.mjs';
import { cancel, fok, gtc, ioc, move, operationNumbers } from './streams.mjs';

/** Prices of the streams are below it. */
const prices = 2048;
const wordsOfSide = prices / 32;

/** Orders by id; 0 is none. */
class Rows {
  constructor(count) {
    this.next = new Int32Array(count);
    this.previous = new Int32Array(count);
    this.left = new Int32Array(count);
    /** Side times {@link prices} plus price. */
    this.place = new Int32Array(count);
  }
}

class Ladder {
  trades = 0;
  live = 0;
  heads = new Int32Array(2 * prices);
  tails = new Int32Array(2 * prices);
  totals = new Int32Array(2 * prices);
  words = new Int32Array(2 * wordsOfSide);
  /** Words in which the best prices are, or that are better ones without any. */
  bid = 0;
  ask = 2 * wordsOfSide - 1;

  constructor(rows) {
    this.rows = rows;
  }

  /** The best place of a side, -1 when there is none. */
  best(side) {
    const { words } = this;
    if (side === 0) {
      while (this.bid > 0 && words[this.bid] === 0) this.bid--;
      const bits = words[this.bid];
      return bits === 0 ? -1 : this.bid * 32 + 31 - Math.clz32(bits);
    }
    while (this.ask < 2 * wordsOfSide - 1 && words[this.ask] === 0) this.ask++;
    const bits = words[this.ask];
    return bits === 0 ? -1 : this.ask * 32 + 31 - Math.clz32(bits & -bits);
  }

  add(id, side, price, left) {
    const { next, previous, place } = this.rows;
    const at = side * prices + price;
    const tail = this.tails[at];
    place[id] = at;
    this.rows.left[id] = left;
    previous[id] = tail;
    next[id] = 0;
    this.tails[at] = id;
    if (tail === 0) {
      this.heads[at] = id;
      const word = at >> 5;
      this.words[word] |= 1 << (at & 31);
      if (side === 0) this.bid = Math.max(this.bid, word);
      else this.ask = Math.min(this.ask, word);
    } else next[tail] = id;
    this.totals[at] += left;
    this.live++;
  }

  remove(id) {
    const { next, previous, left, place } = this.rows;
    const at = place[id];
    const [before, behind] = [previous[id], next[id]];
    if (before === 0) this.heads[at] = behind;
    else next[before] = behind;
    if (behind === 0) this.tails[at] = before;
    else previous[behind] = before;
    if (before === 0 && behind === 0) this.words[at >> 5] &= ~(1 << (at & 31));
    this.totals[at] -= left[id];
    this.live--;
  }

  /** @returns what is left */
  take(side, limit, lots) {
    const { left } = this.rows;
    let open = lots;
    while (open > 0) {
      const at = this.best(1 - side);
      if (at < 0 || (side === 0 ? at - prices > limit : at < limit)) break;
      const maker = this.heads[at];
      const quantity = Math.min(open, left[maker]);
      open -= quantity;
      this.trades++;
      if (left[maker] === quantity) this.remove(maker);
      else {
        left[maker] -= quantity;
        this.totals[at] -= quantity;
      }
    }
    return open;
  }

  holds(side, limit, lots) {
    let missing = lots;
    const step = side === 0 ? 1 : -1;
    for (let at = this.best(1 - side); at >= 0 && missing > 0; at += step) {
      if (side === 0 ? at - prices > limit : at < limit) break;
      missing -= this.totals[at];
    }
    return missing <= 0;
  }
}

class LadderRun {
  constructor({ operations, rows, markets }) {
    this.operations = rows;
    this.rows = new Rows(operations.length + 1);
    this.ladders = Array.from({ length: markets }, () => new Ladder(this.rows));
  }

  run(index) {
    const { operations } = this;
    const at = index * operationNumbers;
    const kind = operations[at];
    const id = operations[at + 1];
    const ladder = this.ladders[operations[at + 2]];
    const side = operations[at + 3];
    const price = operations[at + 4];
    const size = operations[at + 5];
    if (kind === gtc) {
      const left = ladder.take(side, price, size);
      if (left > 0) ladder.add(id, side, price, left);
    } else if (kind === cancel) ladder.remove(id);
    else if (kind === ioc || kind === fok) {
      if (kind === ioc || ladder.holds(side, price, size)) ladder.take(side, price, size);
    } else if (kind === move) {
      ladder.remove(id);
      ladder.add(id, side, price, this.rows.left[id]);
    }
  }
}

/** As the runs of bare.mjs. */
export function runLadder(stream) {
  const runner = new LadderRun(stream);
  const result = timed(stream, runner);
  keep(runner);
  const sum = (valueOf) => runner.ladders.reduce((total, ladder) => total + valueOf(ladder), 0);
  return { ...result, trades: sum(({ trades }) => trades), live: sum(({ live }) => live) };
}

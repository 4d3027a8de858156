/** Blocks of sizes around each step of the order book, in engines of all pasts; that a step was met is counted. See docs/testing-shapes.md. */
import { defaultMarketDecimals } from '@prime/codec';
import { describe, expect, it } from '@jest/globals';
import { addressOf, defaultMarkets, marketId, order, type Step } from './testing/harness.ts';
import { Course, type Look, type Past, pasts } from './testing/pasts.ts';
import { type GrowthStep, growthSteps, other, type ShapeCourse, whale } from './testing/steps.ts';

/** Wei; few enough to be exact. */
const rich = 10n ** 15n;
const markets = [...defaultMarkets, { symbol: 'SHP/USD', tickSize: 1n, lotSize: 1n, ...defaultMarketDecimals }];
/** For large sizes. */
const few: readonly Past[] = pasts.filter(({ restartEvery, drops }) => restartEvery === 1 || drops);
/** To find out how a shape grows: what a block comes to is the same in all of them. */
const one: readonly Past[] = pasts.slice(0, 1);

/** Engines with two rich accounts, some of which have executed a block of hundreds of orders that nobody committed. */
function begin(lanes: readonly Past[]): Course {
  const params = { maxOpenOrders: 10_000, orderMemoryBlocks: 5 };
  const course = new Course({ params, markets, pasts: lanes });
  course.block([whale, other].map((account) => ({ account, payload: { type: 'deposit', amount: rich } })));
  // A mark price, without which no order is sure.
  for (const [account, side] of [
    [whale, 'buy'],
    [other, 'sell'],
  ] as const)
    course.block([{ account, payload: order(side, 50n, 1n, { marketId: marketId(3) }) }]);
  const dropped = Array.from({ length: 300 }, (_, at): Step => {
    const payload = order('buy', BigInt(1 + at), 1n, { marketId: marketId(3) });
    return { account: whale, payload };
  });
  course.drop(dropped);
  return course;
}

/** The most that a step's measure comes to in blocks of its shape. */
function metBy({ shape, measure }: GrowthStep, count: number, lanes: readonly Past[]): number {
  const course = begin(lanes);
  let [most, accounts] = [0, 0x10_0000];
  const look: Look = (harness, outcome) => {
    most = Math.max(most, measure(harness, outcome));
  };
  const shaped: ShapeCourse = {
    course,
    block: (steps, atMs) => course.block(steps, { ...(atMs !== undefined && { atMs }), look }),
    newAccount: () => addressOf(accounts++),
  };
  shape(shaped, count);
  const met = most;
  // What is small again, behind it: tables are full of what was.
  shape(shaped, 3);
  return met;
}

describe('around each size at which the order book does something else', () => {
  it.each(growthSteps)('$name: $at', (step) => {
    const { at, within = 0, most = Number.POSITIVE_INFINITY } = step;
    const [three, nine] = [metBy(step, 3, one), metBy(step, 9, one)];
    const countFor = (size: number): number => Math.max(3, Math.round(3 + ((size - three) * 6) / (nine - three)));
    const met = new Set<number>();
    const near = Math.floor(within / 2);
    for (const size of [at - 1 - near, at, at + 1 + near, ...(most === at ? [] : [2 * at])])
      met.add(metBy(step, countFor(size), at > 100 ? few : pasts));
    const isMet = (low: number, high: number): boolean => [...met].some((size) => low <= size && size <= high);
    const counted = {
      below: isMet(at - 1 - within, within > 0 ? at : at - 1),
      at: within > 0 || isMet(at, at),
      above: most === at || isMet(at + 1, at + 1 + within),
      twice: most === at ? isMet(at, at) : isMet(2 * at - within, 2 * at + within),
    };
    expect({ ...counted, met: [...met] }).toEqual({ below: true, at: true, above: true, twice: true, met: [...met] });
  });
});

it('as many orders as an account may have come in blocks of 5000 actions, and go in one', () => {
  const course = begin(pasts.filter(({ name }) => name.startsWith('has tables of one row')));
  const bids = (count: number): Step[] =>
    Array.from({ length: count }, (_, at) => {
      const payload = order('buy', BigInt(1 + (at % 40)), 1n, { marketId: marketId(3) });
      return { account: whale, payload };
    });
  course.block(bids(5000));
  course.block(bids(4999));
  const results = course.block(bids(2)).results.map((result) => (result.ok ? 'ok' : result.error.code));
  expect(results).toEqual(['ok', 'CLOB_TOO_MANY_OPEN_ORDERS']);
  const { writes } = course.block([{ account: whale, payload: { type: 'cancelAll', marketId: null } }]);
  expect(writes.length).toBeGreaterThan(10_000);
  expect(course.harness.state.orders.byId.size).toBe(0);
});

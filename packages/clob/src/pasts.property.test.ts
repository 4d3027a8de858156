/** What a process saw before can not change a result: the same blocks in engines of different pasts, to the last byte. */
import { describe, expect, it } from '@jest/globals';
import { decodeEventFrames, type ClobParams } from '@prime/codec';
import { createPrng, type Prng } from '@prime/primitives';
import fc from 'fast-check';
import { addressOf, createHarness, defaultParams, startMs, type Step } from './testing/harness.ts';
import { Course, pasts } from './testing/pasts.ts';
import { randomWrites, signed } from './testing/signedStreams.ts';
import { randomBlock, randomQuotes, traders } from './testing/streams.ts';

const fees = { takerPpm: 5000, makerPpm: -2000, treasury: addressOf(3), treasuryShareBps: 3000 };
const funding = { intervalSeconds: 2, maxRateBps: 400, premiumIntervals: 2, referenceWeight: 30 };
const mark = { impactNotional: 2000n, emaWeight: 64, maxMoveBps: 150, minTrades: 3 };

const networks: readonly Partial<ClobParams>[] = [
  {},
  { levelProofs: true, orderMemoryBlocks: 2, autoLiquidatePerBlock: 1 },
  { fees, funding, autoLiquidatePerBlock: 1, autoDequeue: true },
  { mark, orderMemoryBlocks: 0, autoLiquidatePerBlock: 2 },
  { mark: { ...defaultParams.mark, minTrades: 1, maxMoveBps: 20 }, cancelFirst: false },
  { orderChangesPerBlock: 9, funding: { ...funding, maxRateBps: 10_000, premiumIntervals: 1 } },
];

interface Ride {
  readonly seed: number;
  readonly params: Partial<ClobParams>;
  readonly scale: bigint;
  readonly signs: boolean;
}

const rides = fc.record<Ride>({
  seed: fc.integer({ min: 1, max: 1_000_000 }),
  params: fc.constantFrom(...networks),
  scale: fc.constantFrom(1n, 1n, 1n, 1n << 60n),
  signs: fc.boolean(),
});

function stepsOf(random: Prng, course: Course, { scale }: Ride, timeMs: number, center: number): Step[] {
  const { state } = course.harness;
  const count = 1 + random.below(random.chance(1, 10) ? 90 : 12);
  const newestOrder = state.globals.nextOrderId;
  if (scale === 1n && random.chance(1, 3)) return randomQuotes(random, count, { state, accounts: traders, center });
  return randomBlock(random, count, { scale, nowSeconds: Math.floor(timeMs / 1000), center, risky: true, newestOrder });
}

function run(ride: Ride): number {
  const random = createPrng(ride.seed);
  const course = new Course({ params: { maxOpenOrders: 40, orderMemoryBlocks: 5, ...ride.params } });
  course.block(traders.map((account) => ({ account, payload: { type: 'deposit', amount: 40_000n * ride.scale } })));
  let [center, ticket, trades] = [100, 1, 0];
  for (let block = 1; block <= 25; block++) {
    center = Math.min(300, Math.max(20, center + random.below(31) - 15));
    const timeMs = startMs + block * 700;
    const { state } = course.harness;
    const next = (): Step[] => {
      const steps = stepsOf(random, course, ride, timeMs, center);
      return ride.signs ? signed(random, steps, { state, timeMs }) : steps;
    };
    if (random.chance(1, 4)) course.drop(next(), timeMs);
    const writes = ride.signs ? randomWrites(random, ticket, center) : [];
    ticket += writes.length;
    const { events } = course.block(next(), { atMs: timeMs, writes });
    trades += decodeEventFrames(events).filter(({ kind }) => kind === 'trade').length;
  }
  return trades;
}

describe('engines of different pasts', () => {
  it('write, say and hash the same in every block', () => {
    let trades = 0;
    fc.assert(
      fc.property(rides, (ride) => {
        trades += run(ride);
      }),
      { numRuns: 15 },
    );
    expect(trades).toBeGreaterThan(300);
  });

  it('are started, grown, repeated, shared out, given other capacity and made to forget what collateral is free', () => {
    expect(createHarness().state.orders.firstRoom(64)).toBe(64);
    const ways = pasts.flatMap((past) => Object.keys(past));
    for (const way of ['restartEvery', 'firstRoom', 'repeats', 'drops', 'wideBooks', 'shards', 'forgetsRooms'])
      expect(ways).toContain(way);
  });
});

import { describe, expect, it } from '@jest/globals';
import {
  type ClobParams,
  type ContractAction,
  type ContractPayload,
  decodeRecordFrames,
  decodeResultFrames,
} from '@prime/codec';
import { createPrng, type Hash, type Height, type Prng, type TimestampMs } from '@prime/primitives';
import fc from 'fast-check';
import { createInspectableEngine } from '../engine.ts';
import type { ClobBlock, ClobOutcome } from '../ports.ts';
import { isAtRest, outcomeAtRest } from './rest.ts';
import {
  alice,
  bob,
  createHarness,
  defaultMarkets,
  defaultParams,
  type Harness,
  order,
  startMs,
} from '../testing/harness.ts';
import { randomBlock } from '../testing/streams.ts';

/** What everything that reads an outcome can see of it. */
const seen = ({ ordersRoot, results, events, writes, credits, escrow, escrowChange }: ClobOutcome) => ({
  ordersRoot,
  results,
  events,
  writes,
  credits,
  escrow,
  escrowChange,
});

const restingOutcome = (before: Parameters<typeof outcomeAtRest>[0]): ClobOutcome => {
  const { results, writes, ...outcome } = outcomeAtRest(before);
  const [decoded, records] = [decodeResultFrames(results), decodeRecordFrames(writes)];
  return { ...outcome, results: decoded, resultFrames: results, writes: records };
};

/** An order book that is asked about a block only when it does not rest. */
function createSleeper(params: Partial<ClobParams>) {
  const { engine } = createInspectableEngine({ params: { ...defaultParams, ...params }, actionsMode: 'open' });
  let last = engine.genesis(defaultMarkets);
  let isPending = false;
  let pending: ClobOutcome;
  let rested = 0;
  engine.commit();
  return {
    engine,
    rested: () => rested,
    execute(block: ClobBlock): ClobOutcome {
      isPending = last.rest === null || !isAtRest(last.rest, block);
      if (!isPending) rested++;
      pending = isPending ? engine.execute(block) : restingOutcome(last);
      return pending;
    },
    commit() {
      // Results and events are made when they are asked for, which is too late after the next block.
      const { ordersRoot, escrow, rest } = pending;
      last = restingOutcome({ ordersRoot, escrow, rest });
      if (isPending) engine.commit();
    },
    rollback() {
      if (isPending) engine.rollback();
    },
  };
}

const networks: readonly Partial<ClobParams>[] = [
  { orderMemoryBlocks: 3 },
  { orderMemoryBlocks: 2, levelProofs: true, autoLiquidatePerBlock: 1 },
  { orderMemoryBlocks: 0, autoLiquidatePerBlock: 2, autoDequeue: true },
  { orderMemoryBlocks: 7, autoDequeue: true, cancelFirst: false, autoLiquidatePerBlock: 1 },
  {
    orderMemoryBlocks: 5,
    funding: { intervalSeconds: 2, maxRateBps: 1000, premiumIntervals: 1, referenceWeight: 30 },
    autoLiquidatePerBlock: 1,
  },
  // A mark price that needs several blocks to get where it goes.
  { orderMemoryBlocks: 4, mark: { ...defaultParams.mark, minTrades: 1, maxMoveBps: 20 } },
];

/** Blocks of all kinds, many of them empty, in both order books. @returns how many the one that rests was not asked about */
function runBoth(random: Prng, params: Partial<ClobParams>, shards: number | undefined): number {
  const harness: Harness = createHarness({ params: { maxOpenOrders: 6, ...params }, ...(shards && { shards }) });
  const sleeper = createSleeper({ maxOpenOrders: 6, ...params });
  let atMs = startMs;
  for (let turn = 0; turn < 12; turn++) {
    const busy = 1 + random.below(2);
    const blocks = busy + random.below(14);
    for (let count = 0; count < blocks; count++) {
      atMs += random.below(random.chance(1, 4) ? 3000 : 200);
      const options = { nowSeconds: Math.floor(atMs / 1000), risky: true, center: 90 + random.below(20) };
      const steps = count < busy ? randomBlock(random, 1 + random.below(5), options) : [];
      const isDropped = random.chance(1, 6);
      const outcome = seen(isDropped ? harness.drop(steps, atMs) : harness.propose(steps, atMs));
      expect(seen(sleeper.execute(harness.given()!))).toEqual(outcome);
      if (isDropped) sleeper.rollback();
      else {
        harness.engine.commit();
        sleeper.commit();
      }
    }
    expect(sleeper.engine.ordersRoot()).toBe(harness.engine.ordersRoot());
  }
  return sleeper.rested();
}

describe('an order book that rests', () => {
  it('comes to the same as one that is asked about every block', () => {
    let rested = 0;
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1_000_000 }),
        fc.constantFrom(...networks),
        fc.constantFrom(undefined, undefined, 2),
        (seed, params, shards) => {
          rested += runBoth(createPrng(seed), params, shards);
        },
      ),
      { numRuns: 60 },
    );
    expect(rested).toBeGreaterThan(0);
  });

  it('rests until an order expires, a memory ends and an interval of funding is over', () => {
    const harness = createHarness({
      params: {
        orderMemoryBlocks: 9,
        funding: { intervalSeconds: 3600, maxRateBps: 1000, premiumIntervals: 1, referenceWeight: 30 },
      },
    });
    const hourEndsMs = (Math.floor(startMs / 3_600_000) + 1) * 3_600_000;
    harness.deposit(alice, 10_000n);
    harness.deposit(bob, 10_000n);
    expect(harness.block([]).rest).toEqual({ untilMs: hourEndsMs, untilHeight: Number.POSITIVE_INFINITY });
    const expiresAt = Math.floor(harness.now() / 1000) + 5;
    harness.act(alice, order('sell', 100n, 1n, { expiresAt }));
    expect(harness.block([]).rest).toMatchObject({ untilMs: (expiresAt + 1) * 1000 });
    harness.act(alice, { type: 'cancelAll', marketId: null });
    const height = harness.given()!.height;
    expect(harness.block([]).rest).toEqual({ untilMs: hourEndsMs, untilHeight: height + 9 });
  });

  it('does not rest while a mark price is on its way', () => {
    const harness = createHarness({ params: { mark: { ...defaultParams.mark, minTrades: 1, maxMoveBps: 20 } } });
    for (const account of [alice, bob]) harness.deposit(account, 1_000_000n);
    const trade = (price: bigint): void => {
      harness.act(alice, order('sell', price, 1n));
      harness.act(bob, order('buy', price, 1n));
    };
    trade(10_000n);
    while (harness.block([]).rest === null);
    trade(10_400n);
    const marks = new Set<bigint | null>();
    while (harness.block([]).rest === null) marks.add(harness.state.markets[1]!.markPrice);
    expect(marks.size).toBeGreaterThan(3);
    expect(harness.state.movingMarkets.size).toBe(0);
  });

  it('remembers refusals of contracts for as long as one that is asked about every block', () => {
    const { engine } = createInspectableEngine({
      params: { ...defaultParams, orderMemoryBlocks: 5 },
      actionsMode: 'open',
    });
    engine.genesis(defaultMarkets);
    engine.commit();
    const blockOf = (height: number, contractActions: readonly ContractAction[]): ClobOutcome => {
      const timestampMs = (startMs + height) as TimestampMs;
      const outcome = engine.execute({
        height: height as Height,
        timestampMs,
        actions: [],
        deposits: [],
        contractActions,
      });
      engine.commit();
      return outcome;
    };
    const payload = order('sell', 99n, 1n, { clientId: `0x${'2'.repeat(32)}` }) as ContractPayload;
    const transactionHash = `0x${'1'.repeat(64)}` as Hash;
    expect(blockOf(1, [{ ticket: 1, transactionHash, account: bob, payload }]).rest).toBeNull();
    expect(blockOf(2, []).rest).toMatchObject({ untilHeight: 6 });
    expect(blockOf(6, []).rest).toMatchObject({ untilHeight: Number.POSITIVE_INFINITY });
  });

  it('is over for a block with anything in it', () => {
    const rest = { untilMs: 10, untilHeight: 10 };
    const empty = { height: 9 as Height, timestampMs: 9 as TimestampMs, actions: [], deposits: [] };
    expect(isAtRest(rest, empty)).toBe(true);
    expect(isAtRest(rest, { ...empty, height: 10 as Height })).toBe(false);
    expect(isAtRest(rest, { ...empty, timestampMs: 10 as TimestampMs })).toBe(false);
    const contractAction = {
      ticket: 1,
      transactionHash: '0x' as never,
      account: alice,
      payload: { type: 'cancelAll', marketId: null } as const,
    };
    expect(isAtRest(rest, { ...empty, contractActions: [contractAction] })).toBe(false);
    expect(isAtRest(rest, { ...empty, actions: [{} as never] })).toBe(false);
  });
});

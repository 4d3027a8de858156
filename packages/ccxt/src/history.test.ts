import { describe, expect, it } from '@jest/globals';
import { type DomainEventOf, HistoryPrunedError, LimitExceededError } from '@prime/sdk';
import * as fc from 'fast-check';
import { createBlockTimes } from './blockTimes.ts';
import type { Desk } from './desk.ts';
import { eventsSince, latestEvents } from './history.ts';

const failure = (data: unknown) => ({ code: -32005, message: 'no', data, cause: new Error('no') });

interface Chain {
  readonly head: bigint;
  /** First block that is kept. */
  readonly oldest: bigint;
  /** Events that one answer holds. */
  readonly max: number;
  readonly perBlock: number;
}

/** A node of which each block has its number times ten as its time in ms. */
function nodeOf({ head, oldest, max, perBlock }: Chain) {
  const ranges: (readonly [bigint, bigint])[] = [];
  const times: bigint[] = [];
  const getDomainEvents = async ({ fromBlock, toBlock }: { fromBlock: bigint; toBlock: bigint }) => {
    ranges.push([fromBlock, toBlock]);
    if (fromBlock < oldest) throw new HistoryPrunedError(failure({ oldest: `0x${oldest.toString(16)}` }));
    const blocks = Array.from({ length: Number(toBlock - fromBlock) + 1 }, (_, index) => fromBlock + BigInt(index));
    const events = blocks.flatMap((blockNumber) =>
      Array.from({ length: perBlock }, (_, index) => ({ blockNumber, index })),
    );
    if (events.length > max) throw new LimitExceededError(failure({ limit: 'events' }));
    return events as unknown as readonly DomainEventOf[];
  };
  const getNativeBlock = async ({ block }: { block: bigint }) => {
    times.push(block);
    if (block < oldest) throw new HistoryPrunedError(failure({ oldest: '0x0' }));
    return block > head ? null : { timestampMs: Number(block) * 10 };
  };
  const reader = { getDomainEvents, getNativeBlock, getBlockNumber: async () => head };
  const desk = { reader, times: createBlockTimes(reader as never), exchange: { options: {} } } as unknown as Desk;
  return { desk, ranges, times };
}

const blocksOf = (events: readonly DomainEventOf[]): readonly number[] =>
  events.map(({ blockNumber }) => Number(blockNumber));
const never = (): boolean => false;
const upTo = (from: number, to: number): readonly number[] =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index);

describe('times of blocks', () => {
  it('the first block since a time is the one that a look at all of them finds', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: 40 }),
        fc.integer({ min: 0, max: 40 }),
        fc.integer({ min: -5, max: 500 }),
        async (head, oldest, ms) => {
          const { desk } = nodeOf({ head: BigInt(head), oldest: BigInt(oldest), max: 1, perBlock: 0 });
          const all = upTo(0, head).find((block) => block >= oldest && block * 10 >= ms) ?? head + 1;
          expect(Number(await desk.times.firstSince(ms, BigInt(head)))).toBe(all);
        },
      ),
    );
  });

  it('each is asked for once, and one that is not there yet again', async () => {
    const { desk, times } = nodeOf({ head: 9n, oldest: 0n, max: 1, perBlock: 0 });
    await Promise.all([desk.times.timeOf(5n), desk.times.timeOf(5n)]);
    await desk.times.timeOf(5n);
    expect(times).toEqual([5n]);
    await desk.times.timeOf(10n);
    await desk.times.timeOf(10n);
    expect(times).toEqual([5n, 10n, 10n]);
  });
});

describe('events of past blocks', () => {
  it('come once and in order however few an answer holds', async () => {
    for (const max of [2, 3, 7, 10_000]) {
      const { desk } = nodeOf({ head: 50n, oldest: 0n, max, perBlock: 2 });
      const events = await eventsSince(desk, 'trade', 30, never);
      expect(events.map(({ blockNumber, index }) => Number(blockNumber) * 2 + index)).toEqual(upTo(6, 101));
    }
  });

  it('a block with more than an answer holds is told as it is', async () => {
    const { desk } = nodeOf({ head: 5n, oldest: 0n, max: 1, perBlock: 2 });
    await expect(eventsSince(desk, 'trade', 0, never)).rejects.toBeInstanceOf(LimitExceededError);
  });

  it('a limit that waiting helps against is none of ranges', async () => {
    const { desk, ranges } = nodeOf({ head: 5n, oldest: 0n, max: 1, perBlock: 1 });
    const busy = new LimitExceededError(failure({ limit: 'requests', retry_after_ms: 100 }));
    Object.assign(desk.reader, { getDomainEvents: async () => Promise.reject(busy) });
    await expect(latestEvents(desk, 'trade', 5, never)).rejects.toBe(busy);
    expect(ranges).toEqual([]);
  });

  it('what a node deleted is left out', async () => {
    const { desk } = nodeOf({ head: 50n, oldest: 40n, max: 10_000, perBlock: 1 });
    expect(blocksOf(await latestEvents(desk, 'trade', 1_000, never))).toEqual(upTo(40, 50));
    expect(blocksOf(await eventsSince(desk, 'trade', 0, never))).toEqual(upTo(40, 50));
  });

  it('since a time: from its block on, the oldest first, no further than wanted', async () => {
    const { desk, ranges } = nodeOf({ head: 9_999n, oldest: 0n, max: 100_000, perBlock: 1 });
    const events = await eventsSince(desk, 'trade', 41, (found) => found.length >= 1_500);
    expect(blocksOf(events)).toEqual(upTo(5, 3_004));
    expect(ranges).toEqual([
      [5n, 1_004n],
      [1_005n, 3_004n],
    ]);
    expect(await eventsSince(desk, 'trade', 100_000, never)).toEqual([]);
  });

  it('without a time: backwards from the newest, no further than wanted or allowed', async () => {
    const { desk, ranges } = nodeOf({ head: 9_999n, oldest: 0n, max: 100_000, perBlock: 1 });
    expect(blocksOf(await latestEvents(desk, 'trade', 100_000, (found) => found.length >= 1_500))).toEqual(
      upTo(7_000, 9_999),
    );
    expect(ranges).toEqual([
      [9_000n, 9_999n],
      [7_000n, 8_999n],
    ]);
    expect(blocksOf(await latestEvents(desk, 'trade', 1_001, never))).toEqual(upTo(8_999, 9_999));
    expect(await latestEvents(desk, 'trade', 100_000, never)).toHaveLength(10_000);
  });
});

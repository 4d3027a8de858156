import { describe, expect, it } from '@jest/globals';
import type { Hash } from '@prime/primitives';
import { stageNames } from '../report/runReport.ts';
import {
  type LatencyRecorder,
  StageJoin,
  type StageJoinOptions,
  type StageLatencies,
  type StageOperation,
} from './stageJoin.ts';
import type { Stamp, StampedStage } from './stamps.ts';

const hash = (index: number): Hash => `0x${index.toString(16).padStart(16, '0')}${'ee'.repeat(24)}` as Hash;
const known = (index: number): string => hash(index).slice(0, 18);

/** Keeps all latencies; rounded to ns, below which doubles of today's times are not exact. */
function createRecorder(): LatencyRecorder {
  const all: number[] = [];
  return {
    record: (ms) => void all.push(Math.round(ms * 1e3) / 1e3),
    percentiles: () => ({
      count: all.length,
      meanMs: all.reduce((sum, ms) => sum + ms, 0) / all.length,
      p50Ms: all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)]!,
      p90Ms: 0,
      p99Ms: 0,
      p999Ms: 0,
      maxMs: Math.max(...all),
    }),
  };
}
const join = (options: Partial<StageJoinOptions> = {}): StageJoin =>
  new StageJoin({ nodes: 4, createRecorder, ...options });

/** 2026, so that doubles have to hold what they hold in a run. */
const beginMs = 1_790_000_000_000;

interface Way {
  readonly item: number;
  readonly block: number;
  readonly sentTo: number;
  readonly proposer: number;
  /** ms from the begin to each moment, in the order of the stages. */
  readonly at: readonly [number, number, number, number, number, number, number, number, number, number, number];
}
const way: Way = { item: 1, block: 0xb1, sentTo: 0, proposer: 2, at: [0, 1, 3, 6, 10, 15, 21, 28, 36, 45, 55] };
const proposerStages = ['pooled', 'proposed', 'polka', 'decided', 'durable', 'executed'] as const;

const operationOf = ({ item, sentTo, at }: Way) => ({
  hash: hash(item),
  node: sentTo,
  scheduledMs: beginMs + at[0],
  sentMs: beginMs + at[1],
  acknowledgedMs: beginMs + at[2],
});

/** What the nodes stamp on that way. @param offsetsMs how far their clocks are ahead */
function stampsOf({ item, block, sentTo, proposer, at }: Way, offsetsMs: readonly number[]): [number, Stamp][] {
  const stamp = (node: number, stage: StampedStage, ms: number, ofItem: boolean): [number, Stamp] => [
    node,
    {
      stage,
      height: stage === 'pooled' ? 0 : 7,
      block: stage === 'pooled' ? null : known(block),
      item: ofItem ? known(item) : null,
      atUs: Math.round((beginMs + ms + offsetsMs[node]!) * 1_000),
    },
  ];
  return [
    ...proposerStages.map((stage, index) => stamp(proposer, stage, at[3 + index]!, stage === 'pooled')),
    stamp(proposer, 'taken', at[4], true),
    stamp(sentTo, 'visible', at[9], false),
    stamp(sentTo, 'delivered', at[10], false),
  ];
}

function joined(
  ways: readonly Way[],
  offsetsMs: readonly number[],
  options: Partial<StageJoinOptions> = {},
): StageLatencies {
  const all = join(options);
  for (const each of ways) {
    for (const [node, stamp] of stampsOf(each, offsetsMs)) all.addStamps(node, [stamp]);
    all.addOperation(operationOf(each));
  }
  return all.latencies(offsetsMs);
}
const meansOf = ({ rows }: StageLatencies): Record<string, number> =>
  Object.fromEntries(rows.map(({ stage, latency }) => [stage, latency.meanMs]));
const right = [0, 0, 0, 0];

describe('latencies by stage', () => {
  it('of one operation: from each moment to the next, in the order of the report', () => {
    const { rows, counts } = joined([way], right);
    expect(rows.map(({ stage, latency }) => [stage, latency.count, latency.meanMs])).toEqual(
      stageNames.map((stage, index) => [stage, 1, index + 1]),
    );
    expect(counts).toEqual({ operations: 1, oneIn: 1, followed: 1, whole: 1, untaken: 0, unpooled: 0 });
  });

  it('clocks that differ by seconds change nothing once their offsets are known', () => {
    expect(joined([way], [-4_000, 12.5, 3_600_000, 1])).toEqual(joined([way], right));
  });

  it('an offset that is a little wrong moves time between two stages, and never below 0', () => {
    const all = join();
    all.addOperation(operationOf(way));
    for (const [node, stamp] of stampsOf(way, right)) all.addStamps(node, [stamp]);
    // The proposer's clock is taken for 5 ms ahead: what it stamped seems to be 5 ms earlier.
    const means = meansOf(all.latencies([0, 0, 5, 0]));
    expect(means['acknowledged to pooled by the proposer']).toBe(0);
    expect(means['pooled to proposed']).toBe(2);
    expect(means['executed to visible']).toBe(14);
    expect(Object.values(means).reduce((sum, ms) => sum + ms, 0)).toBe(55);
  });

  it('the order of telling does not matter', () => {
    const stamps = stampsOf(way, right);
    for (const told of [stamps, stamps.toReversed()])
      for (const isFirst of [true, false]) {
        const all = join();
        if (isFirst) all.addOperation(operationOf(way));
        for (const [node, stamp] of told) all.addStamps(node, [stamp]);
        if (!isFirst) all.addOperation(operationOf(way));
        expect(all.latencies(right)).toEqual(joined([way], right));
      }
  });

  it('a proposer that pooled before the caller had its answer: no time of the way, and the sum stays', () => {
    const early = { ...way, at: [0, 1, 9, 2, 10, 15, 21, 28, 36, 45, 55] } as const;
    const means = meansOf(joined([early], right));
    expect(means['sent to acknowledged']).toBe(8);
    expect(means['acknowledged to pooled by the proposer']).toBe(0);
    expect(means['pooled to proposed']).toBe(1);
    // A whole block before the answer: all of its time is the answer's.
    const late = { ...way, at: [0, 1, 100, 2, 10, 15, 21, 28, 36, 45, 55] } as const;
    const all = meansOf(joined([late], right));
    expect(all['sent to acknowledged']).toBe(99);
    expect(Object.values(all).reduce((sum, ms) => sum + ms, 0)).toBe(100);
  });

  it('an operation that was sent to the proposer itself', () => {
    expect(meansOf(joined([{ ...way, sentTo: 2 }], right))).toEqual(meansOf(joined([way], right)));
  });

  it('several operations and blocks, in one histogram for each stage', () => {
    const ways = [1, 2, 3].map(
      (factor): Way => ({
        ...way,
        item: factor,
        block: factor,
        proposer: factor,
        at: way.at.map((ms) => ms * factor) as unknown as Way['at'],
      }),
    );
    const { rows, counts } = joined(ways, [7, -7, 70, -70]);
    expect(rows.map(({ latency }) => [latency.count, latency.meanMs, latency.maxMs])).toEqual(
      stageNames.map((_, index) => [3, 2 * (index + 1), 3 * (index + 1)]),
    );
    expect(counts).toMatchObject({ followed: 3, whole: 3 });
  });

  describe('what is missing', () => {
    /** Without the stamps of these stages. */
    const without = (stages: readonly StampedStage[], change: Partial<StageOperation> = {}) => {
      const all = join();
      all.addOperation({ ...operationOf(way), ...change });
      for (const [node, stamp] of stampsOf(way, right)) if (!stages.includes(stamp.stage)) all.addStamps(node, [stamp]);
      return all.latencies(right);
    };
    const stagesOf = ({ rows }: StageLatencies): readonly string[] => rows.map(({ stage }) => stage);
    const allBut = (...indexes: readonly number[]): readonly string[] =>
      stageNames.filter((_, index) => !indexes.includes(index));

    it('the pool of the proposer, whose ring went round: the two stages beside it, and it is counted', () => {
      const result = without(['pooled']);
      expect(stagesOf(result)).toEqual(allBut(2, 3));
      expect(result.counts).toMatchObject({ followed: 1, whole: 0, unpooled: 1, untaken: 0 });
      expect(meansOf(result)['proposed to prevote quorum']).toBe(5);
    });

    it('the pool of the proposer, while another node had it: the same', () => {
      const all = join();
      all.addOperation(operationOf(way));
      for (const [node, stamp] of stampsOf(way, right)) all.addStamps(stamp.stage === 'pooled' ? 1 : node, [stamp]);
      expect(all.latencies(right).counts).toMatchObject({ unpooled: 1, whole: 0 });
    });

    it('who took it: only what the generator knows, and it is counted', () => {
      const result = without(['taken']);
      expect(stagesOf(result)).toEqual(stageNames.slice(0, 2));
      expect(result.counts).toMatchObject({ untaken: 1, unpooled: 0, whole: 0 });
    });

    it.each<[StampedStage, readonly number[]]>([
      ['proposed', [3, 4]],
      ['polka', [4, 5]],
      ['durable', [6, 7]],
      ['executed', [7, 8]],
      ['visible', [8, 9]],
      ['delivered', [9]],
    ])('%s: the stages beside it', (stage, indexes) => {
      const result = without([stage]);
      expect(stagesOf(result)).toEqual(allBut(...indexes));
      expect(result.counts.whole).toBe(0);
    });

    it('the answer', () => {
      expect(stagesOf(without([], { acknowledgedMs: null }))).toEqual(allBut(1, 2));
    });

    it('the node that it was sent to is not read', () => {
      expect(stagesOf(without([], { node: -1 }))).toEqual(allBut(8, 9));
      expect(stagesOf(without([], { node: 3 }))).toEqual(allBut(8, 9));
    });

    it('the offset of a clock: nothing that it stamped', () => {
      const all = join();
      all.addOperation(operationOf(way));
      for (const [node, stamp] of stampsOf(way, right)) all.addStamps(node, [stamp]);
      expect(stagesOf(all.latencies([0, 0, null, 0]))).toEqual([
        'scheduled to sent',
        'sent to acknowledged',
        'visible to delivered',
      ]);
      expect(stagesOf(all.latencies([]))).toEqual(stageNames.slice(0, 2));
    });

    it('everything: no rows', () => {
      expect(join().latencies(right)).toEqual({
        rows: [],
        counts: { operations: 0, oneIn: 1, followed: 0, whole: 0, untaken: 0, unpooled: 0 },
      });
    });
  });

  it('a block that was not decided does not count: whoever proposed the decided one does', () => {
    const all = join();
    all.addOperation(operationOf(way));
    const failed = stampsOf({ ...way, block: 0xdead, proposer: 1, at: [0, 1, 3, 4, 5, 6, 7, 8, 9, 10, 11] }, right);
    for (const [node, stamp] of failed)
      if (['pooled', 'taken', 'proposed', 'polka'].includes(stamp.stage)) all.addStamps(node, [stamp]);
    for (const [node, stamp] of stampsOf(way, right)) all.addStamps(node, [stamp]);
    expect(all.latencies(right)).toEqual(joined([way], right));
  });

  it('what is stamped again counts from the first time', () => {
    const all = join();
    all.addOperation(operationOf(way));
    for (const lateMs of [5_000, 0, 9_000]) {
      const stamps = stampsOf({ ...way, at: way.at.map((ms) => ms + lateMs) as unknown as Way['at'] }, right);
      for (const [node, stamp] of stamps) all.addStamps(node, [stamp]);
    }
    expect(all.latencies(right)).toEqual(joined([way], right));
  });

  it('what nobody of the run sent is no latency', () => {
    const all = join();
    for (const [node, stamp] of stampsOf(way, right)) all.addStamps(node, [stamp]);
    expect(all.latencies(right)).toMatchObject({ rows: [], counts: { operations: 0, followed: 0, untaken: 0 } });
  });

  describe('more operations than are followed', () => {
    /** Hashes whose low bits are as different as those of real ones. */
    const ways = (count: number): Way[] =>
      Array.from({ length: count }, (_, index) => ({ ...way, item: (index * 0x9e3779b1) >>> 0 }));

    it.each([
      [63, 1],
      [64, 1],
      [65, 2],
      [1_000, 16],
    ])('%i where 64 are: one in %i', (count, oneIn) => {
      const { counts, rows } = joined(ways(count), right, { itemsMax: 64 });
      expect(counts.operations).toBe(count);
      // Halves are not exact, so a sample may be one step smaller.
      expect([oneIn, oneIn * 2]).toContain(counts.oneIn);
      expect(counts.followed).toBeLessThanOrEqual(64);
      expect(counts.followed).toBeGreaterThan(count / counts.oneIn / 2);
      expect(counts.whole).toBe(counts.followed);
      expect(
        rows.every(({ latency }, index) => latency.count === counts.followed && latency.meanMs === index + 1),
      ).toBe(true);
    });

    it('the same ones are followed whether nodes or the generator tell of them first', () => {
      const [first, second] = [join({ itemsMax: 50 }), join({ itemsMax: 50 })];
      const all = ways(500);
      for (const each of all) first.addOperation(operationOf(each));
      for (const each of all) for (const [node, stamp] of stampsOf(each, right)) first.addStamps(node, [stamp]);
      for (const each of all) for (const [node, stamp] of stampsOf(each, right)) second.addStamps(node, [stamp]);
      for (const each of all) second.addOperation(operationOf(each));
      expect(first.latencies(right)).toEqual(second.latencies(right));
      expect(first.latencies(right).counts.whole).toBeGreaterThan(10);
    });
  });
});

import { describe, expect, it } from '@jest/globals';
import type { Address } from '@prime/primitives';
import { ProposalTimes } from './proposalTimes.ts';
import { Cluster } from '../testing/cluster.ts';
import { expectSafe } from '../testing/expectSafe.ts';

const proposer = (index: number): Address => `0x${index.toString(16).padStart(40, '0')}` as Address;

function timesOf(...latest: readonly number[]): ProposalTimes {
  const times = new ProposalTimes();
  for (const [index, ms] of latest.entries()) times.judged(proposer(index), ms);
  return times;
}

describe('how long a proposal is waited for', () => {
  it('is what is configured, at least', () => {
    expect(timesOf().waitMs(400)).toBe(400);
    expect(timesOf(20, 30, 200).waitMs(400)).toBe(400);
  });

  it('is twice what proposals took lately where that is more, and eight times what is configured at most', () => {
    expect(timesOf(201).waitMs(400)).toBe(402);
    expect(timesOf(300, 500, 900).waitMs(400)).toBe(1_000);
    expect(timesOf(1_600, 1_600, 1_601).waitMs(400)).toBe(3_200);
    expect(timesOf(9_000, 9_000, 9_000).waitMs(400)).toBe(3_200);
  });

  it('does not follow who is slow alone, nor half of them', () => {
    expect(timesOf(20, 9_000, 20).waitMs(400)).toBe(400);
    expect(timesOf(20, 9_000).waitMs(400)).toBe(400);
    expect(timesOf(20, 20, 9_000, 9_000).waitMs(400)).toBe(400);
  });

  it('goes by the latest proposal of each', () => {
    const times = timesOf(900, 900, 900);
    times.judged(proposer(0), 10);
    expect(times.waitMs(400)).toBe(1_800);
    times.judged(proposer(1), 10);
    expect(times.waitMs(400)).toBe(400);
  });
});

describe('four validators whose checks of a block take longer than propose_ms', () => {
  it('give up rounds until they know, and none afterwards; when checks are quick again, so are turns of the dead', async () => {
    const cluster = await Cluster.create(4, 61);
    let checkMs = 600;
    for (const { disk } of cluster.nodes)
      disk.beforeCheck = () => new Promise((resolve) => cluster.time.after(checkMs, resolve));
    for (const { index } of cluster.nodes) await cluster.start(index);
    const reach = (height: number): Promise<boolean> =>
      cluster.time.runUntil(() => cluster.nodes.every(({ index }) => cluster.height(index) >= height), 120_000);
    expect(await reach(16)).toBe(true);
    const rounds = cluster.nodes[0]!.disk.blocks.map(({ certificate }) => certificate.round);
    expect(Math.max(...rounds)).toBeGreaterThan(0);
    expect(rounds.slice(8, 16)).toEqual(Array.from({ length: 8 }, () => 0));
    checkMs = 0;
    expect(await reach(24)).toBe(true);
    expectSafe(cluster);
  });
});

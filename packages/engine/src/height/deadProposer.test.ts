import { describe, expect, it } from '@jest/globals';
import { lanTimeouts } from '@prime/consensus';
import type { Address } from '@prime/primitives';
import { Cluster } from '../testing/cluster.ts';
import { expectSafe } from '../testing/expectSafe.ts';

const victim = 3;
const others = [0, 1, 2];
/** Longest way of a message in the cluster, ms. */
const delayMs = 5;
/** A round in which everybody is there: proposal, prevotes, precommits; and the time until the others are at its height. */
const roundMs = 4 * delayMs;
/** Propose timeouts, as the protocol page has them: not connected; connected, and silent. */
const absentMs = 40;
const silentMs = lanTimeouts.proposeMs;

/** Four validators without pacing. */
async function startFour(seed: number): Promise<Cluster> {
  const cluster = await Cluster.create(4, seed);
  cluster.maxDelayMs = delayMs;
  Object.assign(cluster.genesis.consensus, { minBlockIntervalMs: 0, emptyBlockIntervalMs: 0 });
  for (const { index } of cluster.nodes) await cluster.start(index);
  await reach(cluster, 12);
  return cluster;
}

const heightOf = (cluster: Cluster): number => Math.min(...others.map((index) => cluster.height(index)));

async function reach(cluster: Cluster, height: number): Promise<void> {
  expect(await cluster.time.runUntil(() => heightOf(cluster) >= height, 60_000)).toBe(true);
}

/** Blocks decided after round 0 above a height, with the time since the block before; the victim's turns, as long as it does not propose. */
async function missedTurns(cluster: Cluster, blocks: number): Promise<number[]> {
  const from = heightOf(cluster);
  const taken: number[] = [];
  let beforeMs = cluster.time.nowMs;
  for (let height = from + 1; height <= from + blocks; height++) {
    await reach(cluster, height);
    const { nowMs } = cluster.time;
    const late = cluster.nodes[0]!.disk.blocks[height - 1]!.certificate.round > 0;
    if (late) taken.push(nowMs - beforeMs);
    else expect(nowMs - beforeMs).toBeLessThanOrEqual(roundMs);
    beforeMs = nowMs;
  }
  return taken;
}

function expectOnlyTheFirstCosts(turns: readonly number[], firstMs: number): void {
  const [first, ...later] = turns;
  expect(later.length).toBeGreaterThanOrEqual(5);
  expect(first).toBeGreaterThanOrEqual(firstMs);
  expect(first).toBeLessThanOrEqual(firstMs + 2 * roundMs);
  for (const turn of later) expect(turn).toBeLessThanOrEqual(2 * roundMs);
}

const proposed = (cluster: Cluster, proposer: Address, from: number): number =>
  cluster.nodes[0]!.disk.blocks.slice(from).filter(({ block }) => block.header.proposer === proposer).length;

describe('a proposer that is down', () => {
  it.each([61, 62, 63])(
    'process gone (seed %i): its first turn costs 40 ms, later ones an empty round',
    async (seed) => {
      const cluster = await startFour(seed);
      cluster.crash(victim);
      await reach(cluster, heightOf(cluster) + 1);
      expectOnlyTheFirstCosts(await missedTurns(cluster, 28), absentMs);
      expectSafe(cluster);
    },
  );

  it.each([64, 65, 66])('connected and silent (seed %i): its first turn costs one propose timeout', async (seed) => {
    const cluster = await startFour(seed);
    cluster.link = (from, to) => from !== victim && to !== victim;
    expectOnlyTheFirstCosts(await missedTurns(cluster, 28), silentMs);
    expectSafe(cluster);
  });

  it('back again: it is waited for as before, and proposes', async () => {
    const cluster = await startFour(67);
    cluster.crash(victim);
    await reach(cluster, heightOf(cluster) + 12);
    await cluster.start(victim);
    const isBack = (): boolean => cluster.height(victim) >= heightOf(cluster) - 1;
    expect(await cluster.time.runUntil(isBack, 60_000)).toBe(true);
    const from = heightOf(cluster) + 8;
    await reach(cluster, from + 24);
    expect(proposed(cluster, cluster.nodes[victim]!.address, from)).toBeGreaterThanOrEqual(5);
    expectSafe(cluster);
  });
});

import { describe, expect, it } from '@jest/globals';
import type { Height } from '@prime/primitives';
import { Cluster } from './testing/cluster.ts';

const standingOf = (cluster: Cluster, index: number) => {
  const { isCurrent, syncing, lag, obstacle, reachable } = cluster.nodes[index]!.engine!.status();
  return { isCurrent, syncing, lag, obstacle, reachable: reachable.length };
};
const reach = (cluster: Cluster, height: number, ...indexes: readonly number[]): Promise<boolean> =>
  cluster.time.runUntil(() => indexes.every((index) => cluster.height(index) >= height), 60_000);

describe('where a node stands beside its peers', () => {
  it('without any peer at height 0 it reaches nobody and knows nothing', async () => {
    const cluster = await Cluster.create(5, 71, 4);
    for (const index of [0, 4]) {
      cluster.connected = () => false;
      await cluster.start(index);
      await cluster.time.runUntil(() => false, 2_000);
      expect(standingOf(cluster, index)).toEqual({
        isCurrent: false,
        syncing: null,
        lag: 0,
        obstacle: null,
        reachable: 0,
      });
    }
  });

  it('a validator that needs nobody is at the head at once', async () => {
    const cluster = await Cluster.create(1, 72);
    await cluster.start(0);
    expect(standingOf(cluster, 0)).toMatchObject({ isCurrent: true, syncing: null, lag: 0 });
  });

  it('a follower at the head stays there through forty blocks, looked at all the time', async () => {
    const cluster = await Cluster.create(5, 73, 4);
    for (const { index } of cluster.nodes) await cluster.start(index);
    await reach(cluster, 3, 4);
    const seen = new Set<string>();
    const look = (): boolean => {
      const { isCurrent, syncing } = standingOf(cluster, 4);
      seen.add(`${isCurrent} ${syncing === null}`);
      return cluster.height(4) >= 43;
    };
    expect(await cluster.time.runUntil(look, 120_000)).toBe(true);
    expect([...seen]).toEqual(['true true']);
  });

  it('behind peers that do not keep the next block it is not at the head, says what to do, and tells how far it is behind', async () => {
    const cluster = await Cluster.create(4, 74);
    for (const { index } of cluster.nodes) await cluster.start(index);
    await reach(cluster, 4, 0, 1, 2, 3);
    cluster.crash(2);
    const head = cluster.height(2);
    await reach(cluster, head + 9, 0, 1, 3);
    for (const index of [0, 1, 3]) cluster.nodes[index]!.disk.base = (head + 5) as Height;
    await cluster.start(2);
    await cluster.time.runUntil(() => false, 5_000);
    const { lag, ...rest } = standingOf(cluster, 2);
    expect(lag).toBeGreaterThanOrEqual(9);
    expect(rest).toEqual({
      isCurrent: false,
      syncing: { startingBlock: head, currentBlock: head, highestBlock: head + lag },
      obstacle: `peers keep blocks from ${head + 5}: start from a snapshot`,
      reachable: 3,
    });
  });
});

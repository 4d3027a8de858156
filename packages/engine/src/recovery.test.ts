import { describe, expect, it } from '@jest/globals';
import type { Height } from '@prime/primitives';
import { Cluster } from './testing/cluster.ts';
import { expectSafe } from './testing/expectSafe.ts';

/** Four engines that have decided some blocks, of which the last one is down. */
async function withOneDown(seed: number) {
  const cluster = await Cluster.create(4, seed);
  for (const { index } of cluster.nodes) await cluster.start(index);
  expect(await cluster.time.runUntil(() => cluster.height(3) >= 4, 20_000)).toBe(true);
  cluster.crash(3);
  return { cluster, disk: cluster.nodes[3]!.disk };
}

describe('start on a disk that was tampered with', () => {
  it('blocks older than the state: ENGINE_STORE_BEHIND, and it does not take part', async () => {
    const { cluster, disk } = await withOneDown(31);
    const state = disk.states.length;
    disk.blocks.length -= 1;
    await expect(cluster.start(3)).rejects.toMatchObject({
      code: 'ENGINE_STORE_BEHIND',
      detail: { blocks: state - 1, state },
    });
  });

  it('blocks and state older than the signatures: what is missing is fetched, and nothing signed twice', async () => {
    const { cluster, disk } = await withOneDown(32);
    const reached = disk.blocks.length;
    disk.blocks.length = 1;
    disk.states.length = 1;
    await cluster.start(3);
    expect(await cluster.time.runUntil(() => cluster.height(3) >= reached + 3, 20_000)).toBe(true);
    expectSafe(cluster);
  });

  it('a missing block below the head: ENGINE_STORE_CORRUPT', async () => {
    const { cluster, disk } = await withOneDown(33);
    disk.states.length = 1;
    disk.blocks[1] = undefined as never;
    await expect(cluster.start(3)).rejects.toMatchObject({
      code: 'ENGINE_STORE_CORRUPT',
      message: expect.stringContaining('block 2 is missing'),
    });
  });

  it('a missing validator set: ENGINE_STORE_CORRUPT', async () => {
    const { cluster, disk } = await withOneDown(34);
    disk.validators.delete((disk.blocks.length + 1) as Height);
    await expect(cluster.start(3)).rejects.toMatchObject({ code: 'ENGINE_STORE_CORRUPT' });
  });

  it('a state behind the blocks is brought up to them by executing them again', async () => {
    const { cluster, disk } = await withOneDown(35);
    const before = disk.states.map(({ hash }) => hash);
    disk.states.length = 1;
    await cluster.start(3);
    expect(disk.states.slice(0, before.length).map(({ hash }) => hash)).toEqual(before);
  });
});

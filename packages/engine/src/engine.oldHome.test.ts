import { describe, expect, it } from '@jest/globals';
import type { Height } from '@prime/primitives';
import { defaultDoubleSignGuard } from './signing/signingPermit.ts';
import { Cluster } from './testing/cluster.ts';
import { expectSafe } from './testing/expectSafe.ts';

const victim = 3;

/** Four engines; the last one's disk is as it was some blocks ago, with its sign state and log: a home restored from a backup. */
async function withOldHome(seed: number) {
  const cluster = await Cluster.create(4, seed);
  for (const { index } of cluster.nodes) await cluster.start(index);
  const { disk } = cluster.nodes[victim]!;
  const reach = (height: number): Promise<boolean> =>
    cluster.time.runUntil(() => cluster.height(victim) >= height, 60_000);
  expect(await reach(4)).toBe(true);
  const old = { signState: disk.signState, blocks: disk.blocks.length, states: disk.states.length };
  expect(await reach(old.blocks + 5)).toBe(true);
  cluster.crash(victim);
  const signedUntil = Math.max(...disk.signed.map(({ height }) => height));
  disk.blocks.length = old.blocks;
  disk.states.length = old.states;
  disk.signState = old.signState;
  disk.loseWal();
  return { cluster, disk, signedUntil, signedBefore: disk.signed.length };
}

describe('a whole home of an older time, with its sign state', () => {
  it('signs nothing before it has heard from others, however long that takes', async () => {
    const { cluster, disk, signedBefore } = await withOldHome(61);
    cluster.link = (from, to) => from !== victim && to !== victim;
    await cluster.start(victim);
    await cluster.time.runUntil(() => false, 30_000);
    expect(disk.signed.length).toBe(signedBefore);
    expect(cluster.nodes[victim]!.engine!.status().signing).toEqual({ phase: 'hearing', from: null });
  });

  it('catches up, watches as an observer, and signs again without contradicting itself', async () => {
    const { cluster, disk, signedBefore, signedUntil } = await withOldHome(62);
    await cluster.start(victim);
    const status = () => cluster.nodes[victim]!.engine!.status();
    expect(await cluster.time.runUntil(() => status().signing?.phase === 'watching', 60_000)).toBe(true);
    const { from } = status().signing!;
    expect(from! - status().head).toBeGreaterThan(defaultDoubleSignGuard.watchBlocks - 2);
    expect(await cluster.time.runUntil(() => disk.signed.length > signedBefore + 10, 120_000)).toBe(true);
    const again = disk.signed.slice(signedBefore).map(({ height }) => height);
    expect(Math.min(...again)).toBeGreaterThanOrEqual(Math.max(from!, signedUntil + 1));
    expectSafe(cluster);
  });

  it('without the watch it signs at its old place again: what the guard is for', async () => {
    const { cluster, disk, signedBefore, signedUntil } = await withOldHome(63);
    cluster.doubleSign = { ...defaultDoubleSignGuard, watchBlocks: 0 };
    cluster.link = (from, to) => from !== victim && to !== victim;
    await cluster.start(victim);
    expect(await cluster.time.runUntil(() => disk.signed.length > signedBefore, 60_000)).toBe(true);
    expect(disk.signed.at(-1)!.height).toBeLessThanOrEqual(signedUntil);
  });
});

describe('a home that is made of a backup, with its sign state sealed', () => {
  it('where the network stands still at a height that it signed: nothing, until others decided without it', async () => {
    const cluster = await Cluster.create(4, 65);
    for (const { index } of cluster.nodes) await cluster.start(index);
    const { disk } = cluster.nodes[victim]!;
    expect(await cluster.time.runUntil(() => cluster.height(victim) >= 5, 60_000)).toBe(true);
    // With one of the others gone nobody decides without the victim, and with it gone as well nobody decides.
    cluster.crash(0);
    expect(await cluster.time.runUntil(() => disk.signed.at(-1)!.height > disk.blocks.length, 60_000)).toBe(true);
    cluster.crash(victim);
    const [before, head] = [disk.signed.length, disk.blocks.length];
    // Of a moment at the very same height, before it signed there: no block shows that it is old.
    disk.signState = disk.signed.findLast(({ height }) => height <= head)!;
    disk.isSealed = true;
    disk.loseWal();
    cluster.doubleSign = { ...defaultDoubleSignGuard, watchBlocks: 0 };
    await cluster.start(victim);
    const status = () => cluster.nodes[victim]!.engine!.status();
    expect(await cluster.time.runUntil(() => status().signing?.phase === 'watching', 60_000)).toBe(true);
    await cluster.time.runUntil(() => false, 120_000);
    expect([disk.signed.length, disk.isSealed]).toEqual([before, true]);
    await cluster.start(0);
    expect(await cluster.time.runUntil(() => disk.signed.length > before + 5, 300_000)).toBe(true);
    const again = disk.signed.slice(before).map(({ height }) => height);
    expect(Math.min(...again)).toBeGreaterThan(head + defaultDoubleSignGuard.watchBlocks - 2);
    expect(disk.isSealed).toBe(false);
    expectSafe(cluster);
  });
});

describe('a sign state that is gone beside blocks that are not', () => {
  it('blocks show signatures that it lacks: an observer first', async () => {
    const cluster = await Cluster.create(4, 64);
    for (const { index } of cluster.nodes) await cluster.start(index);
    const { disk } = cluster.nodes[victim]!;
    expect(await cluster.time.runUntil(() => cluster.height(victim) >= 5, 60_000)).toBe(true);
    cluster.crash(victim);
    const before = disk.signed.length;
    const head = disk.blocks.length as Height;
    disk.signState = null;
    disk.loseWal();
    await cluster.start(victim);
    const status = () => cluster.nodes[victim]!.engine!.status();
    expect(await cluster.time.runUntil(() => status().signing?.phase === 'watching', 60_000)).toBe(true);
    expect(await cluster.time.runUntil(() => disk.signed.length > before, 120_000)).toBe(true);
    expect(disk.signed[before]!.height).toBeGreaterThan(head + defaultDoubleSignGuard.watchBlocks);
    expectSafe(cluster);
  });
});

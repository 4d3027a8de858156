import { describe, expect, it } from '@jest/globals';
import { createProtocolSchedule, type ProtocolSchedule, type Vote } from '@prime/codec';
import type { Height } from '@prime/primitives';
import { Cluster } from './testing/cluster.ts';
import { expectSafe } from './testing/expectSafe.ts';

/** The first block of version 2. */
const activation = 8;
const planned = [{ version: 2, height: activation as Height }];
/** A program that has the new version, and one that has only the old one; told of the upgrade or not. */
const newProgram = createProtocolSchedule(planned);
const oldProgram = createProtocolSchedule(planned, 1);
const oldUntold = createProtocolSchedule([], 1);
const newUntold = createProtocolSchedule([]);

async function started(seed: number, programs: readonly ProtocolSchedule[]): Promise<Cluster> {
  const cluster = await Cluster.create(programs.length, seed);
  for (const [index, program] of programs.entries()) {
    cluster.protocols.set(index, program);
    await cluster.start(index);
  }
  return cluster;
}

/** The program is exchanged in the same home. */
async function restart(cluster: Cluster, index: number, program: ProtocolSchedule): Promise<void> {
  cluster.crash(index);
  cluster.nodes[index]!.fatal = null;
  cluster.protocols.set(index, program);
  await cluster.start(index);
}

const reach = (cluster: Cluster, indices: readonly number[], height: number): Promise<boolean> =>
  cluster.time.runUntil(() => indices.every((index) => cluster.height(index) >= height), 120_000);
const ended = (cluster: Cluster, index: number): Promise<boolean> =>
  cluster.time.runUntil(() => cluster.nodes[index]!.fatal !== null, 60_000);
const versions = (cluster: Cluster, index: number): number[] =>
  cluster.nodes[index]!.disk.blocks.map(({ block }) => block.header.version);
const versionsTo = (height: number): number[] =>
  Array.from({ length: height }, (_, index) => (index + 1 < activation ? 1 : 2));

describe('an upgrade', () => {
  it('that all know of: blocks have the new version from its height on, and no block waits', async () => {
    const cluster = await started(1, [newProgram, newProgram, newProgram, newProgram]);
    expect(await reach(cluster, [0, 1, 2, 3], activation + 4)).toBe(true);
    for (const index of [0, 1, 2, 3]) expect(versions(cluster, index)).toEqual(versionsTo(cluster.height(index)));
    expectSafe(cluster);
  });

  it.each([
    ['knows of', oldProgram],
    ['does not know of', oldUntold],
  ])(
    'that an old program %s: it stops before the first new block, and goes on with the new program',
    async (_, old) => {
      const cluster = await started(2, [newProgram, newProgram, newProgram, old]);
      expect(await ended(cluster, 3)).toBe(true);
      expect(cluster.nodes[3]!.fatal).toMatchObject({
        code: 'ENGINE_UPGRADE_NEEDED',
        detail: { height: activation, version: 2, known: 1 },
      });
      expect(cluster.height(3)).toBe(activation - 1);
      expect(await reach(cluster, [0, 1, 2], activation + 5)).toBe(true);
      // Started again without the new program it ends again, and signs nothing.
      const signed = cluster.nodes[3]!.disk.signed.length;
      if (old === oldProgram)
        await expect(restart(cluster, 3, old)).rejects.toMatchObject({ code: 'ENGINE_UPGRADE_NEEDED' });
      expect(cluster.nodes[3]!.disk.signed.length).toBe(signed);
      await restart(cluster, 3, newProgram);
      expect(await reach(cluster, [0, 1, 2, 3], activation + 10)).toBe(true);
      expect(versions(cluster, 3)).toEqual(versionsTo(cluster.height(3)));
      expectSafe(cluster);
    },
  );

  it.each([
    ['who were told stop', oldProgram],
    ['who were not told vote against', oldUntold],
  ])(
    'a third or more did not prepare, %s: the chain stands before it, and goes on when they have it',
    async (_, old) => {
      const cluster = await started(3, [newProgram, newProgram, old, old]);
      expect(await reach(cluster, [0, 1, 2, 3], activation - 1)).toBe(true);
      await cluster.time.runUntil(() => false, 20_000);
      expect([0, 1, 2, 3].map((index) => cluster.height(index))).toEqual(Array(4).fill(activation - 1));
      // A proposal of a version that it does not know is no reason to stop: anyone could send one.
      expect(cluster.nodes.map(({ fatal }) => fatal !== null)).toEqual([
        false,
        false,
        old === oldProgram,
        old === oldProgram,
      ]);
      await restart(cluster, 2, newProgram);
      expect(await reach(cluster, [0, 1, 2], activation + 3)).toBe(true);
      await restart(cluster, 3, newProgram);
      expect(await reach(cluster, [0, 1, 2, 3], activation + 6)).toBe(true);
      expect(versions(cluster, 3)).toEqual(versionsTo(cluster.height(3)));
      expectSafe(cluster);
    },
  );

  it('programs exchanged one by one on the way: not a block is missed', async () => {
    const cluster = await started(4, [oldProgram, oldProgram, oldProgram, oldProgram]);
    for (const index of [0, 1, 2, 3]) {
      expect(await reach(cluster, [0, 1, 2, 3], index + 2)).toBe(true);
      await restart(cluster, index, newProgram);
    }
    expect(cluster.height(0)).toBeLessThan(activation);
    expect(await reach(cluster, [0, 1, 2, 3], activation + 3)).toBe(true);
    expect(cluster.nodes.map(({ fatal }) => fatal)).toEqual([null, null, null, null]);
    expectSafe(cluster);
  });

  it('a node that knows the version and was not told when: it stops and names both', async () => {
    const cluster = await started(5, [newProgram, newProgram, newProgram, newUntold]);
    expect(await ended(cluster, 3)).toBe(true);
    expect(cluster.nodes[3]!.fatal).toMatchObject({
      code: 'ENGINE_VERSION_MISMATCH',
      detail: { height: activation, version: 2, scheduled: 1 },
    });
    expect(cluster.height(3)).toBe(activation - 1);
    await restart(cluster, 3, newProgram);
    expect(await reach(cluster, [0, 1, 2, 3], activation + 5)).toBe(true);
    expectSafe(cluster);
  });

  it('a passed upgrade that is taken out of the schedule is noticed at the start', async () => {
    const cluster = await started(6, [newProgram, newProgram, newProgram, newProgram]);
    expect(await reach(cluster, [0, 1, 2, 3], activation + 2)).toBe(true);
    await expect(restart(cluster, 0, newUntold)).rejects.toMatchObject({ code: 'ENGINE_VERSION_MISMATCH' });
    await expect(restart(cluster, 1, oldUntold)).rejects.toMatchObject({ code: 'ENGINE_UPGRADE_NEEDED' });
  });

  it('a node that was away over it fetches the blocks of both versions', async () => {
    const cluster = await started(7, [newProgram, newProgram, newProgram, newProgram]);
    expect(await reach(cluster, [0, 1, 2, 3], 2)).toBe(true);
    cluster.crash(3);
    expect(await reach(cluster, [0, 1, 2], activation + 20)).toBe(true);
    // An old program executes what it knows, and no more.
    await restart(cluster, 3, oldUntold);
    expect(await ended(cluster, 3)).toBe(true);
    expect(cluster.nodes[3]!.fatal).toMatchObject({ code: 'ENGINE_UPGRADE_NEEDED', detail: { height: activation } });
    expect(cluster.height(3)).toBe(activation - 1);
    await restart(cluster, 3, newProgram);
    expect(await reach(cluster, [3], activation + 20)).toBe(true);
    expectSafe(cluster);
  });

  it('a block that the old program refused is decided after the exchange: what the old log says of it counts no more', async () => {
    const cluster = await started(9, [newProgram, newProgram, newProgram, oldUntold]);
    const ofHeight = (vote: Vote): boolean => vote.type === 'precommit' && vote.height === activation;
    cluster.link = (_from, _to, message) =>
      !(message.kind === 'vote' && ofHeight(message.vote)) &&
      !(message.kind === 'voteCertificate' && message.votes.some(ofHeight));
    const isLocked = (): boolean =>
      [0, 1, 2].every((index) => cluster.nodes[index]!.disk.signState?.height === activation) &&
      [0, 1, 2].every((index) => cluster.nodes[index]!.disk.signState?.lockedValue !== null) &&
      cluster.nodes[3]!.disk.signState?.height === activation;
    expect(await cluster.time.runUntil(isLocked, 60_000)).toBe(true);
    expect(cluster.nodes[3]!.fatal).toBeNull();
    await restart(cluster, 3, newProgram);
    cluster.link = () => true;
    expect(await reach(cluster, [0, 1, 2, 3], activation + 3)).toBe(true);
    expectSafe(cluster);
  });

  it('operators see who is ready for it', async () => {
    const cluster = await started(8, [newProgram, newProgram, newProgram, oldProgram]);
    const { upgrade, validators } = cluster.nodes[0]!.engine!.status();
    const own = validators.validators.find(({ address }) => address === cluster.nodes[0]!.address)!;
    // This cluster's peers say nothing of what they know.
    expect(upgrade).toEqual({
      version: 1,
      known: 2,
      next: { version: 2, height: activation, known: true, readyPower: own.power, totalPower: 4n * own.power },
    });
  });
});

describe('a block to stop at', () => {
  it('the node stops once it is decided, and stays down until the setting is gone', async () => {
    const cluster = await Cluster.create(4, 9);
    cluster.haltHeights.set(3, 5 as Height);
    for (const index of [0, 1, 2, 3]) await cluster.start(index);
    expect(await ended(cluster, 3)).toBe(true);
    expect(cluster.nodes[3]!.fatal).toMatchObject({ code: 'ENGINE_HALT_HEIGHT', detail: { height: 5 } });
    expect(await reach(cluster, [0, 1, 2], 9)).toBe(true);
    expect(cluster.height(3)).toBe(5);
    cluster.crash(3);
    await expect(cluster.start(3)).rejects.toMatchObject({ code: 'ENGINE_HALT_HEIGHT' });
    cluster.haltHeights.clear();
    cluster.crash(3);
    cluster.nodes[3]!.fatal = null;
    await cluster.start(3);
    expect(await reach(cluster, [3], 9)).toBe(true);
    expectSafe(cluster);
  });
});

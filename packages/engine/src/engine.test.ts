import { describe, expect, it } from '@jest/globals';
import type { Address, Height } from '@prime/primitives';
import { Cluster } from './testing/cluster.ts';
import type { Disk } from './testing/disk.ts';
import { expectSafe } from './testing/expectSafe.ts';

const all = (cluster: Cluster, height: number) => (): boolean =>
  cluster.nodes.every(({ index }) => cluster.height(index) >= height);
const action = { type: 'deposit', amount: 5n } as const;
const owner = '0x00000000000000000000000000000000000000aa' as Address;

async function startAll(cluster: Cluster): Promise<void> {
  for (const { index } of cluster.nodes) await cluster.start(index);
}

describe('four engines', () => {
  it('idle: blocks come at the empty interval on all of them', async () => {
    const cluster = await Cluster.create(4, 1);
    await startAll(cluster);
    expect(await cluster.time.runUntil(all(cluster, 5), 10_000)).toBe(true);
    expectSafe(cluster);
  });

  it('a lone action is committed at once, not at the empty interval', async () => {
    const cluster = await Cluster.create(4, 2);
    await startAll(cluster);
    await cluster.time.runUntil(all(cluster, 2), 10_000);
    await cluster.time.runUntil(() => false, 300);
    const begun = cluster.time.nowMs;
    await cluster.nodes[1]!.engine!.submitAction(owner, action);
    const isCommitted = (): boolean =>
      cluster.nodes.every(({ disk }) => disk.blocks.some(({ block }) => block.actions.length === 1));
    expect(await cluster.time.runUntil(isCommitted, 10_000)).toBe(true);
    expect(cluster.time.nowMs - begun).toBeLessThan(60);
    expectSafe(cluster);
  });

  it('one is down: the others go on, and it fetches what it missed', async () => {
    const cluster = await Cluster.create(4, 3);
    await startAll(cluster);
    await cluster.time.runUntil(all(cluster, 3), 20_000);
    cluster.crash(2);
    const others = (): boolean => [0, 1, 3].every((index) => cluster.height(index) >= 12);
    expect(await cluster.time.runUntil(others, 60_000)).toBe(true);
    const { behind } = cluster.nodes[2]!.disk;
    const before = behind.length;
    await cluster.start(2);
    expect(await cluster.time.runUntil(all(cluster, 14), 60_000)).toBe(true);
    expectSafe(cluster);
    // What blocks hold is counted once, also of those that were fetched.
    for (const { disk } of cluster.nodes)
      expect(disk.counted).toEqual(disk.blocks.map(({ block }) => block.header.height));
    // Execution is told how far the node is from the head: down to none, and never behind in what it decided itself.
    expect(behind[before]).toBeGreaterThanOrEqual(12 - before - 1);
    expect(behind.slice(0, before).every((blocks) => blocks === 0)).toBe(true);
    expect(behind.at(-1)).toBe(0);
    for (let index = before + 1; index < behind.length; index++)
      expect(behind[index]).toBeGreaterThanOrEqual(Math.max(0, behind[index - 1]! - 1));
  });

  it('a follower whose clock is ahead comes late: once it hears the votes it is at the head, however old blocks look to it', async () => {
    const cluster = await Cluster.create(5, 37, 4);
    cluster.clocksOff.set(4, 5_000);
    for (const index of [0, 1, 2, 3]) await cluster.start(index);
    const validators = (height: number) => () => [0, 1, 2, 3].every((index) => cluster.height(index) >= height);
    expect(await cluster.time.runUntil(validators(8), 60_000)).toBe(true);
    await cluster.start(4);
    expect(await cluster.time.runUntil(all(cluster, 20), 60_000)).toBe(true);
    const { behind } = cluster.nodes[4]!.disk;
    expect(behind[0]).toBeGreaterThan(0);
    expect(behind.slice(-5)).toEqual([0, 0, 0, 0, 0]);
    expectSafe(cluster);
  });

  it('one comes back to others that keep no old blocks: it asks for what it lacks, and for nothing that it has', async () => {
    const cluster = await Cluster.create(4, 31);
    await startAll(cluster);
    await cluster.time.runUntil(all(cluster, 6), 20_000);
    cluster.crash(2);
    const head = cluster.height(2);
    const others = [0, 1, 3];
    await cluster.time.runUntil(() => others.every((index) => cluster.height(index) >= head + 9), 60_000);
    for (const index of others) cluster.nodes[index]!.disk.base = head as Height;
    const asked: number[] = [];
    cluster.link = (_from, _to, message) => {
      if (message.kind === 'blocksRequest') asked.push(message.from);
      return true;
    };
    await cluster.start(2);
    expect(await cluster.time.runUntil(all(cluster, head + 12), 60_000)).toBe(true);
    expect(Math.min(...asked)).toBe(head + 1);
    expectSafe(cluster);
  });

  it('two are down: nothing is decided until one comes back', async () => {
    const cluster = await Cluster.create(4, 4);
    await startAll(cluster);
    await cluster.time.runUntil(all(cluster, 3), 20_000);
    cluster.crash(0);
    cluster.crash(1);
    await cluster.time.runUntil(() => false, 5_000);
    const stuck = cluster.height(3);
    await cluster.time.runUntil(() => false, 10_000);
    expect(cluster.height(3)).toBe(stuck);
    await cluster.start(0);
    expect(await cluster.time.runUntil(() => cluster.height(3) >= stuck + 3, 60_000)).toBe(true);
    expectSafe(cluster);
  });

  it('all crash at random moments, again and again: no contradiction, and the chain goes on', async () => {
    for (const seed of [5, 6, 7, 8]) {
      const cluster = await Cluster.create(4, seed);
      await startAll(cluster);
      for (let round = 0; round < 12; round++) {
        await cluster.nodes[round % 4]!.engine!.submitAction(owner, action);
        await cluster.time.runUntil(() => false, 3 + ((seed * 7 + round * 13) % 120));
        for (const { index } of cluster.nodes) cluster.crash(index);
        for (const { index } of cluster.nodes) await cluster.start(index);
      }
      const reached = Math.max(...cluster.nodes.map(({ index }) => cluster.height(index)));
      expect({ seed, live: await cluster.time.runUntil(all(cluster, reached + 3), 60_000) }).toEqual({
        seed,
        live: true,
      });
      expectSafe(cluster);
    }
  });

  it('a partition 2-2 decides nothing; when it heals the network goes on', async () => {
    const cluster = await Cluster.create(4, 9);
    await startAll(cluster);
    await cluster.time.runUntil(all(cluster, 3), 20_000);
    cluster.link = (from, to) => from % 2 === to % 2;
    await cluster.time.runUntil(() => false, 4_000);
    const before = cluster.height(0);
    await cluster.time.runUntil(() => false, 10_000);
    expect(cluster.height(0)).toBe(before);
    cluster.link = () => true;
    expect(await cluster.time.runUntil(all(cluster, before + 3), 30_000)).toBe(true);
    expectSafe(cluster);
  });

  describe.each([4, 7])('%i in a ring, each with just a majority around it and another one for each', (count) => {
    // Itself and as many neighbours on both sides as make more than 2/3.
    const isNear = (from: number, to: number): boolean => {
      const steps = Math.abs(from - to);
      return Math.min(steps, count - steps) <= Math.floor(count / 3);
    };
    it.each<[string, (cluster: Cluster) => void]>([
      ['links that take and give nothing', (cluster) => void (cluster.link = isNear)],
      [
        'connections that are gone',
        (cluster) => {
          cluster.connected = isNear;
          for (const one of cluster.nodes)
            for (const { index, address } of cluster.nodes)
              if (!isNear(one.index, index)) one.engine!.onPeerDisconnected({ address, role: 'validator' });
        },
      ],
    ])('%s: all decide, and once each is known to be there without waiting for anybody', async (_name, cut) => {
      const cluster = await Cluster.create(count, 21);
      Object.assign(cluster.genesis.consensus, { minBlockIntervalMs: 50, emptyBlockIntervalMs: 50 });
      await startAll(cluster);
      await cluster.time.runUntil(all(cluster, 3), 20_000);
      cut(cluster);
      // Every pair had a turn by then.
      const known = cluster.height(0) + 2 * count;
      expect(await cluster.time.runUntil(all(cluster, known + 3 * count), 120_000)).toBe(true);
      const rounds = cluster.nodes[0]!.disk.blocks.slice(known).map(({ certificate }) => certificate.round);
      expect(new Set(rounds)).toEqual(new Set([0]));
      expectSafe(cluster);
    });
  });

  it('proposals of one validator never arrive: the others take its turn', async () => {
    const cluster = await Cluster.create(4, 10);
    cluster.link = (from, _to, message) => !(from === 1 && message.kind === 'proposal');
    await startAll(cluster);
    expect(await cluster.time.runUntil(all(cluster, 8), 60_000)).toBe(true);
    expectSafe(cluster);
  });

  it('one pair is cut: who misses the proposals asks the voters for them, in round 0', async () => {
    const cluster = await Cluster.create(4, 12);
    cluster.link = (from, to, message) => !(from === 1 && to === 3 && message.kind === 'proposal');
    await startAll(cluster);
    expect(await cluster.time.runUntil(all(cluster, 12), 60_000)).toBe(true);
    const rounds = cluster.nodes[3]!.disk.blocks.map(({ certificate }) => certificate.round);
    expect(new Set(rounds)).toEqual(new Set([0]));
    expectSafe(cluster);
  });

  it.each([
    ['its blocks and state', (disk: Disk) => disk.loseBlocks()],
    ['its log', (disk: Disk) => disk.loseWal()],
    [
      'both',
      (disk: Disk) => {
        disk.loseBlocks();
        disk.loseWal();
      },
    ],
  ])('one loses %s at random moments: it never contradicts itself, and votes again', async (_name, lose) => {
    for (const seed of [13, 14, 15]) {
      const cluster = await Cluster.create(4, seed);
      await startAll(cluster);
      await cluster.time.runUntil(all(cluster, 2), 20_000);
      for (let round = 0; round < 8; round++) {
        await cluster.nodes[2]!.engine!.submitAction(owner, action);
        await cluster.time.runUntil(() => false, 2 + ((seed * 5 + round * 17) % 90));
        cluster.crash(1);
        lose(cluster.nodes[1]!.disk);
        await cluster.start(1);
      }
      cluster.crash(3);
      const reached = cluster.height(0);
      const live = await cluster.time.runUntil(
        () => [0, 1, 2].every((index) => cluster.height(index) >= reached + 4),
        60_000,
      );
      expect({ seed, live }).toEqual({ seed, live: true });
      expectSafe(cluster);
    }
  });

  // They may be locked on a block that is nowhere any more, so that it goes on is not promised.
  it('all lose their logs in the middle of a height: no contradiction', async () => {
    for (const seed of [16, 17, 18, 19]) {
      const cluster = await Cluster.create(4, seed);
      await startAll(cluster);
      for (let round = 0; round < 6; round++) {
        await cluster.nodes[round % 4]!.engine!.submitAction(owner, action);
        await cluster.time.runUntil(() => false, 2 + ((seed * 7 + round * 13) % 100));
        for (const { index, disk } of cluster.nodes) {
          cluster.crash(index);
          disk.loseWal();
        }
        await startAll(cluster);
      }
      await cluster.time.runUntil(() => false, 20_000);
      expectSafe(cluster);
    }
  });

  it('execution remembers one checked block only: a height that needs several rounds is decided all the same', async () => {
    const cluster = await Cluster.create(4, 20);
    cluster.checkedBlocksMax = 1;
    cluster.link = (_from, _to, message) => !(message.kind === 'vote' && message.vote.round === 0);
    await startAll(cluster);
    expect(await cluster.time.runUntil(all(cluster, 6), 60_000)).toBe(true);
    expectSafe(cluster);
  });

  it("a node that is asked to stop while a block is checked: execution that ends with it is nobody's failure", async () => {
    const cluster = await Cluster.create(4, 11);
    let end: (error: Error) => void = () => undefined;
    let isAsked = false;
    cluster.nodes[1]!.disk.beforeCheck = () => {
      isAsked = true;
      return new Promise((_, reject) => void (end = reject));
    };
    await startAll(cluster);
    expect(await cluster.time.runUntil(() => isAsked, 10_000)).toBe(true);
    await cluster.nodes[1]!.engine!.stop();
    end(new Error('the execution thread is closed'));
    await cluster.time.runUntil(() => false, 100);
    expect(cluster.nodes[1]!.fatal).toBeNull();
  });

  it('an unsigned call that no validator vouches for never gets into a block', async () => {
    const cluster = await Cluster.create(4, 11);
    await startAll(cluster);
    const foreign = cluster.foreignAction(owner, action);
    for (const { engine } of cluster.nodes)
      engine!.onMessage(cluster.nodes[1]!.address, { kind: 'actions', raws: [foreign] });
    await cluster.nodes[2]!.engine!.submitAction(owner, action);
    const isCommitted = (): boolean => cluster.nodes.every(({ disk }) => countActions(disk.blocks) > 0);
    expect(await cluster.time.runUntil(isCommitted, 10_000)).toBe(true);
    await cluster.time.runUntil(() => false, 5_000);
    expect(cluster.nodes.map(({ disk }) => countActions(disk.blocks))).toEqual([1, 1, 1, 1]);
    expectSafe(cluster);
  });
});

const countActions = (blocks: readonly { readonly block: { readonly actions: readonly unknown[] } }[]): number =>
  blocks.reduce((sum, { block }) => sum + block.actions.length, 0);

import { describe, expect, it } from '@jest/globals';
import type { Round } from '@prime/primitives';
import type { PeerMessage } from './ports.ts';
import { decodeWalEntry, type WalEntry } from './wal/walEntry.ts';
import { Cluster } from './testing/cluster.ts';
import { expectSafe } from './testing/expectSafe.ts';
import type { SimulatedSigner } from './testing/simulatedSigner.ts';

type VoteMessage = PeerMessage & { readonly kind: 'vote' };

/** Four engines; some of their keys are in another process. */
async function withRemote(seed: number, remote: Readonly<Record<number, Partial<SimulatedSigner>>>) {
  const cluster = await Cluster.create(4, seed);
  for (const [index, signer] of Object.entries(remote))
    cluster.remoteSigners.set(Number(index), { isReady: true, delayMs: 1, asked: 0, ...signer });
  for (const { index } of cluster.nodes) await cluster.start(index);
  const reach = (height: number, deadlineMs = 120_000): Promise<boolean> =>
    cluster.time.runUntil(() => cluster.nodes.every(({ index }) => cluster.height(index) >= height), deadlineMs);
  const meet = (index: number): void => {
    cluster.remoteSigners.get(index)!.isReady = true;
    cluster.nodes[index]!.engine!.onSignerReady(cluster.nodes[index]!.disk.signState);
  };
  return { cluster, reach, meet };
}

/** Rounds in which the blocks were decided. */
const rounds = (cluster: Cluster): Round[] => cluster.nodes[0]!.disk.blocks.map(({ certificate }) => certificate.round);

describe('an engine whose key is in a remote signer', () => {
  it('all of them: blocks are decided in round 0 as with keys of their own, and every signature is recorded', async () => {
    const { cluster, reach } = await withRemote(71, { 0: {}, 1: {}, 2: {}, 3: {} });
    expect(await reach(6)).toBe(true);
    expect(Math.max(...rounds(cluster))).toBe(0);
    for (const { disk } of cluster.nodes) expect(disk.signed.length).toBeGreaterThan(6);
    expectSafe(cluster);
  });

  it('a slow signer holds nobody up: its votes are late, the others decide', async () => {
    const { cluster, reach } = await withRemote(72, { 3: { delayMs: 5_000 } });
    const start = cluster.time.nowMs;
    expect(await reach(8)).toBe(true);
    // Three others need no more than their own pace and the short turns of the slow one.
    expect(cluster.time.nowMs - start).toBeLessThan(8 * 2_500);
    expect(cluster.remoteSigners.get(3)!.asked).toBeGreaterThan(0);
    expectSafe(cluster);
  });

  it('never reached: the node follows as an observer and asks for nothing; once reached it takes part', async () => {
    const { cluster, reach, meet } = await withRemote(73, { 3: { isReady: false } });
    expect(await reach(4)).toBe(true);
    const { disk } = cluster.nodes[3]!;
    expect([disk.signed, cluster.remoteSigners.get(3)!.asked]).toEqual([[], 0]);
    meet(3);
    expect(await cluster.time.runUntil(() => disk.signed.length > 6, 60_000)).toBe(true);
    expectSafe(cluster);
  });

  it('reached while a block is being made durable: takes part from the next height on, and its log holds nothing of the one before', async () => {
    const { cluster, reach, meet } = await withRemote(76, { 3: { isReady: false } });
    const { disk } = cluster.nodes[3]!;
    const strangers: WalEntry[] = [];
    const votes: VoteMessage[] = [];
    cluster.link = (from, _to, message) => {
      if (from === 0 && message.kind === 'vote') votes.push(message);
      return true;
    };
    disk.beforeAppend = async (height) => {
      const entries = disk.wal.replay()!.entries.map(decodeWalEntry);
      strangers.push(...entries.filter((entry) => entry.kind === 'vote' && entry.vote.height !== height));
      if (height !== 2) return;
      meet(3);
      // A vote that comes late, or once more.
      cluster.say(0, 3, votes.find(({ vote }) => vote.height === 2)!);
      await new Promise<void>((resolve) => cluster.time.after(100, resolve));
    };
    expect(await reach(8)).toBe(true);
    expect(strangers).toEqual([]);
    expect(disk.signed[0]!.height).toBe(3);
    expectSafe(cluster);
  });

  it('two of four: the height stands still without them, and goes on in the same process when they come', async () => {
    const { cluster, meet, reach } = await withRemote(74, { 2: { isReady: false }, 3: { isReady: false } });
    expect(await reach(1, 20_000)).toBe(false);
    meet(2);
    expect(await reach(3)).toBe(true);
    meet(3);
    expect(await reach(6)).toBe(true);
    expectSafe(cluster);
  });

  it('reached while the log is replayed: the height begins anew when that is over, and not in the middle of it', async () => {
    const { cluster, reach, meet } = await withRemote(77, { 3: {} });
    const { disk } = cluster.nodes[3]!;
    const hasBlock = (): boolean =>
      disk.synced?.entries.some((entry) => decodeWalEntry(entry).kind === 'proposal') === true &&
      disk.synced.height > 3;
    expect(await cluster.time.runUntil(hasBlock, 60_000)).toBe(true);
    cluster.crash(3);
    const { height, entries } = disk.synced!;
    cluster.remoteSigners.get(3)!.isReady = false;
    const logs: unknown[] = [];
    disk.beforeCheck = async () => {
      disk.beforeCheck = async () => undefined;
      meet(3);
      const log = disk.wal.replay()!;
      logs.push([log.height, log.entries.length]);
    };
    await cluster.start(3);
    expect(logs).toEqual([[height, entries.length]]);
    expect(disk.wal.replay()!.entries.length).toBeLessThan(entries.length);
    expect(await reach(height + 3)).toBe(true);
    expectSafe(cluster);
  });

  it('reached while a block of the log is judged again, with a newer signature than the log has: the log is not replayed', async () => {
    const { cluster, reach } = await withRemote(78, { 3: {} });
    expect(await reach(4)).toBe(true);
    const { disk } = cluster.nodes[3]!;
    const right = disk.states.at(-1)!;
    const wrong = `0x${'66'.repeat(32)}` as typeof right.hash;
    disk.states[disk.states.length - 1] = { ...right, roots: { ...right.roots, stateRoot: wrong } };
    const isRefused = (): boolean =>
      disk
        .synced!.entries.map(decodeWalEntry)
        .some((entry) => entry.kind === 'proposal' && entry.validity === 'invalid');
    expect(await cluster.time.runUntil(isRefused, 20_000)).toBe(true);
    cluster.crash(3);
    const { height, entries } = disk.synced!;
    const newer = { ...disk.signState!, height, round: 4, step: 3, signature: new Uint8Array(65).fill(7) };
    cluster.remoteSigners.get(3)!.isReady = false;
    disk.beforeCheck = async () => {
      disk.beforeCheck = async () => undefined;
      cluster.remoteSigners.get(3)!.isReady = true;
      cluster.nodes[3]!.engine!.onSignerReady(newer as NonNullable<typeof disk.signState>);
    };
    await cluster.start(3);
    const log = disk.wal.replay()!;
    expect([log.height, log.entries.length < entries.length]).toEqual([height, true]);
  });

  it('the signer knows a newer signature of this very height: the node goes on behind it, with its lock', async () => {
    const { cluster, reach } = await withRemote(75, { 3: {} });
    expect(await reach(3)).toBe(true);
    cluster.crash(3);
    const { disk } = cluster.nodes[3]!;
    const newest = disk.signState!;
    // The last thing that it asked for was signed, and the answer never came.
    const lost = { ...newest, height: cluster.nodes[3]!.disk.blocks.length + 1, round: 4, step: 3 } as typeof newest;
    cluster.remoteSigners.get(3)!.isReady = false;
    await cluster.start(3);
    cluster.remoteSigners.get(3)!.isReady = true;
    const before = disk.signed.length;
    cluster.nodes[3]!.engine!.onSignerReady(lost);
    expect(disk.signState).toBe(lost);
    expect(await reach(lost.height + 3)).toBe(true);
    for (const { height, round } of disk.signed.slice(before + 1))
      expect(height > lost.height || round > lost.round).toBe(true);
    expectSafe(cluster);
  });
});

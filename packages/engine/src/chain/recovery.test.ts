import { describe, expect, it } from '@jest/globals';
import { encodeRlp, type ProtocolRules } from '@prime/codec';
import { bytesToHex, type Height, type Round } from '@prime/primitives';
import { isReplayable } from './recovery.ts';
import { Cluster } from '../testing/cluster.ts';
import { expectSafe } from '../testing/expectSafe.ts';
import { decodeWalEntry, encodeWalEntry } from '../wal/walEntry.ts';

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
    disk.behind.length = 0;
    await cluster.start(3);
    expect(disk.states.slice(0, before.length).map(({ hash }) => hash)).toEqual(before);
    // Execution is told how many of them are still to come.
    const again = before.slice(1).map((_, index) => before.length - 2 - index);
    expect(disk.behind.slice(0, again.length)).toEqual(again);
  });
});

describe('a log of a state that was wrong', () => {
  it('what it says of blocks counts no more once the state is made anew: it goes on behind its newest signature', async () => {
    const cluster = await Cluster.create(4, 36);
    for (const { index } of cluster.nodes) await cluster.start(index);
    const node = cluster.nodes[3]!;
    const { disk } = node;
    expect(await cluster.time.runUntil(() => cluster.height(3) >= 4, 20_000)).toBe(true);
    const right = disk.states.at(-1)!;
    const wrong = `0x${'66'.repeat(32)}` as typeof right.hash;
    disk.states[disk.states.length - 1] = { ...right, roots: { ...right.roots, stateRoot: wrong } };
    expect(await cluster.time.runUntil(() => node.fatal !== null, 20_000)).toBe(true);
    expect(node.fatal).toMatchObject({ code: 'ENGINE_INVALID_DECISION' });
    // The process ends, and the system keeps what it wrote.
    disk.wal.sync();
    cluster.crash(3);
    node.fatal = null;
    const log = disk.synced!.entries.map(decodeWalEntry);
    expect(log.some((entry) => entry.kind === 'proposal' && entry.validity === 'invalid')).toBe(true);
    disk.states.length = 0;
    await cluster.start(3);
    const goal = cluster.height(0) + 4;
    await cluster.time.runUntil(() => node.fatal !== null || cluster.height(3) >= goal, 20_000);
    expect([node.fatal, cluster.height(3) >= goal]).toEqual([null, true]);
    expectSafe(cluster);
  });
});

describe('a log that lost what was synced', () => {
  /**
   * Of four, one hears no proposal and prevotes nil, and only the victim hears the prevotes: it locks the block, and is down before anyone
   * else knows. Nobody can show it the polka again.
   */
  async function withLoneLock(seed: number) {
    const cluster = await Cluster.create(4, seed);
    let proposer: number | null = null;
    const after = (steps: number): number => ((proposer ?? 0) + steps) % 4;
    cluster.link = (from, to, message) => {
      if (message.kind === 'proposal') proposer ??= from;
      if (message.kind === 'proposal') return to !== after(2);
      return message.kind === 'status' || (message.kind === 'vote' && to === after(1));
    };
    for (const { index } of cluster.nodes) await cluster.start(index);
    const isLocked = (): boolean => cluster.nodes[after(1)]!.disk.signState?.lockedValue != null;
    expect(await cluster.time.runUntil(isLocked, 20_000)).toBe(true);
    const { disk, index } = cluster.nodes[after(1)]!;
    expect(disk.signState!.step).toBe(3);
    cluster.crash(index);
    return { cluster, index, disk, entries: disk.synced!.entries.length };
  }

  it('up to any entry: it goes on behind its newest signature and keeps its lock', async () => {
    const { entries: count } = await withLoneLock(41);
    expect(count).toBeGreaterThan(4);
    for (let kept = 0; kept <= count; kept++) {
      const { cluster, index, disk } = await withLoneLock(41);
      const { lockedValue } = disk.signState!;
      disk.synced!.entries.length = kept;
      disk.crash();
      const before = disk.signed.length;
      cluster.link = () => true;
      await cluster.start(index);
      expect(await cluster.time.runUntil(() => cluster.height(index) >= 3, 60_000)).toBe(true);
      // Whatever it prevoted at that height afterwards: its lock, or nothing.
      const prevoted = disk.signed
        .slice(before)
        .filter(({ height, step }) => height === 1 && step === 2)
        .map(({ signBytes }) => (signBytes[69] === 1 ? bytesToHex(signBytes.subarray(70, 102)) : null));
      expect([kept, prevoted.filter((value) => value !== null && value !== lockedValue)]).toEqual([kept, []]);
      expectSafe(cluster);
    }
  });
});

describe('a log that is gone while another validator is down', () => {
  it.each([
    ['it had prevoted', 2],
    ['it had precommitted, and nobody heard it', 3],
  ] as const)('%s: the others get its precommit, without which none of them leaves the round', async (_what, step) => {
    const cluster = await Cluster.create(4, 43);
    let proposer: number | null = null;
    const after = (steps: number): number => ((proposer ?? 0) + steps) % 4;
    const isUp = (from: number, to: number): boolean => from !== after(3) && to !== after(3);
    cluster.link = (from, to, message) => {
      if (message.kind === 'proposal') proposer ??= from;
      if (!isUp(from, to)) return false;
      if (message.kind !== 'vote') return message.kind === 'proposal' || message.kind === 'status';
      const isWithVictim = from === after(2) || to === after(2);
      if (!isWithVictim) return true;
      return message.vote.type === 'prevote' && (from === after(2) || step === 3);
    };
    for (const { index } of cluster.nodes) await cluster.start(index);
    const stepOf = (steps: number): number | undefined => cluster.nodes[after(steps)]!.disk.signState?.step;
    const isThere = (): boolean => stepOf(0) === 3 && stepOf(1) === 3 && stepOf(2) === step;
    expect(await cluster.time.runUntil(isThere, 20_000)).toBe(true);
    const { index, disk } = cluster.nodes[after(2)]!;
    cluster.crash(index);
    disk.synced!.entries.length = 0;
    disk.crash();
    cluster.link = isUp;
    await cluster.start(index);
    const isOn = (): boolean => [0, 1, 2].every((steps) => cluster.height(after(steps)) >= 3);
    expect(await cluster.time.runUntil(isOn, 20_000)).toBe(true);
    expectSafe(cluster);
  });
});

describe('the log of the height in progress', () => {
  const start = (version: number) => encodeWalEntry({ kind: 'start', height: 7 as Height, version });
  const rules = { version: 2 } as ProtocolRules;

  it('is replayed when its blocks were judged by the rules of the height, whatever became of them', () => {
    const timeout = encodeWalEntry({ kind: 'timeout', round: 0 as Round, step: 'propose' });
    expect(isReplayable([start(2), timeout], null, rules)).toBe(true);
    expect(isReplayable([start(1), timeout], null, rules)).toBe(false);
  });

  it('is not when it ends before the height begins: nothing was signed then', () => {
    expect(isReplayable([], null, rules)).toBe(false);
    expect(isReplayable([encodeWalEntry({ kind: 'votes', votes: [] })], null, rules)).toBe(false);
  });

  it('of a program that named no version is one of version 1', () => {
    const old = encodeRlp([Uint8Array.of(1), Uint8Array.of(7)]);
    expect(isReplayable([old], null, { version: 1 } as ProtocolRules)).toBe(true);
    expect(isReplayable([old], null, rules)).toBe(false);
  });
});

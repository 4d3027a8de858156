import { describe, expect, it } from '@jest/globals';
import type { Address } from '@prime/primitives';
import { Cluster } from './testing/cluster.ts';
import { expectSafe } from './testing/expectSafe.ts';

/** Four validators, of which the first one has connections to its two sentries only. */
const hidden = 0;
const others = [1, 2, 3];
const sentries = [4, 5];
const action = { type: 'deposit', amount: 5n } as const;
const owner = '0x00000000000000000000000000000000000000aa' as Address;

async function behindSentries(seed: number, told = true): Promise<Cluster> {
  const cluster = await Cluster.create(6, seed, 4);
  const addressOf = (index: number): Address => cluster.nodes[index]!.address;
  const isHidden = (one: number, other: number): boolean => one === hidden && !sentries.includes(other);
  cluster.connected = (one, other) => !isHidden(one, other) && !isHidden(other, one);
  for (const index of sentries) {
    cluster.followers.add(index);
    if (told) cluster.sentries.set(index, { privatePeers: [addressOf(hidden)] });
  }
  if (told) cluster.sentries.set(hidden, { sentries: sentries.map(addressOf) });
  for (const { index } of cluster.nodes) await cluster.start(index);
  return cluster;
}

const reach = (cluster: Cluster, indices: readonly number[], height: number): Promise<boolean> =>
  cluster.time.runUntil(() => indices.every((index) => cluster.height(index) >= height), 120_000);
/** Blocks of a node from a height on that the hidden validator proposed, and that hold its precommit for their parent. */
function partOfHidden(cluster: Cluster, at: number, from: number) {
  const { address } = cluster.nodes[hidden]!;
  const blocks = cluster.nodes[at]!.disk.blocks.slice(from).map(({ block }) => block);
  return {
    blocks: blocks.length,
    proposed: blocks.filter(({ header }) => header.proposer === address).length,
    signed: blocks.filter(({ lastCommit }) => lastCommit?.signatures.some(({ validator }) => validator === address))
      .length,
    laterRounds: cluster.nodes[at]!.disk.blocks.slice(from).filter(({ certificate }) => certificate.round > 0).length,
  };
}

describe('a validator behind two sentries', () => {
  it('proposes in its turn and is counted in nearly every block, and nobody is punished', async () => {
    const cluster = await behindSentries(1);
    expect(await reach(cluster, [0, 1, 2, 3, 4, 5], 42)).toBe(true);
    const part = partOfHidden(cluster, 1, 2);
    expect(part.proposed).toBeGreaterThanOrEqual(Math.floor(part.blocks / 4) - 1);
    expect(part.signed).toBeGreaterThan(part.blocks / 2);
    expect(part.laterRounds).toBe(0);
    expect(cluster.nodes.flatMap(({ punished }) => punished)).toEqual([]);
    expectSafe(cluster);
  });

  it('is not part of it when its followers were not told that they are sentries', async () => {
    const cluster = await behindSentries(2, false);
    expect(await reach(cluster, others, 22)).toBe(true);
    expect(partOfHidden(cluster, 1, 2).proposed).toBe(0);
  });

  it('one sentry dies, and then another validator: its vote is needed, and comes over the other sentry', async () => {
    const cluster = await behindSentries(3);
    expect(await reach(cluster, [0, 1, 2, 3], 5)).toBe(true);
    cluster.crash(sentries[0]!);
    expect(await reach(cluster, [0, 1, 2, 3], 15)).toBe(true);
    cluster.crash(3);
    expect(await reach(cluster, [0, 1, 2], 30)).toBe(true);
    await cluster.start(3);
    await cluster.start(sentries[0]!);
    cluster.crash(sentries[1]!);
    expect(await reach(cluster, [0, 1, 2, 3, sentries[0]!], 40)).toBe(true);
    expectSafe(cluster);
  });

  it('both die: it stands, signs nothing else, and comes back with one of them', async () => {
    const cluster = await behindSentries(4);
    expect(await reach(cluster, [0, 1, 2, 3], 5)).toBe(true);
    for (const index of sentries) cluster.crash(index);
    expect(await reach(cluster, others, 15)).toBe(true);
    expect(cluster.height(hidden)).toBeLessThan(10);
    await cluster.start(sentries[1]!);
    const head = cluster.height(1);
    expect(await reach(cluster, [0, 1, 2, 3], head + 15)).toBe(true);
    expect(partOfHidden(cluster, 1, head + 4).proposed).toBeGreaterThan(0);
    expectSafe(cluster);
  });

  it('what its clients send comes into blocks of others, and the other way round', async () => {
    const cluster = await behindSentries(5);
    expect(await reach(cluster, [0, 1, 2, 3], 3)).toBe(true);
    for (const index of [hidden, 2]) {
      await cluster.nodes[index]!.engine!.submitAction(owner, action);
      const at = cluster.height(1);
      const isIn = (): boolean => cluster.nodes[1]!.disk.blocks.slice(at).some(({ block }) => block.actions.length > 0);
      expect(await cluster.time.runUntil(isIn, 1_500)).toBe(true);
    }
    expectSafe(cluster);
  });

  it('is seen as there by the others, and sees them', async () => {
    const cluster = await behindSentries(6);
    expect(await reach(cluster, [0, 1, 2, 3], 6)).toBe(true);
    const seen = (index: number): number => cluster.nodes[index]!.engine!.status().reachable.length;
    expect([hidden, 1, sentries[0]!].map(seen)).toEqual([3, 3, 4]);
    for (const index of sentries) cluster.crash(index);
    expect(await reach(cluster, others, 12)).toBe(true);
    expect(seen(1)).toBe(2);
  });
});

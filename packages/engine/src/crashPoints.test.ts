import { describe, expect, it } from '@jest/globals';
import type { PeerMessage } from './ports.ts';
import { Cluster } from './testing/cluster.ts';
import { expectSafe } from './testing/expectSafe.ts';

/** Height at which the first two rounds fail, so that each role is played in rounds 0 to 2. */
const slowHeight = 2;

/** Every own signature that ever reached the network, at most one per place. */
function watchSignatures(cluster: Cluster): {
  readonly conflicts: string[];
  readonly seen: ReadonlyMap<string, string>;
} {
  const seen = new Map<string, string>();
  const conflicts: string[] = [];
  const note = (place: string, value: string): void => {
    if ((seen.get(place) ?? value) !== value) conflicts.push(`${place}: ${seen.get(place)} and ${value}`);
    seen.set(place, value);
  };
  const noteAll = (message: PeerMessage): void => {
    const votes = message.kind === 'vote' ? [message.vote] : message.kind === 'voteCertificate' ? message.votes : [];
    for (const { validator, height, round, type, blockHash } of votes)
      note(`${validator} ${height}/${round} ${type}`, `${blockHash}`);
    if (message.kind !== 'proposal') return;
    const { proposer, height, round, polRound, blockHash } = message.proposal;
    note(`${proposer} ${height}/${round} proposal`, `${blockHash} ${polRound}`);
  };
  cluster.link = (_from, _to, message) => {
    noteAll(message);
    const isStuck = message.kind === 'proposal' && message.proposal.height === slowHeight && message.proposal.round < 2;
    return !isStuck;
  };
  return { conflicts, seen };
}

/** The sign state must know by then whatever is in that block. */
async function killAtNextBlock(cluster: Cluster, victim: number): Promise<void> {
  const before = cluster.height(victim);
  expect(await cluster.time.runUntil(() => cluster.height(victim) > before, 60_000)).toBe(true);
  cluster.crash(victim);
  await cluster.start(victim);
}

/** Four validators up to a few blocks behind the slow height; the victim dies after so many points and is started again at once. */
async function runWith(victim: number, crashAfter: number | null, killedAgain = false) {
  const cluster = await Cluster.create(4, 51);
  const { conflicts, seen } = watchSignatures(cluster);
  const node = cluster.nodes[victim]!;
  node.crashAfter = crashAfter;
  for (const { index } of cluster.nodes) await cluster.start(index);
  const isThere = (): boolean => cluster.nodes.every(({ index }) => cluster.height(index) > slowHeight);
  const died = (): boolean => node.engine === null;
  expect(await cluster.time.runUntil(() => died() || isThere(), 60_000)).toBe(true);
  const { passed } = node;
  const points = [...passed];
  if (died()) await cluster.start(victim);
  if (killedAgain) await killAtNextBlock(cluster, victim);
  const goal = Math.max(...cluster.nodes.map(({ index }) => cluster.height(index))) + 2;
  const isBack = (): boolean => cluster.nodes.every(({ index }) => cluster.height(index) >= goal);
  const isLive = await cluster.time.runUntil(isBack, 60_000);
  return { cluster, conflicts, seen, points, isLive };
}

describe('a process that dies at a numbered point', () => {
  it('all kinds of points are passed, and rounds 0 to 2 with every role', async () => {
    const { cluster, points, conflicts, seen, isLive } = await runWith(0, null);
    expect({ conflicts, isLive }).toEqual({ conflicts: [], isLive: true });
    expect(new Set(points)).toEqual(
      new Set(['log', 'signState', 'send', 'block', 'commit'].flatMap((what) => [`before ${what}`, `after ${what}`])),
    );
    const places = [...seen.keys()];
    const slow = places.map((place) => place.split(' ')).filter(([, round]) => round?.startsWith(`${slowHeight}/`));
    const steps = new Set(slow.map(([, round, step]) => `${round} ${step}`));
    expect(steps.size).toBe(9);
    const proposers = new Set(places.filter((place) => place.endsWith('proposal')).map((place) => place.split(' ')[0]));
    expect(proposers.size).toBe(cluster.nodes.length);
  });

  it.each([0, 1, 2, 3])(
    'validator %i, at every point: one chain, no second signature, and all go on',
    async (victim) => {
      const { points } = await runWith(victim, null);
      expect(points.length).toBeGreaterThan(30);
      for (const [index, point] of points.entries()) {
        const { cluster, conflicts, points: passed, isLive } = await runWith(victim, index);
        expect({ index, point: passed.at(-1), conflicts, isLive }).toEqual({
          index,
          point,
          conflicts: [],
          isLive: true,
        });
        expectSafe(cluster);
      }
    },
  );

  it('between the log and the sign state, and again at the next block: it knows what it signed, and goes on signing', async () => {
    const { points } = await runWith(1, null);
    const gaps = points.flatMap((point, index) => (point === 'after log' ? [index] : []));
    expect(gaps.length).toBeGreaterThan(5);
    for (const index of gaps) {
      const { cluster, conflicts, isLive } = await runWith(1, index, true);
      const { phase } = cluster.nodes[1]!.engine!.status().signing!;
      expect({ index, conflicts, isLive, phase }).toEqual({ index, conflicts: [], isLive: true, phase: 'open' });
      expectSafe(cluster);
    }
  }, 120_000);
});

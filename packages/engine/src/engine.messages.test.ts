import { expect, it } from '@jest/globals';
import type { Height } from '@prime/primitives';
import type { PeerMessage } from './ports.ts';
import { Cluster } from './testing/cluster.ts';
import { expectSafe } from './testing/expectSafe.ts';

/** Heights that are counted. */
const [from, to] = [5, 25] as [Height, Height];

it('four validators at rest say of a block: a proposal to each other, two votes of each to each other, and next to nothing else', async () => {
  const cluster = await Cluster.create(4, 31);
  const counts = new Map<PeerMessage['kind'], number>();
  let isCounting = false;
  cluster.link = (_from, _to, { kind }) => {
    if (isCounting) counts.set(kind, (counts.get(kind) ?? 0) + 1);
    return true;
  };
  for (const { index } of cluster.nodes) await cluster.start(index);
  const reached = (height: Height) => (): boolean =>
    cluster.nodes.every(({ index }) => cluster.height(index) >= height);
  expect(await cluster.time.runUntil(reached(from), 60_000)).toBe(true);
  isCounting = true;
  expect(await cluster.time.runUntil(reached(to), 60_000)).toBe(true);
  const blocks = to - from;
  const perBlock = (kind: PeerMessage['kind']): number => (counts.get(kind) ?? 0) / blocks;
  expect(Math.round(perBlock('proposal'))).toBe(3);
  expect(Math.round(perBlock('vote'))).toBe(24);
  // Where a node stands is told to who voted on nothing. Told to all after each block and each second it was 24 messages more.
  const others = [...counts.keys()].filter((kind) => kind !== 'proposal' && kind !== 'vote');
  expect(others.reduce((sum, kind) => sum + perBlock(kind), 0)).toBeLessThan(1);
  expectSafe(cluster);
});

import { expect, it } from '@jest/globals';
import type { Address } from '@prime/primitives';
import type { PeerMessage } from '../ports.ts';
import { Cluster } from '../testing/cluster.ts';

it('a height that stands still: who voted for what in each round, who is missing, and who proposes', async () => {
  const cluster = await Cluster.create(4, 11);
  // Of votes and proposals two of four hear each other's and nobody else's: no block is decided.
  const isAway = (index: number): boolean => index > 1;
  const told = new Set<PeerMessage['kind']>(['status', 'bodiesRequest', 'bodies']);
  cluster.link = (from, to, { kind }) => told.has(kind) || isAway(from) === isAway(to);
  for (const { index } of cluster.nodes) await cluster.start(index);
  const engine = cluster.nodes[0]!.engine!;
  const haveVoted = (): boolean => engine.dump()?.rounds[0]?.prevotes.votes.length === 2;
  expect(await cluster.time.runUntil(haveVoted, 120_000)).toBe(true);
  const { validators } = engine.status().validators;
  const dump = engine.dump()!;
  expect(dump).toMatchObject({ height: 1, round: 0, step: 'prevote', started: true, decision: null });
  expect(dump.totalPower).toBe(validators.reduce((sum, { power }) => sum + power, 0n));
  const addresses = new Set(validators.map(({ address }) => address));
  const heard = new Set<Address>();
  for (const { round, proposer, prevotes, precommits } of dump.rounds) {
    expect(round).toBeLessThanOrEqual(dump.round + 1);
    expect(addresses).toContain(proposer);
    for (const { votes, missing, power } of [prevotes, precommits]) {
      const voters = votes.map(({ validator }) => validator);
      for (const voter of voters) heard.add(voter);
      // Everybody is either here or missing, and power is that of those who are here.
      expect(new Set([...voters, ...missing])).toEqual(addresses);
      expect(voters.filter((voter) => missing.includes(voter))).toEqual([]);
      const counted = validators.filter(({ address }) => voters.includes(address));
      expect(power).toBe(counted.reduce((sum, each) => sum + each.power, 0n));
    }
  }
  expect(heard.size).toBe(2);
  expect(structuredClone(dump)).toEqual(dump);
});

import { describe, expect, it } from '@jest/globals';
import { type Evidence, type Vote, voteSignDigest } from '@prime/codec';
import { genesisHash } from '@prime/codec';
import { accusedOf } from '@prime/consensus';
import type { Hash, Height, Round } from '@prime/primitives';
import { Cluster } from './testing/cluster.ts';
import { expectSafe } from './testing/expectSafe.ts';

const liar = 3;

async function startHonest(cluster: Cluster): Promise<void> {
  for (const index of [0, 1, 2]) await cluster.start(index);
  cluster.play(liar);
}

type Place = Pick<Vote, 'type' | 'height' | 'round' | 'blockHash'>;

function signed(cluster: Cluster, place: Place): Vote {
  const { genesis, nodes } = cluster;
  const digest = voteSignDigest(genesis.chainId, genesisHash(genesis), place);
  return { ...place, validator: nodes[liar]!.address, signature: cluster.sign(liar, digest) };
}

const vote = (cluster: Cluster, height: number, byte: string): Vote =>
  signed(cluster, {
    type: 'prevote',
    height: height as Height,
    round: 0 as Round,
    blockHash: `0x${byte.repeat(32)}` as Hash,
  });

/** Says two different votes at one place, to the nodes given. */
function lie(cluster: Cluster, to: readonly number[]): void {
  const height = Math.max(...[0, 1, 2].map((index) => cluster.height(index))) + 1;
  for (const receiver of to)
    for (const byte of ['11', '22']) cluster.say(liar, receiver, { kind: 'vote', vote: vote(cluster, height, byte) });
}

const evidenceIn = (cluster: Cluster, index: number): readonly Evidence[] =>
  cluster.nodes[index]!.disk.blocks.flatMap(({ block }) => block.evidence);
const everywhere = (cluster: Cluster) => (): boolean =>
  [0, 1, 2].every((index) => evidenceIn(cluster, index).length > 0);
const higher = async (cluster: Cluster, blocks: number): Promise<void> => {
  const target = cluster.height(0) + blocks;
  expect(await cluster.time.runUntil(() => cluster.height(0) >= target, 60_000)).toBe(true);
};

describe('a validator that votes twice', () => {
  it('is in a block as evidence, once, in all nodes, however often it lies again', async () => {
    const cluster = await Cluster.create(4, 31);
    await startHonest(cluster);
    await higher(cluster, 3);
    lie(cluster, [0, 1, 2]);
    expect(await cluster.time.runUntil(everywhere(cluster), 60_000)).toBe(true);
    lie(cluster, [0, 1, 2]);
    await higher(cluster, 6);
    const found = evidenceIn(cluster, 0);
    expect(found.map(accusedOf)).toEqual([cluster.nodes[liar]!.address]);
    expect(cluster.nodes.slice(0, 3).map(({ disk }) => disk.evidence)).toEqual([[], [], []]);
    expectSafe(cluster);
  });

  it('heard by one node only: the others learn of it, whoever proposes', async () => {
    const cluster = await Cluster.create(4, 32);
    await startHonest(cluster);
    await higher(cluster, 3);
    lie(cluster, [1]);
    expect(await cluster.time.runUntil(everywhere(cluster), 60_000)).toBe(true);
    expectSafe(cluster);
  });

  it('known only to a node that crashes: it tells when it is back', async () => {
    const cluster = await Cluster.create(4, 33);
    await startHonest(cluster);
    await higher(cluster, 3);
    cluster.link = (_from, _to, message) => message.kind !== 'evidence';
    lie(cluster, [1]);
    await cluster.time.runUntil(() => cluster.nodes[1]!.disk.evidence.length > 0, 10_000);
    cluster.crash(1);
    expect(cluster.nodes[1]!.disk.evidence).toHaveLength(1);
    cluster.link = () => true;
    await cluster.start(1);
    expect(await cluster.time.runUntil(everywhere(cluster), 60_000)).toBe(true);
    expectSafe(cluster);
  });
});

describe('a validator that contradicts what was decided with its vote, when the height is over', () => {
  /** Votes for each block that is proposed, as soon as it hears of it, to everybody. */
  async function startWithVoter(seed: number): Promise<Cluster> {
    const cluster = await Cluster.create(4, seed);
    for (const index of [0, 1, 2]) await cluster.start(index);
    const voted = new Set<number>();
    cluster.play(liar, (_from, message) => {
      if (message.kind !== 'proposal' || voted.has(message.proposal.height)) return;
      const { height, round, blockHash } = message.proposal;
      voted.add(height);
      for (const type of ['prevote', 'precommit'] as const)
        for (const to of [0, 1, 2])
          cluster.say(liar, to, { kind: 'vote', vote: signed(cluster, { type, height, round, blockHash }) });
    });
    return cluster;
  }
  /** The newest block but one whose certificate holds a signature of the liar, in the store of a node. */
  const signedByLiar = (cluster: Cluster, index: number) => {
    const { blocks } = cluster.nodes[index]!.disk;
    const { address } = cluster.nodes[liar]!;
    return blocks.findLast(({ certificate }) => certificate.signatures.some(({ validator }) => validator === address))!;
  };

  it.each([
    ['nil', null],
    ['another block', `0x${'77'.repeat(32)}` as Hash],
  ])('a precommit for %s, heard by one node, blocks later: it is convicted', async (_name, blockHash) => {
    const cluster = await startWithVoter(34);
    await higher(cluster, 4);
    const { certificate } = signedByLiar(cluster, 1);
    await higher(cluster, 5);
    expect(evidenceIn(cluster, 0)).toEqual([]);
    const { height, round } = certificate;
    cluster.say(liar, 1, { kind: 'vote', vote: signed(cluster, { type: 'precommit', height, round, blockHash }) });
    expect(await cluster.time.runUntil(everywhere(cluster), 60_000)).toBe(true);
    expect(evidenceIn(cluster, 0).map(accusedOf)).toEqual([cluster.nodes[liar]!.address]);
    expectSafe(cluster);
  });

  it('the same precommit again, a prevote, or one of another round: nothing happens', async () => {
    const cluster = await startWithVoter(35);
    await higher(cluster, 4);
    const { certificate, hash } = signedByLiar(cluster, 1);
    const { height, round } = certificate;
    const places: readonly Place[] = [
      { type: 'precommit', height, round, blockHash: hash },
      { type: 'prevote', height, round, blockHash: null },
      { type: 'precommit', height, round: (round + 1) as Round, blockHash: null },
    ];
    for (const place of places)
      for (const to of [0, 1, 2]) cluster.say(liar, to, { kind: 'vote', vote: signed(cluster, place) });
    await higher(cluster, 5);
    expect(cluster.nodes.slice(0, 3).map(({ disk }) => disk.evidence)).toEqual([[], [], []]);
    expect(evidenceIn(cluster, 0)).toEqual([]);
  });
});

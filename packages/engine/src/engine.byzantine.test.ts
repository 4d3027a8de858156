import { describe, expect, it } from '@jest/globals';
import {
  type Block,
  createProtocolSchedule,
  genesisHash,
  headerHash,
  type Proposal,
  proposalSignDigest,
  type StoredBlock,
  type Vote,
  voteSignDigest,
} from '@prime/codec';
import { accusedOf, advanceProposer, createProposerSchedule } from '@prime/consensus';
import type { Address, Hash, Height, Round, TimestampMs } from '@prime/primitives';
import { makeHeader } from './block/blockRules.ts';
import type { PeerMessage, ProposalMessage } from './ports.ts';
import { Cluster } from './testing/cluster.ts';
import { expectSafe } from './testing/expectSafe.ts';

/** Three engines and a validator that lies. All of the three are needed for a decision: none may be misled for long. */
const liar = 3;
const honest = [0, 1, 2];

async function startWithLiar(seed: number): Promise<Cluster> {
  const cluster = await Cluster.create(4, seed);
  for (const index of honest) await cluster.start(index);
  cluster.play(liar);
  return cluster;
}

const honestReach = (cluster: Cluster, height: number) => (): boolean =>
  honest.every((index) => cluster.height(index) >= height);

async function expectLive(cluster: Cluster, blocks: number, withinMs: number): Promise<void> {
  const before = Math.max(...honest.map((index) => cluster.height(index)));
  const live = await cluster.time.runUntil(honestReach(cluster, before + blocks), withinMs);
  expect({ live, heights: honest.map((index) => cluster.height(index)) }).toMatchObject({ live: true });
  expectSafe(cluster);
}

const addressOf = (cluster: Cluster, index: number): Address => cluster.nodes[index]!.address;
const proposerOf = (cluster: Cluster, round: number): Address =>
  createProposerSchedule(cluster.nodes[0]!.engine!.status().validators).proposer(round as Round);

/** All are at one height, at which the liar proposes first. */
async function untilLiarsTurn(cluster: Cluster): Promise<void> {
  const heads = (): number[] => honest.map((index) => cluster.height(index));
  const turn = (): boolean =>
    new Set(heads()).size === 1 && heads()[0]! > 1 && proposerOf(cluster, 0) === addressOf(cluster, liar);
  expect(await cluster.time.runUntil(turn, 60_000)).toBe(true);
}

/** A block of the liar that is in order, on top of what node 0 has. */
function blockOfLiar(cluster: Cluster, delayMs: number, actionHashes: readonly Hash[] = []): Block {
  const { disk } = cluster.nodes[0]!;
  const { genesis } = cluster;
  const { validators } = cluster.nodes[0]!.engine!.status();
  const parent = disk.blocks.at(-1)!;
  const header = makeHeader({
    context: {
      chainId: genesis.chainId,
      rules: createProtocolSchedule([]).rulesAt(1 as Height)!,
      head: disk.states.at(-1)!,
      parentTimestampMs: parent.block.header.timestampMs,
      gasLimit: genesis.evm.gasLimit,
      params: genesis.consensus,
      openActions: true,
      validators,
      nextValidators: advanceProposer(validators),
    },
    proposer: addressOf(cluster, liar),
    timestampMs: (Math.max(cluster.time.nowMs, parent.block.header.timestampMs) + 1 + delayMs) as TimestampMs,
    transactionHashes: [],
    actionHashes,
    evidence: [],
    lastCommit: parent.certificate,
  });
  return { header, transactions: [], actions: [], evidence: [], lastCommit: parent.certificate };
}

function signed(cluster: Cluster, fields: Omit<Proposal, 'proposer' | 'signature'>): Proposal {
  const unsigned = { ...fields, proposer: addressOf(cluster, liar) };
  const digest = proposalSignDigest(cluster.genesis.chainId, genesisHash(cluster.genesis), unsigned);
  return { ...unsigned, signature: cluster.sign(liar, digest) };
}

function proposalOf(cluster: Cluster, block: Block, actionHashes: readonly Hash[] = []): ProposalMessage {
  const { height } = block.header;
  const fields = { height, round: 0 as Round, polRound: -1 as Round, blockHash: headerHash(block.header) };
  return {
    kind: 'proposal',
    proposal: signed(cluster, fields),
    header: block.header,
    evidence: [],
    lastCommit: block.lastCommit,
    transactionHashes: [],
    actionHashes,
    bodies: null,
  };
}

/** A vote of the liar, for all. */
function tellVote(cluster: Cluster, fields: Pick<Vote, 'type' | 'height' | 'round' | 'blockHash'>): void {
  const unsigned = { ...fields, validator: addressOf(cluster, liar) };
  const digest = voteSignDigest(cluster.genesis.chainId, genesisHash(cluster.genesis), unsigned);
  const vote = { ...unsigned, signature: cluster.sign(liar, digest) };
  for (const index of honest) cluster.say(liar, index, { kind: 'vote', vote });
}

/** Proposals reach node 2 some 20 ms late: the liar, who gets them at once, has the first word there. */
function overtake(cluster: Cluster, retell: (message: ProposalMessage) => PeerMessage | null): void {
  const lost = new Set<string>();
  cluster.link = (from, to, message) => {
    if (message.kind !== 'proposal' || to !== 2 || from === liar) return true;
    const key = `${from} ${message.proposal.round} ${message.proposal.blockHash}`;
    if (lost.has(key)) return true;
    lost.add(key);
    cluster.time.after(20, () => cluster.say(from, to, message));
    return false;
  };
  cluster.play(liar, (_from, message) => {
    if (message.kind !== 'proposal') return;
    const said = retell(message);
    if (said !== null) cluster.say(liar, 2, said);
    // With the liar's votes the others decide without node 2.
    const { height, round, blockHash } = message.proposal;
    for (const type of ['prevote', 'precommit'] as const) tellVote(cluster, { type, height, round, blockHash });
  });
}

describe('a lying validator', () => {
  it('passes proposals on with another certificate than their header names: nobody takes the block for invalid', async () => {
    const cluster = await startWithLiar(21);
    overtake(cluster, (message) => ({ ...message, lastCommit: null }));
    await expectLive(cluster, 8, 20_000);
  });

  it("proposes another one's block as new: the block stays valid", async () => {
    const cluster = await startWithLiar(22);
    overtake(cluster, (message) => {
      const { proposal } = message;
      const round = [0, 1, 2].find((later) => proposerOf(cluster, later) === addressOf(cluster, liar));
      if (round === undefined || proposal.proposer === addressOf(cluster, liar)) return null;
      const { height, blockHash } = proposal;
      return {
        ...message,
        proposal: signed(cluster, { height, blockHash, round: round as Round, polRound: -1 as Round }),
      };
    });
    await expectLive(cluster, 8, 20_000);
  });

  it('proposes hundreds of blocks for one round: a few are looked at', async () => {
    const cluster = await startWithLiar(23);
    await untilLiarsTurn(cluster);
    const before = cluster.nodes[0]!.disk.checks;
    for (let count = 0; count < 300; count++)
      for (const index of honest) cluster.say(liar, index, proposalOf(cluster, blockOfLiar(cluster, count)));
    await expectLive(cluster, 1, 60_000);
    expect(cluster.nodes[0]!.disk.checks - before).toBeLessThan(20);
    await expectLive(cluster, 5, 60_000);
  });

  it('proposes two blocks, and execution remembers the second one only: the first can be decided', async () => {
    const cluster = await Cluster.create(4, 29);
    cluster.checkedBlocksMax = 1;
    for (const index of honest) await cluster.start(index);
    cluster.play(liar);
    await untilLiarsTurn(cluster);
    const [first, second] = [blockOfLiar(cluster, 0), blockOfLiar(cluster, 1)];
    const hash = headerHash(first.header);
    const fields = { height: first.header.height, round: 0 as Round, blockHash: hash };
    for (const index of honest) cluster.say(liar, index, proposalOf(cluster, first));
    await cluster.time.runUntil(() => false, 8);
    for (const index of honest) cluster.say(liar, index, proposalOf(cluster, second));
    for (const type of ['prevote', 'precommit'] as const) tellVote(cluster, { ...fields, type });
    await expectLive(cluster, 3, 60_000);
    expect(cluster.nodes[0]!.disk.blocks[first.header.height - 1]!.hash).toBe(hash);
  });

  it('tells one of them another block than the rest, and the round fails: it is convicted soon', async () => {
    const cluster = await startWithLiar(33);
    await untilLiarsTurn(cluster);
    const head = cluster.height(0);
    const [first, second] = [blockOfLiar(cluster, 0), blockOfLiar(cluster, 1)];
    for (const index of honest) cluster.say(liar, index, proposalOf(cluster, index === 0 ? first : second));
    await expectLive(cluster, 4, 60_000);
    const { blocks } = cluster.nodes[0]!.disk;
    const found = blocks.flatMap(({ block }) => block.evidence.map((one) => [block.header.height, accusedOf(one)]));
    expect(found).toEqual([[expect.any(Number), addressOf(cluster, liar)]]);
    expect(found[0]![0]).toBeLessThanOrEqual(head + 3);
  });

  it('names bodies that nobody has, twice the same or very many: its turn passes', async () => {
    const cluster = await startWithLiar(24);
    const missing = (count: number): Hash => `0x${count.toString(16).padStart(64, '0')}` as Hash;
    const lists = [
      [missing(1)],
      [missing(2), missing(2)],
      Array.from({ length: 20_000 }, (_, index) => missing(index)),
    ];
    for (const hashes of lists) {
      await untilLiarsTurn(cluster);
      const message = proposalOf(cluster, blockOfLiar(cluster, 0, hashes), hashes);
      for (const index of honest) cluster.say(liar, index, message);
      await expectLive(cluster, 2, 60_000);
    }
  });

  it('proposes blocks from the past and the far future, and with evidence: its turn passes', async () => {
    const cluster = await startWithLiar(25);
    for (const delayMs of [-1_000_000, 3_600_000, 2 ** 50]) {
      await untilLiarsTurn(cluster);
      const message = proposalOf(cluster, blockOfLiar(cluster, delayMs));
      for (const index of honest) cluster.say(liar, index, message);
      await expectLive(cluster, 2, 60_000);
    }
  });

  it('answers with a block that nobody decided: the height goes on with its votes', async () => {
    const cluster = await startWithLiar(26);
    const head = Number.MAX_SAFE_INTEGER as Height;
    cluster.play(liar, (from, message) => {
      if (message.kind !== 'blocksRequest') return;
      const block = blockOfLiar(cluster, 0);
      const hash = headerHash(block.header);
      const certificate = { height: block.header.height, round: 0 as Round, blockHash: hash, signatures: [] };
      const stored: StoredBlock = { block, hash, certificate };
      cluster.say(liar, from.index, { kind: 'blocks', requestId: message.requestId, blocks: [stored] });
    });
    await cluster.time.runUntil(honestReach(cluster, 2), 60_000);
    const claim = (): void => {
      const round = 0 as Round;
      for (const index of honest)
        cluster.say(liar, index, { kind: 'status', height: head, round, head, base: 1 as Height });
      cluster.time.after(20, claim);
    };
    claim();
    await expectLive(cluster, 12, 120_000);
    // One that is asked for a height while it decides it gets a block of another one, which is punished by other words.
    const reasons = honest.flatMap((index) => cluster.nodes[index]!.punished.map(({ reason }) => reason));
    expect(reasons).toContainEqual(expect.stringContaining('certificate'));
  });

  it.each([
    ['nothing', () => null],
    ['no blocks', () => []],
    ['its blocks in the wrong order, with gaps', (blocks: readonly StoredBlock[]) => [...blocks].reverse().slice(1)],
    ['blocks of other heights', (_asked: readonly StoredBlock[], stored: readonly StoredBlock[]) => stored.slice(0, 3)],
  ] as const)(
    'claims to be ahead of all and answers with %s: who was away still catches up and votes',
    async (_name, pick) => {
      const cluster = await Cluster.create(4, 27);
      for (const { index } of cluster.nodes) await cluster.start(index);
      await cluster.time.runUntil(honestReach(cluster, 3), 20_000);
      cluster.crash(2);
      await cluster.time.runUntil(() => cluster.height(0) >= 210, 600_000);
      const stored = [...cluster.nodes[0]!.disk.blocks];
      cluster.crash(liar);
      cluster.play(liar, (from, message) => {
        if (message.kind !== 'blocksRequest') return;
        const asked = stored.slice(message.from - 1, message.from - 1 + message.count);
        const blocks = pick(asked, stored);
        if (blocks !== null) cluster.say(liar, from.index, { kind: 'blocks', requestId: message.requestId, blocks });
      });
      const head = Number.MAX_SAFE_INTEGER as Height;
      const claim = (): void => {
        for (const index of honest)
          cluster.say(liar, index, { kind: 'status', height: head, round: 0 as Round, head, base: 1 as Height });
        cluster.time.after(50, claim);
      };
      claim();
      await cluster.start(2);
      expect(await cluster.time.runUntil(() => cluster.height(2) >= 210, 15_000)).toBe(true);
      await expectLive(cluster, 5, 30_000);
    },
  );

  it('says a thousand times where it stands, and asks for blocks as often: it is answered a few times', async () => {
    const cluster = await startWithLiar(30);
    await cluster.time.runUntil(honestReach(cluster, 3), 20_000);
    await cluster.time.runUntil(() => false, 400);
    const received = { blocks: 0, other: 0 };
    cluster.play(liar, (_from, { kind }) => {
      received[kind === 'blocks' ? 'blocks' : 'other'] += 1;
    });
    const head = cluster.height(0) as Height;
    for (let count = 0; count < 1000; count++) {
      cluster.say(liar, 0, {
        kind: 'status',
        height: (head + 1) as Height,
        round: 0 as Round,
        head,
        base: 1 as Height,
      });
      cluster.say(liar, 0, { kind: 'blocksRequest', requestId: count, from: 1 as Height, count: 64 });
    }
    await cluster.time.runUntil(() => false, 100);
    expect(received.blocks).toBeGreaterThan(0);
    expect(received.blocks).toBeLessThan(50);
    expect(received.other).toBeLessThan(100);
    await expectLive(cluster, 3, 30_000);
  });

  it('fills the place for early messages: those of the others are kept', async () => {
    const cluster = await startWithLiar(28);
    await cluster.time.runUntil(honestReach(cluster, 2), 20_000);
    const spam = (): void => {
      const height = (Math.max(...honest.map((index) => cluster.height(index))) + 2) as Height;
      for (let round = 0; round < 8; round++)
        tellVote(cluster, { type: 'prevote', height, round: round as Round, blockHash: null });
      cluster.time.after(5, spam);
    };
    spam();
    cluster.link = (from, to) => to !== liar || from === liar;
    await expectLive(cluster, 8, 40_000);
  });
});

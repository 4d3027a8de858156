import { describe, expect, it } from '@jest/globals';
import {
  type BlockCheck,
  createProtocolSchedule,
  type ExecutableBlock,
  type ExecutionStatus,
  genesisHash,
  headerHash,
  type Proposal,
  proposalSignDigest,
  type Vote,
  voteSignDigest,
} from '@prime/codec';
import { createConsensus, lanTimeouts } from '@prime/consensus';
import { createCryptoProvider, keccak256, publicKeyToAddress } from '@prime/crypto';
import { createMempool } from '@prime/mempool';
import { type Address, type Hash, type Height, type Round, utf8ToBytes } from '@prime/primitives';
import { createBlockBuilder } from '../block/blockBuilder.ts';
import { makeHeader } from '../block/blockRules.ts';
import { proposalMessage } from '../block/candidates.ts';
import { ChainTip } from '../chain/chainTip.ts';
import type { HeightEffect } from './heightEffects.ts';
import { HeightHost } from './heightHost.ts';
import type { BlockStore, ProposalMessage, SignStateRecord, SignStateStore } from '../ports.ts';
import { ProposerWatch } from './proposerWatch.ts';
import { createSigningGuard } from '../signing/signing.ts';
import { simulatedGenesis } from '../testing/genesis.ts';
import { decodeWalEntry } from '../wal/walEntry.ts';

const provider = await createCryptoProvider();
const keys = [0, 1, 2, 3].map((index) => keccak256(utf8ToBytes(`validator ${index}`)));
const root = `0x${'5a'.repeat(32)}` as Hash;

interface Given {
  readonly validators?: number;
  /** Which validator the node is: the proposer of round 0, or another one. */
  readonly as?: 'proposer' | 'other';
  readonly check?: (block: ExecutableBlock) => Promise<BlockCheck>;
  /** What the process before this one left. */
  readonly signState?: SignStateRecord | null;
}

/** The empty block of a proposal. */
function bare({
  header,
  evidence,
  lastCommit,
}: Pick<ProposalMessage, 'header' | 'evidence' | 'lastCommit'>): ExecutableBlock {
  const block = { header, transactions: [], actions: [], evidence, lastCommit };
  return { hash: headerHash(header), block, transactions: [], actions: [] };
}

/** Lets all promise reactions run. */
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A host of height 1 whose ports and effects all write down, in one list, what happens. */
function open({ validators = 4, as = 'proposer', check = async () => ({ ok: true }), signState = null }: Given = {}) {
  const genesis = simulatedGenesis(keys.slice(0, validators).map((key) => provider.publicKey(key)));
  const domain = { chainId: genesis.chainId, genesisHash: genesisHash(genesis) };
  const protocol = createProtocolSchedule([]);
  const tip = new ChainTip({ genesis, protocol, blocks: {} as BlockStore, provider, domain });
  const status: ExecutionStatus = {
    height: 0 as Height,
    hash: domain.genesisHash,
    roots: { stateRoot: root, receiptsRoot: root, eventsRoot: root, gasUsed: 0n },
    nextBaseFee: genesis.evm.initialBaseFee,
  };
  tip.move(status, null);
  const proposer = createConsensus({
    validatorSet: tip.validators,
    height: 1 as Height,
    self: null,
    timeouts: lanTimeouts,
  }).proposer(0 as Round);
  const self = as === 'proposer' ? proposer : genesis.validators.find(({ address }) => address !== proposer)!.address;
  const keyOf = (address: Address): Uint8Array =>
    keys.find((key) => publicKeyToAddress(provider.publicKey(key)) === address)!;

  const happened: string[] = [];
  const effects: HeightEffect[] = [];
  const entries: Uint8Array[] = [];
  const disk = { signState };
  const store: SignStateStore = {
    read: () => disk.signState,
    write: (record) => {
      disk.signState = record;
      happened.push('seal');
    },
    isSealed: () => false,
    unseal: () => undefined,
    close: () => undefined,
  };
  const key = { address: self, sign: (digest: Uint8Array) => provider.sign(digest, keyOf(self)) };
  const clock = { nowMs: () => genesis.timestampMs + 1_000, monotonicMs: () => 0, after: () => () => undefined };
  const machine = createConsensus({
    validatorSet: tip.validators,
    height: 1 as Height,
    self,
    timeouts: lanTimeouts,
  });
  const gasLimit = genesis.evm.gasLimit;
  const mempool = createMempool({ blockGasLimit: gasLimit, baseFee: status.nextBaseFee });
  const host: HeightHost = new HeightHost({
    machine,
    self,
    context: tip.context(),
    firstRound: 0 as Round,
    domain,
    provider,
    signer: createSigningGuard({ domain, store, isOpen: true }).of(self, key, () => !host.stopped),
    proposers: new ProposerWatch(),
    mayReach: () => true,
    wal: {
      append: (entry) => {
        entries.push(entry);
        happened.push(`log ${decodeWalEntry(entry).kind}`);
      },
      sync: () => void happened.push('sync'),
    },
    execution: { check },
    verifier: { transactions: async () => [], actions: async () => [] },
    network: {
      peers: () => [],
      send: () => true,
      broadcast: ({ kind }) => void happened.push(`send ${kind}`),
      punish: (_peer, reason) => void happened.push(`punish: ${reason}`),
    },
    clock,
    log: { debug: () => undefined, info: () => undefined, warn: () => undefined },
    assembler: {
      assemble: async (_from, message) => ({ kind: 'block', executable: bare(message) }),
      reset: () => undefined,
    },
    build: createBlockBuilder({ mempool, clock, room: { bytes: 1_000_000, gas: Number(gasLimit) } }),
    evidence: { hasDue: false, select: async () => [] },
    lastCommit: () => null,
    checkLastCommit: tip.checkLastCommit,
    emit: (effect) => {
      effects.push(effect);
      happened.push(effect.kind);
    },
  });

  const voteOf = (validator: Address, type: Vote['type'], blockHash: Hash | null): Vote => {
    const fields = { type, height: 1 as Height, round: 0 as Round, blockHash, validator };
    const digest = voteSignDigest(domain.chainId, domain.genesisHash, fields);
    return { ...fields, signature: provider.sign(digest, keyOf(validator)) };
  };
  /** An empty block of the proposer, with its proposal. */
  const proposalOf = (): ProposalMessage => {
    const context = tip.context();
    const header = makeHeader({
      context,
      proposer,
      timestampMs: (genesis.timestampMs + 1_000) as typeof genesis.timestampMs,
      transactionHashes: [],
      actionHashes: [],
      evidence: [],
      lastCommit: null,
    });
    const executable = bare({ header, evidence: [], lastCommit: null });
    const fields = { height: 1 as Height, round: 0 as Round, polRound: -1 as Round, blockHash: executable.hash };
    const digest = proposalSignDigest(domain.chainId, domain.genesisHash, fields);
    const proposal: Proposal = { ...fields, proposer, signature: provider.sign(digest, keyOf(proposer)) };
    return proposalMessage(proposal, executable);
  };
  const others = genesis.validators.map(({ address }) => address).filter((address) => address !== self);
  /** What happened since this was asked for the last time. */
  const news = (): string[] => happened.splice(0);
  return { host, machine, effects, entries, disk, others, proposer, self, voteOf, proposalOf, news };
}

describe('what a height signs', () => {
  it('is logged, then synced, then sealed, then sent: once for all that one turn signs', async () => {
    const { host, news } = open();
    host.start();
    expect(news()).toEqual(['log start', 'round', 'proposed']);
    await settle();
    expect(news()).toEqual(['log proposal', 'voteSigned', 'log vote', 'sync', 'seal', 'send proposal', 'send vote']);
  });

  it('is durable before the decision that it is a part of is handed over', async () => {
    const { host, effects, news } = open({ validators: 1 });
    host.start();
    await settle();
    expect(news().slice(3)).toEqual([
      'log proposal',
      'voteSigned',
      'log vote',
      'polka',
      'voteSigned',
      'log vote',
      'decided',
      'sync',
      'seal',
      'send proposal',
      'send vote',
      'send vote',
      'commit',
    ]);
    const [proposed] = effects.filter(({ kind }) => kind === 'proposed');
    const commit = effects.at(-1);
    if (proposed?.kind !== 'proposed' || commit?.kind !== 'commit') throw new Error('nothing was committed');
    expect(commit.block).toBe(proposed.block);
    expect(commit.certificate).toMatchObject({ height: 1, round: 0, blockHash: proposed.block.hash });
  });
});

describe('a height that is replayed', () => {
  it('comes to where it was, and nothing is logged, signed or sent again', async () => {
    const before = open();
    before.host.start();
    await settle();
    const after = open({ signState: before.disk.signState });
    await after.host.replay(before.entries);
    await settle();
    expect(after.news()).toEqual([]);
    expect(after.machine.state).toEqual(before.machine.state);
    after.host.start();
    expect(after.news()).toEqual([]);
  });

  it('brings the sign state up to the log before anything else', async () => {
    const before = open();
    before.host.start();
    await settle();
    // Killed between the sync of the log and the sign state.
    const after = open();
    await after.host.replay(before.entries);
    await settle();
    expect(after.news()).toEqual(['seal', 'seal']);
    expect(after.disk.signState).toEqual(before.disk.signState);
  });

  it('signs what the log does not answer, once the log is at its end', async () => {
    const before = open();
    before.host.start();
    await settle();
    const after = open();
    await after.host.replay(before.entries.slice(0, 2));
    expect(after.news()).toEqual(['seal', 'voteSigned', 'log vote', 'sync', 'seal', 'send vote']);
    expect(after.disk.signState).toEqual(before.disk.signState);
  });

  it('hands over a decision of the log, and tells of nothing that was told before', async () => {
    const before = open({ validators: 1 });
    before.host.start();
    await settle();
    const after = open({ validators: 1, signState: before.disk.signState });
    await after.host.replay(before.entries);
    expect(after.news()).toEqual(['commit']);
  });
});

describe('what a height hears', () => {
  it('a good vote is told before it is logged, and the machine has it', () => {
    const { host, machine, others, voteOf, news } = open({ as: 'other' });
    host.start();
    news();
    const vote = voteOf(others[0]!, 'prevote', null);
    host.onMessage(others[1]!, { kind: 'vote', vote });
    expect(news()).toEqual(['voteHeard', 'verified', 'log vote']);
    expect(machine.votesFor(0 as Round)).toEqual([vote]);
    host.onMessage(others[0]!, { kind: 'vote', vote });
    expect(news()).toEqual([]);
  });

  it('a forged vote is held against its sender, and goes no further', () => {
    const { host, others, voteOf, news } = open({ as: 'other' });
    host.start();
    news();
    const vote = { ...voteOf(others[0]!, 'prevote', null), signature: new Uint8Array(65) };
    host.onMessage(others[1]!, { kind: 'vote', vote });
    expect(news()).toEqual(['punish: invalid vote signature']);
  });

  it('an own vote that this process did not make is heard, and says nothing of who is there', () => {
    const { host, self, others, voteOf, news } = open({ as: 'other' });
    host.onMessage(others[0]!, { kind: 'vote', vote: voteOf(self, 'prevote', null) });
    expect(news()).toEqual(['voteHeard']);
  });

  it('two votes of one validator for one place are an equivocation', () => {
    const { host, effects, others, voteOf } = open({ as: 'other' });
    host.start();
    for (const blockHash of [null, root])
      host.onMessage(others[0]!, { kind: 'vote', vote: voteOf(others[0]!, 'prevote', blockHash) });
    const found = effects.filter(({ kind }) => kind === 'equivocation');
    expect(found).toMatchObject([{ evidence: { kind: 'duplicateVote', first: { validator: others[0] } } }]);
  });

  it('a block is complete, judged and voted for', async () => {
    const { host, proposer, proposalOf, news } = open({ as: 'other' });
    host.start();
    news();
    host.onMessage(proposer, proposalOf());
    expect(news()).toEqual(['verified']);
    await settle();
    expect(news()).toEqual(['received', 'log proposal', 'voteSigned', 'log vote', 'sync', 'seal', 'send vote']);
  });
});

describe('a height that can not go on', () => {
  it('more than 2/3 decided what is refused here: it stops, and says which block', async () => {
    const check = async (): Promise<BlockCheck> => ({ ok: false, diverged: false, reason: 'gas' });
    const { host, effects, proposer, others, voteOf, proposalOf, news } = open({ as: 'other', check });
    const message = proposalOf();
    host.start();
    host.onMessage(proposer, message);
    await settle();
    const { blockHash } = message.proposal;
    host.onMessage(proposer, {
      kind: 'voteCertificate',
      votes: others.map((one) => voteOf(one, 'precommit', blockHash)),
    });
    expect(effects.at(-1)).toMatchObject({ kind: 'invalidDecision', block: { hash: blockHash } });
    expect(host.stopped).toBe(true);
    news();
    host.onMessage(others[0]!, { kind: 'vote', vote: voteOf(others[0]!, 'prevote', null) });
    expect(news()).toEqual([]);
  });

  it('execution that fails while the own block is checked ends it', async () => {
    const { host, effects, news } = open({ check: () => Promise.reject(new Error('broken')) });
    host.start();
    await settle();
    expect(news()).toEqual(['log start', 'round', 'proposed', 'failed']);
    expect(effects.at(-1)).toMatchObject({ error: { message: 'broken' } });
  });

  it('what is still under way when it is stopped has no effect', async () => {
    const [own, foreign] = [open(), open({ as: 'other' })];
    for (const { host, proposer, proposalOf, news } of [own, foreign]) {
      host.start();
      if (host === foreign.host) host.onMessage(proposer, proposalOf());
      news();
      host.stop();
      await settle();
      expect(news()).toEqual([]);
    }
  });
});

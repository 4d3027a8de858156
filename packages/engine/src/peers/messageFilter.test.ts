import { beforeEach, describe, expect, it } from '@jest/globals';
import {
  createProtocolSchedule,
  type Genesis,
  genesisHash,
  headerHash,
  type Proposal,
  proposalSignDigest,
  type Vote,
  voteSignDigest,
} from '@prime/codec';
import {
  advanceProposer,
  type ConsensusMachine,
  createConsensus,
  createProposerSchedule,
  lanTimeouts,
  validatorsFromGenesis,
} from '@prime/consensus';
import { createCryptoProvider, keccak256 } from '@prime/crypto';
import { type Address, type Hash, type Height, type Round, type TimestampMs, utf8ToBytes } from '@prime/primitives';
import { type HeightContext, makeHeader } from '../block/blockRules.ts';
import { createMessageFilter, type MessageFilter } from './messageFilter.ts';
import type { ProposalMessage } from '../ports.ts';
import { simulatedGenesis } from '../testing/genesis.ts';

const provider = await createCryptoProvider();
const keys = [0, 1, 2, 3].map((index) => keccak256(utf8ToBytes(`validator ${index}`)));
const genesis: Genesis = simulatedGenesis(keys.map((key) => provider.publicKey(key)));
const domain = { chainId: genesis.chainId, genesisHash: genesisHash(genesis) };
const validators = validatorsFromGenesis(genesis.validators);
const block = `0x${'b1'.repeat(32)}` as Hash;
const other = `0x${'b2'.repeat(32)}` as Hash;
const peer = genesis.validators[1]!.address;

function vote(index: number, blockHash: Hash | null, changes: Partial<Vote> = {}): Vote {
  const validator = genesis.validators[index]!.address;
  const fields = { type: 'prevote', height: 1 as Height, round: 0 as Round, blockHash, validator, ...changes } as const;
  const digest = voteSignDigest(domain.chainId, domain.genesisHash, fields);
  return { ...fields, signature: provider.sign(digest, keys[index]!) };
}

let machine: ConsensusMachine;
let filter: MessageFilter;
let punished: Address[];
beforeEach(() => {
  machine = createConsensus({ validatorSet: validators, height: 1 as Height, self: null, timeouts: lanTimeouts });
  machine.step({ kind: 'startRound', round: 0 as Round });
  punished = [];
  filter = createMessageFilter({
    context: { validators } as HeightContext,
    machine,
    self: null,
    domain,
    provider,
    network: {
      peers: () => [],
      send: () => false,
      broadcast: () => undefined,
      punish: (address) => void punished.push(address),
    },
  });
});

/** What a height does with a vote from the network; whether it came through. */
function hear(heard: Vote): boolean {
  const wanted = filter.vote(peer, heard);
  for (const one of wanted) machine.step({ kind: 'vote', vote: one });
  filter.markVotes(wanted);
  return wanted.length > 0;
}
function hearTogether(votes: readonly Vote[]): boolean {
  if (!filter.certificate(peer, votes)) return false;
  machine.step({ kind: 'voteCertificate', votes });
  filter.markVotes(votes);
  return true;
}

describe('votes that come again', () => {
  it('are let in once', () => {
    expect([hear(vote(0, block)), hear(vote(0, block))]).toEqual([true, false]);
    expect(hearTogether([vote(0, block)])).toBe(false);
  });

  it('a second vote of one validator is let in once, for the evidence, and no more', () => {
    expect([hear(vote(3, other)), hear(vote(3, block)), hear(vote(3, block))]).toEqual([true, true, false]);
  });

  it('a polka is let in although each of its votes was heard, when one of them could not count alone', () => {
    // The fourth validator was first heard with another vote: one by one, the three make no quorum here.
    hear(vote(3, other));
    const polka = [vote(0, block), vote(1, block), vote(3, block)];
    for (const one of polka) hear(one);
    expect(machine.isNewQuorum(polka)).toBe(true);
    expect(hearTogether(polka)).toBe(true);
    expect(machine.isNewQuorum(polka)).toBe(false);
    // Once counted it is old: a peer can not fill the log with it.
    expect(hearTogether(polka)).toBe(false);
  });

  it('the same when they came together with votes for other values', () => {
    hear(vote(3, other));
    const polka = [vote(0, block), vote(1, block), vote(3, block)];
    expect(hearTogether([...polka, vote(2, null)])).toBe(true);
    expect(hearTogether(polka)).toBe(true);
    expect(hearTogether(polka)).toBe(false);
  });

  it('a vote that had to make room for one of a later round is new when it comes again', () => {
    const far = vote(0, block, { round: 10 as Round });
    expect([hear(far), hear(far)]).toEqual([true, false]);
    hear(vote(0, block, { round: 20 as Round }));
    expect(hear(far)).toBe(true);
  });
});

describe('a vote that comes when its quorum is counted already', () => {
  const late = genesis.validators[3]!.address;
  beforeEach(() => {
    for (const index of [0, 1, 2]) hear(vote(index, block));
  });

  it('is put aside, its signature unchecked', () => {
    expect(machine.hasQuorum('prevote', 0 as Round, block)).toBe(true);
    expect(filter.vote(late, { ...vote(3, block), signature: new Uint8Array(65) })).toEqual([]);
    expect(punished).toEqual([]);
    expect(filter.vote(late, vote(3, block))).toEqual([]);
  });

  it('counts as evidence once its validator votes for something else', () => {
    expect(filter.vote(late, vote(3, block))).toEqual([]);
    const both = filter.vote(late, vote(3, other));
    expect(both).toEqual([vote(3, block), vote(3, other)]);
    const effects = both.flatMap((one) => machine.step({ kind: 'vote', vote: one }));
    expect(effects.map(({ kind }) => kind)).toContain('evidence');
  });

  it('does not hide another vote of the validator when it was forged', () => {
    expect(filter.vote(late, { ...vote(3, block), signature: new Uint8Array(65) })).toEqual([]);
    expect(filter.vote(late, vote(3, other))).toEqual([vote(3, other)]);
  });

  it('is let in when somebody else passes it on, and when it is for another value', () => {
    expect(filter.vote(peer, vote(3, block))).toEqual([vote(3, block)]);
    expect(filter.vote(late, vote(3, null))).toEqual([vote(3, null)]);
  });
});

describe('signatures', () => {
  it('one that does not hold is punished and keeps a whole certificate out', () => {
    const forged = { ...vote(0, block), signature: vote(0, other).signature };
    expect([hear(forged), hearTogether([vote(1, block), forged])]).toEqual([false, false]);
    expect(punished).toEqual([peer, peer]);
    expect(hear(vote(0, block))).toBe(true);
  });
});

describe('votes that cost nothing', () => {
  it.each<[string, Partial<Vote>]>([
    ['of an unknown validator', { validator: `0x${'99'.repeat(20)}` as Address }],
    ['of another height', { height: 2 as Height }],
    ['of a round below 0', { round: -1 as Round }],
  ])('%s: dropped before the signature is looked at, and nobody is punished', (_, changes) => {
    const careful = createMessageFilter({
      context: { validators } as HeightContext,
      machine,
      self: null,
      domain,
      provider: {
        ...provider,
        verify: () => {
          throw new Error('must not be called');
        },
      },
      network: {
        peers: () => [],
        send: () => false,
        broadcast: () => undefined,
        punish: (who) => void punished.push(who),
      },
    });
    const unsigned: Vote = {
      type: 'prevote',
      height: 1 as Height,
      round: 0 as Round,
      blockHash: block,
      validator: peer,
      signature: new Uint8Array(65),
      ...changes,
    };
    expect(careful.vote(peer, unsigned)).toEqual([]);
    expect(punished).toEqual([]);
  });
});

describe('certificates', () => {
  it('of more votes than two of each validator of the largest set: dropped, whoever signed them', () => {
    const rounds = Array.from({ length: 201 }, (_, round) => vote(0, block, { round: round as Round }));
    expect(filter.certificate(peer, rounds)).toBe(false);
    expect(filter.certificate(peer, rounds.slice(1))).toBe(true);
    expect(punished).toEqual([]);
  });
});

describe('proposals', () => {
  const schedule = createProposerSchedule(validators);
  const proposerOf = (round: number): number =>
    genesis.validators.findIndex(({ address }) => address === schedule.proposer(round as Round));
  const zero = `0x${'00'.repeat(32)}` as Hash;

  /** What the proposer of a round would say; each `afterMs` is another block. */
  function proposal(round: number, afterMs = 1, changes: Partial<Proposal> = {}): ProposalMessage {
    const proposer = genesis.validators[proposerOf(round)]!.address;
    const header = makeHeader({
      context: {
        chainId: genesis.chainId,
        rules: createProtocolSchedule([]).rulesAt(1 as Height)!,
        head: {
          height: 0 as Height,
          hash: domain.genesisHash,
          roots: { stateRoot: zero, receiptsRoot: zero, eventsRoot: zero, gasUsed: 0n },
          nextBaseFee: genesis.evm.initialBaseFee,
        },
        parentTimestampMs: genesis.timestampMs,
        gasLimit: genesis.evm.gasLimit,
        params: genesis.consensus,
        openActions: true,
        validators,
        nextValidators: advanceProposer(validators),
      },
      proposer,
      timestampMs: (genesis.timestampMs + afterMs) as TimestampMs,
      transactionHashes: [],
      actionHashes: [],
      evidence: [],
      lastCommit: null,
    });
    const fields = {
      height: 1 as Height,
      round: round as Round,
      polRound: -1 as Round,
      blockHash: headerHash(header),
      proposer,
      ...changes,
    };
    const digest = proposalSignDigest(domain.chainId, domain.genesisHash, fields);
    const signature = provider.sign(digest, keys[proposerOf(round)]!);
    return {
      kind: 'proposal',
      proposal: { ...fields, signature },
      header,
      evidence: [],
      lastCommit: null,
      transactionHashes: [],
      actionHashes: [],
      bodies: null,
    };
  }

  it('one of the proposer of its round comes through once', () => {
    expect([filter.proposal(peer, proposal(0)), filter.proposal(peer, proposal(0))]).toEqual([true, false]);
  });

  it('two of one round come through, which convicts their proposer, and no third one', () => {
    const [first, second, third] = [1, 2, 3].map((afterMs) => proposal(0, afterMs)) as [
      ProposalMessage,
      ProposalMessage,
      ProposalMessage,
    ];
    expect([first, second, third].map((message) => filter.proposal(peer, message))).toEqual([true, true, false]);
    const effects = [first, second].flatMap((message) =>
      machine.step({ kind: 'proposal', proposal: message.proposal, validity: 'valid' }),
    );
    expect(effects.map(({ kind }) => kind)).toContain('evidence');
    // More than two thirds voted for it: it has to be known.
    for (const index of [0, 1, 2]) hear(vote(index, third.proposal.blockHash));
    expect(filter.proposal(peer, third)).toBe(true);
  });

  it('of this round and the two after it, and of no later one', () => {
    expect([0, 1, 2, 3, 100].map((round) => filter.proposal(peer, proposal(round)))).toEqual([
      true,
      true,
      true,
      false,
      false,
    ]);
  });

  it.each<[string, (message: ProposalMessage) => ProposalMessage]>([
    [
      'of another height',
      ({ proposal: said, ...rest }) => ({ ...rest, proposal: { ...said, height: 2 as Height } }) as ProposalMessage,
    ],
    [
      'of whose turn it is not',
      ({ proposal: said, ...rest }) => ({
        ...rest,
        proposal: { ...said, proposer: genesis.validators[(proposerOf(0) + 1) % 4]!.address },
      }),
    ],
  ])('%s: dropped, and nobody is punished', (_, change) => {
    expect(filter.proposal(peer, change(proposal(0)))).toBe(false);
    expect(punished).toEqual([]);
  });

  it.each<[string, (message: ProposalMessage) => ProposalMessage]>([
    [
      'a signature that does not hold',
      (message) => ({ ...message, proposal: { ...message.proposal, signature: new Uint8Array(65) } }),
    ],
    ['another header', (message) => ({ ...message, header: proposal(0, 9).header })],
    ['other hashes', (message) => ({ ...message, actionHashes: [other] })],
    [
      'a block of another proposer that is told to be new',
      () => {
        const foreign = proposal(1);
        return { ...proposal(0, 1, { blockHash: foreign.proposal.blockHash }), header: foreign.header };
      },
    ],
  ])('with %s: dropped, and who passed it on is punished', (_, change) => {
    expect(filter.proposal(peer, change(proposal(0)))).toBe(false);
    expect(punished).toEqual([peer]);
    // Whoever told it first has not taken the place of the true one.
    expect(filter.proposal(peer, proposal(0))).toBe(true);
  });
});

import { beforeEach, describe, expect, it } from '@jest/globals';
import { type Genesis, genesisHash, type Vote, voteSignDigest } from '@prime/codec';
import { type ConsensusMachine, createConsensus, lanTimeouts, validatorsFromGenesis } from '@prime/consensus';
import { createCryptoProvider, keccak256 } from '@prime/crypto';
import { type Address, type Hash, type Height, type Round, utf8ToBytes } from '@prime/primitives';
import type { HeightContext } from './blockRules.ts';
import { createMessageFilter, type MessageFilter } from './messageFilter.ts';
import { simulatedGenesis } from './testing/genesis.ts';

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

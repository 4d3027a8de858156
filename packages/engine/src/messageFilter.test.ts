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
  if (!filter.vote(peer, heard)) return false;
  machine.step({ kind: 'vote', vote: heard });
  filter.markVotes([heard]);
  return true;
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

describe('signatures', () => {
  it('one that does not hold is punished and keeps a whole certificate out', () => {
    const forged = { ...vote(0, block), signature: vote(0, other).signature };
    expect([hear(forged), hearTogether([vote(1, block), forged])]).toEqual([false, false]);
    expect(punished).toEqual([peer, peer]);
    expect(hear(vote(0, block))).toBe(true);
  });
});

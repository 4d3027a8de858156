import { beforeAll, describe, expect, it } from '@jest/globals';
import { type CommitCertificate, type ValidatorSet, type Vote, voteSignDigest } from '@prime/codec';
import { validatorsFromGenesis, verifyCommitCertificate } from '@prime/consensus';
import { createCryptoProvider, type CryptoProvider, keccak256 } from '@prime/crypto';
import { type Hash, type Height, type Round, utf8ToBytes } from '@prime/primitives';
import { LateCommits } from './lateCommits.ts';
import { simulatedGenesis } from '../testing/genesis.ts';

const hash = (byte: string): Hash => `0x${byte.repeat(32)}` as Hash;
const domain = { chainId: 7919, genesisHash: hash('99') };
const block = hash('01');
const keys = [0, 1, 2, 3].map((index) => keccak256(utf8ToBytes(`key ${index}`)));
let provider: CryptoProvider;
let set: ValidatorSet;

beforeAll(async () => {
  provider = await createCryptoProvider();
  set = validatorsFromGenesis(simulatedGenesis(keys.map((key) => provider.publicKey(key))).validators);
});

const keyOf = (index: number): Uint8Array => {
  const { publicKey } = set.validators[index]!;
  return keys.find((key) => String(provider.publicKey(key)) === String(publicKey))!;
};

function precommit(index: number, changes: Partial<Vote> = {}): Vote {
  const vote = { type: 'precommit', height: 7 as Height, round: 1 as Round, blockHash: block, ...changes } as const;
  const { address } = set.validators[index]!;
  const digest = voteSignDigest(domain.chainId, domain.genesisHash, vote);
  return { validator: address, signature: provider.sign(digest, keyOf(index)), ...vote, ...changes };
}

const certificateOf = (indices: readonly number[]): CommitCertificate => ({
  height: 7 as Height,
  round: 1 as Round,
  blockHash: block,
  signatures: indices.map((index) => {
    const { validator, signature } = precommit(index);
    return { validator, signature };
  }),
});

describe('LateCommits', () => {
  it('a late precommit takes its place in the order of the set, and the certificate still holds', () => {
    const late = new LateCommits(domain, provider);
    const vote = precommit(1);
    late.note(vote.validator, vote, set);
    const whole = late.complete(certificateOf([0, 2, 3]), set);
    expect(whole.signatures.map(({ validator }) => validator)).toEqual(set.validators.map(({ address }) => address));
    expect(verifyCommitCertificate(whole, set, { ...domain, provider })).toMatchObject({ ok: true });
  });

  it.each([
    ['for another block', { blockHash: hash('02') }],
    ['for nil', { blockHash: null }],
    ['of another round', { round: 0 as Round }],
    ['of another height', { height: 6 as Height }],
    ['that is a prevote', { type: 'prevote' as const }],
    ['with a wrong signature', { signature: new Uint8Array(65) }],
  ])('a vote %s is left out', (_, changes) => {
    const late = new LateCommits(domain, provider);
    const vote = precommit(1, changes);
    late.note(vote.validator, vote, set);
    const certificate = certificateOf([0, 2, 3]);
    expect(late.complete(certificate, set)).toBe(certificate);
  });

  it('one of the height before, whatever its round, does not take the place of a newer one', () => {
    const late = new LateCommits(domain, provider);
    for (const vote of [precommit(1), precommit(1, { height: 6 as Height, round: 3 as Round })])
      late.note(vote.validator, vote, set);
    expect(late.complete(certificateOf([0, 2, 3]), set).signatures).toHaveLength(4);
  });

  it('nobody else can put a vote into the place of a validator', () => {
    const late = new LateCommits(domain, provider);
    const vote = precommit(1);
    late.note(vote.validator, vote, set);
    late.note(set.validators[2]!.address, { ...vote, height: 8 as Height, signature: new Uint8Array(65) }, set);
    expect(late.complete(certificateOf([0, 2, 3]), set).signatures).toHaveLength(4);
  });

  it('who is not in the set is not remembered', () => {
    const late = new LateCommits(domain, provider);
    const vote = precommit(1);
    late.note(vote.validator, vote, { validators: set.validators.filter(({ address }) => address !== vote.validator) });
    const certificate = certificateOf([0, 2, 3]);
    expect(late.complete(certificate, set)).toBe(certificate);
  });
});

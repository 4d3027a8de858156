import { describe, expect, it } from '@jest/globals';
import { type CommitCertificate, voteSignDigest } from '@prime/codec';
import { cryptoProvider, publicKeyToAddress } from '@prime/crypto';
import { type Hash, type Height, parseAddress, parseHash, type Round } from '@prime/primitives';
import {
  certificateFromVotes,
  createValidatorSet,
  isTimely,
  verifyCommitCertificate,
  votesFromCertificate,
} from './index.ts';
import { memberOf } from './testing/members.ts';

const chainId = 7;
const genesisHash = parseHash(`0x${'9'.repeat(64)}`);
const blockHash = parseHash(`0x${'a'.repeat(64)}`);
const height = 12 as Height;
const round = 1 as Round;
const provider = await cryptoProvider();
const keys = [1, 2, 3, 4].map((index) => new Uint8Array(32).fill(index));

const validatorSet = createValidatorSet(
  keys.map((key, index) => {
    const publicKey = provider.publicKey(key);
    return { ...memberOf(index), signer: publicKeyToAddress(publicKey), publicKey };
  }),
);
const context = { chainId, genesisHash, provider };

function sign(index: number, change: { chainId?: number; round?: Round; blockHash?: Hash; type?: 'prevote' } = {}) {
  const digest = voteSignDigest(change.chainId ?? chainId, genesisHash, {
    type: change.type ?? 'precommit',
    height,
    round: change.round ?? round,
    blockHash: change.blockHash ?? blockHash,
  });
  return { validator: validatorSet.validators[index]!.address, signature: provider.sign(digest, keys[index]!) };
}
const certificateOf = (...signatures: CommitCertificate['signatures']): CommitCertificate => ({
  height,
  round,
  blockHash,
  signatures,
});

describe('commit certificates', () => {
  it('three of four suffice, four as well', () => {
    expect(verifyCommitCertificate(certificateOf(sign(0), sign(1), sign(3)), validatorSet, context)).toEqual({
      ok: true,
      power: 3n,
    });
    expect(
      verifyCommitCertificate(certificateOf(...[0, 1, 2, 3].map((index) => sign(index))), validatorSet, context),
    ).toEqual({
      ok: true,
      power: 4n,
    });
  });

  it('votes become a certificate and come back', () => {
    const certificate = certificateOf(sign(0), sign(1), sign(2));
    expect(certificateFromVotes(height, round, blockHash, votesFromCertificate(certificate))).toEqual(certificate);
  });

  it.each([
    ['two of four', certificateOf(sign(0), sign(1)), 'notEnoughPower'],
    ['no signature', certificateOf(), 'notEnoughPower'],
    ['one validator twice', certificateOf(sign(0), sign(1), sign(1)), 'notInOrder'],
    ['out of order', certificateOf(sign(1), sign(0), sign(2)), 'notInOrder'],
    [
      'a stranger',
      certificateOf(sign(0), sign(1), { ...sign(2), validator: parseAddress(`0x${'e'.repeat(40)}`) }),
      'unknownValidator',
    ],
    [
      'a signature of another validator',
      certificateOf(sign(0), sign(1), { ...sign(3), validator: sign(2).validator }),
      'invalidSignature',
    ],
    [
      'a signature for another block',
      certificateOf(sign(0), sign(1), sign(2, { blockHash: genesisHash })),
      'invalidSignature',
    ],
    [
      'a signature for another round',
      certificateOf(sign(0), sign(1), sign(2, { round: 0 as Round })),
      'invalidSignature',
    ],
    ['a signature for another chain', certificateOf(sign(0), sign(1), sign(2, { chainId: 8 })), 'invalidSignature'],
    ['a prevote', certificateOf(sign(0), sign(1), sign(2, { type: 'prevote' })), 'invalidSignature'],
    [
      'a bad signature beyond the quorum',
      certificateOf(sign(0), sign(1), sign(2), { ...sign(3), signature: new Uint8Array(65) }),
      'invalidSignature',
    ],
    [
      'a short signature',
      certificateOf(sign(0), sign(1), { ...sign(2), signature: new Uint8Array(64) }),
      'invalidSignature',
    ],
    [
      'another round than signed',
      { ...certificateOf(sign(0), sign(1), sign(2)), round: 2 as Round },
      'invalidSignature',
    ],
    ['a negative round', { ...certificateOf(sign(0), sign(1), sign(2)), round: -1 as Round }, 'malformedRound'],
  ])('refused: %s', (_, certificate, code) => {
    expect(verifyCommitCertificate(certificate, validatorSet, context)).toMatchObject({ ok: false, refusal: { code } });
  });

  it('refused: not for the block that is expected', () => {
    const certificate = certificateOf(sign(0), sign(1), sign(2));
    const check = (expected: { height: Height; blockHash: Hash }) =>
      verifyCommitCertificate(certificate, validatorSet, { ...context, expected });
    expect(check({ height, blockHash })).toMatchObject({ ok: true });
    expect(check({ height: 13 as Height, blockHash })).toMatchObject({ refusal: { code: 'otherBlock' } });
    expect(check({ height, blockHash: genesisHash })).toMatchObject({ refusal: { code: 'otherBlock' } });
  });

  it.each([
    [64, false],
    [65, true],
    [66, false],
  ])('signatures have 65 bytes, whatever a provider takes: %i is %p', (length, ok) => {
    const last = { ...sign(2), signature: new Uint8Array(length) };
    const lenient = { ...context, provider: { verify: () => true } };
    expect(verifyCommitCertificate(certificateOf(sign(0), sign(1), last), validatorSet, lenient).ok).toBe(ok);
  });

  it('a certificate without power costs no signature check', () => {
    const verify = (): boolean => {
      throw new Error('must not be called');
    };
    const check = verifyCommitCertificate(certificateOf(sign(0)), validatorSet, { ...context, provider: { verify } });
    expect(check).toEqual({ ok: false, refusal: { code: 'notEnoughPower', power: 1n, total: 4n } });
  });
});

describe('timeliness of a new block', () => {
  const params = { precisionMs: 100, messageDelayMs: 1_000 };
  const at = (timestampMs: number, receivedMs: number, inRound = 0): boolean =>
    isTimely({ timestampMs, receivedMs, round: inRound }, params);

  it('accepts what an honest proposer with a clock within the precision sends, to the millisecond', () => {
    expect([at(10_100, 10_000), at(10_101, 10_000)]).toEqual([true, false]);
    expect([at(10_000, 11_100), at(10_000, 11_101)]).toEqual([true, false]);
  });

  it('allows a tenth more delay with each round, and no more of the future', () => {
    expect([at(10_000, 11_600, 4), at(10_000, 11_600, 5), at(10_000, 11_601, 5)]).toEqual([false, true, false]);
    expect(at(10_101, 10_000, 50)).toBe(false);
  });
});

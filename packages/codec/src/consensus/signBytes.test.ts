import { type Hash, type Height, type Round, bytesToHex } from '@prime/primitives';
import { expect, describe, it } from '@jest/globals';
import fc from 'fast-check';
import { keccakHex } from '@prime/crypto';
import { proposal, vote } from '../testing/arbitraries.ts';
import { proposalSignBytes, voteSignBytes, voteSignDigest } from './signBytes.ts';
describe('sign bytes', () => {
  it('the digest of a vote is the hash of its bytes, whatever was asked before', () => {
    const few = fc.record({
      type: fc.constantFrom('prevote' as const, 'precommit' as const),
      height: fc.integer({ min: 1, max: 2 }) as fc.Arbitrary<Height>,
      round: fc.integer({ min: 0, max: 1 }) as fc.Arbitrary<Round>,
      blockHash: fc.constantFrom(null, `0x${'aa'.repeat(32)}` as Hash, `0x${'ab'.repeat(32)}` as Hash),
    });
    const networks = fc.record({
      chainId: fc.constantFrom(1, 2),
      genesis: fc.constantFrom(`0x${'11'.repeat(32)}` as Hash, `0x${'12'.repeat(32)}` as Hash),
    });
    fc.assert(
      fc.property(fc.array(fc.tuple(networks, few), { maxLength: 40 }), (asked) => {
        for (const [{ chainId, genesis: network }, vote] of asked)
          expect(bytesToHex(voteSignDigest(chainId, network, vote))).toBe(
            keccakHex(voteSignBytes(chainId, network, vote)),
          );
      }),
    );
  });

  const genesis = `0x${'11'.repeat(32)}` as Hash;

  it('differ whenever network, kind or content differ', () => {
    fc.assert(
      fc.property(vote, vote, (one, other) => {
        const same =
          one.type === other.type &&
          one.height === other.height &&
          one.round === other.round &&
          one.blockHash === other.blockHash;
        const [left, right] = [one, other].map((entry) => bytesToHex(voteSignBytes(7919, genesis, entry)));
        expect(left === right).toBe(same);
        expect(bytesToHex(voteSignBytes(7920, genesis, one))).not.toBe(left);
        expect(bytesToHex(voteSignBytes(7919, `0x${'12'.repeat(32)}` as Hash, one))).not.toBe(left);
      }),
    );
  });

  it('a vote for the zero hash is not a vote for nil', () => {
    const base = { type: 'prevote', height: 1 as Height, round: 0 as Round } as const;
    const zero = voteSignBytes(1, genesis, { ...base, blockHash: `0x${'00'.repeat(32)}` as Hash });
    expect(zero).not.toEqual(voteSignBytes(1, genesis, { ...base, blockHash: null }));
  });

  it('of votes and proposals never have the same length', () => {
    const value = fc.sample(proposal, { numRuns: 1, seed: 2 })[0]!;
    expect(proposalSignBytes(1, genesis, value)).toHaveLength(106);
    expect(voteSignBytes(1, genesis, { ...value, type: 'prevote' })).toHaveLength(102);
  });

  it('refuse rounds outside of 31 bits', () => {
    for (const bad of [-1, 2 ** 31])
      expect(() =>
        voteSignBytes(1, genesis, { type: 'prevote', height: 1 as Height, round: bad as Round, blockHash: null }),
      ).toThrow(expect.objectContaining({ code: 'CODEC_FIELD_INVALID' }) as never);
  });
});

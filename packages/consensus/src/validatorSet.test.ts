import { describe, expect, it } from '@jest/globals';
import type { Address } from '@prime/primitives';
import { addressOf, memberOf } from './testing/members.ts';
import { createValidatorSet, findValidator, followMembers, totalPower, updateValidatorSet } from './validatorSet.ts';

const codeOf = (work: () => unknown): string | undefined => {
  try {
    work();
    return undefined;
  } catch (error) {
    return (error as { readonly code: string }).code;
  }
};
const priorityOf = (set: ReturnType<typeof createValidatorSet>, address: Address): bigint | undefined =>
  findValidator(set, address)?.proposerPriority;

describe('a validator set', () => {
  it('is in order of power, then of address', () => {
    const set = createValidatorSet([memberOf(2, 5n), memberOf(1, 5n), memberOf(0, 4n), memberOf(3, 9n)]);
    expect(set.validators.map(({ moniker }) => moniker)).toEqual(['v3', 'v1', 'v2', 'v0']);
    expect(totalPower(set)).toBe(23n);
  });

  it.each([
    ['nobody', [], 'CONSENSUS_EMPTY_VALIDATOR_SET'],
    ['one twice', [memberOf(0), memberOf(0)], 'CONSENSUS_DUPLICATE_VALIDATOR'],
    [
      'two with one signer',
      [memberOf(0), { ...memberOf(1), signer: memberOf(0).signer }],
      'CONSENSUS_DUPLICATE_VALIDATOR',
    ],
    [
      'a signer that is another’s address',
      [memberOf(0), { ...memberOf(1), signer: addressOf(0) }],
      'CONSENSUS_DUPLICATE_VALIDATOR',
    ],
    ['power -1', [memberOf(0, -1n)], 'CONSENSUS_INVALID_POWER'],
    ['power 0', [memberOf(0, 0n)], 'CONSENSUS_INVALID_POWER'],
    ['power 1', [memberOf(0, 1n)], undefined],
  ])('%s: %s', (_what, members, code) => {
    expect(codeOf(() => createValidatorSet(members))).toBe(code);
  });
});

describe('changes of a set', () => {
  const set = createValidatorSet([memberOf(0, 8n), memberOf(1, 8n)]);

  it.each([
    ['power -1', [memberOf(0, -1n)], 'CONSENSUS_INVALID_POWER'],
    ['one twice', [memberOf(0, 2n), memberOf(0, 3n)], 'CONSENSUS_DUPLICATE_VALIDATOR'],
    ['a stranger that leaves', [memberOf(5, 0n)], 'CONSENSUS_UNKNOWN_VALIDATOR'],
    ['everybody leaves', [memberOf(0, 0n), memberOf(1, 0n)], 'CONSENSUS_EMPTY_VALIDATOR_SET'],
    ['all but one leave', [memberOf(0, 0n)], undefined],
  ])('%s: %s', (_what, changes, code) => {
    expect(codeOf(() => updateValidatorSet(set, changes))).toBe(code);
  });

  it('none of them leave the set as it is', () => {
    expect(updateValidatorSet(set, [])).toBe(set);
    expect(followMembers(set, set.validators)).toBe(set);
  });

  it('who joins starts behind all others, by 1.125 of the total, also after it left', () => {
    const joined = updateValidatorSet(set, [memberOf(2, 8n)]);
    expect(priorityOf(joined, addressOf(0))! - priorityOf(joined, addressOf(2))!).toBe(24n + 3n);
    const without = followMembers(joined, [memberOf(0, 8n), memberOf(1, 8n)]);
    expect(without.validators.map(({ moniker }) => moniker)).toEqual(['v0', 'v1']);
    const again = updateValidatorSet(without, [memberOf(2, 8n)]);
    expect(priorityOf(again, addressOf(0))! - priorityOf(again, addressOf(2))!).toBe(24n + 3n);
  });

  it('another key keeps its validator’s priority', () => {
    const ranked = createValidatorSet([memberOf(0, 8n, 3n), memberOf(1, 8n, -3n)]);
    const publicKey = new Uint8Array(33).fill(1);
    const followed = followMembers(ranked, [{ ...memberOf(0, 8n), publicKey }, memberOf(1, 8n)]);
    expect(priorityOf(followed, addressOf(0))).toBe(3n);
    expect(findValidator(followed, addressOf(0))!.publicKey).toEqual(publicKey);
  });
});

import { encodeValidatorSet, type StoredBlock, type ValidatorSet } from '@prime/codec';
import { advanceProposer, createProposerSchedule, followMembers } from '@prime/consensus';

/**
 * What can be said of proposer priorities that a stranger sent. They are in no hash, so a header names the members of a set and not whose turn it is;
 * but the next set follows from the one before it, and who proposed a block that was decided in round 0 had the first turn.
 *
 * @param at the block, with a certificate that is verified, and the sets of its height and of the next one, whose members are those that headers name
 * @returns why they can not be the true ones, or null
 */
export function refuseRotation(at: {
  readonly stored: Pick<StoredBlock, 'block' | 'certificate'>;
  readonly validators: ValidatorSet;
  readonly nextValidators: ValidatorSet;
}): string | null {
  const { block, certificate } = at.stored;
  const next = followMembers(advanceProposer(at.validators), at.nextValidators.validators);
  if (String(encodeValidatorSet(next)) !== String(encodeValidatorSet(at.nextValidators)))
    return 'the turns of its next validators do not follow from those of its validators';
  const first = createProposerSchedule(at.validators).proposer(0);
  // In a later round it may be a block of an earlier one.
  if (certificate.round === 0 && first !== block.header.proposer)
    return `${first} had the first turn at its height, and ${block.header.proposer} proposed`;
  return null;
}

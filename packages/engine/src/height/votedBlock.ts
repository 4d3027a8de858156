import { isSkipQuorum, type ValidatorSet, type Vote } from '@prime/codec';
import type { Address, Hash } from '@prime/primitives';

/**
 * The block that more than a third of the power voted for in a round: an honest validator is among them, so it is somewhere.
 *
 * @param votes of one round, of any type
 * @returns null when there is none
 */
export function votedBlock(votes: readonly Vote[], { validators }: ValidatorSet): Hash | null {
  const voters = new Map<Hash, Set<Address>>();
  for (const { blockHash, validator } of votes) {
    if (blockHash === null) continue;
    const known = voters.get(blockHash);
    if (known === undefined) voters.set(blockHash, new Set([validator]));
    else known.add(validator);
  }
  const total = validators.reduce((sum, { power }) => sum + power, 0n);
  for (const [blockHash, its] of voters) {
    const power = validators.reduce((sum, one) => (its.has(one.address) ? sum + one.power : sum), 0n);
    if (isSkipQuorum(power, total)) return blockHash;
  }
  return null;
}

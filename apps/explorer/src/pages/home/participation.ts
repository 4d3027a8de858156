import type { NativeBlockHead, Validator } from '@prime/sdk';

/**
 * Blocks that decide whether a validator is up. A certificate is made with the first precommits that are enough, so one that is
 * slower than the others is missing in some; one that is down is missing in all.
 */
const recentBlocks = 12;

/** Blocks of the newest ones that a validator signed, from 0 to 1; null while none are known. @param blocks newest first */
export function signedShare(address: string, blocks: readonly NativeBlockHead[]): number | null {
  const commits = blocks.flatMap(({ commit }) => (commit === null ? [] : [commit]));
  if (commits.length === 0) return null;
  return commits.filter(({ signers }) => signers.includes(address as `0x${string}`)).length / commits.length;
}

export const isUp = (address: string, blocks: readonly NativeBlockHead[]): boolean =>
  (signedShare(address, blocks.slice(0, recentBlocks)) ?? 0) > 0;

export const upCount = (validators: readonly Validator[], blocks: readonly NativeBlockHead[]): number =>
  validators.filter(({ address }) => isUp(address, blocks)).length;

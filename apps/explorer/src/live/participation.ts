import type { NativeBlockHead } from '@prime/sdk';
import type { Absence } from './presence.ts';

/**
 * Blocks that decide whether a validator is up. A certificate is made with the first precommits that are enough, so one that is
 * slower than the others is missing in some; one that is down is missing in all.
 */
const recentBlocks = 12;

/** Looks at the node's connections in a row without a validator that it had, after which it is away whatever old blocks say. */
const goneLooks = 2;

type Signed = { readonly signers: readonly string[] } | null;
/** A block as far as it tells who signed it. */
type SignedBlock = Pick<NativeBlockHead, 'commit'>;

/** Blocks of the newest ones that a validator signed, from 0 to 1; null while none are known. @param blocks newest first */
export function signedShare(address: string, blocks: readonly SignedBlock[]): number | null {
  const commits = blocks.flatMap(({ commit }: { readonly commit: Signed }) => (commit === null ? [] : [commit]));
  if (commits.length === 0) return null;
  return commits.filter(({ signers }) => signers.includes(address)).length / commits.length;
}

/** @param absence what the node's connections tell, which is sooner than blocks */
export function isUp(address: string, blocks: readonly SignedBlock[], absence: Absence): boolean {
  const gone = absence.get(address) ?? 0;
  // It went before the newest block was signed: nothing is left to wait for.
  if (gone >= goneLooks || (gone > 0 && (signedShare(address, blocks.slice(0, 1)) ?? 0) === 0)) return false;
  return (signedShare(address, blocks.slice(0, recentBlocks)) ?? 0) > 0;
}

import { verifyLightBlock } from '@prime/consensus';
import { fromTrust } from './chainTrust.ts';
import { LightClientError, reading } from './errors.ts';
import { toChainBlock } from './lightBlock.ts';
import { errorOfRefusal } from './refusals.ts';
import { trustGenesis } from './trust.ts';
import type { Genesis, LightBlock, LightTrust, VerifiedBlock, VerifyBlockOptions } from './types.ts';
import { beforeTrust, contextOf, toVerified } from './verification.ts';

/** Blocks that lead from what is trusted to the wanted one. */
export interface VerifyBlockParameters extends VerifyBlockOptions {
  /**
   * The block, or blocks on the way to it and itself, ascending. One is enough while more than 1/3 of the power of the trusted validators still signs;
   * `createLightClient` finds which blocks are needed.
   */
  readonly blocks: LightBlock | readonly LightBlock[];
}

/**
 * A genesis, or trust that was kept, as trust.
 *
 * @throws LightClientError where it can not be read
 */
export const trustOf = (root: Genesis | LightTrust): LightTrust =>
  reading('the root', () => ('format' in root ? (root as LightTrust) : trustGenesis(root)));

/**
 * Verifies that a block was decided, from nothing but genesis or a block that is trusted. Pure: it asks no node.
 *
 * @param root genesis.json of the network, or what an earlier verification gave as `trust`
 * @throws LightClientError of the kind that says what is wrong
 */
export function verifyBlock(root: Genesis | LightTrust, { blocks, ...options }: VerifyBlockParameters): VerifiedBlock {
  const trust = trustOf(root);
  let trusted = fromTrust(trust);
  const context = contextOf(trust, options);
  const path = Array.isArray(blocks) ? (blocks as readonly LightBlock[]) : [blocks as LightBlock];
  let verified: VerifiedBlock | null = null;
  for (const block of path) {
    const chainBlock = toChainBlock(block);
    const { height } = chainBlock.header;
    if (height <= trusted.height) throw beforeTrust(BigInt(height), trusted.height);
    const verdict = reading('the block', () => verifyLightBlock(trusted, chainBlock, context));
    if (!verdict.ok) throw errorOfRefusal(verdict.refusal, height, trust);
    trusted = verdict.trust;
    verified = toVerified(trust, chainBlock, verdict, path);
  }
  if (verified === null) throw new LightClientError('malformed', 'There is no block to verify.', { what: 'blocks' });
  return verified;
}

import { headerHash } from '@prime/codec';
import type { LightBlock as ChainBlock, LightContext, LightTrust as ChainTrust } from '@prime/consensus';
import { nobleVerify } from '@prime/crypto';
import { toTrust } from './chainTrust.ts';
import { LightClientError } from './errors.ts';
import { plain } from './plain.ts';
import type { LightBlock, LightTrust, VerifiedBlock, VerifyBlockOptions } from './types.ts';

/** What a verification by hand and one with a node have in common. */

/** What blocks are verified with. @throws LightClientError `trust_expired` */
export function contextOf(
  trust: LightTrust,
  { expiredTrust = 'refuse', nowMs = Date.now() }: VerifyBlockOptions,
): LightContext {
  const { chainId, genesisHash, blockNumber, timestampMs } = trust;
  const trustingPeriodMs = trust.trustingPeriodMs ?? Number.POSITIVE_INFINITY;
  const expiredAtMs = timestampMs + trustingPeriodMs;
  if (expiredTrust === 'refuse' && expiredAtMs <= nowMs)
    throw new LightClientError(
      'trust_expired',
      `The trusted block ${blockNumber} is older than the trusting period: its validators may have left. Trust a more recent block (trustBlock).`,
      { blockNumber: BigInt(blockNumber), expiredAtMs },
    );
  return {
    chainId,
    genesisHash: genesisHash as LightContext['genesisHash'],
    provider: { verify: nobleVerify },
    nowMs,
    trustingPeriodMs,
  };
}

/** A `before_trust` to throw: a light client only goes forward. */
export const beforeTrust = (blockNumber: bigint, trusted: number): LightClientError =>
  new LightClientError('before_trust', `Block ${blockNumber} is not after the trusted block ${trusted}.`, {
    blockNumber,
    trusted: BigInt(trusted),
  });

/** @param path light blocks that lead to it, itself included */
export function toVerified(
  root: LightTrust,
  { header, certificate }: ChainBlock,
  { trust, power, total }: { readonly trust: ChainTrust; readonly power: bigint; readonly total: bigint },
  path: readonly LightBlock[],
): VerifiedBlock {
  const hash = plain(headerHash(header));
  return {
    number: BigInt(header.height),
    hash,
    parentHash: plain(header.parentHash),
    timestampMs: header.timestampMs,
    proposer: plain(header.proposer),
    version: header.version,
    round: certificate.round,
    power: { signed: power, total },
    parentStateRoot: plain(header.parentResults.stateRoot),
    path,
    trust: toTrust(root, hash, trust),
  };
}

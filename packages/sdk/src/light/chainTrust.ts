import type { LightTrust as ChainTrust, LightValidator } from '@prime/consensus';
import { publicKeyToAddress } from '@prime/crypto';
import { bytesToHex, type Height, hexToBytes, parseAddress, parseHash, type TimestampMs } from '@prime/primitives';
import { toQuantity } from '../decode/quantity.ts';
import type { Hash } from '../types/primitives.ts';
import { reading } from './errors.ts';
import { plain } from './plain.ts';
import type { LightTrust, TrustedValidator } from './types.ts';

/** The parts of a trust that all blocks of a network share. */
export type Network = Pick<LightTrust, 'format' | 'chainId' | 'genesisHash' | 'trustingPeriodMs' | 'levelProofs'>;

/** What was verified, as JSON that a later light client begins with. */
export const toTrust = (
  { format, chainId, genesisHash, trustingPeriodMs, levelProofs }: Network,
  blockHash: Hash,
  { height, timestampMs, validators, nextValidatorsHash }: ChainTrust,
): LightTrust => ({
  format,
  chainId,
  genesisHash,
  trustingPeriodMs,
  levelProofs,
  blockNumber: height,
  blockHash,
  timestampMs,
  validators: validators.map(({ address, publicKey, power }) => ({
    address: plain(address),
    publicKey: plain(bytesToHex(publicKey)),
    power: toQuantity(power),
  })),
  nextValidatorsHash: plain(nextValidatorsHash),
});

/** What a trust says, after it was kept somewhere. @throws LightClientError `malformed` */
export function fromTrust(trust: LightTrust): ChainTrust {
  return reading('the trust', () => {
    if (trust.format !== 1) throw new Error(`its format is ${String(trust.format)}, not 1`);
    const { chainId, blockNumber, timestampMs, trustingPeriodMs, levelProofs } = trust;
    for (const value of [chainId, blockNumber, timestampMs, trustingPeriodMs ?? 0])
      if (!Number.isSafeInteger(value) || value < 0) throw new Error(`${String(value)} is no whole number`);
    if (typeof levelProofs !== 'boolean') throw new Error('levelProofs is neither true nor false');
    if (trust.validators.length === 0) throw new Error('it has no validators');
    parseHash(trust.genesisHash);
    parseHash(trust.blockHash);
    return {
      height: blockNumber as Height,
      timestampMs: timestampMs as TimestampMs,
      validators: trust.validators.map(fromValidator),
      nextValidatorsHash: parseHash(trust.nextValidatorsHash),
    };
  });
}

function fromValidator({ address, publicKey, power }: TrustedValidator): LightValidator {
  const key = hexToBytes(publicKey);
  return { address: parseAddress(address), signer: publicKeyToAddress(key), publicKey: key, power: BigInt(power) };
}

import {
  type Genesis as ChainGenesis,
  decodeGenesis,
  encodeGenesis,
  genesisFromJson,
  type GenesisJson,
} from '@prime/codec';
import {
  type LightTrust as ChainTrust,
  trustBlock as trustChainBlock,
  trustGenesis as trustChainGenesis,
  validatorsFromGenesis,
} from '@prime/consensus';
import { keccakHex } from '@prime/crypto';
import { parseHash } from '@prime/primitives';
import type { Hash } from '../types/primitives.ts';
import { type Network, toTrust } from './chainTrust.ts';
import { LightClientError, reading } from './errors.ts';
import { toChainBlock } from './lightBlock.ts';
import { plain } from './plain.ts';
import type { Genesis, LightBlock, LightTrust } from './types.ts';

/** How a genesis is trusted: only the expected one, and for how long. */
export interface TrustGenesisOptions {
  /** Refuse any other genesis than the one with this hash. */
  readonly hash?: Hash | undefined;
  /** Default: the unbonding time of the network. A longer one is not safe. ms */
  readonly trustingPeriodMs?: number | undefined;
}

/**
 * Begins to trust a network with its genesis.
 *
 * @throws LightClientError `malformed`; `wrong_network` when `hash` is that of another genesis
 */
export function trustGenesis(genesis: Genesis, { hash, trustingPeriodMs }: TrustGenesisOptions = {}): LightTrust {
  return reading('genesis', () => {
    const bytes = encodeGenesis(genesisFromJson(genesis as unknown as GenesisJson));
    const genesisHash = plain(keccakHex(bytes));
    if (hash !== undefined && hash !== genesisHash) throw otherGenesis(hash, genesisHash);
    // What the hash stands for, and nothing beside it.
    const chain = decodeGenesis(bytes);
    const network: Network = {
      format: 1,
      chainId: chain.chainId,
      genesisHash,
      trustingPeriodMs: trustingPeriodMs ?? chain.staking?.unbondingMs ?? null,
      levelProofs: chain.clob.levelProofs ?? false,
    };
    return toTrust(network, genesisHash, rootOf(chain));
  });
}

const rootOf = ({ timestampMs, validators }: ChainGenesis): ChainTrust =>
  trustChainGenesis(timestampMs, validatorsFromGenesis(validators).validators);

/** A `wrong_network` to throw: the node shows a genesis that is not the trusted one. */
export const otherGenesis = (expected: Hash, actual: Hash): LightClientError =>
  new LightClientError('wrong_network', `This is another network: its genesis is ${actual}, not ${expected}.`, {
    expected,
    actual,
  });

/**
 * Begins to trust a block whose hash somebody vouches for whom you trust: a friend, an explorer, a release of your program.
 *
 * @param network a trust of any other block of the network, such as `trustGenesis` makes
 * @param block the block as a node shows it; its signatures are not looked at
 * @throws LightClientError `wrong_block` when it is not the one with the hash; `malformed`
 */
export function trustBlock(network: LightTrust, hash: Hash, block: LightBlock): LightTrust {
  const chainBlock = toChainBlock(block);
  const { header } = chainBlock;
  const trusted = reading('the block', () => trustChainBlock(parseHash(hash), chainBlock));
  if (trusted === null)
    throw new LightClientError('wrong_block', `Block ${header.height} is not the one with hash ${hash}.`, {
      blockNumber: BigInt(header.height),
    });
  if (header.chainId !== network.chainId)
    throw new LightClientError('wrong_network', `The block is of chain ${header.chainId}, not ${network.chainId}.`, {
      expected: network.chainId,
      actual: header.chainId,
    });
  return toTrust(network, hash, trusted);
}

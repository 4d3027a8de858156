import { decodeHeader } from '@prime/codec';
import type { LightBlock as ChainBlock } from '@prime/consensus';
import { publicKeyToAddress } from '@prime/crypto';
import { type Height, hexToBytes, parseAddress, parseHash, type Round } from '@prime/primitives';
import { LightClientError, reading } from './errors.ts';
import type { LightBlock } from './types.ts';

/** Sets have at most 100 members; more are not worth the time of who verifies. */
const validatorsMax = 1_000;

/**
 * A block as consensus has it.
 *
 * @throws LightClientError `malformed`; `wrong_block` when the header is of another height than the answer says
 */
export function toChainBlock({ commit, validators }: LightBlock): ChainBlock {
  return reading('the block', () => {
    if (Math.max(commit.signatures.length, validators.length) > validatorsMax)
      throw new Error(`more than ${validatorsMax} validators`);
    const header = decodeHeader(hexToBytes(commit.header));
    const { height } = header;
    if (BigInt(height) !== commit.height)
      throw new LightClientError('wrong_block', `Block ${height} was sent in place of ${commit.height}.`, {
        blockNumber: commit.height,
      });
    return {
      header,
      certificate: {
        height: Number(commit.height) as Height,
        round: commit.round as Round,
        blockHash: parseHash(commit.blockHash),
        signatures: commit.signatures.map(({ validator, signature }) => ({
          validator: parseAddress(validator),
          signature: hexToBytes(signature),
        })),
      },
      validators: validators.map(({ address, publicKey, votingPower }) => {
        const key = hexToBytes(publicKey);
        return {
          address: parseAddress(address),
          signer: publicKeyToAddress(key),
          publicKey: key,
          power: BigInt(votingPower),
        };
      }),
    };
  });
}

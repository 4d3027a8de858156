import { keccak256 } from '@prime/crypto';
import { concatBytes, utf8ToBytes } from '@prime/primitives';
import { address, integer, struct, text, type ValueOf } from '../encoding/fieldCodecs.ts';
import { compressedKey, monikerBytesMax, wei, endpointFields } from '../encoding/protocolFields.ts';
import { encodeRlp } from '../encoding/rlp.ts';

const tag = utf8ToBytes('prime-genesis-v1');
const declarationCodec = struct({
  /** With {@link chainId} the network that it is for: a genesis hash does not exist yet. */
  networkName: text(64),
  chainId: integer(1),
  moniker: text(monikerBytesMax),
  /** Owns the stake; the chain knows the validator by it. */
  owner: address,
  /** Of the hot key, compressed, 33 bytes. */
  publicKey: compressedKey,
  /** Wei. */
  stake: wei,
  ...endpointFields,
});
/** What the operator of a validator says of it before there is a genesis. Public. */
export interface GenesisDeclaration extends ValueOf<typeof declarationCodec> {}

/**
 * The 32 bytes that owner and hot key sign: keccak256 of `prime-genesis-v1` (16 bytes) and the RLP of all fields.
 *
 * @throws CodecError `CODEC_FIELD_INVALID`
 */
export const genesisDeclarationDigest = (declaration: GenesisDeclaration): Uint8Array =>
  keccak256(concatBytes(tag, encodeRlp(declarationCodec.toRlp(declaration, 'declaration'))));

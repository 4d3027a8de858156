import { keccak256 } from '@prime/crypto';
import { type Address, concatBytes, type Hash, utf8ToBytes } from '@prime/primitives';
import { address, hash, integer, struct, text } from '../encoding/fieldCodecs.ts';
import { compressedKey, hostBytesMax, monikerBytesMax, wei } from '../encoding/protocolFields.ts';
import { encodeRlp } from '../encoding/rlp.ts';

/** What the operator of a validator says of it before there is a genesis. Public. */
export interface GenesisDeclaration {
  /** With {@link chainId} the network that it is for: a genesis hash does not exist yet. */
  readonly networkName: string;
  readonly chainId: number;
  readonly moniker: string;
  /** Owns the stake; the chain knows the validator by it. */
  readonly owner: Address;
  /** Of the hot key, compressed, 33 bytes. */
  readonly publicKey: Uint8Array;
  /** Wei. */
  readonly stake: bigint;
  /** Where the other validators dial it. */
  readonly host: string;
  readonly port: number;
  /** Pin of its transport key. */
  readonly spki: Hash;
}

const tag = utf8ToBytes('prime-genesis-v1');
const declarationCodec = struct<GenesisDeclaration>({
  networkName: text(64),
  chainId: integer(1),
  moniker: text(monikerBytesMax),
  owner: address,
  publicKey: compressedKey,
  stake: wei,
  host: text(hostBytesMax),
  port: integer(1, 0xffff),
  spki: hash,
});

/**
 * The 32 bytes that owner and hot key sign: keccak256 of `prime-genesis-v1` (16 bytes) and the RLP of all fields.
 *
 * @throws CodecError `CODEC_FIELD_INVALID`
 */
export const genesisDeclarationDigest = (declaration: GenesisDeclaration): Uint8Array =>
  keccak256(concatBytes(tag, encodeRlp(declarationCodec.toRlp(declaration, 'declaration'))));

import { keccakHex } from '@prime/crypto';
import type { Hash } from '@prime/primitives';
import { decoder, encoder } from '../encoding/messages.ts';
import { byteString, listOf, nullable, struct, type ValueOf } from '../encoding/fieldCodecs.ts';
import { headerCodec, headerHash } from './header.ts';
import { decodeRlp, encodeRlp } from '../encoding/rlp.ts';
import { commitCertificateCodec, evidenceCodec } from './votes.ts';

const payloads = listOf(byteString());

const blockCodec = struct({
  header: headerCodec,
  /** EIP-2718 encodings, in execution order. */
  transactions: payloads,
  /** Native transactions (0x50 …), in proposed order. */
  actions: payloads,
  evidence: listOf(evidenceCodec),
  /** Certificate of the parent; null in block 1 only. */
  lastCommit: nullable(commitCertificateCodec),
});
/** Header and body. The header commits to every list here by a root or hash. */
export interface Block extends ValueOf<typeof blockCodec> {}

const storedBlockCodec = struct({ block: blockCodec, certificate: commitCertificateCodec });
/** A decided block with the proof that it was. */
export interface StoredBlock extends ValueOf<typeof storedBlockCodec> {
  readonly hash: Hash;
}

/** RLP of the whole block, header first. @throws CodecError `CODEC_FIELD_INVALID` */
export const encodeBlock = encoder<Block>(blockCodec, 'block');
/** Checks the form only; whether header and body fit together is for {@link bodyRoot} and the caller. */
export const decodeBlock = decoder<Block>(blockCodec, 'block');

/** Block and certificate as the block store keeps them and peers send them. */
export const encodeStoredBlock = encoder<Omit<StoredBlock, 'hash'>>(storedBlockCodec, 'stored block');
/** The hash is computed, not stored. */
export function decodeStoredBlock(bytes: Uint8Array): StoredBlock {
  const { block, certificate } = storedBlockCodec.fromRlp(decodeRlp(bytes), 'stored block');
  return { block, hash: headerHash(block.header), certificate };
}

/** The header's commitment to the ordered transactions and actions, by their hashes. */
export const bodyRoot = (transactionHashes: readonly Hash[], actionHashes: readonly Hash[]): Hash =>
  keccakHex(encodeRlp([transactionHashes, actionHashes]));

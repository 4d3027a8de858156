import { keccakHex } from '@prime/crypto';
import type { Hash } from '@prime/primitives';
import { byteString, listOf, nullable, struct } from '../encoding/fieldCodecs.ts';
import { headerCodec, headerHash } from './header.ts';
import type { StoredBlock } from './pipelineTypes.ts';
import { decodeRlp, encodeRlp } from '../encoding/rlp.ts';
import type { Block } from '../types.ts';
import { commitCertificateCodec, evidenceCodec } from './votes.ts';

const payloads = listOf(byteString());

const blockCodec = struct<Block>({
  header: headerCodec,
  transactions: payloads,
  actions: payloads,
  evidence: listOf(evidenceCodec),
  lastCommit: nullable(commitCertificateCodec),
});

const storedBlockCodec = struct<Omit<StoredBlock, 'hash'>>({ block: blockCodec, certificate: commitCertificateCodec });

/** RLP of the whole block, header first. @throws CodecError `CODEC_FIELD_INVALID` */
export const encodeBlock = (block: Block): Uint8Array => encodeRlp(blockCodec.toRlp(block, 'block'));
/** Checks the form only; whether header and body fit together is for {@link bodyRoot} and the caller. */
export const decodeBlock = (bytes: Uint8Array): Block => blockCodec.fromRlp(decodeRlp(bytes), 'block');

/** Block and certificate as the block store keeps them and peers send them. */
export const encodeStoredBlock = (stored: Omit<StoredBlock, 'hash'>): Uint8Array =>
  encodeRlp(storedBlockCodec.toRlp(stored, 'stored block'));
/** The hash is computed, not stored. */
export function decodeStoredBlock(bytes: Uint8Array): StoredBlock {
  const { block, certificate } = storedBlockCodec.fromRlp(decodeRlp(bytes), 'stored block');
  return { block, hash: headerHash(block.header), certificate };
}

/** The header's commitment to the ordered transactions and actions, by their hashes. */
export const bodyRoot = (transactionHashes: readonly Hash[], actionHashes: readonly Hash[]): Hash =>
  keccakHex(encodeRlp([transactionHashes, actionHashes]));

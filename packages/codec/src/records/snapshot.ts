import { keccakHex } from '@prime/crypto';
import type { Hash, Height } from '@prime/primitives';
import { hash, integer, listOf, struct } from '../encoding/fieldCodecs.ts';
import { height } from '../encoding/protocolFields.ts';
import { decodeRlp, encodeRlp } from '../encoding/rlp.ts';

/** What a snapshot of the state is, and what proves that its parts are the ones of it: docs/protocol/sync.md. */
export interface SnapshotManifest {
  /** Layout of the chunks' contents. */
  readonly format: number;
  /** The state after this block. */
  readonly height: Height;
  readonly blockHash: Hash;
  readonly stateRoot: Hash;
  /** Root of the order book inside of the state. */
  readonly ordersRoot: Hash;
  /** SHA-256 of each chunk, in order. */
  readonly chunkHashes: readonly Hash[];
}

/** The layout that this program makes and reads. */
export const snapshotFormat = 1;
/** Bytes of each chunk but the last one. */
export const snapshotChunkBytes = 1 << 20;

const manifestCodec = struct<SnapshotManifest>({
  format: integer(1, 0xffff),
  height,
  blockHash: hash,
  stateRoot: hash,
  ordersRoot: hash,
  chunkHashes: listOf(hash),
});

/** RLP. Its hash names the snapshot. @throws CodecError `CODEC_FIELD_INVALID` */
export const encodeSnapshotManifest = (manifest: SnapshotManifest): Uint8Array =>
  encodeRlp(manifestCodec.toRlp(manifest, 'snapshot'));

/** @throws CodecError `CODEC_RLP_MALFORMED`, `CODEC_FIELD_INVALID` */
export const decodeSnapshotManifest = (bytes: Uint8Array): SnapshotManifest =>
  manifestCodec.fromRlp(decodeRlp(bytes), 'snapshot');

/** Names a snapshot: nodes that took it of the same state have the same one. */
export const snapshotId = (manifest: SnapshotManifest): Hash => keccakHex(encodeSnapshotManifest(manifest));

import { keccakHex } from '@prime/crypto';
import type { Hash } from '@prime/primitives';
import { decoder, encoder } from '../encoding/messages.ts';
import { hash, integer, listOf, struct, type ValueOf } from '../encoding/fieldCodecs.ts';
import { height } from '../encoding/protocolFields.ts';

/** The layout that this program makes and reads. */
export const snapshotFormat = 1;
/** Bytes of each chunk but the last one. */
export const snapshotChunkBytes = 1 << 20;

const manifestCodec = struct({
  /** Layout of the chunks' contents. */
  format: integer(1, 0xffff),
  /** The state after this block. */
  height,
  blockHash: hash,
  stateRoot: hash,
  /** Root of the order book inside of the state. */
  ordersRoot: hash,
  /** SHA-256 of each chunk, in order. */
  chunkHashes: listOf(hash),
});
/** What a snapshot of the state is, and what proves that its parts are the ones of it: docs/protocol/sync.md. */
export interface SnapshotManifest extends ValueOf<typeof manifestCodec> {}

/** RLP. Its hash names the snapshot. @throws CodecError `CODEC_FIELD_INVALID` */
export const encodeSnapshotManifest = encoder<SnapshotManifest>(manifestCodec, 'snapshot');

/** @throws CodecError `CODEC_RLP_MALFORMED`, `CODEC_FIELD_INVALID` */
export const decodeSnapshotManifest = decoder<SnapshotManifest>(manifestCodec, 'snapshot');

/** Names a snapshot: nodes that took it of the same state have the same one. */
export const snapshotId = (manifest: SnapshotManifest): Hash => keccakHex(encodeSnapshotManifest(manifest));

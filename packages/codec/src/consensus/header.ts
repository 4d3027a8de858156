import { keccakHex } from '@prime/crypto';
import type { Hash } from '@prime/primitives';
import { address, hash, integer, struct } from '../encoding/fieldCodecs.ts';
import { gas, height, timestampMs, uint32, wei } from '../encoding/protocolFields.ts';
import { decodeRlp, encodeRlp } from '../encoding/rlp.ts';
import type { ExecutionRoots, Header } from '../types.ts';

const executionRootsCodec = struct<ExecutionRoots>({
  stateRoot: hash,
  receiptsRoot: hash,
  eventsRoot: hash,
  gasUsed: gas,
});

/** The order of the fields is that of the encoding, which the block hash is taken over. */
export const headerCodec = struct<Header>({
  version: uint32,
  chainId: integer(1),
  height,
  timestampMs,
  parentHash: hash,
  proposer: address,
  validatorsHash: hash,
  nextValidatorsHash: hash,
  bodyRoot: hash,
  lastCommitHash: hash,
  evidenceHash: hash,
  gasLimit: gas,
  baseFee: wei,
  parentResults: executionRootsCodec,
});

/** @throws CodecError `CODEC_FIELD_INVALID` when a field is out of range; so do the other encoders of this package */
export const encodeHeader = (header: Header): Uint8Array => encodeRlp(headerCodec.toRlp(header, 'header'));
/** @throws CodecError `CODEC_RLP_MALFORMED`, `CODEC_FIELD_INVALID`; so do the other decoders of this package */
export const decodeHeader = (bytes: Uint8Array): Header => headerCodec.fromRlp(decodeRlp(bytes), 'header');
/** The block's hash. */
export const headerHash = (header: Header): Hash => keccakHex(encodeHeader(header));

/** On their own, without the header that carries them. */
export const encodeExecutionRoots = (roots: ExecutionRoots): Uint8Array =>
  encodeRlp(executionRootsCodec.toRlp(roots, 'execution roots'));
/** Undoes {@link encodeExecutionRoots}. */
export const decodeExecutionRoots = (bytes: Uint8Array): ExecutionRoots =>
  executionRootsCodec.fromRlp(decodeRlp(bytes), 'execution roots');

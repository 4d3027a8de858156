import { keccakHex } from '@prime/crypto';
import type { Hash } from '@prime/primitives';
import { decoder, encoder } from '../encoding/messages.ts';
import { address, hash, integer, struct, type ValueOf } from '../encoding/fieldCodecs.ts';
import { gas, height, timestampMs, uint32, wei } from '../encoding/protocolFields.ts';

const executionRootsCodec = struct({
  /** Merkle Patricia root of the whole state, the orders root included (slot 0 of 0x…0100). */
  stateRoot: hash,
  receiptsRoot: hash,
  eventsRoot: hash,
  gasUsed: gas,
});
/** Results of executing one block; header N carries those of block N-1. */
export interface ExecutionRoots extends ValueOf<typeof executionRootsCodec> {}

/** The order of the fields is that of the encoding, which the block hash is taken over. */
export const headerCodec = struct({
  /** Protocol version that the block was made under. */
  version: uint32,
  chainId: integer(1),
  height,
  /** Proposer's wall clock, strictly increasing from block to block. */
  timestampMs,
  parentHash: hash,
  proposer: address,
  validatorsHash: hash,
  nextValidatorsHash: hash,
  bodyRoot: hash,
  lastCommitHash: hash,
  evidenceHash: hash,
  gasLimit: gas,
  /** EIP-1559 base fee of this block, a function of the parent's gas limit, gas used and base fee. */
  baseFee: wei,
  /** Results of the parent; for block 1 those of genesis. */
  parentResults: executionRootsCodec,
});
/** What validators vote for: the hash of its encoding is the hash of the block. */
export interface Header extends ValueOf<typeof headerCodec> {}

/** @throws CodecError `CODEC_FIELD_INVALID` when a field is out of range; so do the other encoders of this package */
export const encodeHeader = encoder<Header>(headerCodec, 'header');
/** @throws CodecError `CODEC_RLP_MALFORMED`, `CODEC_FIELD_INVALID`; so do the other decoders of this package */
export const decodeHeader = decoder<Header>(headerCodec, 'header');
/** The block's hash. */
export const headerHash = (header: Header): Hash => keccakHex(encodeHeader(header));

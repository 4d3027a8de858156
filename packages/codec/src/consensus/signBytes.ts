import { keccak256 } from '@prime/crypto';
import {
  type Address,
  bytesEqual,
  bytesToHash,
  type Hash,
  type Height,
  hexToBytes,
  type Round,
  utf8ToBytes,
} from '@prime/primitives';
import { invalidField } from '../encoding/errors.ts';
import type { Proposal, Vote } from '../types.ts';

/**
 * What validators sign, in a fixed layout and not in RLP: a remote signer can check height, round and type at known offsets
 * without a parser. Network (chain id and genesis hash) and message type are inside, so that no signature means anything
 * anywhere else.
 *
 * All numbers are big-endian. Offset: 0 domain tag (16 bytes, ASCII padded with zeros) · 16 chain id u64 · 24 genesis hash ·
 * 56 type u8 · 57 height u64 · 65 round u32 · for proposals: 69 polRound i32 · then 1 byte: 1 for a value, 0 for nil · 32 bytes:
 * block hash, or zeros.
 */
const voteTag = utf8ToBytes('prime-vote-v1');
const proposalTag = utf8ToBytes('prime-proposal-1');
const proposalType = 0;
const voteTypes: Readonly<Record<Vote['type'], number>> = { prevote: 1, precommit: 2 };

/** Bytes; the layout stands at the head of this file. */
export const voteSignBytesLength = 102;
/** Bytes: those of a vote, and the polRound. */
export const proposalSignBytesLength = 106;

/** Offsets of the layout; a vote has its value where a proposal has its polRound. */
const at = { chainId: 16, genesisHash: 24, type: 56, height: 57, round: 65, voteValue: 69, polRound: 69 } as const;
const proposalValueAt = 73;
const roundMax = 0x7fffffff;

/** The beginning that all layouts share, in a buffer of the full length. */
function tagged(length: number, tag: Uint8Array, chainId: number, genesisHash: Hash): Uint8Array {
  const bytes = new Uint8Array(length);
  bytes.set(tag);
  new DataView(bytes.buffer).setBigUint64(at.chainId, BigInt(chainId));
  bytes.set(hexToBytes(genesisHash, 32), at.genesisHash);
  return bytes;
}

function setPosition(bytes: Uint8Array, type: number, height: number, round: number): DataView {
  if (round < 0 || round > roundMax) invalidField('round', `expected 0..2^31-1, got ${round}`);
  const view = new DataView(bytes.buffer);
  view.setUint8(at.type, type);
  view.setBigUint64(at.height, BigInt(height));
  view.setUint32(at.round, round);
  return view;
}

function setValue(bytes: Uint8Array, offset: number, blockHash: Hash): void {
  bytes[offset] = 1;
  bytes.set(hexToBytes(blockHash, 32), offset + 1);
}

/** What a vote's signature is over. */
type SignedVote = Pick<Vote, 'type' | 'height' | 'round' | 'blockHash'>;
/** What a proposal's signature is over. */
type SignedProposal = Pick<Proposal, 'height' | 'round' | 'polRound' | 'blockHash'>;

/** @returns 102 bytes; equal for equal content, whoever signs */
export function voteSignBytes(
  chainId: number,
  genesisHash: Hash,
  { type, height, round, blockHash }: SignedVote,
): Uint8Array {
  const bytes = tagged(voteSignBytesLength, voteTag, chainId, genesisHash);
  setPosition(bytes, voteTypes[type], height, round);
  if (blockHash !== null) setValue(bytes, at.voteValue, blockHash);
  return bytes;
}

/** @returns 106 bytes */
export function proposalSignBytes(
  chainId: number,
  genesisHash: Hash,
  { height, round, polRound, blockHash }: SignedProposal,
): Uint8Array {
  const bytes = tagged(proposalSignBytesLength, proposalTag, chainId, genesisHash);
  setPosition(bytes, proposalType, height, round).setInt32(at.polRound, polRound);
  setValue(bytes, proposalValueAt, blockHash);
  return bytes;
}

/** What {@link voteSignBytes} or {@link proposalSignBytes} is about, read back from the fixed places. */
export interface SignedPlace {
  readonly chainId: number;
  readonly genesisHash: Hash;
  readonly height: Height;
  readonly round: Round;
  /** 1 proposal, 2 prevote, 3 precommit. */
  readonly step: 1 | 2 | 3;
  /** null is a vote for nil. */
  readonly blockHash: Hash | null;
}

/** @returns null for anything but the sign bytes of a vote or a proposal, byte for byte */
export function parseSignBytes(bytes: Uint8Array): SignedPlace | null {
  const isVote = bytes.length === voteSignBytesLength;
  if (!isVote && bytes.length !== proposalSignBytesLength) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const type = bytes[at.type]!;
  const chainId = Number(view.getBigUint64(at.chainId));
  const height = Number(view.getBigUint64(at.height)) as Height;
  const round = view.getUint32(at.round) as Round;
  if (![chainId, height].every(Number.isSafeInteger) || round > roundMax) return null;
  const place = { chainId, genesisHash: bytesToHash(bytes.slice(at.genesisHash, at.type)), height, round };
  const valueAt = isVote ? at.voteValue : proposalValueAt;
  const value = bytesToHash(bytes.slice(valueAt + 1, valueAt + 33));
  const blockHash = bytes[valueAt] === 1 ? value : null;
  if (isVote && (type === 1 || type === 2)) {
    const vote = { ...place, type: type === 1 ? ('prevote' as const) : ('precommit' as const), blockHash };
    const again = voteSignBytes(chainId, place.genesisHash, vote);
    return bytesEqual(again, bytes) ? { ...place, step: type === 1 ? 2 : 3, blockHash } : null;
  }
  if (isVote || type !== proposalType || blockHash === null) return null;
  const again = proposalSignBytes(chainId, place.genesisHash, {
    ...place,
    polRound: view.getInt32(at.polRound) as Round,
    blockHash,
  });
  return bytesEqual(again, bytes) ? { ...place, step: 1, blockHash } : null;
}

const signerTag = utf8ToBytes('prime-signer-v1');
const signerOwnerAt = 56;
const signerProofLength = 76;

/**
 * The 32 bytes that a hot key signs to be registered for an owner, so that nobody registers the key of another. Offset: 0 domain tag
 * (16 bytes) · 16 chain id u64 · 24 genesis hash · 56 owner.
 */
export function signerProofDigest(chainId: number, genesisHash: Hash, owner: Address): Uint8Array {
  const bytes = tagged(signerProofLength, signerTag, chainId, genesisHash);
  bytes.set(hexToBytes(owner, 20), signerOwnerAt);
  return keccak256(bytes);
}

/** The newest digest of each type: all validators sign the same bytes, and a certificate does once more. */
const newest: Partial<
  Record<
    Vote['type'],
    { readonly chainId: number; readonly genesisHash: Hash; readonly vote: SignedVote; readonly digest: Uint8Array }
  >
> = {};

/** The 32 bytes that a vote's signature is made over; shared by callers, not to be changed. */
export function voteSignDigest(chainId: number, genesisHash: Hash, vote: SignedVote): Uint8Array {
  const { type, height, round, blockHash } = vote;
  const known = newest[type];
  if (
    known !== undefined &&
    known.vote.height === height &&
    known.vote.round === round &&
    known.vote.blockHash === blockHash &&
    known.chainId === chainId &&
    known.genesisHash === genesisHash
  )
    return known.digest;
  const digest = keccak256(voteSignBytes(chainId, genesisHash, vote));
  newest[type] = { chainId, genesisHash, vote: { type, height, round, blockHash }, digest };
  return digest;
}

/** The 32 bytes that a proposal's signature is made over. */
export const proposalSignDigest = (chainId: number, genesisHash: Hash, proposal: SignedProposal): Uint8Array =>
  keccak256(proposalSignBytes(chainId, genesisHash, proposal));

import { keccakHex } from '@prime/crypto';
import { type Hash, noRound, type Round } from '@prime/primitives';
import { invalidField } from '../encoding/errors.ts';
import {
  address,
  type Codec,
  hash,
  integer,
  itemList,
  listOf,
  nullable,
  oneOf,
  signature,
  struct,
} from '../encoding/fieldCodecs.ts';
import { height, round } from '../encoding/protocolFields.ts';
import { decodeRlp, encodeRlp, type RlpValue } from '../encoding/rlp.ts';
import type {
  CommitCertificate,
  CommitSignature,
  Evidence,
  Proposal,
  Vote,
  VoteCertificate,
  VoteType,
} from '../types.ts';

/** Signed messages of consensus and what is made of them. What exactly is signed stands in signBytes.ts. */

const voteCodec = struct<Vote>({
  type: oneOf<VoteType>(['prevote', 'precommit'], 1),
  height,
  round,
  blockHash: nullable(hash),
  validator: address,
  signature,
});

/** -1 is a value of this field; it is shifted by one to be an unsigned number. */
const polRound: Codec<Round> = {
  toRlp: (value, field) => integer(0, 0x80000000).toRlp(value + 1, field),
  fromRlp: (item, field) => (integer(0, 0x80000000).fromRlp(item, field) + noRound) as Round,
};

const proposalCodec = struct<Proposal>({ height, round, polRound, blockHash: hash, proposer: address, signature });

/** Also a part of blocks. Whether the signatures are good is not its business. */
export const commitCertificateCodec = struct<CommitCertificate>({
  height,
  round,
  blockHash: hash,
  signatures: listOf(struct<CommitSignature>({ validator: address, signature })),
});

const voteCertificateCodec = struct<VoteCertificate>({
  kind: oneOf(['polka', 'round'], 1),
  height,
  round,
  votes: listOf(voteCodec),
});

const evidenceKind = oneOf<Evidence['kind']>(['duplicateVote', 'duplicateProposal'], 1);
const voteEvidence = struct({ first: voteCodec, second: voteCodec });
const proposalEvidence = struct({ first: proposalCodec, second: proposalCodec });

/** [kind, first, second] */
export const evidenceCodec: Codec<Evidence> = {
  toRlp(evidence, field) {
    const list: RlpValue[] = [evidenceKind.toRlp(evidence.kind, field)];
    if (evidence.kind === 'duplicateVote') voteEvidence.append(list, evidence);
    else proposalEvidence.append(list, evidence);
    return list;
  },
  fromRlp(item, field) {
    const items = itemList(item, field);
    const first = items[0] ?? invalidField(field, 'empty list');
    const kind = evidenceKind.fromRlp(first, 'kind');
    return kind === 'duplicateVote'
      ? { kind, ...voteEvidence.readTail(items, 1, field) }
      : { kind, ...proposalEvidence.readTail(items, 1, field) };
  },
};

const evidenceListCodec = listOf(evidenceCodec);

/** With its signature, and so not what is signed. Encoders and decoders of this file throw as those of header.ts do. */
export const encodeVote = (vote: Vote): Uint8Array => encodeRlp(voteCodec.toRlp(vote, 'vote'));
/** Undoes {@link encodeVote}. The signature is not verified. */
export const decodeVote = (bytes: Uint8Array): Vote => voteCodec.fromRlp(decodeRlp(bytes), 'vote');
/** With its signature, and without the block. */
export const encodeProposal = (proposal: Proposal): Uint8Array => encodeRlp(proposalCodec.toRlp(proposal, 'proposal'));
/** Undoes {@link encodeProposal}. The signature is not verified. */
export const decodeProposal = (bytes: Uint8Array): Proposal => proposalCodec.fromRlp(decodeRlp(bytes), 'proposal');
/** Height, round and hash once, then address and signature of each validator. */
export const encodeCommitCertificate = (certificate: CommitCertificate): Uint8Array =>
  encodeRlp(commitCertificateCodec.toRlp(certificate, 'certificate'));
/** Undoes {@link encodeCommitCertificate}. The signatures are not verified. */
export const decodeCommitCertificate = (bytes: Uint8Array): CommitCertificate =>
  commitCertificateCodec.fromRlp(decodeRlp(bytes), 'certificate');
/** Votes of one round that a peer relays together. */
export const encodeVoteCertificate = (certificate: VoteCertificate): Uint8Array =>
  encodeRlp(voteCertificateCodec.toRlp(certificate, 'vote certificate'));
/** Undoes {@link encodeVoteCertificate}. The signatures are not verified. */
export const decodeVoteCertificate = (bytes: Uint8Array): VoteCertificate =>
  voteCertificateCodec.fromRlp(decodeRlp(bytes), 'vote certificate');
/** One piece of evidence, as blocks and peers carry it. */
export const encodeEvidence = (evidence: Evidence): Uint8Array => encodeRlp(evidenceCodec.toRlp(evidence, 'evidence'));
/** Undoes {@link encodeEvidence}. Whether it convicts is not decided here. */
export const decodeEvidence = (bytes: Uint8Array): Evidence => evidenceCodec.fromRlp(decodeRlp(bytes), 'evidence');

/** The header's commitment to the block's evidence. */
export const evidenceHash = (evidence: readonly Evidence[]): Hash =>
  keccakHex(encodeRlp(evidenceListCodec.toRlp(evidence, 'evidence')));

/** The header's commitment to its parent's certificate; for none (block 1) the hash of the empty list. */
export const lastCommitHash = (certificate: CommitCertificate | null): Hash =>
  keccakHex(encodeRlp(nullable(commitCertificateCodec).toRlp(certificate, 'certificate')));

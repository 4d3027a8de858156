import { keccakHex } from '@prime/crypto';
import { type Hash, noRound, type Round } from '@prime/primitives';
import { decoder, encoder } from '../encoding/messages.ts';
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
  type ValueOf,
} from '../encoding/fieldCodecs.ts';
import { height, round } from '../encoding/protocolFields.ts';
import { encodeRlp, type RlpValue } from '../encoding/rlp.ts';

/** Signed messages of consensus and what is made of them. What exactly is signed stands in signBytes.ts. */

const voteCodec = struct({
  type: oneOf(['prevote', 'precommit'], 1),
  height,
  round,
  /** null is a vote for nil. */
  blockHash: nullable(hash),
  validator: address,
  /** 65 bytes r | s | yParity, low s, over {@link voteSignBytes}. */
  signature,
});
/** A signed vote of one validator in one round. */
export interface Vote extends ValueOf<typeof voteCodec> {}

/** -1 is a value of this field; it is shifted by one to be an unsigned number. */
const polRound: Codec<Round> = {
  toRlp: (value, field) => integer(0, 0x80000000).toRlp(value + 1, field),
  fromRlp: (item, field) => (integer(0, 0x80000000).fromRlp(item, field) + noRound) as Round,
};

const proposalCodec = struct({
  height,
  round,
  /** Round of the polka that justifies proposing this value again; -1 for a new value. */
  polRound,
  blockHash: hash,
  proposer: address,
  signature,
});
/** The block that the proposer of a round puts forward. The block itself travels beside it, named by its hash. */
export interface Proposal extends ValueOf<typeof proposalCodec> {}

const commitSignature = struct({ validator: address, signature });
/** One validator's signature, 65 bytes r | s | yParity, over the precommit that the certificate is about. */
export interface CommitSignature extends ValueOf<typeof commitSignature> {}

/** Also a part of blocks. Whether the signatures are good is not its business. */
export const commitCertificateCodec = struct({
  height,
  round,
  blockHash: hash,
  /** In the order of the validator set, each validator at most once. */
  signatures: listOf(commitSignature),
});
/** Precommits of more than 2/3 of the voting power for one block; enough for a light client. */
export interface CommitCertificate extends ValueOf<typeof commitCertificateCodec> {}

/** Votes of more than 2/3 for one value or nil (polka), or of a skip quorum (round), relayed for liveness. */
export interface VoteCertificate extends Pick<Vote, 'height' | 'round'> {
  readonly kind: 'polka' | 'round';
  readonly votes: readonly Vote[];
}

/** The first and the second vote of a round. */
export type VoteType = Vote['type'];

/** Two messages of one validator at one place that contradict each other; both carry its signature. */
export type Evidence =
  | { readonly kind: 'duplicateVote'; readonly first: Vote; readonly second: Vote }
  | { readonly kind: 'duplicateProposal'; readonly first: Proposal; readonly second: Proposal };

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
export const encodeVote = encoder<Vote>(voteCodec, 'vote');
/** Undoes {@link encodeVote}. The signature is not verified. */
export const decodeVote = decoder<Vote>(voteCodec, 'vote');
/** With its signature, and without the block. */
export const encodeProposal = encoder<Proposal>(proposalCodec, 'proposal');
/** Undoes {@link encodeProposal}. The signature is not verified. */
export const decodeProposal = decoder<Proposal>(proposalCodec, 'proposal');
/** Height, round and hash once, then address and signature of each validator. */
export const encodeCommitCertificate = encoder<CommitCertificate>(commitCertificateCodec, 'certificate');
/** Undoes {@link encodeCommitCertificate}. The signatures are not verified. */
export const decodeCommitCertificate = decoder<CommitCertificate>(commitCertificateCodec, 'certificate');
/** One piece of evidence, as blocks and peers carry it. */
export const encodeEvidence = encoder<Evidence>(evidenceCodec, 'evidence');
/** Undoes {@link encodeEvidence}. Whether it convicts is not decided here. */
export const decodeEvidence = decoder<Evidence>(evidenceCodec, 'evidence');

/** The header's commitment to the block's evidence. */
export const evidenceHash = (evidence: readonly Evidence[]): Hash =>
  keccakHex(encodeRlp(evidenceListCodec.toRlp(evidence, 'evidence')));

/** The header's commitment to its parent's certificate; for none (block 1) the hash of the empty list. */
export const lastCommitHash = (certificate: CommitCertificate | null): Hash =>
  keccakHex(encodeRlp(nullable(commitCertificateCodec).toRlp(certificate, 'certificate')));

import type { CommitCertificate, Evidence, Vote } from '@prime/codec';
import type { Height } from '@prime/primitives';
import type { StoredBlock } from '../ports.ts';

/** Newest heights whose certificates are kept: who is that far behind with a vote for the block is either lost or lying. */
const heightsMax = 128;

/**
 * Certificates of the newest blocks, to notice votes against them that come when their height is over. No machine holds any more what the
 * same validator said before, but the certificate does: of two processes with one key, the one that is slower is heard too late.
 */
export class RecentDecisions {
  readonly #certificates = new Map<Height, CommitCertificate>();

  /** Heights come in order. */
  onCommit({ block: { header, lastCommit }, certificate }: StoredBlock): void {
    // The one in a block is completed with what came after the decision.
    if (lastCommit !== null) this.#certificates.set(lastCommit.height, lastCommit);
    this.#certificates.set(header.height, certificate);
    this.#certificates.delete((header.height - heightsMax) as Height);
  }

  /** What a vote and a certificate prove together, if they do; neither signature is verified here. */
  contradictedBy(vote: Vote): Evidence | null {
    if (vote.type !== 'precommit') return null;
    const certificate = this.#certificates.get(vote.height);
    if (certificate === undefined || certificate.round !== vote.round || certificate.blockHash === vote.blockHash)
      return null;
    const signed = certificate.signatures.find(({ validator }) => validator === vote.validator);
    if (signed === undefined) return null;
    return { kind: 'duplicateVote', first: { ...vote, ...signed, blockHash: certificate.blockHash }, second: vote };
  }
}

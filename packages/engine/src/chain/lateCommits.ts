import {
  type CommitCertificate,
  type CommitSignature,
  type ValidatorSet,
  type Vote,
  voteSignDigest,
} from '@prime/codec';
import type { CryptoProvider } from '@prime/crypto';
import type { Address } from '@prime/primitives';
import type { SigningDomain } from '../signing/signing.ts';

/**
 * Precommits for the newest blocks that came after the decision.
 *
 * A decision needs only more than 2/3 of the power, and the certificate in the next block is also how it is told who is there: a
 * validator that is always the last to vote must not look like one that is down. They are kept unverified, one for each
 * validator, and verified by whoever proposes.
 */
export class LateCommits {
  readonly #domain: SigningDomain;
  readonly #provider: Pick<CryptoProvider, 'verify'>;
  readonly #votes = new Map<Address, Vote>();

  constructor(domain: SigningDomain, provider: Pick<CryptoProvider, 'verify'>) {
    this.#domain = domain;
    this.#provider = provider;
  }

  /**
   * @param from who sent it: only a validator's own vote is kept, so that nobody can take its place
   * @param isSentry whether the sender may bring votes of validators behind it: these are verified at once
   */
  note(from: Address, vote: Vote, validators: ValidatorSet, isSentry = false): void {
    const { validator } = vote;
    if (vote.type !== 'precommit' || vote.blockHash === null || (validator !== from && !isSentry)) return;
    const member = validators.validators.find(({ address }) => address === validator);
    if (member === undefined) return;
    const known = this.#votes.get(validator);
    if (known !== undefined && (known.height - vote.height || known.round - vote.round) >= 0) return;
    const { chainId, genesisHash } = this.#domain;
    const isGood = (): boolean =>
      this.#provider.verify(voteSignDigest(chainId, genesisHash, vote), vote.signature, member.publicKey);
    if (validator === from || isGood()) this.#votes.set(validator, vote);
  }

  /** The certificate with the late precommits for the same block and round, in the order of the set. */
  complete(certificate: CommitCertificate, validators: ValidatorSet): CommitCertificate {
    const { height, round, blockHash } = certificate;
    const signed = new Map(certificate.signatures.map((entry) => [entry.validator, entry]));
    const missing = validators.validators.filter(({ address }) => !signed.has(address));
    const { chainId, genesisHash } = this.#domain;
    let digest: Uint8Array | null = null;
    for (const { address, publicKey } of missing) {
      const vote = this.#votes.get(address);
      if (vote === undefined || vote.height !== height || vote.round !== round || vote.blockHash !== blockHash)
        continue;
      digest ??= voteSignDigest(chainId, genesisHash, vote);
      if (this.#provider.verify(digest, vote.signature, publicKey))
        signed.set(address, { validator: address, signature: vote.signature });
    }
    if (signed.size === certificate.signatures.length) return certificate;
    const signatures = validators.validators.flatMap(({ address }): CommitSignature[] => {
      const entry = signed.get(address);
      return entry === undefined ? [] : [entry];
    });
    return { ...certificate, signatures };
  }
}

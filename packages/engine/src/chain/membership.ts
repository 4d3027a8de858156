import { type CommitCertificate, type Vote, voteSignDigest } from '@prime/codec';
import type { CryptoProvider } from '@prime/crypto';
import type { Address } from '@prime/primitives';
import type { ChainTip } from './chainTip.ts';
import type { EngineMetrics } from '../metrics.ts';
import { LateCommits } from './lateCommits.ts';
import { type HotKey, isRemote } from '../ports.ts';
import type { SigningDomain } from '../signing/signing.ts';
import type { RememberingProvider } from '../signing/verifiedSignatures.ts';

/** What tells which validator this node is at a height: the set at the tip and the keys that it holds. */
export interface MembershipOptions {
  readonly tip: ChainTip;
  /** The keys of this node, the newest first. */
  readonly signers: readonly HotKey[];
  readonly domain: SigningDomain;
  readonly provider: CryptoProvider;
  readonly metrics: Pick<EngineMetrics, 'voted' | 'lateVote'>;
}

/** Who is a validator at the heights around the head, this node among them. */
export class Membership {
  readonly #options: MembershipOptions;
  readonly #lateCommits: LateCommits;

  constructor(options: MembershipOptions) {
    this.#options = options;
    this.#lateCommits = new LateCommits(options.domain, options.provider);
  }

  /** The validator that this node is at the next height, and its key; null when it is none. */
  own(): { readonly validator: Address; readonly key: HotKey } | null {
    const { signers, tip } = this.#options;
    for (const key of signers) {
      const own = tip.validators.validators.find((validator) => validator.signer === key.address);
      if (own !== undefined) return { validator: own.address, key };
    }
    return null;
  }

  /** Whether a peer decides the next height or the one after it. */
  isValidator(peer: Address): boolean {
    const { validators, nextValidators } = this.#options.tip;
    return [validators, nextValidators].some((set) => set.validators.some(({ address }) => address === peer));
  }

  /** A vote came: a precommit for the newest block, or for one that is just being made durable, is remembered. */
  noteLate(from: Address, vote: Vote, isSentry: boolean): void {
    const { tip, metrics } = this.#options;
    if (vote.height <= tip.height) metrics.lateVote();
    const set = vote.height === tip.height ? tip.ownValidators : tip.validators;
    if ((vote.height === tip.height || vote.height === tip.height + 1) && set !== null)
      this.#lateCommits.note(from, vote, set, isSentry);
  }

  /**
   * A vote of this node, signed just now. A precommit comes back in the certificate of the next block, and needs no check there; a remote
   * signer's word is checked as anybody's.
   */
  noteSigned(vote: Vote, provider: RememberingProvider): void {
    const { tip, domain, metrics } = this.#options;
    metrics.voted(vote);
    if (vote.type !== 'precommit' || vote.blockHash === null) return;
    const own = this.own();
    if (own === null || isRemote(own.key) || own.validator !== vote.validator) return;
    const member = tip.validators.validators.find(({ address }) => address === own.validator);
    if (member === undefined) return;
    provider.noteMade(voteSignDigest(domain.chainId, domain.genesisHash, vote), vote.signature, member.publicKey);
  }

  /** Certificate of the newest block with everything that is known to belong into it. */
  lastCommit(): CommitCertificate | null {
    const { lastCommit, ownValidators } = this.#options.tip;
    return lastCommit === null || ownValidators === null
      ? lastCommit
      : this.#lateCommits.complete(lastCommit, ownValidators);
  }
}

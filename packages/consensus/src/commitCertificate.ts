import { type CommitCertificate, isQuorum, type ValidatorSet, type Vote, voteSignDigest } from '@prime/codec';
import type { CryptoProvider } from '@prime/crypto';
import type { Address, Hash, Height, Round } from '@prime/primitives';
import { totalPower } from './validatorSet.ts';

/**
 * Commit certificates: the precommits of more than 2/3 of the power for one block. Who holds the validator set of a height
 * needs nothing else to know that its block is final.
 */

/** Precommits of one block, in the order of the validator set, as a certificate. */
export const certificateFromVotes = (
  height: Height,
  round: Round,
  blockHash: Hash,
  precommits: readonly Vote[],
): CommitCertificate => ({
  height,
  round,
  blockHash,
  signatures: precommits.map(({ validator, signature }) => ({ validator, signature })),
});

/** The precommits that a certificate consists of. */
export const votesFromCertificate = ({ height, round, blockHash, signatures }: CommitCertificate): Vote[] =>
  signatures.map(({ validator, signature }) => ({ type: 'precommit', height, round, blockHash, validator, signature }));

/** Why a certificate proves nothing. `power` and `total` are voting power, as `bigint`. */
export type CertificateRefusal =
  /** Below 0 or beyond what sign bytes can carry. */
  | { readonly code: 'malformedRound' }
  /** Not the height or the block that it should be for. */
  | { readonly code: 'otherBlock' }
  | { readonly code: 'unknownValidator'; readonly validator: Address }
  /** Not in the order of the set, or twice the same validator: one certificate has one encoding. */
  | { readonly code: 'notInOrder'; readonly validator: Address }
  | { readonly code: 'invalidSignature'; readonly validator: Address }
  | { readonly code: 'notEnoughPower'; readonly power: bigint; readonly total: bigint };

/** `power` is the voting power that signed: more than 2/3 of the set's. */
export type CertificateCheck =
  | { readonly ok: true; readonly power: bigint }
  | { readonly ok: false; readonly refusal: CertificateRefusal };

/** What signatures are bound to (chain and genesis), and who verifies them. */
export interface CertificateContext {
  readonly chainId: number;
  readonly genesisHash: Hash;
  readonly provider: Pick<CryptoProvider, 'verify'>;
  /** When given, the certificate must be for this block. */
  readonly expected?: { readonly height: Height; readonly blockHash: Hash };
}

const refuse = (refusal: CertificateRefusal): CertificateCheck => ({ ok: false, refusal });
const roundMax = 0x7fffffff;

/**
 * Checks a certificate against the set that decided its height. Every signature must be valid, also those beyond the quorum,
 * because the header commits to all of them. Power is summed before any signature is checked, so that a certificate that can
 * not suffice costs nothing.
 *
 * @returns the power behind it, or why it is refused; never throws on any certificate
 */
export function verifyCommitCertificate(
  certificate: CommitCertificate,
  validatorSet: ValidatorSet,
  { chainId, genesisHash, provider, expected }: CertificateContext,
): CertificateCheck {
  const { height, round, blockHash, signatures } = certificate;
  if (!Number.isInteger(round) || round < 0 || round > roundMax) return refuse({ code: 'malformedRound' });
  if (expected !== undefined && (expected.height !== height || expected.blockHash !== blockHash))
    return refuse({ code: 'otherBlock' });
  const indices = new Map(validatorSet.validators.map((validator, index) => [validator.address, index]));
  let last = -1;
  let power = 0n;
  for (const { validator } of signatures) {
    const index = indices.get(validator);
    if (index === undefined) return refuse({ code: 'unknownValidator', validator });
    if (index <= last) return refuse({ code: 'notInOrder', validator });
    last = index;
    power += validatorSet.validators[index]!.power;
  }
  const total = totalPower(validatorSet);
  if (!isQuorum(power, total)) return refuse({ code: 'notEnoughPower', power, total });
  const digest = voteSignDigest(chainId, genesisHash, { type: 'precommit', height, round, blockHash });
  for (const { validator, signature } of signatures) {
    const { publicKey } = validatorSet.validators[indices.get(validator)!]!;
    if (signature.length !== 65 || !provider.verify(digest, signature, publicKey))
      return refuse({ code: 'invalidSignature', validator });
  }
  return { ok: true, power };
}

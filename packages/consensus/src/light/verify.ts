/**
 * Light verification: whether a block was decided, for who holds nothing but genesis, or one block that it trusts.
 *
 * The validators of that root are known, those of a later height are not: a node sends them with the block. They are believed when the
 * header names them and enough of the power that is known already signed the block. How much is enough is the trust level: more than
 * 1/3, as long as the root is so young that its validators still answer for what they sign with their stake, because less
 * than 1/3 of them are faulty; else more than 2/3, because the keys of those who left since may be in anybody's hands. (Light client of
 * CometBFT, spec/light-client/verification.)
 */
import { type CommitCertificate, type Header, headerHash, type Validator, validatorsHash } from '@prime/codec';
import type { CryptoProvider } from '@prime/crypto';
import { type Address, bytesEqual, type Hash, type Height, type TimestampMs } from '@prime/primitives';
import { type CertificateRefusal, verifyCommitCertificate } from '../commitCertificate.ts';
import { tendermintRules } from '../rules.ts';
import { totalPower } from '../validatorSet.ts';

/** What a certificate is checked with, and what a header commits to. */
export type LightValidator = Pick<Validator, 'address' | 'signer' | 'publicKey' | 'power'>;

/** A block as a node shows it to who trusts nobody. */
export interface LightBlock {
  readonly header: Header;
  readonly certificate: CommitCertificate;
  /** Of the block's own height, in the order of the set. */
  readonly validators: readonly LightValidator[];
}

/** What is believed so far. */
export interface LightTrust {
  /** 0 for genesis. */
  readonly height: Height;
  readonly timestampMs: TimestampMs;
  /** Of the height, those of genesis for height 0. */
  readonly validators: readonly LightValidator[];
  /** Of the height after it. */
  readonly nextValidatorsHash: Hash;
}

/** The chain that is asked for, and the clock and period that decide how much trust is left. */
export interface LightContext {
  readonly chainId: number;
  readonly genesisHash: Hash;
  readonly provider: Pick<CryptoProvider, 'verify'>;
  readonly nowMs: number;
  /** How long validators answer for what they signed: at most the unbonding time of the chain, ms. */
  readonly trustingPeriodMs: number;
}

/** Why a block is not believed. `notTrusted` asks for a block in between; the others end the verification. */
export type LightRefusal =
  /** The header is of another chain id. */
  | { readonly code: 'otherChain'; readonly chainId: number }
  /** The header is not of the height that was asked for, or not above what is believed. */
  | { readonly code: 'otherHeight'; readonly height: Height }
  /** The certificate is for another height or block than the header. */
  | { readonly code: 'otherBlock' }
  /** The validators are not those that the header names. */
  | { readonly code: 'otherValidators' }
  /** The block after a believed one has other validators than that one names. */
  | { readonly code: 'otherNextValidators' }
  /** Time does not grow with the height. */
  | { readonly code: 'notLater'; readonly timestampMs: number }
  /** The header is further in the future than clocks may be apart. */
  | { readonly code: 'fromTheFuture'; readonly timestampMs: number }
  | { readonly code: 'certificate'; readonly refusal: CertificateRefusal }
  /** Too little of the known power signed: a block in between may lead there. */
  | { readonly code: 'notTrusted'; readonly power: bigint; readonly total: bigint; readonly level: TrustLevel };

/** Part of the known power that has to have signed: more than 1/3, or more than 2/3. */
export type TrustLevel = 'third' | 'quorum';

/** `trust` is what to hold on to from now on; `power` signed, out of `total`. */
export type LightVerdict =
  | { readonly ok: true; readonly trust: LightTrust; readonly power: bigint; readonly total: bigint }
  | { readonly ok: false; readonly refusal: LightRefusal };

/** How far the clock of who verifies may be behind, ms. */
const clockDriftMs = 10_000;

const refuse = (refusal: LightRefusal): LightVerdict => ({ ok: false, refusal });

/** The set of a header as certificates are checked with it; stake, name and turn have no part in that. */
const asSet = (validators: readonly LightValidator[]): { readonly validators: readonly Validator[] } => ({
  validators: validators.map((validator) => ({ ...validator, stake: 0n, moniker: '' })),
});

/** Height 0 of a chain. @param validators of genesis, in the order of their set */
export function trustGenesis(timestampMs: TimestampMs, validators: readonly LightValidator[]): LightTrust {
  return {
    height: 0 as Height,
    timestampMs,
    validators,
    nextValidatorsHash: validatorsHash(asSet(validators).validators),
  };
}

/**
 * A block whose hash somebody else vouches for.
 *
 * @returns what is believed with it, or null when the block does not have that hash or these validators
 */
export function trustBlock(
  hash: Hash,
  { header, validators }: Pick<LightBlock, 'header' | 'validators'>,
): LightTrust | null {
  const isIt = headerHash(header) === hash && header.validatorsHash === validatorsHash(asSet(validators).validators);
  return isIt ? trustOf(header, validators) : null;
}

const trustOf = (
  { height, timestampMs, nextValidatorsHash }: Header,
  validators: readonly LightValidator[],
): LightTrust => ({ height, timestampMs, validators, nextValidatorsHash });

/** How much of the known power has to have signed a later block: see the head of this file. */
export const trustLevel = (trusted: LightTrust, { nowMs, trustingPeriodMs }: LightContext): TrustLevel =>
  trusted.timestampMs + trustingPeriodMs > nowMs ? 'third' : 'quorum';

/**
 * One step from what is believed to a later block. What costs nothing comes first: signatures are looked at only when they could suffice.
 *
 * @returns what is believed then; `notTrusted` when this block needs others in between; any other refusal means that who sent it lies
 */
export function verifyLightBlock(
  trusted: LightTrust,
  { header, certificate, validators }: LightBlock,
  context: LightContext,
): LightVerdict {
  const { height, timestampMs } = header;
  if (header.chainId !== context.chainId) return refuse({ code: 'otherChain', chainId: header.chainId });
  if (height <= trusted.height) return refuse({ code: 'otherHeight', height });
  if (timestampMs <= trusted.timestampMs) return refuse({ code: 'notLater', timestampMs });
  if (timestampMs > context.nowMs + clockDriftMs) return refuse({ code: 'fromTheFuture', timestampMs });
  const blockHash = headerHash(header);
  if (certificate.height !== height || certificate.blockHash !== blockHash) return refuse({ code: 'otherBlock' });
  const set = asSet(validators);
  if (header.validatorsHash !== validatorsHash(set.validators)) return refuse({ code: 'otherValidators' });
  const isNamed = header.validatorsHash === trusted.nextValidatorsHash;
  if (height === trusted.height + 1 && !isNamed) return refuse({ code: 'otherNextValidators' });
  // A set that a believed header names is as good as the known one: nothing but its own quorum is needed.
  if (!isNamed) {
    const known = knownPower(trusted.validators, certificate, validators);
    const { isQuorum, isSkipQuorum } = tendermintRules;
    const level = trustLevel(trusted, context);
    const isEnough = level === 'third' ? isSkipQuorum(known.power, known.total) : isQuorum(known.power, known.total);
    if (!isEnough) return refuse({ code: 'notTrusted', ...known, level });
  }
  const check = verifyCommitCertificate(certificate, { validators: rank(set.validators) }, context);
  if (!check.ok) return refuse({ code: 'certificate', refusal: check.refusal });
  return { ok: true, trust: trustOf(header, validators), power: check.power, total: totalPower(set) };
}

/** Priorities have no part in a certificate. */
const rank = (validators: readonly Validator[]) =>
  validators.map((validator) => ({ ...validator, proposerPriority: 0n }));

/**
 * Power of the known validators who signed, each with the key that is known of it. Their signatures are those that the check of the
 * certificate verifies under the same keys.
 */
function knownPower(
  known: readonly LightValidator[],
  { signatures }: CommitCertificate,
  validators: readonly LightValidator[],
): { readonly power: bigint; readonly total: bigint } {
  const keys = new Map(validators.map(({ address, publicKey }) => [address, publicKey]));
  const signed = new Set<Address>(signatures.map(({ validator }) => validator));
  let [power, total] = [0n, 0n];
  for (const { address, publicKey, power: own } of known) {
    total += own;
    const key = keys.get(address);
    if (signed.has(address) && key !== undefined && bytesEqual(key, publicKey)) power += own;
  }
  return { power, total };
}

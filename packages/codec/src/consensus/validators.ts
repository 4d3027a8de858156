import { keccakHex } from '@prime/crypto';
import type { Hash } from '@prime/primitives';
import { address, listOf, struct, text, type FieldsOf, type ValueOf } from '../encoding/fieldCodecs.ts';
import { compressedKey, monikerBytesMax, signedWei, wei } from '../encoding/protocolFields.ts';
import { decodeRlp, encodeRlp } from '../encoding/rlp.ts';

/** Wei of stake that make one unit of voting power. */
const weiPerPower = 10n ** 18n;

/** Voting power of a stake: its whole units of {@link weiPerPower}, at least 1. */
export const powerOfStake = (stake: bigint): bigint => (stake < weiPerPower ? 1n : stake / weiPerPower);

/** Host of a validator that tells nobody where it is; a name that never resolves (RFC 6761). */
export const hiddenHost = 'hidden.invalid';

/** What identifies a member of a set in signatures; headers commit to it. */
const identity = {
  /** Owner (cold) address; what `proposer` shows. */
  address,
  /** Address of the hot key that signs votes, proposals and gateway actions. */
  signer: address,
  /** Compressed secp256k1 public key of the signer, 33 bytes. */
  publicKey: compressedKey,
} as const;
/** Voting power, > 0. */
const power = wei;
const memberFields = { ...identity, stake: wei, power, moniker: text(monikerBytesMax) } as const;

/** A member of a validator set. Stake is in wei. */
export interface Validator extends FieldsOf<typeof memberFields> {}

const ranked = struct({ ...memberFields, proposerPriority: signedWei });
/** A validator with its place in the weighted round robin. */
export interface RankedValidator extends ValueOf<typeof ranked> {}

/** Sorted by power descending, then address ascending. */
export interface ValidatorSet {
  readonly validators: readonly RankedValidator[];
}

const rankedCodec = listOf(ranked);
const hashedCodec = listOf(struct({ ...identity, power }));

/** Storage form, with the proposer priorities. */
export const encodeValidatorSet = (set: ValidatorSet): Uint8Array =>
  encodeRlp(rankedCodec.toRlp(set.validators, 'validators'));
/** Undoes {@link encodeValidatorSet}. @throws CodecError `CODEC_RLP_MALFORMED`, `CODEC_FIELD_INVALID` */
export const decodeValidatorSet = (bytes: Uint8Array): ValidatorSet => ({
  validators: rankedCodec.fromRlp(decodeRlp(bytes), 'validators'),
});

/** A set is asked for its hash several times in each of two heights, and never changes. */
const hashes = new WeakMap<readonly Validator[], Hash>();

/**
 * Commitment of headers to a validator set: owner, signer, key and power, in the order of the set. Priorities are left out, they
 * change with every block; stake and moniker have no part in checking a certificate.
 */
export function validatorsHash(validators: readonly Validator[]): Hash {
  let hash = hashes.get(validators);
  if (hash === undefined) {
    hash = keccakHex(encodeRlp(hashedCodec.toRlp(validators, 'validators')));
    hashes.set(validators, hash);
  }
  return hash;
}

import { keccakHex } from '@prime/crypto';
import type { Hash } from '@prime/primitives';
import { address, listOf, struct, text } from '../encoding/fieldCodecs.ts';
import { compressedKey, monikerBytesMax, signedWei, wei } from '../encoding/protocolFields.ts';
import { decodeRlp, encodeRlp } from '../encoding/rlp.ts';
import type { RankedValidator, Validator, ValidatorSet } from '../types.ts';

/** Wei of stake that make one unit of voting power. */
const weiPerPower = 10n ** 18n;

/** Voting power of a stake: its whole units of {@link weiPerPower}, at least 1. */
export const powerOfStake = (stake: bigint): bigint => (stake < weiPerPower ? 1n : stake / weiPerPower);

/** Host of a validator that tells nobody where it is; a name that never resolves (RFC 6761). */
export const hiddenHost = 'hidden.invalid';

const rankedCodec = listOf(
  struct<RankedValidator>({
    address,
    signer: address,
    publicKey: compressedKey,
    stake: wei,
    power: wei,
    moniker: text(monikerBytesMax),
    proposerPriority: signedWei,
  }),
);

const hashedCodec = listOf(
  struct<Pick<Validator, 'address' | 'signer' | 'publicKey' | 'power'>>({
    address,
    signer: address,
    publicKey: compressedKey,
    power: wei,
  }),
);

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

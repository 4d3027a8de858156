import {
  type ActionResult,
  type SignerClaim,
  signerProofDigest,
  type ValidatorActionPayload,
  type ValidatorEndpoint,
  type StakedValidator,
  type Refused,
} from '@prime/codec';
import { type Address, bigintAbs, bytesEqual, isPrimeError, type TimestampMs } from '@prime/primitives';
import { signerAddress } from '../signerAddress.ts';
import { type Draft, periodsMax, withSigner } from './draft.ts';
import { stakingRefusal as refusal } from './errors.ts';
import type { EvidenceRules } from './evidence.ts';
import { takeOut } from './jail.ts';
import { votingPower } from './state.ts';

/** Validators that are registered, in the set or not. */
const registeredMax = 1_000;
/** Returns of stake to one owner that wait at once. */
const unbondingsMax = 16;

/** An action whose nonce and owner the order book has found good. */
export interface ValidatorAction {
  /** Place among the actions of the block. */
  readonly index: number;
  readonly account: Address;
  readonly payload: ValidatorActionPayload;
  /** Whether the wei that it bonds are here. */
  readonly funded: boolean;
}

const done: ActionResult = { ok: true, value: { type: 'done' } };

/** Carries out one action. A refusal has changed nothing. */
export function runAction(draft: Draft, action: ValidatorAction, rules: EvidenceRules): ActionResult {
  const { account, payload } = action;
  if (payload.type === 'validatorJoin') return join(draft, action, payload, rules) ?? done;
  const validator = draft.validators.get(account);
  if (validator === undefined || validator.status === 'left') return refusal.unknownValidator(account);
  switch (payload.type) {
    case 'validatorBond':
      return bond(draft, validator, payload.amount, action.funded) ?? done;
    case 'validatorUnbond':
      return unbond(draft, validator, payload.amount) ?? done;
    case 'validatorLeave':
      return leave(draft, validator) ?? done;
    case 'validatorRotateSigner':
      return rotateSigner(draft, validator, payload, rules) ?? done;
    case 'validatorUnjail':
      return unjail(draft, validator) ?? done;
    case 'validatorJail':
      return jailSelf(draft, validator) ?? done;
    case 'validatorSetEndpoint': {
      if (!isEndpoint(payload)) return refusal.badEndpoint();
      draft.put({ ...validator, endpoint: endpointOf(payload) });
      return done;
    }
    case 'validatorSetOracleKey':
      return setOracleKey(draft, validator, payload.key) ?? done;
  }
}

type Payload<Type extends ValidatorActionPayload['type']> = Extract<ValidatorActionPayload, { readonly type: Type }>;

function join(
  draft: Draft,
  { account, funded }: ValidatorAction,
  payload: Payload<'validatorJoin'>,
  rules: EvidenceRules,
): Refused | null {
  const known = draft.validators.get(account);
  const { minStake } = draft.params;
  if (known?.tombstoned === true) return refusal.tombstoned(account);
  if (known !== undefined && known.status !== 'left') return refusal.alreadyRegistered(account);
  if (known === undefined && draft.validators.size >= registeredMax) return refusal.tooManyRegistered(registeredMax);
  if (payload.stake < minStake) return refusal.stakeTooSmall(payload.stake, minStake);
  if (!/^[\p{L}\p{M}\p{N}\p{P}\p{S} ]+$/u.test(payload.moniker)) return refusal.badMoniker();
  if (!isEndpoint(payload)) return refusal.badEndpoint();
  // Before the costly check: whoever has nothing to bond makes the others work for nothing.
  if (!funded) return refusal.insufficientFunds();
  const refused = checkSigner(draft, account, payload, rules);
  if (refused !== null) return refused;
  const validator: StakedValidator = {
    address: account,
    publicKey: payload.publicKey,
    stake: payload.stake,
    moniker: payload.moniker,
    endpoint: endpointOf(payload),
    oracleKey: null,
    status: 'jailed',
    // Who was jailed and left does not come back sooner than who stayed.
    jailedUntilMs: Math.max(draft.timestampMs, known?.jailedUntilMs ?? 0) as TimestampMs,
    tombstoned: false,
    periods: known?.periods ?? [],
    missed: [],
  };
  draft.put(validator);
  draft.emit('joined', validator);
  return null;
}

/** A key reports for one validator, and is nobody else's signer. */
function setOracleKey(draft: Draft, validator: StakedValidator, key: Address | null): Refused | null {
  for (const other of draft.validators.values()) {
    if (key === null || other.address === validator.address) continue;
    if (other.oracleKey === key || other.address === key || signerAddress(other.publicKey) === key)
      return refusal.signerInUse();
  }
  draft.put({ ...validator, oracleKey: key });
  return null;
}

const endpointOf = ({ host, port, spki }: ValidatorEndpoint): ValidatorEndpoint => ({ host, port, spki });

/** A name or an address, nothing that somebody would have to interpret. */
const isEndpoint = ({ host }: ValidatorEndpoint): boolean =>
  /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(host) || /^[0-9a-f:.]{2,45}$/i.test(host);

/** A key signs for one validator at a time, and what it signed for another must not be held against this one. */
function checkSigner(draft: Draft, owner: Address, claim: SignerClaim, rules: EvidenceRules): Refused | null {
  const signer = addressOf(claim.publicKey);
  const digest = signerProofDigest(rules.chainId, rules.genesisHash, owner);
  if (signer === null || !rules.provider.verify(digest, claim.proof, claim.publicKey)) return refusal.badSigner();
  for (const other of draft.validators.values()) {
    if (other.address === owner) continue;
    const keys = [other.publicKey, ...other.periods.flatMap(({ publicKey }) => publicKey ?? [])] as Uint8Array[];
    const isTaken = keys.some((key) => bytesEqual(key, claim.publicKey) || signerAddress(key) === owner);
    if (isTaken || other.address === signer) return refusal.signerInUse();
  }
  return null;
}

function addressOf(publicKey: Uint8Array): Address | null {
  try {
    return signerAddress(publicKey);
  } catch (error) {
    if (isPrimeError(error)) return null;
    throw error;
  }
}

function bond(draft: Draft, validator: StakedValidator, amount: bigint, funded: boolean): Refused | null {
  if (amount === 0n) return refusal.badAmount();
  return funded ? changeStake(draft, validator, amount) : refusal.insufficientFunds();
}

/** Gives a validator more stake, or less. */
function changeStake(draft: Draft, validator: StakedValidator, change: bigint): Refused | null {
  const stake = validator.stake + change;
  const changed = { ...validator, stake };
  const power = bigintAbs(votingPower(changed) - votingPower(validator));
  if (validator.status === 'active' && power > 0n && !draft.hasRoomFor(power))
    return refusal.tooMuchPower(draft.changedPower + power, draft.totalPower);
  draft.put(changed);
  draft.emit('stake_changed', changed);
  return null;
}

function unbond(draft: Draft, validator: StakedValidator, amount: bigint): Refused | null {
  const { minStake } = draft.params;
  const remaining = validator.stake - amount;
  if (amount === 0n) return refusal.badAmount();
  if (remaining < minStake) return refusal.stakeTooSmall(remaining < 0n ? 0n : remaining, minStake);
  const refused = hasUnbondings(draft, validator) ?? changeStake(draft, validator, -amount);
  if (refused === null) draft.unbond(validator.address, amount);
  return refused;
}

function hasUnbondings(draft: Draft, { address }: StakedValidator): Refused | null {
  const waiting = draft.unbondings.filter(({ owner }) => owner === address).length;
  return waiting >= unbondingsMax ? refusal.tooManyUnbondings(unbondingsMax) : null;
}

function leave(draft: Draft, validator: StakedValidator): Refused | null {
  const refused = validator.status === 'active' ? mayGo(draft, validator) : null;
  if (refused !== null) return refused;
  const { address, stake } = validator;
  const left: StakedValidator = { ...validator, status: 'left', stake: 0n, missed: [] };
  draft.put(validator.status === 'active' ? withSigner(left, null, draft.height) : left);
  // One more than an owner may have waiting otherwise: nobody must be kept from leaving.
  draft.unbond(address, stake);
  draft.emit('left', left);
  return null;
}

/** Whether the set can do without an active validator that goes of its own will. */
function mayGo(draft: Draft, validator: StakedValidator): Refused | null {
  const power = votingPower(validator);
  const { minValidators } = draft.params;
  if (draft.activeCount <= minValidators) return refusal.tooFewValidators(minValidators);
  return draft.hasRoomFor(power) ? null : refusal.tooMuchPower(draft.changedPower + power, draft.totalPower);
}

function rotateSigner(
  draft: Draft,
  validator: StakedValidator,
  claim: SignerClaim,
  rules: EvidenceRules,
): Refused | null {
  if (validator.tombstoned) return refusal.tombstoned(validator.address);
  if (bytesEqual(claim.publicKey, validator.publicKey)) return refusal.signerInUse();
  if (validator.periods.length >= periodsMax) return refusal.tooManyChanges(periodsMax);
  const refused = checkSigner(draft, validator.address, claim, rules);
  if (refused !== null) return refused;
  const { publicKey } = claim;
  const rotated = { ...validator, publicKey };
  draft.put(validator.status === 'active' ? withSigner(rotated, publicKey, draft.height) : rotated);
  draft.emit('signer_rotated', rotated, { signer: signerAddress(publicKey) });
  return null;
}

function unjail(draft: Draft, validator: StakedValidator): Refused | null {
  const { minStake, maxValidators } = draft.params;
  const power = votingPower(validator);
  if (validator.tombstoned) return refusal.tombstoned(validator.address);
  if (validator.status !== 'jailed') return refusal.notJailed(validator.address);
  if (draft.timestampMs < validator.jailedUntilMs) return refusal.stillJailed(validator.jailedUntilMs);
  if (validator.stake < minStake) return refusal.stakeTooSmall(validator.stake, minStake);
  if (draft.activeCount >= maxValidators) return refusal.tooManyValidators(maxValidators);
  if (validator.periods.length >= periodsMax) return refusal.tooManyChanges(periodsMax);
  if (!draft.hasRoomFor(power)) return refusal.tooMuchPower(draft.changedPower + power, draft.totalPower);
  const back: StakedValidator = { ...validator, status: 'active', jailedUntilMs: 0 as TimestampMs };
  draft.put(withSigner(back, validator.publicKey, draft.height));
  draft.emit('unjailed', back);
  return null;
}

function jailSelf(draft: Draft, validator: StakedValidator): Refused | null {
  if (validator.status !== 'active') return refusal.jailed(validator.address);
  const refused = mayGo(draft, validator);
  if (refused === null) takeOut(draft, validator, validator.tombstoned ? validator.jailedUntilMs : draft.timestampMs);
  return refused;
}

import type { DomainEvent, StakingParams, StakedValidator, StakingClock, Unbonding } from '@prime/codec';
import { type Address, assert, bytesEqual, type Height, type TimestampMs } from '@prime/primitives';
import { type StakingState, validatorsInOrder, votingPower } from './state.ts';

/** Changes of the key or the membership of one validator that are remembered, as long as evidence is good. */
export const periodsMax = 64;

/** Wei that leave the staking state. */
export interface Payout {
  readonly to: Address;
  readonly amount: bigint;
}

/** The state of a block in the making, with what it did and how far it may still go. */
export class Draft {
  readonly params: StakingParams;
  readonly height: Height;
  readonly timestampMs: TimestampMs;
  readonly events: DomainEvent[] = [];
  readonly payouts: Payout[] = [];
  /** Action that is being carried out; null for what the block itself does. */
  actionIndex: number | null = null;
  clock: StakingClock;
  #validators: ReadonlyMap<Address, StakedValidator>;
  #unbondings: readonly Unbonding[];
  readonly #totalPower: bigint;
  #changedPower = 0n;
  #activeCount: number;

  constructor(
    state: StakingState,
    params: StakingParams,
    at: { readonly height: Height; readonly timestampMs: TimestampMs },
  ) {
    this.params = params;
    this.height = at.height;
    this.timestampMs = at.timestampMs;
    this.clock = state.clock;
    this.#validators = state.validators;
    this.#unbondings = state.unbondings;
    const active = this.active();
    this.#activeCount = active.length;
    this.#totalPower = active.reduce((sum, validator) => sum + votingPower(validator), 0n);
  }

  state(): StakingState {
    return { validators: this.#validators, unbondings: this.#unbondings, clock: this.clock };
  }

  get validators(): ReadonlyMap<Address, StakedValidator> {
    return this.#validators;
  }

  get unbondings(): readonly Unbonding[] {
    return this.#unbondings;
  }

  set unbondings(unbondings: readonly Unbonding[]) {
    this.#unbondings = unbondings;
  }

  get activeCount(): number {
    return this.#activeCount;
  }

  /** Of the set when the block began. */
  get totalPower(): bigint {
    return this.#totalPower;
  }

  get changedPower(): bigint {
    return this.#changedPower;
  }

  /** In the order of their addresses. */
  active(): StakedValidator[] {
    return validatorsInOrder({ validators: this.#validators }).filter(({ status }) => status === 'active');
  }

  put(validator: StakedValidator): void {
    const previous = this.#validators.get(validator.address);
    this.#validators = new Map(this.#validators).set(validator.address, validator);
    this.#activeCount += Number(validator.status === 'active') - Number(previous?.status === 'active');
    const change = powerIn(validator) - powerIn(previous);
    this.#changedPower += change < 0n ? -change : change;
  }

  remove(address: Address): void {
    const validators = new Map(this.#validators);
    assert(validators.get(address)?.status === 'left', `${address} is forgotten before it left`);
    validators.delete(address);
    this.#validators = validators;
  }

  /** Whether a block may change so much more power, and still less than 1/3 of all. */
  hasRoomFor(power: bigint): boolean {
    return 3n * (this.#changedPower + power) < this.#totalPower;
  }

  unbond(owner: Address, amount: bigint): void {
    if (amount === 0n) return;
    const { nextUnbondingId: id } = this.clock;
    this.clock = { ...this.clock, nextUnbondingId: id + 1 };
    const releaseMs = (this.timestampMs + this.params.unbondingMs) as TimestampMs;
    this.#unbondings = [...this.#unbondings, { id, owner, amount, releaseMs }];
  }

  emit(kind: string, { address, stake }: StakedValidator, more: DomainEvent['data'] = {}): void {
    const data = { validator: address, stake, power: stake === 0n ? 0n : votingPower({ stake }), ...more };
    this.events.push({ domain: 'validators', kind, actionIndex: this.actionIndex, data });
  }
}

const powerIn = (validator: StakedValidator | undefined): bigint =>
  validator?.status === 'active' ? votingPower(validator) : 0n;

/** With this key, or none, in the set from the second block after this one on. */
export function withSigner(validator: StakedValidator, publicKey: Uint8Array | null, height: Height): StakedValidator {
  const fromHeight = (height + 2) as Height;
  const earlier = validator.periods.filter((period) => period.fromHeight < fromHeight);
  const last = earlier.at(-1)?.publicKey ?? null;
  const same = last === publicKey || (last !== null && publicKey !== null && bytesEqual(last, publicKey));
  return { ...validator, periods: same ? earlier : [...earlier, { fromHeight, publicKey }] };
}

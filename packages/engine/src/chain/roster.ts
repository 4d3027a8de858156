import type { ExecutionStatus, Genesis, RegisteredValidator, ValidatorSet } from '@prime/codec';
import { validatorsFromGenesis } from '@prime/consensus';
import type { Address, Height } from '@prime/primitives';

/** What the chain says of a validator, as far as peers go by it. */
export type RosterEntry = Pick<RegisteredValidator, 'address' | 'signer' | 'status'> &
  Partial<Pick<RegisteredValidator, 'endpoint'>>;

/**
 * Who has a place among the peers as a validator, as of the newest executed block.
 *
 * A change by block H counts from block H + 2 on: the set of H + 1 is the one of before. So whoever left in H, or changed its key there, is
 * needed for one more block, and a network that let it go at once could stand still with another validator down.
 */
export class ValidatorRoster {
  #registered: readonly RosterEntry[];
  /** As they were before the newest change: peers that are a block behind know the keys of these. */
  #before: readonly RosterEntry[] = [];
  /** Keys of the validators that decide the next block. */
  #deciding: ReadonlyMap<Address, Address>;
  /** Whether those of the block after the next one are others. */
  #isMoving = false;
  #height = 0 as Height;

  constructor(genesis: Genesis) {
    const { validators } = validatorsFromGenesis(genesis.validators);
    this.#registered = validators.map((validator) => ({ ...validator, status: 'active' }));
    this.#deciding = activeOf(this.#registered);
  }

  /** What is registered is known as of this block. */
  get height(): Height {
    return this.#height;
  }

  /** Everyone who is or ever was registered. */
  get registered(): readonly RosterEntry[] {
    return this.#registered;
  }

  /**
   * Where the process begins.
   *
   * @param next the set that decides the block after it; null where that is not known
   */
  begin({ height, validators }: Pick<ExecutionStatus, 'height' | 'validators'>, next: ValidatorSet | null): void {
    this.#height = height;
    this.#registered = validators ?? this.#registered;
    this.#deciding = activeOf(this.#registered);
    if (next === null) return;
    this.#deciding = new Map(next.validators.map(({ address, signer }) => [address, signer]));
    this.#isMoving = true;
  }

  /**
   * A block was executed; without validators it changed nothing about them.
   *
   * @returns whether {@link members} may be others now
   */
  update({ height, validators }: Pick<ExecutionStatus, 'height' | 'validators'>): boolean {
    const wasMoving = this.#isMoving;
    this.#height = height;
    if (wasMoving || validators !== undefined) this.#deciding = activeOf(this.#registered);
    this.#isMoving = validators !== undefined;
    if (validators === undefined) return wasMoving;
    this.#before = this.#registered;
    this.#registered = validators;
    return true;
  }

  /** Who is a validator to its peers: registered and not gone, or still to decide the next block. */
  members(): readonly RosterEntry[] {
    return this.#registered.filter((entry) => this.#isMember(entry));
  }

  /** The validator that a key votes for at the next height or the one after it; null when it is nobody's. */
  validatorOf(signer: Address): Address | null {
    const now = this.#registered.find((entry) => entry.status !== 'left' && entry.signer === signer);
    if (now !== undefined) return now.address;
    for (const [address, key] of this.#deciding) if (key === signer) return address;
    return null;
  }

  /** Hot keys that a validator may show itself with; none when the address is no validator, or one that left and decides no more. */
  signersOf(address: Address): readonly Address[] {
    const now = this.#find(address);
    if (now === undefined || !this.#isMember(now)) return [];
    return [...this.#signersOf(now)];
  }

  /** Keys of one that left and decides no more; it may not know yet. None for all others. */
  formerSignersOf(address: Address): readonly Address[] {
    const now = this.#find(address);
    return now === undefined || this.#isMember(now) ? [] : [...this.#signersOf(now)];
  }

  #find(address: Address): RosterEntry | undefined {
    return this.#registered.find((entry) => entry.address === address);
  }

  #isMember({ address, status }: RosterEntry): boolean {
    return status !== 'left' || this.#deciding.has(address);
  }

  #signersOf({ address, signer }: RosterEntry): Set<Address> {
    const others = [this.#deciding.get(address), this.#before.find((entry) => entry.address === address)?.signer];
    return new Set([signer, ...others.filter((other) => other !== undefined)]);
  }
}

const activeOf = (registered: readonly RosterEntry[]): ReadonlyMap<Address, Address> =>
  new Map(registered.filter(({ status }) => status === 'active').map(({ address, signer }) => [address, signer]));

import {
  defaultStakingParams,
  type Evidence,
  type ExecutableBlock,
  type Genesis,
  genesisHash,
  isValidatorAction,
  type RegisteredValidator,
  type StakingParams,
  type ValidatorSet,
  validatorsHash,
} from '@prime/codec';
import {
  accusedOf,
  createValidatorSet,
  type EvidenceRules,
  executeStakingBlock,
  genesisStaking,
  registeredValidators,
  type StakingState,
  validatorsFromGenesis,
} from '@prime/consensus';
import type { CryptoProvider } from '@prime/crypto';
import type { Address } from '@prime/primitives';
import { Violation } from '../../observer.ts';
import { RotationModel } from './rotationModel.ts';

/** Short times, so that a run of seconds sees what takes days otherwise. */
export const simulatedStaking: StakingParams = {
  ...defaultStakingParams,
  minValidators: 4,
  unbondingMs: 4_000,
  evidenceMaxAgeMs: 600_000,
  downtimeWindowMs: 2_000,
  downtimeMinSignedBps: 1_000,
  downtimeJailMs: 500,
};

/** Damage to what nodes make of validators, to show that the simulation notices. */
export interface MembershipDamage {
  /** A validator may be convicted again and again. */
  readonly convictsTwice?: boolean;
  /** Changes count one block later than they should. */
  readonly activatesLate?: boolean;
  /** A new key is registered, and the old one goes on to count. */
  readonly keepsOldSigner?: boolean;
  /** Anybody may be jailed, however few remain. */
  readonly jailsEveryone?: boolean;
}

export const rulesOf = (genesis: Genesis, provider: CryptoProvider, damage: MembershipDamage = {}): EvidenceRules => ({
  params: { ...genesis.staking!, ...(damage.jailsEveryone === true ? { minValidators: 1 } : {}) },
  chainId: genesis.chainId,
  genesisHash: genesisHash(genesis),
  provider,
});

/** Runs a block on a staking state; every action is funded, and its signature was checked on the way in. */
export function runStaking(state: StakingState, block: ExecutableBlock, rules: EvidenceRules): StakingState {
  const actions = block.actions.flatMap(({ transaction: { account, payload } }, index) =>
    isValidatorAction(payload) ? [{ index, account, payload, funded: true }] : [],
  );
  const { height, timestampMs } = block.block.header;
  const { evidence, lastCommit } = block.block;
  return executeStakingBlock(state, { height, timestampMs, evidence, lastCommit, actions }, rules).state;
}

/**
 * What validators must be at each height, told from the decided blocks alone: it runs the staking state for itself and knows nothing of
 * what nodes store.
 */
export class MembershipOracle {
  /** Proposers of the height of the block to come. */
  readonly #rotation: RotationModel;
  /** null where the validators never change. */
  readonly #rules: EvidenceRules | null;
  readonly #convicted = new Set<Address>();
  readonly #sets: ValidatorSet[];
  #state: StakingState;

  constructor(genesis: Genesis, provider: CryptoProvider) {
    const first = validatorsFromGenesis(genesis.validators);
    this.#sets = [first, first];
    this.#rotation = new RotationModel(first.validators);
    this.#rules = genesis.staking === undefined ? null : rulesOf(genesis, provider);
    this.#state = genesisStaking(genesis.validators);
  }

  get convicted(): number {
    return this.#convicted.size;
  }

  get changes(): number {
    let changes = 0;
    for (const [index, set] of this.#sets.entries()) if (index > 0 && set !== this.#sets[index - 1]) changes += 1;
    return changes;
  }

  /** The set of a height; of one that is not known yet the newest known one. */
  setAt(height: number): ValidatorSet {
    return this.#sets[Math.min(height, this.#sets.length) - 1]!;
  }

  /** A block was decided; each height once, in order. @param round in which it was decided */
  onBlock(executable: ExecutableBlock, round: number): void {
    const { header, evidence } = executable.block;
    if (header.height !== this.#sets.length - 1) return;
    // A block is proposed by who has the turn, and maybe again by who has a later one.
    if (!this.#rotation.proposers(round).includes(header.proposer))
      throw new Violation(`block ${header.height} of round ${round} was not the turn of ${header.proposer}`);
    const named = [header.validatorsHash, header.nextValidatorsHash];
    for (const [index, hash] of named.entries())
      if (hash !== validatorsHash(this.setAt(header.height + index).validators))
        throw new Violation(`block ${header.height} names wrong validators for height ${header.height + index}`);
    for (const piece of evidence) this.#convict(piece);
    if (this.#rules !== null) this.#state = runStaking(this.#state, executable, this.#rules);
    this.#sets.push(this.#nextSet());
    this.#rotation.advance(this.setAt(header.height + 1).validators);
  }

  #nextSet(): ValidatorSet {
    const active = registeredValidators(this.#state).filter(({ status }) => status === 'active');
    const next = createValidatorSet(active.map((validator) => ({ ...validator, proposerPriority: 0n })));
    const last = this.#sets.at(-1)!;
    return validatorsHash(next.validators) === validatorsHash(last.validators) ? last : next;
  }

  #convict(evidence: Evidence): void {
    const accused = accusedOf(evidence);
    if (this.#convicted.has(accused)) throw new Violation(`${accused} is convicted twice`);
    this.#convicted.add(accused);
  }
}

/** What a damaged node tells of the validators. */
export function damaged(
  validators: readonly RegisteredValidator[],
  genesis: Genesis,
  damage: MembershipDamage,
): readonly RegisteredValidator[] {
  if (damage.keepsOldSigner !== true) return validators;
  const first = new Map(validatorsFromGenesis(genesis.validators).validators.map((entry) => [entry.address, entry]));
  return validators.map((validator) => {
    const { signer, publicKey } = first.get(validator.address)!;
    return { ...validator, signer, publicKey };
  });
}

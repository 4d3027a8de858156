import { expect, it } from '@jest/globals';
import type { Evidence, StakingParams, ValidatorActionPayload } from '@prime/codec';
import { type Address, bytesToHex, compareStrings } from '@prime/primitives';
import fc from 'fast-check';
import { stakerKeys } from '../testing/stakingActs.ts';
import { type Act, codeOf, ether, owner, StakingHarness } from '../testing/stakingHarness.ts';
import { type ModelAct, type ModelBlock, StakingModel } from '../testing/stakingModel.ts';
import { escrowOf, signerAt } from './state.ts';

/** Validators of genesis, all who may ever be one, and their keys. */
const [genesisCount, ownerCount, keyCount] = [6, 9, 14];
const params: Partial<StakingParams> = {
  minValidators: 2,
  maxValidators: 7,
  unbondingMs: 12_000,
  // Nothing is forgotten while a test runs: the model never forgets.
  evidenceMaxAgeMs: 30 * 86_400_000,
  downtimeWindowMs: 10_000,
  downtimeMinSignedBps: 7_000,
  downtimeSlashBps: 100,
  downtimeJailMs: 3_000,
};

const who = fc.nat(ownerCount - 1);
const key = fc.nat(keyCount - 1);
const funded = fc.integer({ min: 0, max: 7 }).map((value) => value > 0);
/** Around the bounds: nothing, dust, a unit, much, too much. */
const amount = fc.oneof(
  fc.constantFrom(0n, 1n, ether / 2n, ether, 2n * ether),
  fc.bigInt({ min: 1n, max: 80n }).map((units) => units * ether),
);
const act: fc.Arbitrary<ModelAct> = fc.oneof(
  fc.record({ kind: fc.constant('join' as const), who, stake: amount, key, funded }),
  fc.record({ kind: fc.constant('bond' as const), who, amount, funded }),
  fc.record({ kind: fc.constant('unbond' as const), who, amount }),
  fc.record({ kind: fc.constant('rotate' as const), who, key }),
  fc.record({ kind: fc.constantFrom('leave' as const, 'unjail' as const, 'jail' as const), who }),
  // Else networks shrink and little happens.
  fc.record({ kind: fc.constant('unjail' as const), who }),
  fc.record({ kind: fc.constant('unjail' as const), who }),
);
interface Step {
  readonly afterMs: number;
  readonly acts: readonly ModelAct[];
  readonly accused: { readonly who: number; readonly back: number } | null;
  readonly absent: readonly number[];
  readonly stays: boolean;
}
const step: fc.Arbitrary<Step> = fc.record({
  afterMs: fc.constantFrom(150, 600, 900, 1_100, 2_500),
  acts: fc.array(act, { maxLength: 3 }),
  accused: fc.option(fc.record({ who, back: fc.integer({ min: 1, max: 6 }) }), { freq: 10 }),
  absent: fc.uniqueArray(fc.nat(genesisCount - 1), { minLength: 1, maxLength: 2 }),
  // Absence is rarely of one block.
  stays: fc.integer({ min: 0, max: 15 }).map((value) => value > 0),
});

class Comparison {
  readonly harness = new StakingHarness(stakerKeys, stakes, params);
  readonly model = new StakingModel(stakes, this.harness.timestampMs, this.harness.rules.params);
  #absent: readonly number[] = [];

  /** Runs a block on both. @returns all that can be told of them afterwards, which must be the same */
  step(wanted: Step): { readonly real: unknown; readonly model: unknown } {
    if (!wanted.stays || this.model.height === 0) this.#absent = wanted.absent;
    const { evidence, refused } = this.#evidence(wanted);
    const acts = wanted.acts.map((each) => this.#real(each));
    const block: ModelBlock = {
      ...wanted,
      absent: this.#absent,
      convicted: evidence.length === 0 ? [] : [wanted.accused!.who],
    };
    const results = this.harness.block({
      acts,
      evidence,
      absent: this.#absent.map(owner),
      afterMs: wanted.afterMs,
    });
    const model = { results: this.model.block(block), refused: refused?.model, ...this.#modelState() };
    return { real: { results: results.map(codeOf), refused: refused?.real, ...this.#realState() }, model };
  }

  /** What the newest block did, by name. */
  happened(): string[] {
    const { outcome, state } = this.harness;
    return outcome!.events.map(({ kind, data }) => {
      if (kind !== 'slashed') return kind;
      return state.validators.get(data['validator'] as Address)?.tombstoned === true ? 'convicted' : 'absent';
    });
  }

  /** Evidence where the model says that there can be some; where not, the real rules must refuse it. */
  #evidence({ accused, afterMs }: Step): {
    readonly evidence: readonly Evidence[];
    readonly refused: { readonly real: boolean; readonly model: boolean } | null;
  } {
    const { model, harness } = this;
    const height = model.height + 1 - (accused?.back ?? 0);
    if (accused === null || height < 1) return { evidence: [], refused: null };
    const signedWith = model.sets[height]!.get(accused.who);
    const piece = harness.doubleVote(accused.who, height, signedWith ?? accused.who);
    const isGood = signedWith !== undefined && model.validators.get(accused.who)?.convicted === false;
    const isRefused = harness.refusal([piece], afterMs) !== null;
    return { evidence: isRefused ? [] : [piece], refused: { real: isRefused, model: !isGood } };
  }

  #real(wanted: ModelAct): Act {
    const account = owner(wanted.who);
    if (wanted.kind === 'join')
      return { ...this.harness.join(wanted.who, wanted.stake, wanted.key), funded: wanted.funded };
    return { account, payload: this.#payload(wanted), funded: wanted.kind !== 'bond' || wanted.funded };
  }

  #payload(wanted: Exclude<ModelAct, { readonly kind: 'join' }>): ValidatorActionPayload {
    switch (wanted.kind) {
      case 'bond':
        return { type: 'validatorBond', amount: wanted.amount };
      case 'unbond':
        return { type: 'validatorUnbond', amount: wanted.amount };
      case 'rotate':
        return { type: 'validatorRotateSigner', ...this.harness.claim(owner(wanted.who), wanted.key) };
      case 'leave':
        return { type: 'validatorLeave' };
      case 'unjail':
        return { type: 'validatorUnjail' };
      case 'jail':
        return { type: 'validatorJail' };
    }
  }

  #realState() {
    const { state, paid } = this.harness;
    const validators = [...state.validators.values()].map(
      ({ address, stake, status, jailedUntilMs, tombstoned, publicKey }) =>
        [address, [stake, status, jailedUntilMs, tombstoned, bytesToHex(publicKey)]] as const,
    );
    return {
      validators: Object.fromEntries(validators),
      unbondings: state.unbondings.map(({ owner: of, amount: wei, releaseMs }) => [of, wei, releaseMs]),
      escrow: escrowOf(state),
      paid: Object.fromEntries(paid),
      sets: this.#realSets(),
    };
  }

  #modelState() {
    const { model } = this;
    const { slashedTo } = this.harness.rules.params;
    const validators = [...model.validators].map(
      ([index, { stake, status, jailedUntilMs, convicted, key: number }]) =>
        [owner(index), [stake, status, jailedUntilMs, convicted, bytesToHex(stakerKeys[number]!)]] as const,
    );
    return {
      validators: Object.fromEntries(validators),
      unbondings: model.unbondings.map(({ who: of, amount: wei, releaseMs }) => [owner(of), wei, releaseMs]),
      escrow: model.escrow(),
      paid: Object.fromEntries([...model.paid].map(([index, wei]) => [index < 0 ? slashedTo : owner(index), wei])),
      sets: this.#modelSets(),
    };
  }

  /** Who signs with which key at each height, up to the one that the newest block has decided about. */
  #realSets(): string[] {
    const entries = [...this.harness.state.validators];
    return Array.from({ length: this.model.height + 2 }, (_, index) =>
      entries
        .flatMap(([address, validator]) => {
          const signs = signerAt(validator, index + 1);
          return signs === null ? [] : [`${address} ${bytesToHex(signs)}`];
        })
        .sort(compareStrings)
        .join(),
    );
  }

  #modelSets(): string[] {
    return this.model.sets.slice(1).map((set) =>
      [...set]
        .map(([index, number]) => `${owner(index)} ${bytesToHex(stakerKeys[number]!)}`)
        .sort(compareStrings)
        .join(),
    );
  }
}

const stakes = [100n, 90n, 80n, 80n, 40n, 1n].map((units) => units * ether).slice(0, genesisCount);

it('after every block of any sequence: what the plain rules say, validator by validator, wei by wei, key by key', () => {
  const seen = new Map<string, number>();
  fc.assert(
    fc.property(fc.array(step, { minLength: 5, maxLength: 40, size: 'max' }), (steps) => {
      const comparison = new Comparison();
      for (const each of steps) {
        const { real, model } = comparison.step(each);
        expect(real).toEqual(model);
        for (const what of comparison.happened()) seen.set(what, (seen.get(what) ?? 0) + 1);
      }
    }),
    { numRuns: 50 },
  );
  // Sequences in which nothing happens prove nothing.
  for (const kind of ['joined', 'left', 'stake_changed', 'signer_rotated', 'jailed', 'unjailed', 'convicted', 'absent'])
    expect([kind, (seen.get(kind) ?? 0) > 0]).toEqual([kind, true]);
});

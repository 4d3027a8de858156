import type { StakingParams } from '@prime/codec';

/**
 * The staking rules of docs/protocol/validators.md in the plainest way: whole tables instead of what can be derived from less, everything
 * counted anew whenever it is needed, and nothing ever forgotten. For tests, which compare it with the real state after every block.
 */
export interface ModelValidator {
  stake: bigint;
  status: 'active' | 'jailed' | 'left';
  jailedUntilMs: number;
  convicted: boolean;
  /** Number of its key. */
  key: number;
}

export type ModelAct =
  | {
      readonly kind: 'join';
      readonly who: number;
      readonly stake: bigint;
      readonly key: number;
      readonly funded: boolean;
    }
  | { readonly kind: 'bond'; readonly who: number; readonly amount: bigint; readonly funded: boolean }
  | { readonly kind: 'unbond'; readonly who: number; readonly amount: bigint }
  | { readonly kind: 'rotate'; readonly who: number; readonly key: number }
  | { readonly kind: 'leave' | 'unjail' | 'jail'; readonly who: number };

export interface ModelBlock {
  readonly afterMs: number;
  readonly acts: readonly ModelAct[];
  /** Who signed two messages at an earlier height, by the evidence of the block. */
  readonly convicted: readonly number[];
  /** Whose precommits for the block before are missing. */
  readonly absent: readonly number[];
}

interface PastBlock {
  readonly height: number;
  readonly timeMs: number;
  readonly missing: readonly number[];
}

const forever = Number.MAX_SAFE_INTEGER;
const unit = 10n ** 18n;
const powerOf = (stake: bigint): bigint => (stake < unit ? 1n : stake / unit);

export class StakingModel {
  readonly validators = new Map<number, ModelValidator>();
  /** Key of each validator of the set of each height. */
  readonly sets: Map<number, number>[] = [];
  unbondings: { who: number; amount: bigint; releaseMs: number }[] = [];
  /** Wei that left, by the payee; slashed ones at -1. */
  readonly paid = new Map<number, bigint>();
  height = 0;
  timeMs: number;
  readonly #params: StakingParams;
  readonly #past: PastBlock[] = [];
  /** Power when the block began. */
  #total = 0n;
  /** Every change of the power of the set that the block has made. */
  #changes: bigint[] = [];
  /** Power that was jailed, by downtime window, with the total when the first was. */
  readonly #jailed = new Map<number, { readonly total: bigint; power: bigint }>();

  constructor(stakes: readonly bigint[], startMs: number, params: StakingParams) {
    this.#params = params;
    this.timeMs = startMs;
    for (const [who, stake] of stakes.entries())
      this.validators.set(who, { stake, status: 'active', jailedUntilMs: 0, convicted: false, key: who });
    // Heights 1 and 2 are decided by the validators of genesis; there is no height 0.
    this.sets.push(new Map(), this.#setNow(), this.#setNow());
  }

  /** Numbers of those in the set that the newest block made, in the order of their addresses. */
  active(): number[] {
    return [...this.validators]
      .filter(([, { status }]) => status === 'active')
      .map(([who]) => who)
      .sort((a, b) => a - b);
  }

  /** @returns refusals of the acts, in order; `ok` for what went through */
  block({ afterMs, acts, convicted, absent }: ModelBlock): string[] {
    this.height += 1;
    this.timeMs += afterMs;
    this.#total = this.#power();
    this.#changes = [];
    this.#release();
    this.#judgeDowntime();
    const missing = this.height === 1 ? [] : this.#missing(absent);
    this.#past.push({ height: this.height, timeMs: this.timeMs, missing });
    for (const who of convicted) this.#convict(who);
    for (const who of this.active())
      if (this.validators.get(who)!.convicted && this.#mayJail(who)) this.#punish(who, forever);
    const results = acts.map((act) => this.#act(act));
    this.sets.push(this.#setNow());
    return results;
  }

  /** All wei that the rules answer for. */
  escrow(): bigint {
    let total = 0n;
    for (const { stake } of this.validators.values()) total += stake;
    for (const { amount } of this.unbondings) total += amount;
    return total;
  }

  #setNow(): Map<number, number> {
    return new Map(this.active().map((who) => [who, this.validators.get(who)!.key]));
  }

  #power(): bigint {
    return this.active().reduce((sum, who) => sum + powerOf(this.validators.get(who)!.stake), 0n);
  }

  /** Carries out a change and notes by how much it moved the power of one validator. */
  #change(who: number, work: (validator: ModelValidator) => void): void {
    const validator = this.validators.get(who)!;
    const power = (): bigint => (validator.status === 'active' ? powerOf(validator.stake) : 0n);
    const before = power();
    work(validator);
    const moved = power() - before;
    this.#changes.push(moved < 0n ? -moved : moved);
  }

  /** Whether a block stays below a third of the power with this on top. */
  #hasRoom(power: bigint): boolean {
    return 3n * (this.#changes.reduce((sum, change) => sum + change, 0n) + power) < this.#total;
  }

  #pay(who: number, amount: bigint): void {
    if (amount === 0n) return;
    this.paid.set(who, (this.paid.get(who) ?? 0n) + amount);
  }

  #release(): void {
    for (const { who, amount, releaseMs } of this.unbondings) if (releaseMs <= this.timeMs) this.#pay(who, amount);
    this.unbondings = this.unbondings.filter(({ releaseMs }) => releaseMs > this.timeMs);
  }

  #missing(absent: readonly number[]): number[] {
    const voters = this.sets[this.height - 1]!;
    return absent.filter((who) => voters.has(who) && this.validators.get(who)!.status === 'active');
  }

  #piece(timeMs: number): number {
    return Math.floor(timeMs / Math.ceil(this.#params.downtimeWindowMs / 10));
  }

  /** Once in a tenth of the window: who signed too few of the blocks of the last ten tenths is jailed, the worst first. */
  #judgeDowntime(): void {
    const now = this.#piece(this.timeMs);
    const newest = this.#past.at(-1);
    if (newest === undefined || this.#piece(newest.timeMs) === now) return;
    const window = this.#past.filter(({ timeMs }) => this.#piece(timeMs) >= now - 10);
    if (new Set(window.map(({ timeMs }) => this.#piece(timeMs))).size <= 5) return;
    const from = window[0]!.height;
    const blocks = this.height - from;
    const missed = (who: number): number => window.filter(({ missing }) => missing.includes(who)).length;
    const absent = this.active()
      .filter((who) => this.sets.slice(from - 1).every((set, index) => from - 1 + index === 0 || set.has(who)))
      .filter((who) => from > 1 && (blocks - missed(who)) * 10_000 < this.#params.downtimeMinSignedBps * blocks)
      .sort((a, b) => missed(b) - missed(a));
    for (const who of absent) {
      if (!this.#mayJail(who)) continue;
      this.#slash(who, this.#params.downtimeSlashBps, false);
      this.#punish(who, this.timeMs + this.#params.downtimeJailMs);
    }
  }

  #jailWindow(): { readonly total: bigint; power: bigint } {
    const window = Math.floor(this.timeMs / this.#params.downtimeWindowMs);
    return this.#jailed.get(window) ?? { total: this.#total, power: 0n };
  }

  #mayJail(who: number): boolean {
    const power = powerOf(this.validators.get(who)!.stake);
    const { total, power: jailed } = this.#jailWindow();
    return this.active().length > this.#params.minValidators && this.#hasRoom(power) && 3n * (jailed + power) <= total;
  }

  #punish(who: number, untilMs: number): void {
    const window = this.#jailWindow();
    window.power += powerOf(this.validators.get(who)!.stake);
    this.#jailed.set(Math.floor(this.timeMs / this.#params.downtimeWindowMs), window);
    this.#takeOut(who, untilMs);
  }

  #takeOut(who: number, untilMs: number): void {
    this.#change(who, (validator) => {
      validator.status = 'jailed';
      validator.jailedUntilMs = untilMs;
    });
  }

  #slash(who: number, bps: number, andUnbonding: boolean): void {
    const part = (amount: bigint): bigint => (amount * BigInt(bps)) / 10_000n;
    this.#change(who, (validator) => {
      this.#pay(-1, part(validator.stake));
      validator.stake -= part(validator.stake);
    });
    if (!andUnbonding) return;
    for (const unbonding of this.unbondings) {
      if (unbonding.who !== who) continue;
      this.#pay(-1, part(unbonding.amount));
      unbonding.amount -= part(unbonding.amount);
    }
  }

  #convict(who: number): void {
    const validator = this.validators.get(who)!;
    validator.convicted = true;
    validator.jailedUntilMs = forever;
    this.#slash(who, this.#params.doubleSignSlashBps, true);
  }

  #act(act: ModelAct): string {
    if (act.kind === 'join') return this.#join(act);
    const validator = this.validators.get(act.who);
    if (validator === undefined || validator.status === 'left') return 'STAKING_UNKNOWN_VALIDATOR';
    switch (act.kind) {
      case 'bond':
        if (act.amount === 0n) return 'STAKING_BAD_AMOUNT';
        return act.funded ? this.#changeStake(act.who, act.amount) : 'STAKING_INSUFFICIENT_FUNDS';
      case 'unbond':
        return this.#unbond(act.who, act.amount);
      case 'rotate':
        return this.#rotate(act.who, act.key);
      case 'leave':
        return this.#leave(act.who);
      case 'unjail':
        return this.#unjail(act.who);
      case 'jail':
        return this.#jailSelf(act.who);
    }
  }

  #join({ who, stake, key, funded }: ModelAct & { readonly kind: 'join' }): string {
    const known = this.validators.get(who);
    if (known?.convicted === true) return 'STAKING_TOMBSTONED';
    if (known !== undefined && known.status !== 'left') return 'STAKING_ALREADY_REGISTERED';
    if (stake < this.#params.minStake) return 'STAKING_STAKE_TOO_SMALL';
    if (!funded) return 'STAKING_INSUFFICIENT_FUNDS';
    if (this.#isKeyTaken(who, key)) return 'STAKING_SIGNER_IN_USE';
    const jailedUntilMs = Math.max(this.timeMs, known?.jailedUntilMs ?? 0);
    this.validators.set(who, { stake, status: 'jailed', jailedUntilMs, convicted: false, key });
    return 'ok';
  }

  /** It is another one's, or was while that one was in a set. */
  #isKeyTaken(who: number, key: number): boolean {
    for (const [other, validator] of this.validators)
      if (other !== who && (validator.key === key || this.sets.some((set) => set.get(other) === key))) return true;
    return false;
  }

  #changeStake(who: number, change: bigint): string {
    const { stake, status } = this.validators.get(who)!;
    const moved = powerOf(stake + change) - powerOf(stake);
    const power = moved < 0n ? -moved : moved;
    if (status === 'active' && power > 0n && !this.#hasRoom(power)) return 'STAKING_TOO_MUCH_POWER';
    this.#change(who, (validator) => {
      validator.stake += change;
    });
    return 'ok';
  }

  #unbond(who: number, amount: bigint): string {
    const { stake } = this.validators.get(who)!;
    if (amount === 0n) return 'STAKING_BAD_AMOUNT';
    if (stake - amount < this.#params.minStake) return 'STAKING_STAKE_TOO_SMALL';
    if (this.unbondings.filter((unbonding) => unbonding.who === who).length >= 16) return 'STAKING_TOO_MANY_CHANGES';
    const result = this.#changeStake(who, -amount);
    if (result === 'ok') this.#sendBack(who, amount);
    return result;
  }

  #sendBack(who: number, amount: bigint): void {
    if (amount > 0n) this.unbondings.push({ who, amount, releaseMs: this.timeMs + this.#params.unbondingMs });
  }

  #rotate(who: number, key: number): string {
    const validator = this.validators.get(who)!;
    if (validator.convicted) return 'STAKING_TOMBSTONED';
    if (validator.key === key || this.#isKeyTaken(who, key)) return 'STAKING_SIGNER_IN_USE';
    validator.key = key;
    return 'ok';
  }

  /** Why an active validator can not go of its own will. */
  #staying(who: number): string | null {
    if (this.active().length <= this.#params.minValidators) return 'STAKING_TOO_FEW_VALIDATORS';
    return this.#hasRoom(powerOf(this.validators.get(who)!.stake)) ? null : 'STAKING_TOO_MUCH_POWER';
  }

  #leave(who: number): string {
    const { stake, status } = this.validators.get(who)!;
    const staying = status === 'active' ? this.#staying(who) : null;
    if (staying !== null) return staying;
    this.#change(who, (validator) => {
      validator.status = 'left';
      validator.stake = 0n;
    });
    this.#sendBack(who, stake);
    return 'ok';
  }

  #unjail(who: number): string {
    const { stake, status, convicted, jailedUntilMs } = this.validators.get(who)!;
    if (convicted) return 'STAKING_TOMBSTONED';
    if (status !== 'jailed') return 'STAKING_NOT_JAILED';
    if (this.timeMs < jailedUntilMs) return 'STAKING_STILL_JAILED';
    if (stake < this.#params.minStake) return 'STAKING_STAKE_TOO_SMALL';
    if (this.active().length >= this.#params.maxValidators) return 'STAKING_TOO_MANY_VALIDATORS';
    if (!this.#hasRoom(powerOf(stake))) return 'STAKING_TOO_MUCH_POWER';
    this.#change(who, (validator) => {
      validator.status = 'active';
      validator.jailedUntilMs = 0;
    });
    return 'ok';
  }

  #jailSelf(who: number): string {
    const { status, convicted, jailedUntilMs } = this.validators.get(who)!;
    if (status !== 'active') return 'STAKING_JAILED';
    const staying = this.#staying(who);
    if (staying === null) this.#takeOut(who, convicted ? jailedUntilMs : this.timeMs);
    return staying ?? 'ok';
  }
}

import type { ValidatorSet } from '@prime/codec';
import type { ConsensusMachine, Timeout } from '@prime/consensus';
import type { Address, Hash, Round } from '@prime/primitives';
import type { Clock } from '../ports.ts';
import { absentTimeoutMs, type ProposerWatch } from './proposerWatch.ts';
import { votedBlock } from './votedBlock.ts';

/** What decides how long a step really waits: the timeout of the machine, and whether a proposal can arrive at all. */
export interface HeightTimersOptions {
  readonly machine: ConsensusMachine;
  readonly validators: ValidatorSet;
  readonly self: Address | null;
  readonly clock: Clock;
  readonly proposers: ProposerWatch;
  /** Whether a proposal of a validator may arrive. */
  readonly mayReach: (validator: Address) => boolean;
  /** A block is voted for, and its proposal did not come: it is to be asked for. */
  readonly onVotedFor: (round: Round, blockHash: Hash) => void;
}

/** The timeouts of one height, and how long its steps really wait. */
export class HeightTimers {
  readonly #options: HeightTimersOptions;
  readonly #onDue: (timeout: Timeout) => void;
  readonly #cancels = new Set<() => void>();
  #isHeld = false;
  /** What came due while it was not to act, in its order. */
  readonly #due: (() => void)[] = [];

  constructor(options: HeightTimersOptions, onDue: (timeout: Timeout) => void) {
    this.#options = options;
    this.#onDue = onDue;
  }

  schedule(timeout: Timeout, afterMs: number): void {
    const waitMs = this.#waitMs(timeout, afterMs);
    if (timeout.step !== 'propose') return this.#after(waitMs, () => this.#onDue(timeout));
    const askMs = Math.min(waitMs, absentTimeoutMs);
    return this.#after(askMs, () => {
      // Who proposed may be somebody that only others hear.
      const leftMs = (this.#askVoters(timeout.round) ? Math.max(afterMs, waitMs) : waitMs) - askMs;
      if (leftMs > 0) this.#after(leftMs, () => this.#onProposeDue(timeout));
      else this.#onProposeDue(timeout);
    });
  }

  /**
   * Nothing acts until {@link release}: while a log is replayed each input has its place in the log, and one that is not in it makes another history. That
   * forgets what was signed in the true one, a lock for instance.
   */
  hold(): void {
    this.#isHeld = true;
  }

  /** What came due meanwhile acts now. */
  release(): void {
    this.#isHeld = false;
    for (let work = this.#due.shift(); work !== undefined; work = this.#due.shift()) work();
  }

  stop(): void {
    for (const cancel of this.#cancels) cancel();
    this.#cancels.clear();
    this.#due.length = 0;
  }

  #after(delayMs: number, work: () => void): void {
    const cancel = this.#options.clock.after(delayMs, () => {
      this.#cancels.delete(cancel);
      if (this.#isHeld) this.#due.push(work);
      else work();
    });
    this.#cancels.add(cancel);
  }

  /** How long a step really has to wait; the rules allow any time. */
  #waitMs({ step, round }: Timeout, afterMs: number): number {
    const { machine, mayReach, self, proposers } = this.#options;
    // Nobody proposed, and more than 2/3 precommitted nil: nothing can be decided in this round any more. Not where there was a proposal: when
    // all refuse what all propose, these waits are what keeps rounds from racing.
    const isEmpty = machine.proposalsFor(round).length === 0;
    if (step === 'precommit' && isEmpty && machine.hasQuorum('precommit', round, null)) return 0;
    const proposer = machine.proposer(round);
    if (step !== 'propose') return afterMs;
    return proposer === self ? proposers.patienceMs(afterMs) : proposers.waitMs(proposer, mayReach(proposer), afterMs);
  }

  #isProposing(round: Round): boolean {
    const { state } = this.#options.machine;
    return state.round === round && state.step === 'propose';
  }

  /** @returns whether there are votes for a block whose proposal is not here */
  #askVoters(round: Round): boolean {
    const { machine, validators, onVotedFor } = this.#options;
    if (!this.#isProposing(round) || machine.proposalsFor(round).length > 0) return false;
    const blockHash = votedBlock(machine.votesFor(round), validators);
    if (blockHash !== null) onVotedFor(round, blockHash);
    return blockHash !== null;
  }

  #onProposeDue(timeout: Timeout): void {
    const { machine, proposers, self } = this.#options;
    const { round } = timeout;
    const proposer = machine.proposer(round);
    if (this.#isProposing(round) && proposer !== self)
      proposers.missed(proposer, { height: machine.state.height, round });
    this.#onDue(timeout);
  }
}

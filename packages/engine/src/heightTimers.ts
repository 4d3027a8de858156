import type { ConsensusMachine, Timeout } from '@prime/consensus';
import type { Address } from '@prime/primitives';
import type { Clock } from './ports.ts';
import type { ProposerWatch } from './proposerWatch.ts';

export interface HeightTimersOptions {
  readonly machine: ConsensusMachine;
  readonly self: Address | null;
  readonly clock: Clock;
  readonly proposers: ProposerWatch;
  /** Whether a proposal of a validator may arrive. */
  readonly mayReach: (validator: Address) => boolean;
}

/** The timeouts of one height, and how long its steps really wait. */
export class HeightTimers {
  readonly #options: HeightTimersOptions;
  readonly #onDue: (timeout: Timeout) => void;
  readonly #cancels = new Set<() => void>();

  constructor(options: HeightTimersOptions, onDue: (timeout: Timeout) => void) {
    this.#options = options;
    this.#onDue = onDue;
  }

  schedule(timeout: Timeout, afterMs: number): void {
    const cancel = this.#options.clock.after(this.#waitMs(timeout, afterMs), () => {
      this.#cancels.delete(cancel);
      this.#noteMissed(timeout);
      this.#onDue(timeout);
    });
    this.#cancels.add(cancel);
  }

  stop(): void {
    for (const cancel of this.#cancels) cancel();
    this.#cancels.clear();
  }

  /** How long a step really has to wait; the rules allow any time. */
  #waitMs({ step, round }: Timeout, afterMs: number): number {
    const { machine, mayReach, self, proposers } = this.#options;
    // Nobody proposed, and more than 2/3 precommitted nil: nothing can be decided in this round any more. Not where there was a proposal: when
    // all refuse what all propose, these waits are what keeps rounds from racing.
    const isEmpty = machine.proposalsFor(round).length === 0;
    if (step === 'precommit' && isEmpty && machine.hasQuorum('precommit', round, null)) return 0;
    const proposer = machine.proposer(round);
    return step === 'propose' && proposer !== self ? proposers.waitMs(proposer, mayReach(proposer), afterMs) : afterMs;
  }

  #noteMissed({ step, round }: Timeout): void {
    const { machine, proposers, self } = this.#options;
    const { state } = machine;
    const proposer = machine.proposer(round);
    const isMissed = step === 'propose' && state.round === round && state.step === 'propose';
    if (isMissed && proposer !== self) proposers.missed(proposer);
  }
}

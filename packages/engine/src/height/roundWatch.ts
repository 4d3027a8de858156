import type { Proposal } from '@prime/codec';
import type { ConsensusMachine } from '@prime/consensus';
import type { Address, Round } from '@prime/primitives';
import type { EngineLog } from '../log.ts';
import type { Clock } from '../ports.ts';
import type { ProposerWatch } from './proposerWatch.ts';
import { whyFailed } from './whyFailed.ts';

/** Whose proposals are timed, and where failed rounds are explained to the operator. */
export interface RoundWatchOptions {
  readonly machine: ConsensusMachine;
  readonly clock: Clock;
  readonly proposers: ProposerWatch;
  readonly log: EngineLog;
}

/** The rounds of a height as they pass: how long their proposals take, and why they fail. */
export class RoundWatch {
  readonly #options: RoundWatchOptions;
  /** When each round was entered, monotonic ms. */
  readonly #enteredMs = new Map<Round, number>();

  constructor(options: RoundWatchOptions) {
    this.#options = options;
  }

  /** @param isReplayed whether it was entered before this process started */
  entered(round: Round, proposer: Address, isReplayed: boolean): void {
    const { log, machine, clock } = this.#options;
    if (!isReplayed) this.#enteredMs.set(round, clock.monotonicMs());
    if (round === 0) return;
    const reason = whyFailed(machine, (round - 1) as Round);
    log.info('entering a later round', { height: machine.state.height, round, proposer, reason });
  }

  /** A proposal of another validator is judged. */
  judged({ round, proposer }: Proposal): void {
    const { clock, proposers } = this.#options;
    const enteredMs = this.#enteredMs.get(round);
    if (enteredMs !== undefined) proposers.judged(proposer, clock.monotonicMs() - enteredMs);
  }
}

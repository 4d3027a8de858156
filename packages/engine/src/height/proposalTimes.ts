import type { Address } from '@prime/primitives';

/** A proposal may take as many times as long as they took lately. */
const patience = 2;
/** No wait grows beyond so many times what is configured. */
const growthMax = 8;
/** Proposers that are remembered; more than a set has. */
const proposersMax = 256;

/**
 * How long proposals take to be judged here, from the begin of their rounds (ADR 197).
 *
 * Where everything is slow, because the machines are busy or blocks are large, a fixed timeout gives up rounds whose proposals are under way, and the rounds
 * after it take the time of the next ones. So the wait follows the median of the proposers' latest proposals, those that came too late among them. One
 * slow or hostile proposer does not move it: its own turn costs what is configured. Timeouts are local settings, of which safety knows nothing.
 */
export class ProposalTimes {
  readonly #latest = new Map<Address, number>();

  judged(proposer: Address, afterMs: number): void {
    this.#latest.delete(proposer);
    this.#latest.set(proposer, afterMs);
    if (this.#latest.size <= proposersMax) return;
    for (const oldest of this.#latest.keys()) {
      this.#latest.delete(oldest);
      return;
    }
  }

  /** @param timeoutMs as configured; never less is waited */
  waitMs(timeoutMs: number): number {
    const times = [...this.#latest.values()].sort((one, other) => one - other);
    // The lower one of two in the middle: who is slow is more than half.
    const median = times[(times.length - 1) >> 1] ?? 0;
    return Math.min(Math.max(timeoutMs, patience * median), growthMax * timeoutMs);
  }
}

import type { Address } from '@prime/primitives';

/** Propose timeout of a round whose proposer is not connected, ms: it may be about to come back. */
const absentTimeoutMs = 40;

/**
 * Which proposers are down, so that only their first turn costs something. Timeouts are local settings: a wrong guess here costs a round and never
 * safety.
 *
 * A proposer is silent when its turn passed without a proposal and nothing of the height in progress came from it since. Nobody waits for it any more
 * until it is heard again: before it is able to propose it has to be at this height, and votes there. One that is connected and never heard (its
 * process hangs, its link takes and gives nothing) costs one propose timeout; one that is not connected, less.
 */
export class ProposerWatch {
  readonly #silent = new Set<Address>();

  /** Its turn passed, and no proposal of it came. */
  missed(proposer: Address): void {
    this.#silent.add(proposer);
  }

  /** It connected, or said something about the height in progress. */
  heard(peer: Address): void {
    this.#silent.delete(peer);
  }

  /** @param timeoutMs as configured @returns how long its proposal is waited for, ms */
  waitMs(proposer: Address, isConnected: boolean, timeoutMs: number): number {
    if (this.#silent.has(proposer)) return 0;
    return isConnected ? timeoutMs : Math.min(timeoutMs, absentTimeoutMs);
  }
}

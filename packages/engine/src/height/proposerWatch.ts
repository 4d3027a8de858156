import type { Address, Height, Round } from '@prime/primitives';
import { ProposalTimes } from './proposalTimes.ts';
import type { ConsensusMessage } from '../ports.ts';

/** Propose timeout of a round whose proposer is not connected, ms: it may be about to come back. */
export const absentTimeoutMs = 40;

interface Turn {
  readonly height: Height;
  readonly round: Round;
}

/**
 * Which proposers are down, so that only their first turn costs something. Timeouts are local settings: a wrong guess here costs a round and never
 * safety.
 *
 * A proposer is silent when its turn passed without a proposal and nothing of the height in progress came from it since. Nobody waits for it any more
 * until it is heard again: before it is able to propose it has to be at this height, and votes there. One that is connected and never heard (its
 * process hangs, its link takes and gives nothing) costs one propose timeout; one that is not connected, less.
 *
 * Where only the link is cut, others pass on what it signs after its turn: then it is waited for again, because they vote for what it proposes and
 * have it. Who did not wait would vote nil, and where every validator has another one that it does not hear, nobody would see a majority.
 */
export class ProposerWatch {
  /** The newest turn that each of them missed. */
  readonly #silent = new Map<Address, Turn>();
  readonly #times = new ProposalTimes();

  /** Its turn passed, and no proposal of it came. */
  missed(proposer: Address, turn: Turn): void {
    this.#silent.set(proposer, turn);
  }

  /** It connected, or said something about the height in progress. */
  heard(peer: Address): void {
    this.#silent.delete(peer);
  }

  /** A message whose signatures hold came, over whomever. What was signed before the turn is told of the dead as well. */
  onVerified(message: ConsensusMessage): void {
    if (this.#silent.size === 0) return;
    if (message.kind === 'proposal') return this.#signed(message.proposal.proposer, message.proposal);
    const votes = message.kind === 'vote' ? [message.vote] : message.votes;
    for (const vote of votes) this.#signed(vote.validator, vote);
  }

  #signed(author: Address, { height, round }: Turn): void {
    const turn = this.#silent.get(author);
    if (turn === undefined) return;
    if (height > turn.height || (height === turn.height && round > turn.round)) this.#silent.delete(author);
  }

  /** A proposal was judged. @param afterMs since this node entered its round */
  judged(proposer: Address, afterMs: number): void {
    this.#times.judged(proposer, afterMs);
  }

  /** @param timeoutMs as configured @returns how long a proposal is waited for that is under way, ms */
  patienceMs(timeoutMs: number): number {
    return this.#times.waitMs(timeoutMs);
  }

  /** @param timeoutMs as configured @returns how long its proposal is waited for, ms */
  waitMs(proposer: Address, isConnected: boolean, timeoutMs: number): number {
    if (this.#silent.has(proposer)) return 0;
    return isConnected ? this.patienceMs(timeoutMs) : Math.min(timeoutMs, absentTimeoutMs);
  }
}

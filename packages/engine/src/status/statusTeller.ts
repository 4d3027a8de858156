import type { Address, Height, Round } from '@prime/primitives';
import type { Heights } from '../height/heights.ts';
import type { Clock, PeerMessage, PeerNetwork } from '../ports.ts';

/** A node says at least this often where it stands, ms; also the pace at which a stuck height is helped along. */
export const statusIntervalMs = 1_000;
/** Between two reminders that tell, ms: a timer of {@link statusIntervalMs} may be early by some. */
const remindedMs = statusIntervalMs - 10;
/** A height whose rounds last longer than this may be stuck, ms. */
const stuckMs = 500;
/** So long a head may be the newest before its voters are told of it, ms: longer than between two empty blocks of a usual network. */
const oldHeadMs = 2_000;
/** Least time between two words about where this node stands while blocks follow each other, ms. */
const spacingMs = 250;

/** Whom a node tells where it stands, and what it says. */
export interface StatusTellerOptions {
  readonly clock: Pick<Clock, 'monotonicMs' | 'after'>;
  readonly network: Pick<PeerNetwork, 'peers' | 'send'>;
  readonly message: () => PeerMessage;
  /** Newest block here. */
  readonly head: () => Height;
  /** Since when the head is that, monotonic ms, and whether the height after it needs help. */
  readonly heights: () => Pick<Heights, 'sinceMs' | 'isTroubled'>;
  /** Newest height in which a peer said that it voted itself; 0 where it did not. */
  readonly votedAt: (peer: Address) => Height;
  /** Whether this node votes, so that its votes tell where it stands. */
  readonly isVoting: () => boolean;
}

/**
 * Tells the peers where this node stands (ADR 227).
 *
 * Two nodes that vote learn as much from votes: who voted on the newest block, or votes on the next one, is told only when the head stands still. Everybody else is
 * told after each block, and once for all that happens within a while. A node that does not vote tells everybody.
 */
export class StatusTeller {
  readonly #options: StatusTellerOptions;
  #toldAtMs = Number.NEGATIVE_INFINITY;
  #cancel: (() => void) | null = null;
  #stopped = false;

  constructor(options: StatusTellerOptions) {
    this.#options = options;
  }

  /** To be called every {@link statusIntervalMs}: tells unless that was done meanwhile. */
  remind(): void {
    if (this.#options.clock.monotonicMs() - this.#toldAtMs >= remindedMs) this.#tell();
  }

  /** At once where nothing was told for a while, and else once for all that happens until then. */
  tellSoon(): void {
    if (this.#stopped || this.#cancel !== null) return;
    const { clock } = this.#options;
    const waitMs = this.#toldAtMs + spacingMs - clock.monotonicMs();
    if (waitMs <= 0) this.#tell();
    else this.#cancel = clock.after(waitMs, () => this.#tell());
  }

  /**
   * A round begins. Where the one before failed, whoever told some of the validators otherwise than the rest is found out by what these tell each other: at once, as
   * the height may be decided before anything else is told. Less than a third of the power can make no round fail sooner than its timeouts.
   */
  onRound(round: Round): void {
    if (round > 0 && !this.#stopped) this.#tell();
  }

  stop(): void {
    this.#stopped = true;
    this.#cancel?.();
    this.#cancel = null;
  }

  #tell(): void {
    const { clock, network, message, head, votedAt, isVoting } = this.#options;
    const heights = this.#options.heights();
    this.#cancel?.();
    this.#cancel = null;
    const nowMs = clock.monotonicMs();
    this.#toldAtMs = nowMs;
    const isStill = heights.isTroubled(stuckMs) || nowMs - heights.sinceMs >= oldHeadMs;
    const isForAll = isStill || !isVoting();
    const told = network.peers().filter(({ address }) => isForAll || votedAt(address) < head());
    if (told.length === 0) return;
    const status = message();
    for (const { address } of told) network.send(address, status);
  }
}

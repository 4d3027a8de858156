import { refuse } from './errors.ts';

/** What one sender may have waiting, as a multiple of the room that is left: a lone one gets four fifths, and each further one finds some. */
const ownShare = 4;
/** What refused callers are told to wait, ms: at least, and in times of the limit at most. */
const retryMsMin = 50;
const retryLimitsMax = 4;

/** Something that wants to wait for a block. */
export interface DrainRequest {
  /** How much of the blocks it will take; the unit is the lane's. */
  readonly work: number;
  /** Work of what would be in blocks before it. */
  readonly ahead: number;
  /** Work of what waits of the same sender. */
  readonly own: number;
  /** Whether its sender has so little waiting that no share is looked at. */
  readonly isFirst: boolean;
  /** Part of the room that it may fill; the rest is kept for what must not wait. */
  readonly part: number;
}

/**
 * Admission by time: a lane takes what blocks are expected to take within `drainMs` at the rate at which they took it lately, and refuses
 * more at once (ADR 198). What is waited for is bounded then, whatever is sent.
 *
 * The room is shared as switches share their buffers: nobody may have more than a multiple of what is left, so that whoever comes with little
 * finds room without anybody being evicted.
 */
export class DrainLimit {
  readonly #drainMs: number;
  readonly #what: string;
  #perMs: number | null = null;
  /** Work of those who were told to come back and whose turn was not yet. */
  #promised = 0;

  /** @param drainMs 0 bounds nothing @param what waits in the lane, for the words of a refusal */
  constructor(drainMs: number, what: string) {
    this.#drainMs = drainMs;
    this.#what = what;
  }

  /** @param perMs work that blocks take in a millisecond; null while it is not known, and then nothing is refused */
  setRate(perMs: number | null): void {
    this.#perMs = perMs;
  }

  /** A block took work: as many of those who were refused have their turn. */
  onDrained(work: number): void {
    this.#promised = Math.max(0, this.#promised - work);
  }

  /** @throws MempoolError `MEMPOOL_FULL` with the time after which there may be room */
  check({ work, ahead, own, isFirst, part }: DrainRequest): void {
    const perMs = this.#perMs;
    if (perMs === null || this.#drainMs === 0) return;
    const room = perMs * this.#drainMs * part;
    // What nothing waits before is next, however large it is.
    const over = ahead === 0 ? 0 : ahead + work - room;
    const overShare = isFirst || own === 0 ? 0 : ahead + (own + work) / ownShare - room;
    if (over <= 0 && overShare <= 0) return;
    const waitMs = (Math.max(over, overShare) + this.#promised) / perMs;
    const retryAfterMs = Math.ceil(Math.min(Math.max(waitMs, retryMsMin), this.#drainMs * retryLimitsMax));
    this.#promised = Math.min(this.#promised + work, perMs * this.#drainMs * retryLimitsMax);
    const whose = over > 0 ? `more ${this.#what} wait` : `more ${this.#what} of this sender wait`;
    refuse(`txpool is full: ${whose} than blocks take in ${this.#drainMs} ms, try again in ${retryAfterMs} ms`, {
      code: 'MEMPOOL_FULL',
      limit: `${this.#drainMs} ms of blocks`,
      retryAfterMs,
    });
  }
}

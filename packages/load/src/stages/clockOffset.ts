import type { AnswerTimes } from './stamps.ts';

/** One question and its answer: when it was sent and when the answer came, µs of the clock here, and the node's two times. */
export interface Exchange extends AnswerTimes {
  readonly sentUs: number;
  readonly gotUs: number;
}

/** How far a node's clock is ahead of the one here. */
export interface ClockEstimate {
  readonly offsetMs: number;
  /** The true offset is at most so far from it, as far as all exchanges tell. */
  readonly errorMs: number;
  readonly exchanges: number;
}

/**
 * Finds out from exchanges how far another clock is ahead, as NTP does (RFC 5905 §8). Question and answer were under way for the round trip without
 * the time that the node took. Somewhere in it the node read its clock, so each exchange gives an interval that holds the offset, and the shortest
 * round trip the narrowest one.
 *
 * Where clocks run apart during a run, intervals of other exchanges do not hold the offset of the best one: the error is then as large as they say.
 */
export class ClockOffset {
  #best: { readonly offsetUs: number; readonly errorUs: number } | null = null;
  /** The highest lower end and the lowest upper end of all intervals, µs. */
  #lowUs = Number.NEGATIVE_INFINITY;
  #highUs = Number.POSITIVE_INFINITY;
  #exchanges = 0;

  /** One that can not be, because the node says to have taken longer than the whole of it, is left out. */
  add({ sentUs, receivedUs, answeredUs, gotUs }: Exchange): void {
    const errorUs = (gotUs - sentUs - (answeredUs - receivedUs)) / 2;
    if (!(errorUs >= 0) || answeredUs < receivedUs) return;
    const offsetUs = (receivedUs - sentUs + (answeredUs - gotUs)) / 2;
    this.#exchanges++;
    this.#lowUs = Math.max(this.#lowUs, offsetUs - errorUs);
    this.#highUs = Math.min(this.#highUs, offsetUs + errorUs);
    if (this.#best === null || errorUs < this.#best.errorUs) this.#best = { offsetUs, errorUs };
  }

  /** null before the first exchange. */
  estimate(): ClockEstimate | null {
    if (this.#best === null) return null;
    const { offsetUs, errorUs } = this.#best;
    const widest = Math.max(errorUs, this.#lowUs - offsetUs, offsetUs - this.#highUs);
    return { offsetMs: offsetUs / 1_000, errorMs: widest / 1_000, exchanges: this.#exchanges };
  }
}

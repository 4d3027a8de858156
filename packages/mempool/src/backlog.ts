import { effectiveTip } from './effectiveTip.ts';
import type { Entry } from './senderQueue.ts';

/** Tips of one level differ by less than a factor of two; all levels of 64-bit tips, with more than that in the last one. */
const levelCount = 65;

const levelOf = (tip: bigint): number => Math.min(levelCount - 1, Math.floor(Math.log2(Number(tip) + 1)));

/**
 * How much work stands before a transaction, by what it pays: blocks take the best tips first.
 *
 * Counted is what the next block could take. An entry says on which level it is counted, so that it is taken off the same one.
 */
export class Backlog {
  readonly #levels = new Float64Array(levelCount);
  #baseFee: bigint;

  constructor(baseFee: bigint) {
    this.#baseFee = baseFee;
  }

  /** All that is counted. */
  get work(): number {
    return this.#levels.reduce((sum, work) => sum + work, 0);
  }

  /** Another base fee: all entries have to be counted anew. */
  restart(baseFee: bigint): void {
    this.#baseFee = baseFee;
    this.#levels.fill(0);
  }

  /** Of what pays as much as this one or more; null where it pays less than the base fee, and waits for other times. */
  ahead({ transaction }: Pick<Entry, 'transaction'>): number | null {
    const tip = effectiveTip(transaction, this.#baseFee);
    if (tip < 0n) return null;
    let work = 0;
    for (let level = levelOf(tip); level < levelCount; level++) work += this.#levels[level]!;
    return work;
  }

  count(entry: Entry): void {
    if (entry.level !== null) return;
    const tip = effectiveTip(entry.transaction, this.#baseFee);
    if (tip < 0n) return;
    entry.level = levelOf(tip);
    this.#levels[entry.level] = this.#levels[entry.level]! + entry.work;
  }

  uncount(entry: Entry): void {
    if (entry.level === null) return;
    this.#levels[entry.level] = Math.max(0, this.#levels[entry.level]! - entry.work);
    entry.level = null;
  }
}

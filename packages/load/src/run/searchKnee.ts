import type { RunReport } from '../report/runReport.ts';

/** One rate that was tried, and whether it held. */
export type Trial = NonNullable<RunReport['knee']>['trials'][number];

/** Between which rates a knee is looked for, and when the search ends. */
export interface SearchBounds {
  /** Operations a second with which the search begins. */
  readonly from: number;
  /** No rate above is tried. */
  readonly to: number;
  /** The search is over when the interval's ends are this close: 1.1 is 10 %. */
  readonly closeness: number;
  /** Trials at most. */
  readonly trialsMax: number;
  /** The search ends when so many trials were spoiled by the generator: what it can send itself is near. */
  readonly spoiledMax: number;
}

/** The highest rate that a network holds, as well as the trials tell it. */
export interface Knee {
  readonly trials: readonly Trial[];
  /** In the middle of the interval on the scale of logarithms, operations a second. */
  readonly rate: number;
  /** Between which rates it lies with 95 %. */
  readonly low: number;
  readonly high: number;
}

/** How often a trial says the wrong thing: one that holds above the knee by luck, or fails below it because the machine did something else. */
const wrongShare = 0.1;
/** Points of the grid of rates between two powers of two. */
const pointsPerOctave = 32;
const outside = 0.025;

/**
 * Finds the highest rate that holds, by bisection with trials that may err: a probability of where the knee is on a grid of rates, at first half as
 * much in each octave as in the one below; each trial multiplies it by what it says, and the next one is where it is split in halves (Horstein 1963; Waeber, Frazier,
 * Henderson 2013). Doubling comes first, so that no trial is far above what the network can do.
 */
export async function searchKnee(bounds: SearchBounds, attempt: (rate: number) => Promise<Trial>): Promise<Knee> {
  const { from, to, closeness, trialsMax, spoiledMax } = bounds;
  if (!(from > 0 && to >= from && closeness > 1 && trialsMax >= 1 && spoiledMax >= 1))
    throw new RangeError(
      `a search goes up from a rate above 0 and has a trial at least, got ${JSON.stringify(bounds)}`,
    );
  const belief = new Belief(from / 4, to * 2);
  const trials: Trial[] = [];
  const tryRate = async (rate: number): Promise<boolean> => {
    const trial = await attempt(rate);
    trials.push(trial);
    if (!trial.spoiled) belief.learn(rate, trial.holds);
    return trial.holds;
  };
  const mayGoOn = (): boolean =>
    trials.length < trialsMax && trials.filter(({ spoiled }) => spoiled).length < spoiledMax;
  let rate = from;
  while (mayGoOn() && (await tryRate(rate)) && rate < to) rate = Math.min(to, rate * 2);
  while (mayGoOn() && belief.high / belief.low > closeness) {
    const next = Math.min(to, belief.question());
    // All that may be tried holds: what lies above is not asked.
    if (next === to && trials.filter((trial) => trial.rate === to && trial.holds).length >= 3) break;
    await tryRate(next);
  }
  return { trials, rate: Math.sqrt(belief.low * belief.high), low: belief.low, high: belief.high };
}

/** How probable it is that the knee is between each rate of a grid and the next one. */
class Belief {
  readonly #rates: readonly number[];
  #weights: readonly number[] = [];

  constructor(lowest: number, highest: number) {
    const points = Math.ceil(Math.log2(highest / lowest) * pointsPerOctave) + 1;
    this.#rates = Array.from({ length: points }, (_, index) => lowest * 2 ** (index / pointsPerOctave));
    this.#weigh((index) => 2 ** (-index / pointsPerOctave));
  }

  learn(rate: number, holds: boolean): void {
    const right = 1 - wrongShare;
    this.#weigh((index) => this.#weights[index]! * (this.#rates[index]! >= rate === holds ? right : wrongShare));
  }

  #weigh(weightOf: (index: number) => number): void {
    const weights = this.#rates.map((_, index) => weightOf(index));
    const sum = weights.reduce((all, weight) => all + weight, 0);
    this.#weights = weights.map((weight) => weight / sum);
  }

  /** The rate of the grid that splits what is believed most evenly: whether it holds tells most. */
  question(): number {
    let [best, bestGap, above] = [0, 1, 1];
    for (const [index, weight] of this.#weights.entries()) {
      const gap = Math.abs(above - 0.5);
      if (gap < bestGap) [best, bestGap] = [index, gap];
      above -= weight;
    }
    return this.#rates[best]!;
  }

  /** The knee is below with 2.5 %. */
  get low(): number {
    return this.#rates[this.#cellAt(outside)]!;
  }

  /** The knee is above with 2.5 %. */
  get high(): number {
    return this.#rates[Math.min(this.#cellAt(1 - outside) + 1, this.#rates.length - 1)]!;
  }

  #cellAt(probability: number): number {
    let below = 0;
    return this.#weights.findIndex((weight) => (below += weight) >= probability);
  }
}

import type { Prng } from '@prime/primitives';

/**
 * When operations are due, ms from the begin of a run, ascending. An open loop sends by this and by nothing that the
 * server does, so that a server that stalls has as much asked of it as one that does not (no coordinated omission).
 */
export type Arrivals = Generator<number, void>;

/** Part of a run: the rate goes evenly from one value to the other, operations a second. */
export interface RateStage {
  readonly name: string;
  readonly fromRate: number;
  readonly toRate: number;
  readonly seconds: number;
}

/** Operations that a stage asks for: its rate's integral. */
export const operationsIn = ({ fromRate, toRate, seconds }: RateStage): number => ((fromRate + toRate) / 2) * seconds;

/** Of one worker of several: all workers together have the rate of the stages. */
export interface ArrivalShare {
  readonly worker: number;
  readonly workers: number;
}

/**
 * Through all stages, one after the other; ends with the last one. The n-th operation is due when the integral of the rate is n (constant), or
 * where a Poisson process of rate 1 has its n-th point (poisson): so ramps are as exact as plateaus.
 *
 * @param prng of this worker, for `poisson`; null spreads operations evenly
 */
export function* stagedArrivals(stages: readonly RateStage[], share: ArrivalShare, prng: Prng | null): Arrivals {
  for (const stage of stages) checkStage(stage);
  const { worker, workers } = share;
  const units = prng === null ? evenUnits(workers, worker) : exponentialUnits(workers, prng);
  let [atMs, done] = [0, 0];
  let unit = units.next().value;
  for (const stage of stages) {
    const operations = operationsIn(stage);
    while (unit - done < operations) {
      yield atMs + 1000 * secondsUntil(stage, unit - done);
      unit = units.next().value;
    }
    done += operations;
    atMs += stage.seconds * 1000;
  }
}

/** When the rate's integral from the begin of a stage reaches a number of operations: the root of rate·t + slope·t²/2, in its stable form. */
function secondsUntil({ fromRate, toRate, seconds }: RateStage, operations: number): number {
  const slope = (toRate - fromRate) / seconds;
  const root = Math.sqrt(Math.max(0, fromRate * fromRate + 2 * slope * operations));
  return operations === 0 ? 0 : (2 * operations) / (fromRate + root);
}

/** Every `step`-th whole number from `first` on. */
function* evenUnits(step: number, first: number): Generator<number, never> {
  for (let index = 0; ; index++) yield first + index * step;
}

/** Points of a Poisson process with gaps of `step` on the average. */
function* exponentialUnits(step: number, prng: Prng): Generator<number, never> {
  for (let at = 0; ; ) {
    // Uniform in (0, 1].
    const uniform = (prng.next() + 1) / 2 ** 32;
    at += -Math.log(uniform) * step;
    yield at;
  }
}

function checkStage({ fromRate, toRate, seconds }: RateStage): void {
  const isRate = (rate: number): boolean => rate >= 0 && rate < Number.POSITIVE_INFINITY;
  if (!isRate(fromRate) || !isRate(toRate) || !(seconds > 0 && seconds < Number.POSITIVE_INFINITY))
    throw new RangeError(`a stage has rates from 0 on and takes time, got ${fromRate} to ${toRate} in ${seconds} s`);
}

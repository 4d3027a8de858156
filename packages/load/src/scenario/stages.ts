import type { Prng } from '@prime/primitives';
import type { Arrivals } from '../arrivals.ts';
import type { Partition } from './operation.ts';
import type { Scenario, Stage } from './schema.ts';

/** How many operations a second, over the stages of a scenario. */

export const highestRate = ({ stages }: Pick<Scenario, 'stages'>): number =>
  Math.max(...stages.map(({ rate }) => rate));

export const stagesSeconds = ({ stages }: Pick<Scenario, 'stages'>): number =>
  stages.reduce((sum, { seconds }) => sum + seconds, 0);

/** Operations that the stages ask for. */
export function scheduledOperations({ stages }: Pick<Scenario, 'stages'>): number {
  const sum = spans(stages).reduce((total, { from, to, seconds }) => total + ((from + to) / 2) * seconds, 0);
  return Math.round(sum);
}

interface Span {
  readonly from: number;
  readonly to: number;
  readonly seconds: number;
}

const spans = (stages: readonly Stage[]): readonly Span[] =>
  stages.map(({ kind, rate, seconds }, index) => ({
    from: kind === 'ramp' ? (stages[index - 1]?.rate ?? 0) : rate,
    to: rate,
    seconds,
  }));

export interface StagedArrivalsOptions {
  /** Another one for each worker. */
  readonly prng: Prng;
  /** Default: one worker sends everything. */
  readonly partition?: Partition;
}

/**
 * When the operations of the stages are due, ms from the begin, ascending. Behind the last stage its rate goes on.
 *
 * Each operation is one more unit of what the rate adds up to: evenly, or with exponential gaps. Workers split the rate.
 */
export function* stagedArrivals(
  { stages, arrivals }: Pick<Scenario, 'stages' | 'arrivals'>,
  { prng, partition: { worker, workers } = { worker: 0, workers: 1 } }: StagedArrivalsOptions,
): Arrivals {
  const all = spans(stages);
  const last = all.at(-1)!;
  const gap = (): number => workers * (arrivals === 'constant' ? 1 : -Math.log((prng.next() + 1) / 2 ** 32));
  let wanted = arrivals === 'constant' ? worker : gap();
  let [index, beganMs, before] = [0, 0, 0];
  for (;;) {
    const span = all[index] ?? { from: last.to, to: last.to, seconds: Number.POSITIVE_INFINITY };
    const sum = span.seconds === Number.POSITIVE_INFINITY ? span.seconds : ((span.from + span.to) / 2) * span.seconds;
    const isOver = index >= all.length && last.to === 0;
    if (isOver) yield Number.POSITIVE_INFINITY;
    else if (wanted - before < sum) {
      yield beganMs + 1_000 * secondsFor(span, wanted - before);
      wanted += gap();
    } else {
      before += sum;
      beganMs += span.seconds * 1_000;
      index++;
    }
  }
}

/** Seconds into a span after which so many operations were due. */
function secondsFor({ from, to, seconds }: Span, operations: number): number {
  const slope = (to - from) / seconds;
  if (slope === 0 || seconds === Number.POSITIVE_INFINITY) return operations / from;
  // from·t + slope·t²/2 = operations, without the cancellation of the usual formula.
  return (2 * operations) / (from + Math.sqrt(from * from + 2 * slope * operations));
}

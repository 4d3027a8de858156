import { operationsIn, type RateStage } from '../arrivals.ts';
import type { Scenario, Stage } from './schema.ts';

/** How many operations a second, over the stages of a scenario. */

/** The most operations a second that any stage asks for. */
export const highestRate = ({ stages }: Pick<Scenario, 'stages'>): number =>
  Math.max(...stages.map(({ rate }) => rate));

/** How long all stages take, s. */
export const stagesSeconds = ({ stages }: Pick<Scenario, 'stages'>): number =>
  stages.reduce((sum, { seconds }) => sum + seconds, 0);

/** Operations that the stages ask for. */
export function scheduledOperations({ stages }: Pick<Scenario, 'stages'>): number {
  const sum = rateStages(stages).reduce((total, stage) => total + operationsIn(stage), 0);
  return Math.round(sum);
}

/** Stages as rates from one moment to the next: a ramp begins where the stage before ended. */
export const rateStages = (stages: readonly Stage[]): readonly RateStage[] =>
  stages.map(({ kind, rate, seconds }, index) => ({
    name: kind,
    fromRate: kind === 'ramp' ? (stages[index - 1]?.rate ?? 0) : rate,
    toRate: rate,
    seconds,
  }));

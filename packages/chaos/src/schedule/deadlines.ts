/** In which time the network is back after a phase: the promises of the design, times the patience of the manifest. */
import { effects, restartMs } from './effects.ts';
import type { Fault } from './faults.ts';
import type { Manifest, Phase } from './manifest.ts';
import { limitsOf } from './power.ts';

/** A thread that hangs is noticed after so long: `threads.hang_ms` of these homes, times the patience of the manifest. */
export const hangMs = 10_000;
const allRestartedMs = 15_000;
/** Longest time without a block where liveness is promised. */
const stallMs = 10_000;

/** From healing until every validator has committed a new block, at most, ms. */
export function recoveryMsMax(
  phase: Phase,
  { validators, patience }: Pick<Manifest, 'validators' | 'patience'>,
): number {
  const { faultyMax } = limitsOf(validators);
  const ended = phase.faults.flatMap((fault) => (isEnding(fault) ? fault.validators : []));
  const down = new Set(ended.filter((node) => node < validators));
  const restart = down.size > faultyMax ? allRestartedMs : restartMs;
  return patience * Math.max(restart, ...phase.faults.map(ofFault));
}

/** Longest time without a block while liveness is promised, ms. */
export const stallMsMax = (patience: number): number => patience * stallMs;

const isEnding = (fault: Fault): fault is Fault & { readonly kind: 'kill' | 'stop' } =>
  fault.kind === 'kill' || fault.kind === 'stop';

/** Whoever hangs does so until the watchdog ends it; only then it can be started. */
const ofFault = (fault: Fault): number =>
  effects[fault.kind].backMs + (fault.kind === 'thread' && fault.how === 'hang' ? hangMs : 0);

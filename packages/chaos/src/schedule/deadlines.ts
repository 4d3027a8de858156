/** In which time the network is back after a phase: the promises of the design, times the patience of the manifest. */
import type { Fault } from './faults.ts';
import type { Manifest, Phase } from './manifest.ts';
import { limitsOf } from './power.ts';

const restartMs = 5_000;
/** A thread that hangs is noticed after so long: `threads.hang_ms` of these homes, times the patience of the manifest. */
export const hangMs = 10_000;
const allRestartedMs = 15_000;
const connectedMs = 10_000;
const resyncMs = 20_000;
/** Actions of validators are undone: a few blocks, and a restart where a role changes. */
const membershipMs = 20_000;
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

function ofFault(fault: Fault): number {
  switch (fault.kind) {
    case 'kill':
    case 'stop':
    case 'clock':
    case 'crash_point':
      return restartMs;
    // Whoever hangs does so until the watchdog ends it; only then it can be started.
    case 'thread':
      return fault.how === 'hang' ? hangMs + restartMs : restartMs;
    case 'pause':
    case 'partition':
    case 'cut':
    case 'degrade':
    case 'reset':
    case 'attack':
    case 'overload':
      return connectedMs;
    case 'damage':
    case 'wipe':
    case 'restore':
    case 'disk_full':
    case 'diverge':
    case 'state_sync':
      return resyncMs;
    // A restart each, and blocks with the actions.
    case 'roll':
    case 'join':
    case 'stake':
    case 'rotate_signer':
    case 'jail_self':
    case 'downtime':
      return membershipMs;
  }
}

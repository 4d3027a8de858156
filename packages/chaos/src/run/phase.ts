import { type PhaseOutcome, seconds } from '@prime/audit';
import { recoveryMsMax, stallMsMax } from '../schedule/deadlines.ts';
import type { Fault } from '../schedule/faults.ts';
import type { Manifest, Phase } from '../schedule/manifest.ts';
import { lagBlocksAt } from '../schedule/pace.ts';
import { changesPower } from '../schedule/effects.ts';
import { affectedValidators, minorities } from '../schedule/power.ts';
import { compareAnswers } from '../evidence/audit.ts';
import { beginFault } from '../faults/faults.ts';
import { unjailAll } from '../faults/membership.ts';
import type { ChaosNetwork, Heal } from './network.ts';

/** What was on its way when the faults came may still be decided, ms. */
const graceMs = 1_500;
/** Beyond its deadline a network is waited for so much longer before the run is given up, ms. */
const giveUpMs = 60_000;

/** Carries out one phase: faults, a while with them, healing, and coming back. */
export async function runPhase(
  phase: Phase,
  manifest: Manifest,
  network: ChaosNetwork,
  signal: AbortSignal,
): Promise<PhaseOutcome> {
  const { watch } = network;
  const { patience } = manifest;
  network.collectSignatures();
  const begunMs = network.nowMs();
  const heals: Healing[] = [];
  for (const fault of phase.faults) heals.unshift({ kind: fault.kind, heal: await beginFault(fault, network) });
  await pause(Math.min(graceMs, phase.hold_ms), signal);
  if (phase.promise === 'halt') await standstill(network, stallMsMax(patience), signal);
  const inPlaceMs = network.nowMs();
  const headBefore = watch.highest(network.all);
  const minority = minorities(phase, manifest);
  await pause(phase.hold_ms - graceMs, signal);
  network.collectSignatures();
  for (const fault of phase.faults) if (fault.kind === 'damage') await compareAnswers(network, fault.validator);
  const healedMs = network.nowMs();
  const headAfter = watch.highest(network.all);
  const affected = affectedValidators(phase, manifest);
  const healthy = network.all.filter((index) => !affected.includes(index));
  // What somebody had decided before may still be fetched from a neighbour.
  const blocksOfMinority = Math.max(0, watch.highest(minority) - headBefore);
  // Faults that take a while to be put in place are no reason to stand still either.
  const fromMs = phase.promise === 'live' ? begunMs : inPlaceMs;
  const longestStallMs = watch.longestStallMs(healthy, fromMs, healedMs);
  await healAll(heals, network);
  const deadlineMs = recoveryMsMax(phase, manifest);
  const recoveryMs = await untilBack(network, healedMs, headAfter, deadlineMs);
  network.say(
    `${phase.name}: blocks ${headBefore} to ${headAfter}, ${recoveryMs === null ? 'not back' : `all back after ${seconds(recoveryMs)}`}`,
  );
  watch.forgetBefore(healedMs);
  if (recoveryMs !== null) await network.history.read(network);
  return {
    name: phase.name,
    promise: phase.promise,
    startedMs: begunMs,
    healedMs,
    holdMs: phase.hold_ms,
    headBefore,
    headAfter,
    longestStallMs,
    blocksOfMinority,
    recoveryMs,
    recoveryMsMax: deadlineMs,
    stallMsMax: stallMsMax(patience),
  };
}

/**
 * Waits until nobody has had a new block for a while: a machine that is busy takes its time with what was on its way. Blocks that
 * do not end are for the verdict.
 */
export async function standstill(network: ChaosNetwork, msMax: number, signal: AbortSignal): Promise<void> {
  const endMs = network.nowMs() + msMax;
  const highest = (): number => network.watch.highest(network.all);
  for (let head = -1; head !== highest() && network.nowMs() < endMs && !signal.aborted; ) {
    head = highest();
    await pause(graceMs, signal);
  }
}

interface Healing {
  readonly kind: Fault['kind'];
  readonly heal: Heal;
}

/** A set that has lost somebody may not let anybody else go: who was away is back before changes are undone. */
async function healAll(heals: readonly Healing[], network: ChaosNetwork): Promise<void> {
  for (const { kind, heal } of heals) if (!changesPower(kind)) await heal();
  await unjailAll(network);
  for (const { kind, heal } of heals) if (changesPower(kind)) await heal();
  await unjailAll(network);
}

/** Back is who has a new block, and is no further behind the others than they come while they are looked at. */
export async function untilBack(
  network: ChaosNetwork,
  healedMs: number,
  head: number,
  deadlineMs: number,
): Promise<number | null> {
  const lagBlocksMax = lagBlocksAt(network.homes.blockIntervalMs);
  const isBack = (heads: readonly number[]): boolean =>
    network.nodes.every(({ serving }) => serving) &&
    heads.every((each) => each > head && each >= Math.max(...heads) - lagBlocksMax);
  const leftMs = deadlineMs + giveUpMs - (network.nowMs() - healedMs);
  return (await network.watch.until(isBack, leftMs)) ? network.nowMs() - healedMs : null;
}

/** Ends early when the run is asked to stop. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (ms <= 0 || signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const timer = setTimeout(done, ms);
    function done(): void {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    }
    signal.addEventListener('abort', done);
  });
}

import { rm, writeFile } from 'node:fs/promises';
import { availableParallelism, loadavg } from 'node:os';
import { dirname, join } from 'node:path';
import { type Evidence, judge, type PhaseOutcome } from '@prime/audit';
import { ownerKeyPath } from '@prime/config';
import { createPrng } from '@prime/primitives';
import { ChaosError } from './errors.ts';
import { formatReport, type Report } from './report.ts';
import { collect, type Collected } from './evidence/collect.ts';
import { Load } from './run/load.ts';
import { fundOwners } from './faults/membership.ts';
import { ChaosNetwork, type NetworkOptions } from './run/network.ts';
import type { StartOptions } from './run/nodeProcess.ts';
import { runPhase } from './run/phase.ts';
import { type Manifest, usualBlockIntervalMs } from './schedule/manifest.ts';

/** One run: the plan, where it takes place, and with which build of the node. */
export interface ChaosOptions extends Pick<NetworkOptions, 'directory' | 'basePort' | 'prime' | 'signal' | 'say'> {
  readonly manifest: Manifest;
}

/** All validators have committed so many blocks before the first phase. */
const readyHeight = 3;
const readyMsMax = 60_000;
/** Calm at the end, in which all validators reach one height, ms. */
const calmMsMax = 60_000;

/**
 * Starts a network, carries the manifest out, judges what happened and writes `manifest.json`, `report.json` and `report.md`.
 *
 * @throws ChaosError `CHAOS_NODE_ENDED` when the network does not start
 */
export async function runChaos(options: ChaosOptions): Promise<Report> {
  const { manifest, directory, signal } = options;
  await writeFile(join(directory, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  const prng = createPrng(manifest.seed);
  const network = await networkOf(manifest, { ...options, prng: prng.fork() });
  const load = new Load(network, manifest.load, prng.fork());
  try {
    await startAll(network);
    await fundOwners(
      network,
      manifest.phases.flatMap(({ faults }) => faults),
    );
    await load.prepare();
    load.start();
    const phases = await runPhases(manifest, network, signal);
    await load.stop();
    const report = await judgeRun(manifest, network, load, phases);
    await writeFile(join(directory, 'report.json'), `${JSON.stringify(report, null, 2)}\n`);
    await writeFile(join(directory, 'report.md'), formatReport(report));
    await network.close();
    // Homes, and the keys of their owners, are for finding out what went wrong.
    const [first] = network.homes.homes;
    if (report.clean)
      for (const folder of [...network.homes.homes, dirname(ownerKeyPath(first!))])
        await rm(folder, { recursive: true });
    return report;
  } finally {
    await load.stop();
    await network.close();
  }
}

/** Writes the network of a manifest, and starts nothing of it. */
export const networkOf = (
  { validators, followers = 0, patience, seed, block_interval_ms: blockIntervalMs = usualBlockIntervalMs }: Manifest,
  place: Pick<NetworkOptions, 'directory' | 'basePort' | 'prime' | 'signal' | 'prng' | 'say'>,
): Promise<ChaosNetwork> => ChaosNetwork.prepare({ ...place, validators, followers, patience, seed, blockIntervalMs });

/** All nodes run and the chain goes on. @throws ChaosError `CHAOS_NODE_ENDED` */
export async function startAll(network: ChaosNetwork, options?: StartOptions): Promise<void> {
  const outcomes = await Promise.all(network.all.map((index) => network.start(index, options)));
  const ended = outcomes.findIndex((outcome) => outcome !== 'ready');
  if (ended >= 0) {
    const name = network.name(ended);
    const { code = null, words = '' } = network.ends.find(({ validator }) => validator === ended) ?? {};
    throw new ChaosError(`${name} does not start: ${words}`, { code: 'CHAOS_NODE_ENDED', name, exitCode: code });
  }
  network.observe();
  if (!(await network.watch.until((heads) => heads.every((head) => head >= readyHeight), readyMsMax)))
    throw new ChaosError('the network does not decide blocks', {
      code: 'CHAOS_NODE_ENDED',
      name: 'network',
      exitCode: null,
    });
  network.say(`${network.all.length} nodes follow the chain, ${network.validators} validators decide it`);
}

/** The phases of a manifest, until they or its minutes are over. */
export async function runPhases(
  manifest: Manifest,
  network: ChaosNetwork,
  signal: AbortSignal,
): Promise<PhaseOutcome[]> {
  const outcomes: PhaseOutcome[] = [];
  const { phases: planned, minutes = null } = manifest;
  const endMs = minutes === null ? Infinity : network.nowMs() + minutes * 60_000;
  for (const [index, phase] of planned.entries()) {
    if (network.nowMs() >= endMs) {
      network.say(`${minutes} minutes are over after ${index} phases`);
      break;
    }
    if (signal.aborted) {
      network.say('asked to stop: the phases that are left are left out');
      break;
    }
    network.say(
      `phase ${index + 1}${minutes === null ? ` of ${planned.length}` : ''}: ${phase.name} (${phase.promise})`,
    );
    const outcome = await runPhase(phase, manifest, network, signal);
    outcomes.push(outcome);
    if (outcome.recoveryMs === null) {
      network.say('the network is not back: the phases that are left are left out');
      break;
    }
  }
  return outcomes;
}

/** Brings a run to its end: all nodes reach one height, are asked for what the verdict is about, and stop. @returns that, and the height */
export async function gatherEvidence(
  network: ChaosNetwork,
  load: Load,
  phases: readonly PhaseOutcome[],
): Promise<{ readonly evidence: Evidence; readonly height: number }> {
  const { watch } = network;
  const goal = watch.highest(network.all) + 1;
  await watch.until((heads) => heads.every((head) => head >= goal), calmMsMax);
  const height = Math.min(...network.serving().map((index) => watch.heads[index]!));
  network.say(`all writes are looked for, and ${height} blocks compared`);
  const collected: Collected = await collect(network, load, height);
  await Promise.all(network.nodes.map((node) => node.end('SIGTERM')));
  return {
    height,
    evidence: {
      names: network.homes.names,
      members: network.homes.addresses.slice(0, network.validators),
      changes: network.changes,
      failedChanges: network.failedChanges,
      durationMs: network.nowMs(),
      ...collected,
      signatures: network.signLog.records,
      ends: network.ends,
      phases,
      memory: network.memory,
      complaints: network.complaints,
      wrongAnswers: network.wrongAnswers,
    },
  };
}

async function judgeRun(
  manifest: Manifest,
  network: ChaosNetwork,
  load: Load,
  phases: readonly PhaseOutcome[],
): Promise<Report> {
  const { evidence, height } = await gatherEvidence(network, load, phases);
  const verdict = judge(evidence);
  return {
    format: 'prime-chaos-report-1',
    clean: verdict.clean,
    manifest: { ...manifest, phases: manifest.phases.slice(0, Math.max(1, phases.length)) },
    machine: { cores: availableParallelism(), load: loadavg()[2] ?? 0, node: process.versions.node },
    durationMs: evidence.durationMs,
    blocks: height,
    verdict,
    phases,
    ends: network.ends,
    timeline: network.timeline,
  };
}

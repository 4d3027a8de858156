import { writeFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Evidence, type Finding, finding, judge } from '@prime/audit';
import { ChaosNetwork, gatherEvidence, Load, type NetworkOptions, startAll } from '@prime/chaos';
import { createPrng } from '@prime/primitives';
import { counted } from '../terminal/output.ts';
import { takeFolder } from '../files.ts';
import { asRun, primeProgram } from '../chaos/primeProgram.ts';
import { Drill, type StepOutcome } from './drill.ts';
import { rebuildFromSnapshot, replaceMachine, restoreBackup, rotateSigner } from './drills/machines.ts';
import { loseRegion, resumeAfterHalt } from './drills/power.ts';
import { rollingRestart, rollingUpgrade } from './drills/restarts.ts';
import { type DrillKind, type DrillName } from './names.ts';

/** One drill: which, on how large a network, and where. */
export interface DrillOptions
  extends Pick<NetworkOptions, 'validators' | 'patience' | 'directory' | 'basePort' | 'say'> {
  readonly kind: DrillKind & { readonly name: DrillName };
  /** main.js of another build, for upgrades; null is the own one. */
  readonly program: string | null;
  /** Keeps the folder also where everything was proved. */
  readonly keep: boolean;
}

/** What a drill found, as `report.json` holds it; durations in ms. */
export interface DrillReport {
  readonly format: 'prime-drill-report-1';
  readonly drill: DrillName;
  /** Whether everything that it is to show was seen. */
  readonly proved: boolean;
  /** What that is, as a sentence. */
  readonly proves: string;
  readonly validators: number;
  readonly patience: number;
  readonly durationMs: number;
  readonly blocks: number;
  /** Acknowledged, and looked for on every node. */
  readonly writes: number;
  readonly steps: readonly StepOutcome[];
  readonly findings: readonly Finding[];
  /** Homes, logs and this report; null where they are removed. */
  readonly folder: string | null;
}

/** Light: an operator rehearses procedures, not throughput. Writes a second. */
const rates = { transfers: 4, orders: 4, trades: 1, deposits: 2, withdrawals: 0, bursts: 0 } as const;
const seed = 1;
/** Rules about what no drill does. */
const notTouched: ReadonlySet<string> = new Set(['no wrong answer from damaged files', 'memory']);

const carryOut: Readonly<Record<DrillName, (drill: Drill, options: DrillOptions) => Promise<void>>> = {
  'rolling-restart': rollingRestart,
  'rolling-upgrade': (drill, { program }) => rollingUpgrade(drill, program),
  'rotate-signer': rotateSigner,
  'replace-machine': replaceMachine,
  'restore-backup': restoreBackup,
  'rebuild-from-snapshot': rebuildFromSnapshot,
  'lose-region': loseRegion,
  'resume-after-halt': resumeAfterHalt,
};

/**
 * Starts a network, carries a drill out under load, and judges what happened.
 *
 * @throws CliError `CLI_NOT_EMPTY` when the folder holds something; `CLI_VALIDATOR_ENDED` when the network does not start
 */
export async function runDrill(options: DrillOptions): Promise<DrillReport> {
  const { kind, validators, patience, directory, basePort, keep } = options;
  await takeFolder(directory);
  const prng = createPrng(seed);
  const network = await ChaosNetwork.prepare({
    directory,
    validators,
    followers: kind.followers,
    patience,
    seed,
    blockIntervalMs: kind.blockIntervalMs,
    basePort,
    prime: primeProgram,
    signal: new AbortController().signal,
    prng: prng.fork(),
    say: options.say,
  });
  const load = new Load(network, rates, prng.fork());
  try {
    await asRun(() => startAll(network));
    await load.prepare();
    load.start();
    const drill = new Drill(network, load);
    // There has to be something that could be lost.
    await drill.goesOn();
    const carriedOut = await attempt(() => carryOut[kind.name](drill, options));
    await load.stop();
    const { evidence, height } = await gatherEvidence(network, load, drill.steps);
    const findings = findingsOf(drill, evidence, carriedOut);
    const proved = findings.every(({ violations }) => violations.length === 0);
    const report: DrillReport = {
      format: 'prime-drill-report-1',
      drill: kind.name,
      proved,
      proves: kind.proves,
      validators,
      patience,
      durationMs: evidence.durationMs,
      blocks: height,
      writes: evidence.writes.length,
      steps: drill.steps,
      findings,
      folder: proved && !keep ? null : directory,
    };
    await network.close();
    if (report.folder === null) await rm(directory, { recursive: true });
    else await writeFile(join(directory, 'report.json'), `${JSON.stringify(report, null, 2)}\n`);
    return report;
  } finally {
    await load.stop();
    await network.close();
  }
}

/** What went wrong, in words; null where nothing did. A drill that is cut short is judged all the same. */
async function attempt(work: () => Promise<void>): Promise<string | null> {
  try {
    await work();
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

/** @param cutShort why not every step was carried out; null where all were */
export function findingsOf(
  { steps, claims }: Pick<Drill, 'steps' | 'claims'>,
  evidence: Evidence,
  cutShort: string | null,
): readonly Finding[] {
  return [
    finding('every step is carried out', counted(steps.length, 'step'), cutShort === null ? [] : [cutShort]),
    ...claims,
    underLoad(steps, evidence),
    ...judge(evidence).findings.filter(({ rule, violations }) => !notTouched.has(rule) || violations.length > 0),
  ];
}

/** A drill without writes, blocks or signatures proves nothing by what it did not find. */
function underLoad(steps: readonly StepOutcome[], { writes, signatures }: Evidence): Finding {
  const live = steps.filter(({ promise }) => promise === 'live');
  const violations = live.flatMap(({ name, headBefore, headAfter, writes: acknowledged }) => [
    ...(acknowledged === 0 ? [`${name}: no write was acknowledged`] : []),
    ...(headAfter <= headBefore ? [`${name}: no block was decided`] : []),
  ]);
  if (writes.length === 0) violations.push('no write was acknowledged at all');
  if (signatures.length === 0) violations.push('no signature was seen');
  const blocks = live.reduce((sum, { headBefore, headAfter }) => sum + headAfter - headBefore, 0);
  const acknowledged = live.reduce((sum, step) => sum + step.writes, 0);
  return finding(
    'under load',
    live.length === 0
      ? `${writes.length} writes before and after`
      : `${blocks} blocks and ${acknowledged} acknowledged writes in ${counted(live.length, 'step')} with somebody away`,
    violations,
  );
}

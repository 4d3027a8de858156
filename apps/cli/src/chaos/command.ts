import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { seconds } from '@prime/audit';
import { exitCode } from '@prime/node';
import { randomManifest } from './schedule/generate.ts';
import { type Manifest, manifestSchema, parseManifest, usualBlockIntervalMs } from './schedule/manifest.ts';
import { runChaos } from './runChaos.ts';
import type { Report } from './report.ts';
import { CliError, parseWholeNumber } from '../errors.ts';

/** Flags of `prime testnet chaos`. */
export interface ChaosFlags {
  readonly manifest?: string;
  readonly random?: boolean;
  readonly seed?: string;
  readonly validators: string;
  readonly followers: string;
  readonly minutes: string;
  readonly patience: string;
  readonly blockInterval?: string;
  readonly out: string;
  readonly basePort?: string;
  readonly dryRun?: boolean;
  readonly schema?: boolean;
}

/** Runs what the flags ask for, prints the verdict, and ends the process with its exit code. */
export async function chaos(flags: ChaosFlags): Promise<void> {
  if (flags.schema === true) return console.log(JSON.stringify(manifestSchema, null, 2));
  const manifest = await manifestOf(flags);
  if (flags.dryRun === true) return console.log(JSON.stringify(manifest, null, 2));
  console.log(
    `${manifest.validators} validators, ${manifest.followers ?? 0} followers, ${lengthOf(manifest)}, seed ${manifest.seed}, patience ${manifest.patience}, a block every ${manifest.block_interval_ms ?? usualBlockIntervalMs} ms or later`,
  );
  const report = await runChaos({
    manifest,
    directory: resolve(flags.out),
    basePort: flags.basePort === undefined ? null : parseWholeNumber(flags.basePort, '--base-port', 1, 60_000),
    signal: untilInterrupted(),
    say: (line) => console.log(line),
  });
  show(report, flags.out);
  process.exit(report.clean ? exitCode.ok : exitCode.notProven);
}

const lengthOf = ({ minutes, phases }: Manifest): string =>
  minutes === undefined ? `${phases.length} phases` : `${minutes} minutes`;

async function manifestOf(flags: ChaosFlags): Promise<Manifest> {
  const { manifest, random, seed } = flags;
  if ((manifest === undefined) === (random !== true))
    throw new CliError('give either --manifest FILE or --random', { code: 'CLI_USAGE', argument: '--manifest' });
  if (manifest !== undefined) return parseManifest(await readText(manifest), manifest);
  return randomManifest({
    seed: seed === undefined ? Date.now() % 1_000_000 : parseWholeNumber(seed, '--seed', 0, 0xffffffff),
    validators: parseWholeNumber(flags.validators, '--validators', 4, 32),
    followers: parseWholeNumber(flags.followers, '--followers', 0, 5),
    minutes: parseWholeNumber(flags.minutes, '--minutes', 1, 24 * 60),
    patience: parseWholeNumber(flags.patience, '--patience', 1, 100),
    blockIntervalMs:
      flags.blockInterval === undefined ? null : parseWholeNumber(flags.blockInterval, '--block-interval', 0, 1_000),
  });
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    const words = `can not read ${path}: ${(cause as Error).message}`;
    throw new CliError(words, { code: 'CLI_USAGE', argument: '--manifest' }, { cause });
  }
}

/** The first SIGINT or SIGTERM ends the schedule, and what has been is judged; a second one ends the process. */
function untilInterrupted(): AbortSignal {
  const controller = new AbortController();
  const interrupt = (): void => {
    // The validators notice that this process is gone.
    if (controller.signal.aborted) process.exit(exitCode.internal);
    controller.abort();
  };
  process.on('SIGINT', interrupt);
  process.on('SIGTERM', interrupt);
  return controller.signal;
}

function show(report: Report, directory: string): void {
  console.log('');
  for (const { rule, seen, violations } of report.verdict.findings) {
    console.log(`${violations.length === 0 ? 'ok ' : 'NO '} ${rule}: ${seen}`);
    for (const violation of violations) console.log(`      ${violation}`);
  }
  const words = report.clean ? 'clean' : 'violations';
  console.log(
    `\n${words} after ${seconds(report.durationMs)}, ${report.blocks} blocks; report in ${directory}/report.md`,
  );
}

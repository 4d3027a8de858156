import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { seconds } from '@prime/audit';
import {
  type Manifest,
  manifestSchema,
  parseManifest,
  randomManifest,
  type Report,
  runChaos,
  usualBlockIntervalMs,
} from '@prime/chaos';
import { exitCode } from '@prime/node';
import { parseWholeNumber, usageError } from '../errors.ts';
import { takeFolder } from '../files.ts';
import { findingLines } from '../terminal/findingLines.ts';
import { untilInterrupted } from '../terminal/untilEnd.ts';
import { asRun, primeProgram } from './primeProgram.ts';

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
  const directory = resolve(flags.out);
  const basePort = flags.basePort === undefined ? null : parseWholeNumber(flags.basePort, '--base-port', 1, 60_000);
  const signal = untilInterrupted();
  await takeFolder(directory);
  const report = await asRun(() =>
    runChaos({ manifest, directory, basePort, prime: primeProgram, signal, say: (line) => console.log(line) }),
  );
  show(report, flags.out);
  process.exit(report.clean ? exitCode.ok : exitCode.notProven);
}

const lengthOf = ({ minutes, phases }: Manifest): string =>
  minutes === undefined ? `${phases.length} phases` : `${minutes} minutes`;

async function manifestOf(flags: ChaosFlags): Promise<Manifest> {
  const { manifest, random, seed } = flags;
  if ((manifest === undefined) === (random !== true))
    throw usageError('give either --manifest FILE or --random', '--manifest');
  if (manifest !== undefined) {
    const text = await readText(manifest);
    return asRun(async () => parseManifest(text, manifest));
  }
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
    throw usageError(words, '--manifest', { cause });
  }
}

function show(report: Report, directory: string): void {
  for (const line of ['', ...findingLines(report.verdict.findings, Infinity)]) console.log(line);
  const words = report.clean ? 'clean' : 'violations';
  console.log(
    `\n${words} after ${seconds(report.durationMs)}, ${report.blocks} blocks; report in ${directory}/report.md`,
  );
}

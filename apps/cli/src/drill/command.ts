import { resolve } from 'node:path';
import { seconds } from '@prime/audit';
import { exitCode } from '@prime/node';
import { parseWholeNumber, usageError } from '../errors.ts';
import { existsSync } from 'node:fs';
import { findingLines } from '../terminal/findingLines.ts';
import { type JsonFlags, print } from '../terminal/output.ts';
import type { DrillKind, DrillName } from './names.ts';
import { type DrillReport, runDrill } from './runDrill.ts';

/** Flags of `prime drill`, as they were typed. */
export interface DrillFlags extends JsonFlags {
  readonly validators?: string;
  readonly patience: string;
  readonly out?: string;
  readonly basePort?: string;
  readonly keep?: boolean;
  /** Of `rolling-upgrade` alone. */
  readonly program?: string;
}

/** Runs a drill, prints what it proves, and ends the process with its exit code. */
export async function drill(kind: DrillKind & { readonly name: DrillName }, flags: DrillFlags): Promise<void> {
  const { json = false, keep = false, program } = flags;
  const out = flags.out ?? `.prime/drill/${kind.name}`;
  const options = {
    kind,
    validators:
      flags.validators === undefined ? kind.validators : parseWholeNumber(flags.validators, '--validators', 4, 32),
    patience: parseWholeNumber(flags.patience, '--patience', 1, 100),
    program: program === undefined ? null : existing(program),
    directory: resolve(out),
    basePort: flags.basePort === undefined ? null : parseWholeNumber(flags.basePort, '--base-port', 1, 60_000),
    keep,
  };
  // What happens is for people: with --json it goes where it is in nobody's way.
  const say = (line: string): void => (json ? console.error(line) : console.log(line));
  say(`${kind.name}: ${options.validators} validators on this machine, under light load`);
  untilInterrupted(out);
  const report = await runDrill({ ...options, say });
  print(flags, report, () => verdictLines(report, out));
  process.exit(report.proved ? exitCode.ok : exitCode.notProven);
}

function existing(program: string): string {
  if (existsSync(program)) return resolve(program);
  throw usageError(`there is no program ${program}: name the main.js of the new build`, '--program');
}

/** Nothing is proved by half a drill; the processes of the network end with this one. */
function untilInterrupted(out: string): void {
  const interrupt = (): never => {
    console.error(`prime: interrupted, and nothing is proved; homes are kept in ${out}`);
    process.exit(exitCode.internal);
  };
  process.once('SIGINT', interrupt);
  process.once('SIGTERM', interrupt);
}

/** What people read in the end. */
export function verdictLines(report: DrillReport, out: string): string[] {
  const { drill: name, proved, proves, findings, durationMs, folder } = report;
  const broken = findings.filter(({ violations }) => violations.length > 0).map(({ rule }) => rule);
  return [
    '',
    ...findingLines(findings, Infinity),
    '',
    proved ? `Proved: ${proves}` : `NOT proved (${broken.join(', ')}): ${proves}`,
    `${name} took ${seconds(durationMs)}; ${folder === null ? 'its network is removed' : `homes, logs and report.json are in ${out}`}`,
  ];
}

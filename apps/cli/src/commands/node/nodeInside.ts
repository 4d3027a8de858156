import type { HeightDump, RoundDump } from '@prime/engine';
import type { Command } from 'commander';
import { adminClient } from '../../node/adminClient.ts';
import { type JsonFlags, print } from '../../terminal/output.ts';
import { usageError } from '../../errors.ts';

interface DumpFlags extends JsonFlags {
  readonly home: string;
}

interface LogFlags {
  readonly home: string;
  readonly module?: string;
}

/** `prime node dump-consensus | log-level`: into a running node. */
export function addNodeInsideCommands(node: Command): void {
  node
    .command('dump-consensus')
    .description(
      'The height in progress of a running node: rounds, proposals, who voted for what, what it is locked on',
    )
    .requiredOption('--home <dir>', 'home folder of the running node')
    .option('--json', 'the whole answer as JSON')
    .action(async ({ home, ...flags }: DumpFlags) => {
      const dump = await (await adminClient(home)).read<Dump | null>('/consensus/dump');
      const idle = 'between two heights: a decided block is executed, or blocks are fetched';
      print(flags, dump, () => (dump === null ? [idle] : dumpLines(dump)));
    });
  node
    .command('log-level [level]')
    .description('How much a running node writes; with error, warn, info, debug or trace: from now on, until it ends')
    .requiredOption('--home <dir>', 'home folder of the running node')
    .option('--module <name>', 'of one module only (default: all)')
    .action(async (level: string | undefined, { home, module }: LogFlags) => {
      if (level === undefined && module !== undefined) throw usageError('--module needs a level', '--module');
      const admin = await adminClient(home);
      const levels =
        level === undefined
          ? await admin.read<Readonly<Record<string, string>>>('/log/levels')
          : await admin.command<Readonly<Record<string, string>>>('/log', { level, module });
      for (const [name, value] of Object.entries(levels)) console.log(`${name.padEnd(12)}${value}`);
    });
}

/** As JSON: powers are decimal strings. */
type AsJson<T> = T extends bigint
  ? string
  : T extends string | number | boolean
    ? T
    : T extends object
      ? { readonly [Key in keyof T]: AsJson<T[Key]> }
      : T;
type Dump = AsJson<HeightDump>;

const short = (hash: string | null): string => (hash === null ? 'nil' : hash.slice(0, 10));

function dumpLines(dump: Dump): string[] {
  const { height, round, step, lockedRound, lockedValue, validRound, validValue, decision, started } = dump;
  const mark = (at: number, value: string | null): string => (at < 0 ? 'none' : `${value} of round ${at}`);
  return [
    `height     ${height}, round ${round}, ${started ? step : 'not begun'}`,
    `locked     ${mark(lockedRound, lockedValue)}`,
    `valid      ${mark(validRound, validValue)}`,
    ...(decision === null ? [] : [`decided    ${decision.blockHash} in round ${decision.round}`]),
    ...dump.rounds.flatMap((each) => roundLines(each, dump.totalPower)),
  ];
}

function roundLines({ round, proposer, proposals, prevotes, precommits }: AsJson<RoundDump>, total: string): string[] {
  const shown = proposals.map(
    ({ blockHash, polRound, complete }) =>
      `${short(blockHash)}${polRound < 0 ? '' : ` (prevoted in round ${polRound})`}${complete ? '' : ' (not all of it is here)'}`,
  );
  return [
    `round ${String(round).padEnd(5)}proposer ${proposer}: ${shown.length === 0 ? 'nothing came' : shown.join(', ')}`,
    ...voteLines('prevotes', prevotes, total),
    ...voteLines('precommits', precommits, total),
  ];
}

function voteLines(kind: string, { votes, power, missing }: AsJson<RoundDump['prevotes']>, total: string): string[] {
  const byBlock = new Map<string, string[]>();
  for (const { validator, blockHash } of votes) {
    const voters = byBlock.get(short(blockHash)) ?? [];
    voters.push(validator);
    byBlock.set(short(blockHash), voters);
  }
  return [
    `  ${kind} of ${power} of ${total} voting power`,
    ...[...byBlock].map(([block, voters]) => `    ${block}: ${voters.join(' ')}`),
    ...(missing.length === 0 ? [] : [`    missing: ${missing.join(' ')}`]),
  ];
}

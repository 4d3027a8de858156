/** The outcome of a run for people and for programs. */
import { type PhaseOutcome, type ProcessEnd, seconds, type Verdict } from '@prime/audit';
import { clockTime } from './run/clockTime.ts';
import { type Manifest, usualBlockIntervalMs } from './schedule/manifest.ts';

/** What stands in report.json; its manifest repeats the run. */
export interface Report {
  readonly format: 'prime-chaos-report-1';
  readonly clean: boolean;
  /** The schedule as it was carried out: phases that were left out are not in it. */
  readonly manifest: Manifest;
  /** Where it ran: what deadlines mean depends on it. */
  readonly machine: Machine;
  readonly durationMs: number;
  readonly blocks: number;
  readonly verdict: Verdict;
  readonly phases: readonly PhaseOutcome[];
  readonly ends: readonly ProcessEnd[];
  readonly timeline: readonly { readonly atMs: number; readonly words: string }[];
}

interface Machine {
  readonly cores: number;
  /** Processes that were running or waiting for a core, averaged over the last 15 minutes. */
  readonly load: number;
  readonly node: string;
}

/** The report as a page. */
export function formatReport(report: Report): string {
  const { manifest, machine, verdict, phases, timeline } = report;
  const broken = verdict.findings.filter((each) => !isKept(each));
  const lines = [
    `# Chaos run: ${report.clean ? 'clean' : 'violations'}`,
    '',
    `${manifest.validators} validators and ${manifest.followers ?? 0} followers, ${manifest.phases.length} phases, seed ${manifest.seed}, patience ${manifest.patience} (all deadlines times that), a block every ${manifest.block_interval_ms ?? usualBlockIntervalMs} ms or later; ${report.blocks} blocks in ${seconds(report.durationMs)}.`,
    '',
    `${machine.cores} cores, load ${machine.load.toFixed(1)}, Node.js ${machine.node}. Again: \`prime testnet chaos --manifest manifest.json --out again\`.`,
    '',
    '| Rule | Seen | Holds |',
    '|---|---|---|',
    ...verdict.findings.map((each) => `| ${each.rule} | ${cell(each.seen)} | ${isKept(each) ? 'yes' : '**no**'} |`),
    '',
  ];
  if (broken.length > 0) {
    lines.push('## Violations', '');
    for (const { rule, violations } of broken)
      lines.push(`### ${rule}`, '', ...violations.map((violation) => `- ${violation}`), '');
  }
  lines.push(
    '## Phases',
    '',
    '| Phase | Promise | Blocks | Longest stall | Back after | At most |',
    '|---|---|---|---|---|---|',
  );
  for (const phase of phases) {
    const back = phase.recoveryMs === null ? 'never' : seconds(phase.recoveryMs);
    lines.push(
      `| ${cell(phase.name)} | ${phase.promise} | ${phase.headAfter - phase.headBefore} | ${seconds(phase.longestStallMs)} | ${back} | ${seconds(phase.recoveryMsMax)} |`,
    );
  }
  lines.push('', '## Timeline', '', '```');
  for (const { atMs, words } of timeline) lines.push(`${clockTime(atMs)}  ${words}`);
  lines.push('```', '');
  return lines.join('\n');
}

const isKept = ({ violations }: { readonly violations: readonly string[] }): boolean => violations.length === 0;
const cell = (text: string): string => text.replaceAll('|', '\\|');

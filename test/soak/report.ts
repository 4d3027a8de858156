import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Coverage } from './coverage.ts';

/** A run from its plan to its verdict. */
export interface SoakReport {
  readonly format: 'prime-soak-1';
  readonly seed: number;
  readonly minutes: number;
  readonly program: string;
  readonly clean: boolean;
  readonly seconds: number;
  readonly blocks: number;
  readonly actions: number;
  readonly transactions: number;
  readonly answers: Readonly<Record<string, number>>;
  readonly stops: Readonly<Record<string, number>>;
  /** Shapes by how often they ran, in the order of the first time. */
  readonly shapes: Readonly<Record<string, number>>;
  readonly goals: ReturnType<Coverage['rows']>;
  /** Goals that no block met. */
  readonly missed: readonly string[];
  readonly faults: readonly string[];
}

/** More of the same kind say nothing new. */
const faultsMax = 100;

export function soakText(report: SoakReport): string {
  const { seed, seconds, blocks, actions, transactions, answers, stops, shapes, goals, missed, faults } = report;
  const list = (counts: Readonly<Record<string, number>>): string =>
    Object.entries(counts)
      .map(([name, count]) => `${count} ${name}`)
      .join(', ');
  return [
    `# Soak of a network, seed ${seed}: ${report.clean ? 'clean' : 'NOT CLEAN'}`,
    '',
    `${Math.round(seconds)} s, ${blocks} blocks with ${actions} actions and ${transactions} transactions.`,
    `Answers: ${list(answers)}. Stops of validators: ${list(stops)}.`,
    `Shapes: ${list(shapes)}.`,
    '',
    ...(faults.length === 0 ? ['No fault.'] : [`${faults.length} faults:`, '', ...faults.map((fault) => `- ${fault}`)]),
    '',
    ...(missed.length === 0 ? ['Every goal was met.'] : [`Goals that no block met: ${missed.join('; ')}.`]),
    '',
    '| Goal | Least | Blocks that met it | Most in one block |',
    '|---|---|---|---|',
    ...goals.map((goal) => `| ${goal.name} | ${goal.least} | ${goal.blocks} | ${goal.most} |`),
    '',
  ].join('\n');
}

/** Writes report.json and report.md. */
export async function writeReport(folder: string, report: SoakReport): Promise<void> {
  await mkdir(folder, { recursive: true });
  const bounded = { ...report, faults: report.faults.slice(0, faultsMax) };
  await writeFile(join(folder, 'report.json'), `${JSON.stringify(bounded, null, 2)}\n`);
  await writeFile(join(folder, 'report.md'), soakText(bounded));
}

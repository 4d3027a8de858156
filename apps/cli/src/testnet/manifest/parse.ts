import type { TSchema } from '@sinclair/typebox';
import { Ajv, type ErrorObject } from 'ajv';
import { parse, TomlError } from 'smol-toml';
import { CliError } from '../../errors.ts';
import { type Manifest, withEmptyLists } from './manifest.ts';
import { describeProblem, type ManifestProblem, shown } from './problem.ts';
import { findContradictions } from './rules.ts';
import { faultKinds, faultTableOf, type ManifestFile, manifestSchema } from './schema.ts';

const ajv = new Ajv({ allErrors: true, verbose: true, useDefaults: true, allowUnionTypes: true });
const isManifest = ajv.compile<ManifestFile>(manifestSchema);
const isFault = new Map(faultKinds.map((kind) => [kind, ajv.compile(faultTableOf(kind)!)] as const));

/**
 * Reads a manifest, and says everything that is wrong with it at once.
 *
 * @param name by which errors call the file
 * @throws CliError `CLI_TESTNET_MANIFEST`
 */
export function parseTestnetManifest(text: string, name: string): Manifest {
  const value = withLists(parseToml(text, name));
  const isWellFormed = isManifest(value);
  const problems = [...problemsOf(isManifest.errors ?? [], manifestSchema, ''), ...faultProblems(value)];
  if (!isWellFormed || problems.length > 0) throw refuse(name, distinct(problems));
  const manifest = withEmptyLists(value);
  const contradictions = findContradictions(manifest);
  if (contradictions.length > 0) throw refuse(name, contradictions);
  return manifest;
}

function refuse(name: string, problems: readonly ManifestProblem[], cause?: unknown): CliError {
  const lines = problems.map((problem) => `\n  ${describeProblem(problem)}`);
  return new CliError(
    `${name} is no manifest of a network:${lines.join('')}`,
    { code: 'CLI_TESTNET_MANIFEST', file: name, problems },
    { cause },
  );
}

function parseToml(text: string, name: string): Record<string, unknown> {
  try {
    return parse(text);
  } catch (cause) {
    if (!(cause instanceof TomlError)) throw cause;
    const { line, column, message } = cause;
    const reason = message.split('\n')[0]!.replace('Invalid TOML document: ', '');
    const problem = { path: `line ${line}, column ${column}`, value: reason, allowed: 'TOML' };
    throw refuse(name, [problem], cause);
  }
}

/** A number of nodes is a list of tables in which nothing is said; one that can not be is left to the schema. */
function withLists(file: Record<string, unknown>): Record<string, unknown> {
  const lists = ['validators', 'followers'].flatMap((key) => {
    const count = file[key];
    const isCount = typeof count === 'number' && Number.isInteger(count) && count >= 0 && count <= 1_000;
    return isCount ? [[key, Array.from({ length: count }, () => ({}))] as const] : [];
  });
  return { ...file, ...Object.fromEntries(lists) };
}

/** Faults of a kind that is known, each by the table of its kind. */
function faultProblems(file: Record<string, unknown>): ManifestProblem[] {
  const faults: readonly unknown[] = Array.isArray(file['faults']) ? file['faults'] : [];
  return faults.flatMap((fault, index) => {
    const { kind } = (fault ?? {}) as { readonly kind?: unknown };
    const check = isFault.get(String(kind));
    if (check === undefined || check(fault)) return [];
    return problemsOf(check.errors ?? [], faultTableOf(String(kind))!, `faults[${index}]`);
  });
}

/** A union fails once for each member, and both checks of a fault find the same: one place is told once. */
function distinct(problems: readonly ManifestProblem[]): ManifestProblem[] {
  const byPath = new Map<string, ManifestProblem>();
  for (const problem of problems) if (!byPath.has(problem.path)) byPath.set(problem.path, problem);
  return [...byPath.values()];
}

const problemsOf = (errors: readonly ErrorObject[], schema: TSchema, prefix: string): ManifestProblem[] =>
  distinct(errors.map((error) => problemOf(error, schema, prefix)));

function problemOf(error: ErrorObject, schema: TSchema, prefix: string): ManifestProblem {
  const { instancePath, keyword, params, data, parentSchema = {} } = error;
  const at = keyPath(prefix, instancePath);
  const below = (key: string): string => (at === '' ? key : `${at}.${key}`);
  if (keyword === 'additionalProperties') {
    const key = params['additionalProperty'] as string;
    const known = Object.keys((parentSchema as { properties?: object }).properties ?? {});
    const value = shown((data as Record<string, unknown>)[key]);
    return {
      path: below(key),
      value,
      allowed: known.length > 0 ? `one of ${known.join(', ')}` : titleOf(parentSchema),
    };
  }
  if (keyword === 'required') {
    const key = params['missingProperty'] as string;
    const property = (parentSchema as { properties?: Record<string, object> }).properties?.[key] ?? {};
    return { path: below(key), value: '', allowed: titleOf(property) };
  }
  return { path: at === '' ? 'the file' : at, value: shown(countOf(data)), allowed: titleOf(parentSchema as object) };
}

/** A number of nodes that is too large has become a list. */
const countOf = (data: unknown): unknown =>
  Array.isArray(data) && data.length > 0 && data.every((item) => Object.keys(item as object).length === 0)
    ? data.length
    : data;

/** `/faults/2/links/0/from` as people write it: `faults[2].links[0].from`. */
const keyPath = (prefix: string, pointer: string): string =>
  `${prefix}${pointer.replace(/\/(\d+)(?=\/|$)/g, '[$1]').replaceAll('/', '.')}`.replace(/^\./, '');

/** What a schema allows, in words. */
function titleOf(schema: object): string {
  const { title, type, minimum, maximum, minLength, maxLength, minItems, maxItems, ...rest } = schema as TSchema;
  if (title !== undefined) return title;
  if (rest['const'] !== undefined) return shown(rest['const']);
  const { enum: choices, anyOf } = rest as { enum?: readonly string[]; anyOf?: readonly object[] };
  if (choices !== undefined) return `one of ${choices.join(', ')}`;
  if (anyOf !== undefined) return anyOf.map(titleOf).join(', or ');
  if (type === 'integer') return `a whole number of ${minimum} to ${maximum}`;
  if (type === 'string') return `text of ${minLength ?? 0} to ${maxLength} characters`;
  if (type === 'array') return `a list of ${minItems ?? 0} to ${maxItems ?? 'any number of'} entries, each once`;
  return type === 'object' ? 'a table' : String(type);
}

import { Ajv, type ErrorObject } from 'ajv';
import { parse, TomlError } from 'smol-toml';
import { LoadError } from '../errors.ts';
import { kindTable } from './kindTable.ts';
import { type Scenario, scenarioSchema } from './schema.ts';

const isScenario = new Ajv({ useDefaults: true, allErrors: true, allowUnionTypes: true }).compile<Scenario>(
  scenarioSchema,
);

/**
 * Reads a scenario file.
 *
 * @param name by which errors call the file
 * @throws LoadError `LOAD_SCENARIO_MALFORMED` for what is no TOML, `LOAD_SCENARIO_INVALID` with the key, what is wrong with it, and what is allowed
 */
export function parseScenario(text: string, name: string): Scenario {
  const value = parseToml(text, name);
  if (!isScenario(value)) {
    const { path, problem, allowed } = mostTelling(isScenario.errors ?? [], value);
    return invalid(name, path, problem, allowed);
  }
  checkSizes(value, name);
  return value;
}

/** The same scenario at another size. @throws LoadError `LOAD_SCENARIO_INVALID` where one of its kinds can not be so large */
export function withSize(scenario: Scenario, size: number): Scenario {
  const sized = { ...scenario, size };
  checkSizes(sized, scenario.name);
  return sized;
}

/** Size of a part of the mix. */
export const sizeOf = (scenario: Scenario, item: Scenario['mix'][number]): number => item.size ?? scenario.size;

function parseToml(text: string, name: string): unknown {
  try {
    return parse(text);
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    // The first line says what, the others draw the place.
    const reason = error.message.split('\n')[0]!.replace('Invalid TOML document: ', '');
    const { line, column } = error;
    throw new LoadError(
      `${name}:${line}:${column} is not TOML: ${reason}`,
      { code: 'LOAD_SCENARIO_MALFORMED', file: name, line, column, reason },
      { cause: error },
    );
  }
}

function invalid(file: string, path: string, problem: string, allowed: string): never {
  throw new LoadError(`${file}: ${path} ${problem}; allowed: ${allowed}`, {
    code: 'LOAD_SCENARIO_INVALID',
    file,
    path,
    problem,
    allowed,
  });
}

interface Failure {
  readonly path: string;
  readonly problem: string;
  readonly allowed: string;
}

/** `/mix/2/kind` as people write it: `mix[2].kind`. */
const keyPath = (pointer: string): string =>
  pointer
    .slice(1)
    .replace(/\/(\d+)/g, '[$1]')
    .replaceAll('/', '.') || 'the file';

/** A union fails once for each of its members and once as a whole, so errors of one place are told together. */
function mostTelling(errors: readonly ErrorObject[], value: unknown): Failure {
  // What is unknown or missing explains more than what is wrong elsewhere: it is often a misspelt key.
  const first =
    errors.find(({ keyword }) => keyword === 'additionalProperties') ??
    errors.find(({ keyword }) => keyword === 'required') ??
    errors[0]!;
  const { instancePath, keyword, params, message = 'is wrong', schemaPath } = first;
  const key = (name: string): string => (instancePath === '' ? name : `${keyPath(instancePath)}.${name}`);
  if (keyword === 'additionalProperties')
    return {
      path: key(params['additionalProperty'] as string),
      problem: 'is no key of a scenario',
      allowed: keysAt(schemaPath).join(', '),
    };
  if (keyword === 'required')
    return { path: key(params['missingProperty'] as string), problem: 'is missing', allowed: 'it has to be there' };
  const literals = errors
    .filter((error) => error.instancePath === instancePath && error.keyword === 'const')
    .map((error) => JSON.stringify((error.params as { allowedValue: unknown }).allowedValue));
  const shown = JSON.stringify(valueAt(value, instancePath)) ?? 'nothing';
  const others = errors
    .filter((error) => error.instancePath === instancePath && !['const', 'anyOf'].includes(error.keyword))
    .map((error) => (error.message ?? message).replace(/^must (?:be |match )?/, ''));
  return {
    path: keyPath(instancePath),
    problem: `can not be ${shown.slice(0, 80)}`,
    allowed: [...literals, ...others].join(', ') || message,
  };
}

const valueAt = (value: unknown, pointer: string): unknown =>
  pointer
    .split('/')
    .slice(1)
    .reduce((at, part) => (at as Record<string, unknown> | undefined)?.[part], value);

/** Keys that the object has whose rule is at `#/properties/a/items/additionalProperties`. */
function keysAt(schemaPath: string): string[] {
  const parts = schemaPath.split('/').slice(1, -1);
  const at = parts.reduce<unknown>((schema, part) => (schema as Record<string, unknown>)[part], scenarioSchema);
  return Object.keys((at as { properties: object }).properties);
}

function checkSizes(scenario: Scenario, name: string): void {
  for (const [index, item] of scenario.mix.entries()) {
    const { size, sizeMax } = kindTable[item.kind];
    const wanted = sizeOf(scenario, item);
    const path = item.size === undefined ? 'size' : `mix[${index}].size`;
    if (size !== null && wanted > sizeMax)
      invalid(name, path, `can not be ${wanted}`, `1 to ${sizeMax} for ${item.kind} (${size})`);
  }
}

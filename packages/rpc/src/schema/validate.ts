import type { TSchema } from '@sinclair/typebox';
import type { MethodDefinition } from '../define.ts';
import { invalidParams, type RpcError } from '../errors/errors.ts';
import { validators } from '../generated/validators.js';
import { hintKey } from './valueTypes.ts';

type ValidationError = NonNullable<(typeof validators)[string]['errors']>[number];

/** Turns the positional parameters of one method into the arguments of its handler. @throws RpcError `RPC_INVALID_PARAMS` */
export type ParamsParser = (params: readonly unknown[]) => unknown[];

type Parse = (value: unknown) => unknown;

/** The parser of a method: what can be looked up once is. Its errors read "invalid params: <path> <what>". */
export function paramsParser(definition: MethodDefinition): ParamsParser {
  const validate = validators[definition.name];
  if (validate === undefined) throw new Error(`${definition.name} has no generated validator: build again`);
  const parsers = definition.params.map(({ type }): Parse => type.parse as Parse);
  return (params) => {
    const given = withoutTrailingNulls(params);
    if (given.length > parsers.length)
      throw invalidParams('params', `has too many entries: ${given.length}, want at most ${parsers.length}`);
    if (!validate(given)) throw explain(definition, given, validate.errors ?? []);
    const args: unknown[] = [];
    for (let index = 0; index < given.length; index++) {
      const value = given[index] ?? undefined;
      args.push(value === undefined ? undefined : parsers[index]!(value));
    }
    return args;
  };
}

/** @throws RpcError `RPC_INVALID_PARAMS` */
export const parseParams = (definition: MethodDefinition, params: readonly unknown[]): unknown[] =>
  paramsParser(definition)(params);

function withoutTrailingNulls(params: readonly unknown[]): readonly unknown[] {
  let length = params.length;
  while (length > 0 && params[length - 1] === null) length--;
  return length === params.length ? params : params.slice(0, length);
}

const unescapePointer = (part: string): string => part.replaceAll('~1', '/').replaceAll('~0', '~');

/**
 * The error that says most: the outermost, which ajv reports last, but not that of "this or null": who gives something else than
 * null wants to know what is wrong with it.
 */
function tellingError(errors: readonly ValidationError[]): ValidationError | undefined {
  let last = errors.length - 1;
  while (last >= 2 && errors[last]!.keyword === 'anyOf' && errors[last - 1]!.params['type'] === 'null') last -= 2;
  return errors[last];
}

/** Words for the first thing that is wrong. */
function explain(
  definition: MethodDefinition,
  params: readonly unknown[],
  errors: readonly ValidationError[],
): RpcError {
  const missing = definition.params.find((parameter, index) => parameter.required && params[index] == null);
  const error = tellingError(errors);
  if (missing !== undefined && (error === undefined || error.keyword === 'minItems' || error.instancePath === ''))
    return invalidParams(missing.name, 'is required');
  if (error === undefined) return invalidParams('params', 'are malformed');
  const [first = '', ...rest] = error.instancePath.split('/').slice(1).map(unescapePointer);
  const parameter = definition.params[Number(first)];
  if (parameter === undefined) return invalidParams('params', error.message ?? 'are malformed');
  const path = pathOf(parameter.name, rest);
  if (params[Number(first)] === null) return invalidParams(path, 'is required');
  const { missingProperty, additionalProperty } = error.params;
  if (typeof missingProperty === 'string') return invalidParams(`${path}.${missingProperty}`, 'is required');
  if (typeof additionalProperty === 'string')
    return invalidParams(`${path}.${clip(additionalProperty)}`, 'is not a known field');
  return invalidParams(path, hintAt(parameter.type.schema, rest) ?? error.message ?? 'is malformed');
}

const pathOf = (name: string, parts: readonly string[]): string =>
  parts.reduce((path, part) => (/^\d+$/.test(part) ? `${path}[${part}]` : `${path}.${clip(part)}`), name);

const nameLengthMax = 64;
const clip = (name: string): string => (name.length > nameLengthMax ? `${name.slice(0, nameLengthMax)}…` : name);

/** The words of the innermost schema on the way to the faulty value that has some. */
function hintAt(schema: TSchema, parts: readonly string[]): string | undefined {
  const own = typeof schema[hintKey] === 'string' ? (schema[hintKey] as string) : undefined;
  const [part, ...rest] = parts;
  if (part === undefined) return own;
  const inner = schemaBelow(schema, part);
  return (inner === undefined ? undefined : hintAt(inner, rest)) ?? own;
}

function schemaBelow(schema: TSchema, part: string): TSchema | undefined {
  const [first, second] = (schema['anyOf'] as readonly TSchema[] | undefined) ?? [];
  if (first !== undefined && second?.['type'] === 'null') return schemaBelow(first, part);
  const [value] = Object.values((schema['patternProperties'] as Record<string, TSchema> | undefined) ?? {});
  return (
    (schema['properties'] as Record<string, TSchema> | undefined)?.[part] ??
    (schema['items'] as TSchema | undefined) ??
    value
  );
}

import { Ajv, type ErrorObject } from 'ajv';
import { parse, TomlError } from 'smol-toml';
import { BotError } from '../errors.ts';
import { type StrategyFile, type StrategyKind, strategySchemas } from './schema.ts';

const ajv = new Ajv({ useDefaults: true, allErrors: true, allowUnionTypes: true, strict: false });
const validators = {
  maker: ajv.compile<StrategyFile>(strategySchemas.maker),
  taker: ajv.compile<StrategyFile>(strategySchemas.taker),
} as const;
const kinds = Object.keys(validators) as readonly StrategyKind[];

/**
 * Reads a strategy file, TOML or JSON, and fills in what it leaves out.
 *
 * @param name by which errors call the file
 * @param given what the command line says; it wins
 * @throws BotError `BOT_STRATEGY_MALFORMED`, or `BOT_STRATEGY_INVALID` with the key, what is wrong with it and what is allowed
 */
export function parseStrategy(text: string, name: string, given: Readonly<Record<string, unknown>> = {}): StrategyFile {
  const value = { ...(toObject(text, name) as object), ...given } as Record<string, unknown>;
  const kind = value['strategy'];
  const validate = kinds.find((known) => known === kind);
  if (validate === undefined) return invalid(name, 'strategy', shown(kind), kinds.join(', '));
  const isValid = validators[validate];
  if (!isValid(value)) return mostTelling(name, isValid.errors ?? [], value, validate);
  check(value, name);
  return value;
}

function toObject(text: string, file: string): unknown {
  const isJson = text.trimStart().startsWith('{');
  try {
    return isJson ? JSON.parse(text) : parse(text);
  } catch (error) {
    const place = error instanceof TomlError ? `line ${error.line}, column ${error.column}: ` : '';
    const reason = `${place}${(error as Error).message.split('\n')[0]!.replace('Invalid TOML document: ', '')}`;
    throw new BotError(
      `${file} is no ${isJson ? 'JSON' : 'TOML'}: ${reason}`,
      { code: 'BOT_STRATEGY_MALFORMED', file, reason },
      { cause: error },
    );
  }
}

/** @throws BotError `BOT_STRATEGY_INVALID` */
export function invalid(file: string, path: string, problem: string, allowed: string, calledBy = file): never {
  const detail = { code: 'BOT_STRATEGY_INVALID', file, path, problem, allowed } as const;
  throw new BotError(`${calledBy}: ${path} ${problem}; allowed: ${allowed}`, detail);
}

const shown = (value: unknown): string =>
  value === undefined ? 'is missing' : `can not be ${JSON.stringify(value).slice(0, 80)}`;

/** `/maker/levels` as people write it: `maker.levels`. */
const keyPath = (pointer: string): string => pointer.slice(1).replaceAll('/', '.');

function at(value: unknown, path: readonly string[]): unknown {
  return path.reduce((inner, key) => (inner as Record<string, unknown> | undefined)?.[key], value);
}

function mostTelling(file: string, errors: readonly ErrorObject[], value: unknown, kind: StrategyKind): never {
  // What is unknown explains more than what is wrong elsewhere: it is often a misspelt key.
  const {
    instancePath,
    keyword,
    params,
    message = 'something else',
  } = errors.find((error) => error.keyword === 'additionalProperties') ?? errors[0]!;
  const keys = instancePath.split('/').slice(1);
  const key = (name: string): string => [...keys, name].join('.');
  if (keyword === 'additionalProperties') {
    const schema = at(
      strategySchemas[kind],
      keys.flatMap((name) => ['properties', name]),
    ) as { properties: object };
    const known = Object.keys(schema.properties).join(', ');
    return invalid(file, key(String(params['additionalProperty'])), 'is no key of a strategy', known);
  }
  if (keyword === 'required')
    return invalid(file, key(String(params['missingProperty'])), 'is missing', 'it has to be there');
  const values = params['allowedValues'] as readonly string[] | undefined;
  const pattern = keyword === 'pattern' ? (message.includes('https') ? 'an http URL' : patternWords(message)) : message;
  return invalid(
    file,
    keyPath(instancePath),
    shown(at(value, keys)),
    values?.join(', ') ?? pattern.replace(/^must be /, ''),
  );
}

const patternWords = (message: string): string =>
  message.includes('a-z') ? 'up to 32 small letters, digits and hyphens' : 'a decimal number as text, such as "0.25"';

/** What single keys can not say. */
function check(file: StrategyFile, name: string): void {
  const { fair_price: fair, execution } = file;
  if (fair.source === 'fixed' && fair.start === undefined)
    invalid(name, 'fair_price.start', 'is missing', 'a price, because the source is fixed');
  if (fair.source === 'http' && fair.url === undefined)
    invalid(name, 'fair_price.url', 'is missing', 'an http URL, because the source is http');
  if (execution.refresh_seconds >= execution.order_seconds)
    invalid(name, 'execution.refresh_seconds', shown(execution.refresh_seconds), 'less than execution.order_seconds');
}

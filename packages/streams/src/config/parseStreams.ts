import { Ajv, type ErrorObject } from 'ajv';
import { parse, TomlError } from 'smol-toml';
import { StreamsError } from '../errors.ts';
import { type StreamsConfig, streamsSchema } from './schema.ts';

const isValid = new Ajv({ useDefaults: true, allErrors: true, strict: false }).compile<StreamsConfig>(streamsSchema);

/**
 * Reads a configuration file, TOML, and fills in what it leaves out.
 *
 * @param file by which errors call it
 * @throws StreamsError `STREAMS_CONFIG_MALFORMED`, or `STREAMS_CONFIG_INVALID` with the key, what is wrong with it and what is allowed
 */
export function parseStreams(text: string, file: string): StreamsConfig {
  const value = parseToml(text, file);
  if (!isValid(value)) return mostTelling(file, isValid.errors ?? [], value);
  if (value.nats === undefined && value.postgres === undefined && value.files === undefined)
    return invalid(file, 'nats', 'is missing', 'at least one of the tables nats, postgres and files');
  return value;
}

function parseToml(text: string, file: string): unknown {
  try {
    return parse(text);
  } catch (error) {
    const place = error instanceof TomlError ? `line ${error.line}, column ${error.column}: ` : '';
    const reason = `${place}${(error as Error).message.split('\n')[0]!.replace('Invalid TOML document: ', '')}`;
    throw new StreamsError(
      `${file} is no TOML: ${reason}`,
      { code: 'STREAMS_CONFIG_MALFORMED', file, reason },
      { cause: error },
    );
  }
}

function invalid(file: string, path: string, problem: string, allowed: string): never {
  throw new StreamsError(`${file}: ${path} ${problem}; allowed: ${allowed}`, {
    code: 'STREAMS_CONFIG_INVALID',
    file,
    path,
    problem,
    allowed,
  });
}

const at = (value: unknown, path: readonly string[]): unknown =>
  path.reduce((inner, key) => (inner as Record<string, unknown> | undefined)?.[key], value);

const shown = (value: unknown): string => `can not be ${JSON.stringify(value).slice(0, 80)}`;

function mostTelling(file: string, errors: readonly ErrorObject[], value: unknown): never {
  // What is unknown explains more than what is wrong elsewhere: it is often a misspelt key.
  const { instancePath, keyword, params, message } =
    errors.find((error) => error.keyword === 'additionalProperties') ?? errors[0]!;
  const keys = instancePath.split('/').slice(1);
  const key = (name: string): string => [...keys, name].join('.');
  if (keyword === 'additionalProperties') {
    const parts = keys.flatMap((name) => ['properties', name]);
    const known = Object.keys((at(streamsSchema, parts) as { properties: object }).properties);
    return invalid(file, key(String(params['additionalProperty'])), 'is no key', known.join(', '));
  }
  if (keyword === 'required')
    return invalid(file, key(String(params['missingProperty'])), 'is missing', 'it has to be there');
  const path = keys.join('.');
  return invalid(file, path, shown(at(value, keys)), wordsOf(path, keyword, message ?? ''));
}

function wordsOf(path: string, keyword: string, message: string): string {
  if (keyword === 'minItems') return 'one or more';
  if (keyword !== 'pattern') return message.replace(/^must be /, '');
  if (path.startsWith('nats.urls')) return 'nats://host:port or tls://host:port, with secrets in files';
  if (path.startsWith('source.urls')) return 'http://host:port';
  return 'small letters, digits and _';
}

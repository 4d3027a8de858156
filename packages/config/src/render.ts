import { camelCase } from '@prime/primitives';
import { parse } from 'smol-toml';
import { configKeys, type LoadedConfig } from './load.ts';
import { formatListenAddress, type ListenAddress } from './listenAddress.ts';
import { configSchema } from './schema/schema.ts';
import { convertKey, unitKey } from './schema/schemaTypes.ts';

/** `section.key` to the value as it stands in the file. */
export type ConfigValues = Readonly<Record<string, unknown>>;

/**
 * A config.toml with every key: the given ones set, all others commented out with their defaults, each with its
 * documentation, so that an operator needs no second page.
 *
 * @param values `section.key` to the file's form; keys that are not in the schema are a programming error
 */
export function renderConfigToml(values: ConfigValues): string {
  const unused = new Set(Object.keys(values));
  const lines = ['# Configuration of a Prime node. Keys in comments show the defaults.'];
  for (const section of Object.keys(configSchema.properties)) {
    lines.push('', `[${section}]`);
    const tables: string[] = [];
    for (const { key, path, schema } of configKeys.filter((candidate) => candidate.section === section)) {
      unused.delete(path);
      const given = values[path];
      const unit = typeof schema[unitKey] === 'string' ? ` (${schema[unitKey]})` : '';
      lines.push(`# ${schema.description ?? ''}${unit}`);
      if (isTables(given)) tables.push(...given.map((item) => tableOf(path, item)));
      else if (given === undefined) lines.push(`# ${key} = ${toToml(schema['default'])}`);
      else lines.push(`${key} = ${toToml(given)}`);
    }
    lines.push(...tables);
  }
  if (unused.size > 0) throw new RangeError(`no such configuration keys: ${[...unused].join(', ')}`);
  return `${lines.join('\n')}\n`;
}

/**
 * The values of a config.toml as they stand there, for who changes some and writes it again: the inverse of {@link renderConfigToml}.
 *
 * @throws TomlError
 */
export const parseConfigToml = (text: string): ConfigValues =>
  Object.fromEntries(
    Object.entries(parse(text)).flatMap(([section, keys]) =>
      Object.entries(keys).map(([key, value]) => [`${section}.${key}`, value]),
    ),
  );

const isTables = (value: unknown): value is readonly object[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'object');

/** A table of an array of tables, as `[[path]]` with one line per key. */
export const renderTable = (path: string, item: ConfigValues): string => tableOf(path, item).trimStart();

function tableOf(path: string, item: unknown): string {
  const rows = Object.entries(item as Record<string, unknown>).map(([key, value]) => `${key} = ${toToml(value)}`);
  return ['', `[[${path}]]`, ...rows].join('\n');
}

/** Strings of JSON and of TOML agree on all that occurs here; numbers are whole. */
const toToml = (value: unknown): string => JSON.stringify(value);

/** One line per key for `prime config check`: path, value, and where it came from. */
export function describeConfig({ config, provenance }: LoadedConfig): string[] {
  const sections = config as unknown as Record<string, Record<string, unknown>>;
  return configKeys.map(({ section, key, path, schema }) => {
    const value = sections[section]?.[camelCase(key)];
    const written = schema[convertKey] === 'listen' ? formatListen(value as ListenAddress | null) : value;
    const source = provenance.get(path);
    const origin = source === undefined || source.kind === 'default' ? 'default' : `${source.kind} ${source.name}`;
    return `${path} = ${toToml(written)}  # ${origin}`;
  });
}

const formatListen = (address: ListenAddress | null): string => (address === null ? '' : formatListenAddress(address));

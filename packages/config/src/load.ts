import { camelCase } from '@prime/primitives';
import type { TSchema } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { parse, TomlError } from 'smol-toml';
import { ConfigError, type ConfigSource, invalidValue, sourceText } from './errors.ts';
import { passwordVariables } from './keys/keys.ts';
import { isNetwork, parseListenAddress } from './listenAddress.ts';
import { configSchema, type NodeConfig } from './schema/schema.ts';
import { isWebAddress } from './webAddress.ts';
import { convertKey, uniqueKey, unitKey } from './schema/schemaTypes.ts';

/** One key of the configuration, as the schema describes it. */
export interface ConfigKey {
  readonly section: string;
  readonly key: string;
  /** `section.key` */
  readonly path: string;
  /** `PRIME_SECTION_KEY` */
  readonly variable: string;
  readonly schema: TSchema;
}

/** All keys, in the order of the schema. */
export const configKeys: readonly ConfigKey[] = Object.entries(configSchema.properties).flatMap(([section, object]) =>
  Object.entries(object.properties as Record<string, TSchema>).map(([key, schema]) => ({
    section,
    key,
    path: `${section}.${key}`,
    variable: `PRIME_${section}_${key}`.toUpperCase(),
    schema,
  })),
);

/** Read by the node itself and refused outside test networks; they are no configuration. */
export const testSwitches = [
  'PRIME_CLOCK_OFFSET_MS',
  'PRIME_CRASH_AT',
  'PRIME_DIVERGE_AT',
  'PRIME_THREAD_FAULT',
] as const;

/** The places that a configuration is put together from; each may be absent. */
export interface ConfigInput {
  /** Content of config.toml and its name for messages. */
  readonly file?: { readonly name: string; readonly text: string };
  /** The environment of the process; only `PRIME_` variables are looked at. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** `section.key` to value, as typed on the command line. */
  readonly flags?: Readonly<Record<string, string>>;
}

/** All values, and for each of them who set it. */
export interface LoadedConfig {
  readonly config: NodeConfig;
  /** `section.key` to where its value came from. */
  readonly provenance: ReadonlyMap<string, ConfigSource>;
}

/**
 * The configuration from defaults, file, environment and flags; later ones win.
 *
 * @throws ConfigError `CONFIG_SYNTAX`, `CONFIG_UNKNOWN_KEY`, `CONFIG_INVALID_VALUE`
 */
export function loadConfig(input: ConfigInput = {}): LoadedConfig {
  const values = new Map<string, unknown>();
  const provenance = new Map<string, ConfigSource>();
  const set = (key: ConfigKey, value: unknown, source: ConfigSource): void => {
    check(key, value, source);
    values.set(key.path, value);
    provenance.set(key.path, source);
  };
  for (const key of configKeys) set(key, key.schema['default'], { kind: 'default', name: '' });
  if (input.file !== undefined) applyFile(input.file, set);
  applyEnvironment(input.environment ?? {}, set);
  for (const [path, text] of Object.entries(input.flags ?? {})) {
    const source: ConfigSource = { kind: 'flag', name: path };
    const key = findKey(path, source);
    set(key, fromText(key, text, source), source);
  }
  const config = assemble(values);
  for (const part of ['states', 'blocks'] as const)
    if (config.node.role === 'archive' && config.history[part] !== 'archive') {
      const key = `history.${part}`;
      throw invalidValue(key, config.history[part], 'archive, because node.role is archive', provenance.get(key)!);
    }
  checkNamedPeers(config, provenance);
  if (config.signer.address !== null && config.signer.spki === '')
    throw invalidValue('signer.spki', '', 'the pin of the signer at signer.address', provenance.get('signer.spki')!);
  if (config.sync.trustedHeight > 0 && config.sync.trustedHash === '')
    throw invalidValue(
      'sync.trusted_hash',
      '',
      'the hash of the block at sync.trusted_height',
      provenance.get('sync.trusted_hash')!,
    );
  return { config, provenance };
}

/** Who is a sentry, or behind one, is dialled and pinned like any listed peer. */
function checkNamedPeers({ p2p }: NodeConfig, provenance: LoadedConfig['provenance']): void {
  const listed = new Set(p2p.peers.map(({ address }) => address.toLowerCase()));
  for (const [key, named] of [
    ['p2p.sentries', p2p.sentries],
    ['p2p.private_peers', p2p.privatePeers],
  ] as const) {
    const missing = named.find((address) => !listed.has(address.toLowerCase()));
    if (missing !== undefined) throw invalidValue(key, missing, 'addresses of p2p.peers', provenance.get(key)!);
  }
}

type Setter = (key: ConfigKey, value: unknown, source: ConfigSource) => void;

function applyFile({ name, text }: { readonly name: string; readonly text: string }, set: Setter): void {
  const source: ConfigSource = { kind: 'file', name };
  for (const [section, table] of Object.entries(parseToml(name, text))) {
    if (!Object.hasOwn(configSchema.properties, section))
      unknownKey(section, source, Object.keys(configSchema.properties));
    if (typeof table !== 'object' || table === null || Array.isArray(table))
      throw invalidValue(section, table, 'a section such as [rpc]', source);
    for (const [key, value] of Object.entries(table)) set(findKey(`${section}.${key}`, source), value, source);
  }
}

function parseToml(name: string, text: string): Record<string, unknown> {
  try {
    return parse(text);
  } catch (cause) {
    const line = cause instanceof TomlError ? cause.line : null;
    const reason = cause instanceof Error ? cause.message.split('\n', 1)[0] : String(cause);
    const message = `${name} is not TOML${line === null ? '' : `, line ${line}`}: ${reason}`;
    throw new ConfigError(message, { code: 'CONFIG_SYNTAX', source: name, line }, { cause });
  }
}

function applyEnvironment(environment: Readonly<Record<string, string | undefined>>, set: Setter): void {
  const byVariable = new Map(configKeys.map((key) => [key.variable, key]));
  for (const [variable, text] of Object.entries(environment)) {
    if (!variable.startsWith('PRIME_') || text === undefined) continue;
    if ([...testSwitches, ...passwordVariables].includes(variable)) continue;
    const source: ConfigSource = { kind: 'environment', name: variable };
    const key = byVariable.get(variable);
    if (key === undefined) return unknownKey(variable, source, variablesLike(variable));
    set(key, fromText(key, text, source), source);
  }
}

/** Of its section, where it names one; else what the variables of each section begin with. */
function variablesLike(variable: string): readonly string[] {
  const prefixes = Object.keys(configSchema.properties).map((section) => `PRIME_${section.toUpperCase()}_`);
  const prefix = prefixes.find((each) => variable.startsWith(each));
  if (prefix === undefined) return [...prefixes.map((each) => `${each}…`), ...passwordVariables, ...testSwitches];
  return configKeys.flatMap((key) => (key.variable.startsWith(prefix) ? key.variable : []));
}

function findKey(path: string, source: ConfigSource): ConfigKey {
  const [section] = path.split('.', 1);
  const siblings = configKeys.filter((key) => key.section === section).map((key) => key.path);
  return (
    configKeys.find((key) => key.path === path) ??
    unknownKey(path, source, siblings.length > 0 ? siblings : Object.keys(configSchema.properties))
  );
}

/** Text of a flag or variable as a value of the key's type. */
function fromText(key: ConfigKey, text: string, source: ConfigSource): unknown {
  const type: unknown = key.schema['type'];
  if (type === 'integer') return /^-?\d{1,16}$/.test(text) ? Number(text) : text;
  if (type === 'boolean') return text === 'true' ? true : text === 'false' ? false : text;
  if (type !== 'array') return text;
  try {
    return JSON.parse(text);
  } catch {
    throw invalidValue(key.path, text, 'a JSON array', source);
  }
}

function check(key: ConfigKey, value: unknown, source: ConfigSource): void {
  const problem = Value.Errors(key.schema, value).First();
  if (problem !== undefined) {
    const place = `${key.path}${problem.path.replaceAll('/', '.')}`;
    throw invalidValue(place, problem.value, allowedBy(problem.schema, problem.message), source);
  }
  const words: unknown = key.schema['enum'];
  if (Array.isArray(words) && !words.includes(value)) throw invalidValue(key.path, value, words.join(', '), source);
  if (key.schema[convertKey] === 'listen' && value !== '' && parseListenAddress(String(value)) === null)
    throw invalidValue(key.path, value, 'host:port with a port of 0 to 65535, or empty', source);
  if (key.schema[convertKey] === 'web' && value !== '' && !isWebAddress(String(value)))
    throw invalidValue(key.path, value, 'an http or https address without user, query and fragment, or empty', source);
  if (key.schema[convertKey] === 'networks') {
    const wrong = (value as string[]).find((entry) => !isNetwork(entry));
    if (wrong !== undefined)
      throw invalidValue(key.path, wrong, 'an IP address, or a network such as 10.0.0.0/8', source);
  }
  const unique: unknown = key.schema[uniqueKey];
  if (typeof unique === 'string') checkUnique(key, unique, value as Record<string, unknown>[], source);
}

function checkUnique(
  key: ConfigKey,
  field: string,
  items: readonly Record<string, unknown>[],
  source: ConfigSource,
): void {
  const seen = new Set<unknown>();
  for (const item of items) {
    if (seen.has(item[field])) throw invalidValue(`${key.path}.${field}`, item[field], 'each only once', source);
    seen.add(item[field]);
  }
}

/** What a value may be, in words. */
function allowedBy(schema: TSchema, fallback: string): string {
  const { minimum, maximum } = schema as { minimum?: number; maximum?: number };
  if (schema['type'] === 'integer') return `a whole number from ${minimum} to ${maximum}`;
  const unit: unknown = schema[unitKey];
  return typeof unit === 'string' ? unit : fallback;
}

function assemble(values: ReadonlyMap<string, unknown>): NodeConfig {
  const config: Record<string, Record<string, unknown>> = {};
  for (const { section, key, path, schema } of configKeys) {
    const value = values.get(path);
    const converted = convert(schema, value);
    config[section] ??= {};
    config[section][camelCase(key)] = deepFreeze(camelKeys(converted));
  }
  // Built from the schema that the type is computed from, and every value was checked against it.
  return deepFreeze(config) as unknown as NodeConfig;
}

/** A value of the file, which was checked, as the program takes it. */
function convert(schema: TSchema, value: unknown): unknown {
  if (schema[convertKey] === 'listen') return parseListenAddress(String(value));
  if (schema[convertKey] === 'web') return value === '' ? null : value;
  return value;
}

/** A copy in which the keys of tables are in camelCase, as the type says. */
function camelKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(camelKeys);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [camelCase(key), camelKeys(item)]));
}

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) {
    for (const item of Object.values(value)) deepFreeze(item);
    Object.freeze(value);
  }
  return value;
}

function unknownKey(path: string, source: ConfigSource, allowed: readonly string[]): never {
  const message = `unknown key ${path} (from ${sourceText(source)}): allowed are ${allowed.join(', ')}`;
  throw new ConfigError(message, { code: 'CONFIG_UNKNOWN_KEY', path, source, allowed });
}

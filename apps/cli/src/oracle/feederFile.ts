import { type Static, Type } from '@sinclair/typebox';
import { Ajv, type ErrorObject } from 'ajv';
import { parse } from 'smol-toml';
import { CliError } from '../errors.ts';

/** The file of `prime oracle feed`: which markets, and where their prices are. */

/** Its name in the folder of a test network. */
export const feederFileName = 'feeder.toml';

/** A market of a test network, and the price around which its simulated one moves, for a whole unit. */
export interface SimulatedMarket {
  readonly symbol: string;
  readonly price: string;
}

/** The file for a network whose prices are made up. All of its feeders see the same ones. */
export const simulatedFeeder = (markets: readonly SimulatedMarket[]): string =>
  [
    '# Prices of this network: prime oracle feed reports them for its validators. They are made up.',
    '# For real ones put other sources in their place: docs/operate/oracle.md.',
    'interval_ms = 3000',
    ...markets.flatMap(({ symbol, price }, index) => [
      '',
      '[[markets]]',
      `symbol = ${JSON.stringify(symbol)}`,
      '[[markets.sources]]',
      'kind = "sim"',
      `seed = ${index + 1}`,
      `price = ${price}`,
      'volatility_bps = 200',
      'jump_bps = 0',
    ]),
    '',
  ].join('\n');

const strict = { additionalProperties: false } as const;
const timeoutMs = Type.Integer({
  minimum: 100,
  maximum: 60_000,
  default: 2_000,
  description: 'Time for an answer, ms.',
});
const path = Type.String({
  default: '',
  description: 'Way to the number in the JSON: names and places between points, as data.0.price; empty: all of it.',
});

const httpSource = Type.Object(
  {
    kind: Type.Literal('http'),
    url: Type.String({ pattern: '^https?://', description: 'Answers GET with JSON.' }),
    path,
    timeout_ms: timeoutMs,
    max_bytes: Type.Integer({ minimum: 16, maximum: 16_777_216, default: 262_144, description: 'Longest answer.' }),
  },
  strict,
);
const fileSource = Type.Object(
  {
    kind: Type.Literal('file'),
    file: Type.String({ description: 'JSON, or a number; as old as its last change.' }),
    path,
  },
  strict,
);
const execSource = Type.Object(
  {
    kind: Type.Literal('exec'),
    command: Type.Array(Type.String(), {
      minItems: 1,
      description: 'Program and arguments; prints JSON, or a number.',
    }),
    path,
    timeout_ms: timeoutMs,
  },
  strict,
);
const simSource = Type.Object(
  {
    kind: Type.Literal('sim'),
    seed: Type.Integer({ minimum: 0, default: 1 }),
    price: Type.Number({ exclusiveMinimum: 0, description: 'Around which it moves.' }),
    volatility_bps: Type.Integer({ minimum: 0, maximum: 9_000, default: 200 }),
    jump_bps: Type.Integer({ minimum: 0, maximum: 5_000, default: 0 }),
  },
  strict,
);
const sources = { http: httpSource, file: fileSource, exec: execSource, sim: simSource } as const;

const marketSchema = Type.Object(
  {
    symbol: Type.String({ minLength: 3, maxLength: 32 }),
    quorum: Type.Integer({ minimum: 1, maximum: 16, default: 1, description: 'Sources that have to agree.' }),
    max_age_ms: Type.Integer({ minimum: 100, maximum: 3_600_000, default: 10_000, description: 'Oldest quote, ms.' }),
    outlier_bps: Type.Integer({
      minimum: 1,
      maximum: 10_000,
      default: 300,
      description: 'Quotes further from the median of all are left out.',
    }),
    sources: Type.Array(Type.Union(Object.values(sources)), { minItems: 1, maxItems: 16 }),
  },
  strict,
);
const feederSchema = Type.Object(
  {
    interval_ms: Type.Integer({
      minimum: 1_000,
      maximum: 600_000,
      default: 3_000,
      description: 'From report to report.',
    }),
    markets: Type.Array(marketSchema, { minItems: 1, maxItems: 256 }),
  },
  strict,
);

/** A source as the file has it. */
export type FeederSource = Static<(typeof sources)[keyof typeof sources]>;
/** A market as the file has it. */
export type FeederMarket = Static<typeof marketSchema>;
/** The whole file. */
export type FeederFile = Static<typeof feederSchema>;

const ajv = new Ajv({ useDefaults: true, strict: false });
/** Sources are looked at by their own kind: of a union nobody would be told what is wrong. */
const isFile = ajv.compile<FeederFile>({
  ...feederSchema,
  properties: {
    ...feederSchema.properties,
    markets: {
      ...feederSchema.properties.markets,
      items: {
        ...marketSchema,
        properties: { ...marketSchema.properties, sources: { type: 'array', minItems: 1, maxItems: 16 } },
      },
    },
  },
});
const isSource = Object.fromEntries(Object.entries(sources).map(([kind, schema]) => [kind, ajv.compile(schema)]));

/**
 * Reads the file, TOML or JSON, and fills in what it leaves out.
 *
 * @param name by which errors call it
 * @throws CliError `CLI_FEEDER_INVALID` with the key, and what is allowed
 */
export function parseFeeder(text: string, name: string): FeederFile {
  const value = toValue(text, name);
  if (!isFile(value)) return refuse(name, isFile.errors, '');
  value.markets.forEach((market, place) => {
    const twice = value.markets.findIndex(({ symbol }) => symbol === market.symbol) !== place;
    if (twice) fail(name, `markets.${place}.symbol`, `names ${market.symbol} again: each market once`);
    market.sources.forEach((source, index) => {
      const at = `markets.${place}.sources.${index}`;
      const check = isSource[source.kind];
      if (check === undefined) return fail(name, `${at}.kind`, `must be one of ${Object.keys(sources).join(', ')}`);
      if (!check(source)) refuse(name, check.errors, at);
    });
    if (market.quorum > market.sources.length)
      fail(name, `markets.${place}.quorum`, `is ${market.quorum}, and there are ${market.sources.length} sources`);
  });
  return value;
}

function toValue(text: string, name: string): unknown {
  try {
    return text.trimStart().startsWith('{') ? JSON.parse(text) : parse(text);
  } catch (error) {
    return fail(name, '', `is no TOML and no JSON: ${(error as Error).message.split('\n')[0]!}`);
  }
}

function refuse(name: string, errors: readonly ErrorObject[] | null | undefined, at: string): never {
  const [error] = errors!;
  const below = error!.instancePath.slice(1).replaceAll('/', '.');
  const extra = error!.params['additionalProperty'] ?? error!.params['missingProperty'];
  const key = [at, below, extra].filter((part) => part !== undefined && part !== '').join('.');
  return fail(
    name,
    key,
    extra === undefined ? error!.message! : error!.keyword === 'required' ? 'is missing' : 'is no key',
  );
}

function fail(name: string, key: string, problem: string): never {
  throw new CliError(`${name}: ${key === '' ? problem : `${key} ${problem}`}`, {
    code: 'CLI_FEEDER_INVALID',
    file: name,
    key,
  });
}

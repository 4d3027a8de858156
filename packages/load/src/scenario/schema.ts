import { type Static, type TSchema, Type } from '@sinclair/typebox';
import { marketSymbolPattern } from '@prime/codec';
import { kindNames, kindTable } from './kindTable.ts';

/** What a scenario file may say. A key without a default is needed; a key that is not here is an error. */

const closed = <Fields extends Parameters<typeof Type.Object>[0]>(fields: Fields, more: object = {}) =>
  Type.Object(fields, { additionalProperties: false, ...more });
const words = (description: string) => Type.String({ minLength: 1, maxLength: 600, description });
const size = (more: object) => Type.Integer({ minimum: 1, maximum: 1_000_000, ...more });
const sizeList = (description: string) => Type.Array(size({}), { minItems: 1, maxItems: 64, description });

const kind = Type.Union(
  kindNames.map((name) => Type.Literal(name, { description: kindTable[name].about })),
  { description: 'What is sent: one of the kinds below.' },
);

const mixItem = closed({
  kind,
  weight: Type.Number({
    exclusiveMinimum: 0,
    maximum: 1_000_000,
    description: 'Its share of all operations, beside the other weights.',
  }),
  size: Type.Optional(size({ description: 'Its size where it is not that of the scenario.' })),
  refusals: Type.Optional(
    Type.Array(
      Type.Union([Type.String({ pattern: '^[a-z]+(_[a-z]+)*$' }), Type.Integer({ minimum: -32_768, maximum: 32_767 })]),
      {
        minItems: 1,
        maxItems: 64,
        description:
          'Refusals that it means beside those of its kind: `data.kind` of the order book in a block, `failed` for a transaction that fails, or a code of JSON-RPC at admission. All others break the verdict.',
      },
    ),
  ),
});

const stageKinds = ['ramp', 'hold', 'spike'] as const;

const stage = closed({
  kind: Type.Union(
    stageKinds.map((name) => Type.Literal(name)),
    {
      description:
        'ramp: evenly from the rate of the stage before, 0 at first, to its own. hold: its rate all the time. spike: the same, as a short one that reports name so.',
    },
  ),
  rate: Type.Number({ minimum: 0, maximum: 10_000_000, description: 'Operations a second.' }),
  seconds: Type.Number({ exclusiveMinimum: 0, maximum: 604_800, description: 'How long it lasts.' }),
});

const think = closed(
  {
    mean_ms: Type.Number({
      minimum: 0,
      maximum: 3_600_000,
      default: 0,
      description: 'Time from an answer to the next operation of the same client, on the average.',
    }),
    spread: Type.Union([Type.Literal('none'), Type.Literal('exponential')], {
      default: 'exponential',
      description: 'How think times differ from one another.',
    }),
  },
  { default: {}, description: 'Of clients that wait for their answers (`--clients`). An open loop knows none.' },
);

const readers = closed(
  {
    count: Type.Integer({ minimum: 0, maximum: 100_000, default: 0, description: 'WebSocket connections.' }),
    streams: Type.Array(
      Type.Union(
        (['orderBook', 'trades', 'commits'] as const).map((name) => Type.Literal(name)),
        {},
      ),
      { default: ['orderBook'], minItems: 1, description: 'What each of them subscribes to, of every market.' },
    ),
  },
  {
    default: {},
    description: 'Subscribers that keep order books, and check sequence and checksum of each message.',
  },
);

const bounds = closed(
  {
    memory_mb: Type.Number({
      exclusiveMinimum: 0,
      default: 2_000,
      description: 'Most that the memory of a validator may grow for a million operations, MB.',
    }),
    disk_mb: Type.Number({
      exclusiveMinimum: 0,
      default: 5_000,
      description: 'The same of its disk.',
    }),
    gap_ms: Type.Integer({
      minimum: 1,
      default: 10_000,
      description: 'Longest time without a new block while nobody breaks anything, ms.',
    }),
  },
  { default: {}, description: 'Where the verdict fails.' },
);

const scenarioFormat = 'prime-load-scenario-1';

/** As the program works with it: everything that has a default is there. */
export const scenarioSchema = closed(
  {
    format: Type.Literal(scenarioFormat, { description: 'Which page of the manual this file follows.' }),
    name: Type.String({
      pattern: '^[a-z0-9]([a-z0-9-]{0,38}[a-z0-9])?$',
      description: 'Lower-case letters, digits, dashes.',
    }),
    about: words('What it sends.'),
    catches: words('What it is there to catch.'),
    accounts: Type.Integer({
      minimum: 1,
      maximum: 1_000_000,
      default: 64,
      description: 'Accounts that send, at least; shapes of many parts take as many more as they need.',
    }),
    markets: Type.Union([Type.Integer({ minimum: 0, maximum: 10_000 }), Type.Literal('size')], {
      default: 0,
      description:
        'Markets that it adds for itself and trades in, at least; shapes that need one of their own take more. `size`: as many as the size says.',
    }),
    symbols: Type.Array(Type.String({ pattern: marketSymbolPattern }), {
      default: [],
      maxItems: 10_000,
      description: 'Markets of the network that it trades in, in place of its own.',
    }),
    size: size({ default: 64, description: 'How large its shapes are: see the kinds.' }),
    sizes: closed(
      {
        ci: sizeList('Small ones, of each change.'),
        nightly: sizeList('Large ones, of each night.'),
      },
      { default: { ci: [64], nightly: [64] }, description: 'Sizes at which it is run by itself.' },
    ),
    mix: Type.Array(mixItem, { minItems: 1, maxItems: 64, description: 'What it is mixed of.' }),
    arrivals: Type.Union([Type.Literal('poisson'), Type.Literal('constant')], {
      default: 'poisson',
      description: 'poisson: as independent users come. constant: evenly.',
    }),
    stages: Type.Array(stage, {
      minItems: 1,
      maxItems: 1_000,
      description: 'How many operations a second, and how long. `--rate` and `--duration` stand in their place.',
    }),
    step_ms: Type.Integer({
      minimum: 0,
      maximum: 600_000,
      default: 600,
      description: 'Least time between two steps of a shape, ms: long enough that each is in a block before the next.',
    }),
    think,
    readers,
    bounds,
  },
  { title: 'Scenario of prime load' },
);

/** A scenario file that was checked, with its defaults filled in. */
export type Scenario = Readonly<Static<typeof scenarioSchema>>;
/** A stretch of a scenario with a rate, operations a second. */
export type Stage = Scenario['stages'][number];

/** JSON Schema of a scenario file: what has a default may be left out. */
export const scenarioFileSchema: object = withOptionalDefaults(scenarioSchema);

function withOptionalDefaults(schema: TSchema): object {
  const text = JSON.stringify(schema, (_, value: unknown) => {
    const { required, properties } = (value ?? {}) as { required?: string[]; properties?: Record<string, object> };
    if (!Array.isArray(required) || properties === undefined) return value;
    const needed = required.filter((name) => !('default' in properties[name]!));
    return { ...(value as object), required: needed };
  });
  return { $schema: 'https://json-schema.org/draft/2020-12/schema', ...(JSON.parse(text) as object) };
}

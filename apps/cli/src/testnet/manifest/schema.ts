/** The manifest of a test network: one file from which the same network is run here, or written out for other machines. */
import { marketDecimalsMax } from '@prime/codec';
import { presetBlockIntervalMs, presetNames } from '@prime/config';
import { builtInNames } from '@prime/load/builtIn';
import { type Static, type TSchema, Type } from '@sinclair/typebox';
import { plainFaults } from '@prime/chaos/plain';

const manifestFormat = 'prime-testnet-1';
/** Where prices of a network come from. */
export const priceOrigins = ['simulated', 'none'] as const;
const validatorsMax = 100;
/** Sentries and followers together. */
export const othersMax = 100;
/** Each ordered pair of nodes has a proxy of its own where links are slow or fail. */
export const linkedNodesMax = 32;

const whole = (minimum: number, maximum: number, description: string) =>
  Type.Integer({ minimum, maximum, description });
const words = <Word extends string>(
  list: readonly Word[],
  notes: { readonly default?: string; readonly description: string },
) => Type.Unsafe<Word>({ type: 'string', enum: [...list], ...notes });
const table = <Fields extends Parameters<typeof Type.Object>[0]>(fields: Fields, description: string) =>
  Type.Object(fields, { additionalProperties: false, description });

const node = Type.String({
  pattern: '^(validator|sentry|follower)(0|[1-9][0-9]?)$',
  title: 'a node of the network, such as validator0, sentry0 or follower0',
});
const validator = Type.String({
  pattern: '^validator(0|[1-9][0-9]?)$',
  title: 'a validator of the network, such as validator0',
});
const host = Type.String({
  pattern: '^[A-Za-z0-9]([A-Za-z0-9.-]{0,251}[A-Za-z0-9])?$',
  title: 'a name or an IPv4 address',
  description: 'Machine that it runs on, for exports. All nodes have one, or none has.',
});
const amount = Type.String({ pattern: '^[1-9][0-9]{0,38}$', title: 'a whole number above 0, as text' });

const validatorTable = table(
  {
    moniker: Type.Optional(
      Type.String({ minLength: 1, maxLength: 64, description: 'What it is called in genesis; default: its name.' }),
    ),
    stake: Type.Optional(whole(1, 1_000_000_000, 'What it has bonded, ether; default 1000.')),
    host: Type.Optional(host),
    signer_host: Type.Optional(
      Type.String({ ...host, description: 'Machine of its remote signer; default: its own one.' }),
    ),
  },
  'A validator.',
);
const followerTable = table({ host: Type.Optional(host) }, 'A full node without a part in consensus.');
const sentryTable = table(
  {
    validators: Type.Array(validator, {
      minItems: 1,
      maxItems: validatorsMax,
      uniqueItems: true,
      description:
        'Validators behind it: they connect with their sentries alone, and nobody else learns where they are.',
    }),
    host: Type.Optional(host),
  },
  'A full node that stands before validators.',
);
const marketTable = table(
  {
    symbol: Type.String({ minLength: 1, maxLength: 32, description: 'Base and quote, such as BTC/USD.' }),
    tick_size: Type.String({ ...amount, description: 'Smallest step of prices, units of quote for one unit of base.' }),
    lot_size: Type.String({ ...amount, description: 'Smallest step of sizes, units of base.' }),
    base_decimals: Type.Optional(whole(0, marketDecimalsMax, 'Digits of the base behind the point; default 16.')),
    quote_decimals: Type.Optional(whole(0, marketDecimalsMax, 'Digits of the quote behind the point; default 18.')),
    price: Type.Optional(
      Type.String({
        pattern: '^(?![0.]+$)(0|[1-9][0-9]{0,11})(\\.[0-9]{1,8})?$',
        title: 'a decimal number above 0, such as 3012.55, as text',
        description: 'Around which its simulated price moves, for a whole unit; default: it has no oracle.',
      }),
    ),
  },
  'A market of genesis.',
);
const regionName = '^[a-z0-9]([a-z0-9-]{0,30}[a-z0-9])?$';
const latencyTable = table(
  {
    regions: Type.Record(Type.String({ pattern: regionName }), Type.Array(node, { minItems: 1, uniqueItems: true }), {
      additionalProperties: false,
      title: 'lists of nodes, each with a name of small letters, digits and hyphens',
      description: 'Nodes by region; who is in none has no latency.',
    }),
    ms: Type.Record(
      Type.String({ pattern: regionName }),
      Type.Record(Type.String({ pattern: regionName }), Type.Integer({ minimum: 0, maximum: 10_000 }), {
        additionalProperties: false,
        title: 'regions with a whole number of 0 to 10000',
      }),
      {
        additionalProperties: false,
        title: 'a table for a region',
        description: 'One way, ms: from a region to others. What stands for one direction alone holds for both.',
      },
    ),
    jitter_ms: Type.Optional(whole(0, 10_000, 'At most so much more, at random; default 0.')),
  },
  'How far apart nodes are.',
);

/** When a fault begins and how long it lasts. */
const times = {
  at_seconds: whole(0, 86_400, 'When it begins, counted from the moment at which the network is up.'),
  for_seconds: whole(1, 86_400, 'How long it lasts; then it is healed.'),
};
const faultTables = plainFaults(node).map((fault) =>
  Type.Object(
    { ...times, ...(fault.properties as Record<string, TSchema>) },
    { additionalProperties: false, description: fault.description ?? '' },
  ),
);

/** Names of the faults that a manifest may plan. */
export const faultKinds: readonly string[] = plainFaults(node).map(({ properties }) => properties.kind.const);
/** Of each kind. */
export const faultTableOf = (kind: string): TSchema | undefined => faultTables[faultKinds.indexOf(kind)];

/** Nodes as a number, or one table for each. */
const countOrList = <Item extends TSchema>(item: Item, minimum: number, maximum: number, description: string) =>
  Type.Array(item, {
    minItems: minimum,
    maxItems: maximum,
    title: `a number of ${minimum} to ${maximum}, or as many tables`,
    description: `${description} A number, or a table for each.`,
  });

/** Form of the file, and the source of its documentation: titles say what is allowed, descriptions what it does. */
export const manifestSchema = Type.Object(
  {
    format: Type.Literal(manifestFormat, { description: 'What this file is.' }),
    name: Type.Optional(
      Type.String({
        pattern: '^[a-z]([a-z0-9-]{0,30}[a-z0-9])?$',
        title: '1 to 32 small letters, digits and hyphens, a letter first',
        description: 'Of the network; default: that of the preset.',
      }),
    ),
    preset: words(presetNames, {
      default: 'local',
      description: 'local: one machine, no value, unlocked accounts. testnet: machines apart, signatures, strangers.',
    }),
    chain_id: Type.Optional(whole(1, 2 ** 53 - 1, 'Default 7919.')),
    seed: Type.Optional(
      Type.String({ minLength: 1, maxLength: 128, description: 'The same seed gives the same keys. For tests only.' }),
    ),
    genesis_time_ms: Type.Optional(
      whole(
        0,
        2 ** 53 - 1,
        'Of genesis, ms since 1970; default: when it is made. With a seed, genesis is the same wherever it is made.',
      ),
    ),
    base_port: Type.Optional(
      whole(1, 65_000, 'First port; each node takes ten from there. Default: 8545…, 26656…, 9100…'),
    ),
    block_interval_ms: Type.Optional(
      whole(
        0,
        60_000,
        `Least time between two blocks; default ${presetBlockIntervalMs.local} (local), ${presetBlockIntervalMs.testnet} (testnet).`,
      ),
    ),
    empty_block_interval_ms: Type.Optional(
      whole(0, 3_600_000, 'Time after which there is a block without work; default 1000.'),
    ),
    validators: countOrList(validatorTable, 1, validatorsMax, 'Nodes that decide blocks.'),
    followers: Type.Optional(countOrList(followerTable, 0, othersMax, 'Full nodes for callers.')),
    sentries: Type.Optional(
      Type.Array(sentryTable, { maxItems: othersMax, description: 'Full nodes that stand before validators.' }),
    ),
    remote_signers: Type.Optional(
      Type.Array(validator, {
        uniqueItems: true,
        maxItems: validatorsMax,
        description: 'Validators whose keys are in remote signers.',
      }),
    ),
    markets: Type.Optional(
      Type.Array(marketTable, { maxItems: 100, description: 'Default: those of the preset, PRM/USD and ETH/USD.' }),
    ),
    prices: words(priceOrigins, {
      default: 'simulated',
      description:
        'simulated: markets have an oracle, and a feeder makes prices up. none: no price comes from outside.',
    }),
    makers: Type.Optional(
      table(
        {
          markets: Type.Optional(
            Type.Array(Type.String({ minLength: 1, maxLength: 32 }), {
              minItems: 1,
              uniqueItems: true,
              description: 'Symbols; default: all markets.',
            }),
          ),
        },
        'Bots that quote and trade, so that markets are alive.',
      ),
    ),
    latency: Type.Optional(latencyTable),
    faults: Type.Optional(
      Type.Array(
        Type.Object(
          { ...times, kind: words(faultKinds, { description: 'What happens; fields as in docs/chaos.md.' }) },
          { description: 'Something that goes wrong and is healed.' },
        ),
        { maxItems: 1_000, description: 'Faults in time.' },
      ),
    ),
    load: Type.Optional(
      table(
        {
          scenario: words(builtInNames(), { description: 'Built-in scenario of prime load.' }),
          rate: Type.Optional(whole(1, 1_000_000, 'Operations a second; default: the stages of the scenario.')),
          seconds: Type.Optional(whole(1, 86_400, 'How long; default: as the scenario says.')),
          size: Type.Optional(whole(1, 1_000_000, "Size of the scenario's shapes.")),
          seed: Type.Optional(whole(0, 0xffffffff, 'The same seed sends the same operations; default 1.')),
          gap_seconds: Type.Optional(
            whole(1, 86_400, 'Longest time without a new block that is clean; default: as the scenario says.'),
          ),
        },
        'Load that is sent once the network is up.',
      ),
    ),
    monitoring: Type.Optional(
      table(
        {
          port: Type.Optional(whole(1, 65_535, 'Where Prometheus listens; default 9090.')),
          grafana_port: Type.Optional(
            whole(1, 65_535, 'Where Grafana listens, which an export to compose has; default 3000.'),
          ),
        },
        'Prometheus with the alerts, and every node as a target.',
      ),
    ),
  },
  { additionalProperties: false, title: 'Manifest of a test network' },
);

/** A manifest as it stands in the file, with lists in place of numbers of nodes. */
export type ManifestFile = Static<typeof manifestSchema>;

/** The same as people write it: a number in place of lists, and every fault with the fields of its kind. */
export const manifestFileSchema: object = {
  ...manifestSchema,
  properties: {
    ...manifestSchema.properties,
    ...Object.fromEntries(
      (['validators', 'followers'] as const).map((key) => {
        const list = manifestSchema.properties[key];
        const { minItems: minimum, maxItems: maximum, description } = list;
        return [key, { description, anyOf: [{ type: 'integer', minimum, maximum }, list] }];
      }),
    ),
    faults: { ...manifestSchema.properties.faults, items: { anyOf: faultTables } },
  },
};

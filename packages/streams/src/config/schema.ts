import { type Static, Type } from '@sinclair/typebox';

/** The configuration file of streams: what a person writes. It names files of secrets and never holds any. */

type Unit = 'h' | 'MiB' | 's' | 'block' | 'number';
const object = <T extends Parameters<typeof Type.Object>[0]>(description: string, fields: T) =>
  Type.Object(fields, { additionalProperties: false, description });
const whole = (minimum: number, maximum: number, unit: Unit, description: string, standard?: number) =>
  Type.Integer({
    minimum,
    maximum,
    'x-unit': unit,
    description,
    ...(standard === undefined ? {} : { default: standard }),
  });
const text = (description: string, options: object = {}) => Type.String({ minLength: 1, description, ...options });
const word = (description: string, standard: string) =>
  Type.String({ pattern: '^[a-z][a-z0-9_]{0,62}$', default: standard, description });

/** Years of hours. */
const hoursMax = 876_000;
/** As far as JSON counts. */
const heightMax = Number.MAX_SAFE_INTEGER;

/** JSON Schema of the configuration file: keys, units, defaults and words. The reference page is made from it. */
export const streamsSchema = Type.Object(
  {
    source: object('where blocks come from', {
      urls: Type.Array(Type.String({ pattern: '^https?://' }), {
        minItems: 1,
        maxItems: 16,
        description: 'nodes of one network; the first that can answers, so a second one takes over',
      }),
      from: whole(0, heightMax, 'block', 'first block for a sink that is empty', 0),
      api_key_file: Type.Optional(text('file with an API key of the nodes; else `PRIME_STREAMS_API_KEY`')),
    }),
    nats: Type.Optional(
      object('NATS JetStream', {
        urls: Type.Array(Type.String({ pattern: '^(nats|tls)://[^@]+$' }), {
          minItems: 1,
          maxItems: 16,
          description: 'servers of one cluster',
        }),
        stream: word('stream; made where it is missing', 'prime'),
        prefix: word('first word of all subjects', 'prime'),
        credentials_file: Type.Optional(text('file of credentials (`.creds`)')),
        token_file: Type.Optional(text('file with a token; else `PRIME_STREAMS_NATS_TOKEN`')),
        ca_file: Type.Optional(text('certificates of authorities, PEM')),
        replicas: whole(1, 5, 'number', 'of a stream that is made', 1),
        max_age_hours: Type.Optional(whole(1, hoursMax, 'h', 'of a stream that is made; left out is for ever')),
        max_mib: Type.Optional(whole(1, 1_000_000_000, 'MiB', 'of a stream that is made; left out is no limit')),
        duplicate_window_s: whole(1, 86_400, 's', 'of a stream that is made', 120),
      }),
    ),
    postgres: Type.Optional(
      object('PostgreSQL', {
        url_file: Type.Optional(
          text('file with `postgres://user:password@host:port/database`; else `PRIME_STREAMS_POSTGRES_URL`'),
        ),
        schema: word('schema of the tables; made where it is missing', 'prime'),
      }),
    ),
    files: Type.Optional(
      object('files by hour of block time', {
        directory: text('folder; made where it is missing'),
        parquet: Type.Boolean({ default: false, description: 'write each finished hour as Parquet too' }),
      }),
    ),
  },
  { additionalProperties: false },
);

/** What a configuration file says, with the defaults of what it leaves out. */
export type StreamsConfig = Static<typeof streamsSchema>;

import type { Client } from 'pg';
import { StreamsError } from '../../errors.ts';

const candleIntervals: readonly (readonly [name: string, ms: number])[] = [
  ['1s', 1_000],
  ['1m', 60_000],
  ['5m', 300_000],
  ['15m', 900_000],
  ['1h', 3_600_000],
  ['4h', 14_400_000],
  ['1d', 86_400_000],
];

const candleView = ([name, ms]: readonly [string, number]): string => `
CREATE VIEW candles_${name} AS
  SELECT market_id,
         to_timestamp((time_ms / ${ms}) * ${ms} / 1000.0) AS open_time,
         (array_agg(price ORDER BY height, index))[1] AS open,
         max(price) AS high,
         min(price) AS low,
         (array_agg(price ORDER BY height DESC, index DESC))[1] AS close,
         sum(size) AS volume,
         sum(price * size) AS quote_volume,
         count(*) AS trades
    FROM trades GROUP BY market_id, time_ms / ${ms};`;

/** Version 1: records as they come, and what is read of them. */
const first = `
CREATE TABLE chain (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  chain_id bigint NOT NULL,
  genesis_hash text NOT NULL,
  first_height bigint,
  height bigint,
  hash text
);
COMMENT ON TABLE chain IS 'Whose records these are, and the newest block that is here whole.';

CREATE TABLE block_records (
  height bigint NOT NULL, index bigint NOT NULL, block_hash text NOT NULL, time_ms bigint NOT NULL,
  parent_hash text NOT NULL, proposer text NOT NULL,
  gas_limit numeric NOT NULL, gas_used numeric NOT NULL, base_fee numeric NOT NULL,
  state_root text NOT NULL, receipts_root text NOT NULL, events_root text NOT NULL,
  validators_hash text NOT NULL, next_validators_hash text NOT NULL,
  transactions bigint NOT NULL, actions bigint NOT NULL,
  events bigint NOT NULL, logs bigint NOT NULL, fills bigint NOT NULL,
  PRIMARY KEY (height, index)
);
CREATE TABLE event_records (
  height bigint NOT NULL, index bigint NOT NULL, block_hash text NOT NULL, time_ms bigint NOT NULL,
  event_index bigint NOT NULL, domain text NOT NULL, kind text NOT NULL,
  transaction_hash text, ticket bigint, data jsonb NOT NULL,
  PRIMARY KEY (height, index)
);
CREATE INDEX event_records_kind ON event_records (kind, height);
CREATE TABLE log_records (
  height bigint NOT NULL, index bigint NOT NULL, block_hash text NOT NULL, time_ms bigint NOT NULL,
  log_index bigint NOT NULL, address text NOT NULL, topics text[] NOT NULL, data text NOT NULL,
  transaction_hash text NOT NULL, transaction_index bigint NOT NULL,
  PRIMARY KEY (height, index)
);
CREATE INDEX log_records_address ON log_records (address, height);
CREATE TABLE fill_records (
  height bigint NOT NULL, index bigint NOT NULL, block_hash text NOT NULL, time_ms bigint NOT NULL,
  event_index bigint NOT NULL, market_id bigint NOT NULL, account text NOT NULL,
  trade_id bigint, order_id bigint, side text NOT NULL,
  price numeric, size numeric NOT NULL, value numeric NOT NULL, fee numeric NOT NULL,
  liquidity text, kind text NOT NULL,
  PRIMARY KEY (height, index)
);
CREATE INDEX fill_records_account ON fill_records (account, market_id, height);
CREATE INDEX fill_records_market ON fill_records (market_id, height);

CREATE VIEW blocks AS
  SELECT height, block_hash AS hash, parent_hash, to_timestamp(time_ms / 1000.0) AS time, time_ms, proposer,
         gas_limit, gas_used, base_fee, state_root, transactions, actions, events, logs, fills
    FROM block_records;
CREATE VIEW events AS
  SELECT height, event_index, block_hash, to_timestamp(time_ms / 1000.0) AS time, domain, kind, transaction_hash, ticket, data
    FROM event_records;
CREATE VIEW logs AS
  SELECT height, log_index, block_hash, to_timestamp(time_ms / 1000.0) AS time, address, topics, data, transaction_hash,
         transaction_index
    FROM log_records;
CREATE VIEW fills AS
  SELECT height, index, to_timestamp(time_ms / 1000.0) AS time, market_id, account, trade_id, order_id, side, price, size,
         value, fee, liquidity, kind
    FROM fill_records;
CREATE VIEW trades AS
  SELECT height, index, time_ms, to_timestamp(time_ms / 1000.0) AS time,
         (data->>'market_id')::bigint AS market_id, (data->>'trade_id')::bigint AS trade_id,
         (data->>'price')::numeric AS price, (data->>'size')::numeric AS size, data->>'side' AS side,
         data->>'maker' AS maker, data->>'taker' AS taker,
         (data->>'maker_order_id')::bigint AS maker_order_id, (data->>'taker_order_id')::bigint AS taker_order_id
    FROM event_records WHERE kind = 'trade';
CREATE VIEW markets AS
  SELECT (data->>'market_id')::bigint AS market_id, data->>'symbol' AS symbol,
         (data->>'tick_size')::numeric AS tick_size, (data->>'lot_size')::numeric AS lot_size,
         (data->>'base_decimals')::int AS base_decimals, (data->>'quote_decimals')::int AS quote_decimals,
         height AS added_height
    FROM event_records WHERE kind = 'market_added';
CREATE VIEW positions AS
  SELECT account, market_id,
         sum(CASE side WHEN 'buy' THEN size ELSE -size END) AS size,
         sum(CASE side WHEN 'sell' THEN value ELSE -value END) AS cash,
         sum(fee) AS fees, count(*) AS fills, max(height) AS last_height
    FROM fill_records GROUP BY account, market_id
  HAVING sum(CASE side WHEN 'buy' THEN size ELSE -size END) <> 0;
${candleIntervals.map(candleView).join('\n')}
`;

/** What leads from each version to the next. What was released is never changed: a change is a further one. */
const migrations: readonly string[] = [first];

/** The version of the tables that this program knows. */
const schemaVersion = migrations.length;

/**
 * Makes the tables what this program knows, in one transaction; two processes at once do it one after the other.
 *
 * @throws StreamsError `STREAMS_SCHEMA_NEWER`
 */
export async function migrate(client: Client, schema: string): Promise<void> {
  const name = client.escapeIdentifier(schema);
  await inTransaction(client, async () => {
    await client.query('SELECT pg_advisory_xact_lock(hashtext($1))', [`prime streams ${schema}`]);
    const { rowCount } = await client.query('SELECT 1 FROM pg_namespace WHERE nspname = $1', [schema]);
    // Who may not make schemas is given one.
    if (rowCount === 0) await client.query(`CREATE SCHEMA ${name}`);
    await client.query(`SET LOCAL search_path TO ${name}`);
    await client.query(
      'CREATE TABLE IF NOT EXISTS schema_version (version integer PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now())',
    );
    const found = await versionOf(client);
    checkVersion(found);
    for (const [at, sql] of migrations.entries()) {
      if (at < found) continue;
      await client.query(sql);
      await client.query('INSERT INTO schema_version (version) VALUES ($1)', [at + 1]);
    }
  });
}

/** Carries work out in one transaction: all of it or nothing. */
export async function inTransaction(client: Client, work: () => Promise<void>): Promise<void> {
  await client.query('BEGIN');
  try {
    await work();
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
}

/** Version of the tables in the search path; 0 where there are none. */
export async function versionOf(client: Client): Promise<number> {
  const { rows } = await client.query<{ version: number | null }>('SELECT max(version) AS version FROM schema_version');
  return rows[0]?.version ?? 0;
}

/** @throws StreamsError `STREAMS_SCHEMA_NEWER` */
export function checkVersion(found: number): void {
  if (found <= schemaVersion) return;
  throw new StreamsError(
    `the tables are of version ${found}, and this program knows versions up to ${schemaVersion}: run the newer program that made them`,
    { code: 'STREAMS_SCHEMA_NEWER', found, known: schemaVersion },
  );
}

import pg from 'pg';
import { otherChain, StreamsError } from '../../errors.ts';
import type { ChainIdentity, Cursor, Sink } from '../../ports.ts';
import type { BlockRecords } from '../../record.ts';
import { inTransaction, migrate } from './migrations.ts';
import { tables, upsertOf } from '../tables.ts';

/** Which database. */
export interface PostgresPlace {
  /** postgres://user:password@host:port/database, or whatever else `pg` takes. */
  readonly url: string;
  readonly schema: string;
}

/** For a connection, and for a statement, ms. */
const [connectMsMax, statementMsMax] = [10_000, 60_000] as const;

/** A connection that looks at one schema. What it tells of its own, such as its end, the next query tells again. */
export async function connectPostgres({ url, schema }: PostgresPlace): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'prime streams',
    connectionTimeoutMillis: connectMsMax,
    query_timeout: statementMsMax,
    statement_timeout: statementMsMax,
    keepAlive: true,
  });
  client.on('error', () => undefined);
  await client.connect();
  await client.query(`SET search_path TO ${client.escapeIdentifier(schema)}`);
  return client;
}

const upserts = tables.map((table) => ({ type: table.type, sql: upsertOf(table) }));

/** Tables of PostgreSQL: blocks that are written together and the row that says how far they are become one transaction. */
export function createPostgresSink(place: PostgresPlace): Sink {
  let client: pg.Client | null = null;
  let cursor: Cursor | null = null;
  let genesisHash = '';

  return {
    name: 'postgres',
    async open(chain) {
      client = await connectPostgres(place);
      genesisHash = chain.genesisHash;
      await migrate(client, place.schema);
      cursor = await claim(client, place.schema, chain);
      return cursor;
    },
    async write(blocks: readonly BlockRecords[]) {
      const at = client!;
      const { height, hash } = blocks.at(-1)!;
      const records = blocks.flatMap((block) => block.records);
      await inTransaction(at, async () => {
        await advance(at, genesisHash, cursor, { first: blocks[0]!.height, height, hash });
        for (const { type, sql } of upserts) {
          const rows = records.filter((record) => record.type === type);
          if (rows.length > 0) await at.query(sql, [JSON.stringify(rows)]);
        }
      });
      cursor = { height, hash };
    },
    async close() {
      const open = client;
      client = null;
      await open?.end();
    },
  };
}

/** @returns how far the tables are; null where they are empty. @throws StreamsError `STREAMS_OTHER_CHAIN` */
async function claim(client: pg.Client, schema: string, chain: ChainIdentity): Promise<Cursor | null> {
  const { chainId, genesisHash } = chain;
  await client.query('INSERT INTO chain (chain_id, genesis_hash) VALUES ($1, $2) ON CONFLICT DO NOTHING', [
    chainId,
    genesisHash,
  ]);
  const { rows } = await client.query<ChainRow>('SELECT genesis_hash, height, hash FROM chain');
  const row = rows[0]!;
  if (row.genesis_hash !== genesisHash) throw otherChain(`schema ${schema}`, row.genesis_hash, genesisHash);
  return row.height === null ? null : { height: Number(row.height), hash: row.hash };
}

interface ChainRow {
  readonly genesis_hash: string;
  /** `pg` reads large integers as text. */
  readonly height: string | null;
  readonly hash: string | null;
}

/** Moves the cursor on by blocks, if it is where this process left it: of two that write, one finds that it is not. */
async function advance(
  client: pg.Client,
  genesisHash: string,
  from: Cursor | null,
  { first, height, hash }: { readonly first: number; readonly height: number; readonly hash: string },
): Promise<void> {
  const { rowCount } = await client.query(
    'UPDATE chain SET height = $1, hash = $2, first_height = coalesce(first_height, $5) WHERE genesis_hash = $3 AND height IS NOT DISTINCT FROM $4::bigint',
    [height, hash, genesisHash, from?.height ?? null, first],
  );
  if (rowCount === 1) return;
  const reason = `the tables are not at block ${from?.height ?? 'none'} any more: another process writes there`;
  throw new StreamsError(`postgres: ${reason}`, { code: 'STREAMS_SINK_FAILED', sink: 'postgres', reason });
}

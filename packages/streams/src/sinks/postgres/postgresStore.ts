import type pg from 'pg';
import { StreamsError } from '../../errors.ts';
import type { ExportStore } from '../../ports.ts';
import type { StoredRecord } from '../../record.ts';
import { checkVersion, versionOf } from './migrations.ts';
import { connectPostgres, type PostgresPlace } from './postgresSink.ts';
import { recordOfRow, type Table, tables } from '../tables.ts';

/** Rows that are fetched at one time. */
const pageRows = 1_000;

interface ChainRow {
  readonly chain_id: string;
  readonly genesis_hash: string;
  readonly first_height: string | null;
  readonly height: string | null;
}

/**
 * Tables of {@link createPostgresSink}, all as they are at one moment.
 *
 * @throws StreamsError `STREAMS_NOTHING_STORED` for a schema that is none of streams, `STREAMS_SCHEMA_NEWER`
 */
export async function openPostgresStore(place: PostgresPlace): Promise<ExportStore> {
  const client = await connectPostgres(place);
  try {
    await client.query('BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY');
    const row = await chainRow(client, place.schema);
    const from = row.first_height ?? row.height;
    return {
      where: `schema ${place.schema}`,
      chain: { chainId: Number(row.chain_id), genesisHash: row.genesis_hash },
      range: row.height === null ? null : { from: Number(from), to: Number(row.height) },
      // Rows can be read or they can not: there is nothing between.
      async *ownFindings() {},
      records: () => merged(tables.map((table) => rowsOf(client, table))),
      close: () => client.end(),
    };
  } catch (error) {
    await client.end();
    throw error;
  }
}

async function chainRow(client: pg.Client, schema: string): Promise<ChainRow> {
  const { rows } = await client.query<{ found: string | null }>("SELECT to_regclass('schema_version') AS found");
  const isThere = rows[0]?.found != null;
  if (isThere) {
    checkVersion(await versionOf(client));
    const { rows: found } = await client.query<ChainRow>(
      'SELECT chain_id, genesis_hash, first_height, height FROM chain',
    );
    if (found[0] !== undefined) return found[0];
  }
  throw new StreamsError(`there are no tables of streams in schema ${schema}`, {
    code: 'STREAMS_NOTHING_STORED',
    where: schema,
  });
}

async function* rowsOf(client: pg.Client, table: Table): AsyncGenerator<StoredRecord> {
  const { name } = table;
  await client.query(`DECLARE ${name}_rows NO SCROLL CURSOR FOR SELECT * FROM ${name} ORDER BY "height", "index"`);
  for (;;) {
    const { rows } = await client.query<Record<string, unknown>>(`FETCH ${pageRows} FROM ${name}_rows`);
    for (const row of rows) {
      const record = recordOfRow(table, row);
      yield { height: record.height, index: record.index, record, place: `a row of ${name}` };
    }
    if (rows.length < pageRows) return;
  }
}

const isBefore = (a: StoredRecord, b: StoredRecord): boolean =>
  a.height === b.height ? a.index < b.index : a.height < b.height;

/** Several sorted lists as one. */
async function* merged(lists: readonly AsyncGenerator<StoredRecord>[]): AsyncGenerator<StoredRecord> {
  const heads = new Map<AsyncGenerator<StoredRecord>, StoredRecord>();
  const advance = async (list: AsyncGenerator<StoredRecord>): Promise<void> => {
    const { value, done } = await list.next();
    if (done === true) heads.delete(list);
    else heads.set(list, value);
  };
  for (const list of lists) await advance(list);
  while (heads.size > 0) {
    const [list, record] = [...heads].reduce((least, each) => (isBefore(each[1], least[1]) ? each : least));
    yield record;
    await advance(list);
  }
}

import { open, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { fileWriter, parquetWriteRows } from 'hyparquet-writer';
import { decodeRecord } from '../../json.ts';
import type { RecordType } from '../../record.ts';
import { type Table, tables } from '../tables.ts';
import { finishedName, syncAndClose, syncFolder } from './folder.ts';
import { linesOf } from './lines.ts';

/** Rows that are in memory at one time. */
const rowGroupRows = 50_000;

const parquetName = (hour: string, type: RecordType): string => `${hour}.${type}s.parquet`;

/** Amounts are text: decimals of Parquet have 38 digits, and amounts may have twice as many. */
const parquetTypes = { whole: 'INT64', amount: 'STRING', text: 'STRING', texts: 'JSON', json: 'JSON' } as const;

async function* rowsOf(path: string, { type, columns }: Table): AsyncGenerator<Record<string, unknown>> {
  for await (const { line } of linesOf(path)) {
    const record = decodeRecord(line.toString('utf8'));
    if (record?.type !== type) continue;
    const fields = Object.entries({ ...record }).filter(([name]) => Object.hasOwn(columns, name));
    yield Object.fromEntries(
      fields.map(([name, value]) => [
        name,
        columns[name] === 'whole' && value !== null ? BigInt(value as number) : value,
      ]),
    );
  }
}

/** Writes a finished hour once more, as one Parquet file for each type of record. */
export async function writeParquet(directory: string, hour: string): Promise<void> {
  for (const table of tables) {
    const name = parquetName(hour, table.type);
    const temporary = join(directory, `${name}.tmp`);
    await parquetWriteRows({
      writer: fileWriter(temporary),
      rows: rowsOf(join(directory, finishedName(hour)), table),
      columns: Object.entries(table.columns).map(([column, kind]) => ({
        name: column,
        type: parquetTypes[kind],
        nullable: true,
      })),
      rowGroupSize: rowGroupRows,
    });
    await syncAndClose(await open(temporary, 'r+'));
    await rename(temporary, join(directory, name));
  }
  await syncFolder(directory);
}

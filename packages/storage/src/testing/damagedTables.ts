import { closeSync, openSync, readdirSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { openDatabase } from '../database/database.ts';

const sizes = { cacheSize: 1 << 20, writeBufferSize: 1 << 20 };
const [first, last] = [Uint8Array.of(0), Uint8Array.of(0xff, 0xff)];

/**
 * Makes one table of a closed LevelDB folder.
 *
 * @returns its file
 */
export async function compactToOneTable(folder: string): Promise<string> {
  const database = await openDatabase(folder, sizes);
  await database.compactRange(first, last);
  await database.close();
  const tables = readdirSync(folder).filter((name) => name.endsWith('.ldb'));
  if (tables.length !== 1) throw new Error(`${folder} has ${tables.length} tables`);
  return join(folder, tables[0]!);
}

/** Has the first entry of a table begin with bytes of an entry before it, which is what LevelDB notices when it merges the table. */
export function damageFirstEntry(table: string): void {
  const file = openSync(table, 'r+');
  writeSync(file, Uint8Array.of(5), 0, 1, 0);
  closeSync(file);
}

/** Has LevelDB merge all tables of a folder that is open in this process; what it finds it tells those who write. */
export async function mergeTables(folder: string): Promise<void> {
  const database = await openDatabase(folder, sizes);
  await database.compactRange(first, last);
  await database.close();
}

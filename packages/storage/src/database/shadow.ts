import { copyFileSync, existsSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** Files of LevelDB that are written once and never again, and their name before LevelDB 1.14, under which it still finds them. */
const tableName = /^(\d+)\.ldb$/;

/**
 * Makes a folder that opens as a closed LevelDB does, so that it can be read and not one byte of it changes: opening the folder itself writes, because
 * LevelDB makes its log into a table then, and tables into others.
 *
 * Tables, which are nearly all of it, are linked; the rest is copied, a few MB. The links have the old name of tables: LevelDB reads those and
 * writes only the new one, so that it can not write through a link, whatever a damaged manifest tells it.
 *
 * @param from may be absent: then there is nothing in the shadow
 */
export function shadowDatabase(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  if (!existsSync(from)) return;
  for (const name of readdirSync(from)) {
    const [, number] = tableName.exec(name) ?? [];
    const source = join(resolve(from), name);
    if (number === undefined) copyFileSync(source, join(to, name));
    else linkOrCopy(source, join(to, `${number}.sst`));
  }
}

/** Not every system lets everyone link. */
function linkOrCopy(source: string, target: string): void {
  try {
    symlinkSync(source, target);
  } catch {
    copyFileSync(source, target);
  }
}

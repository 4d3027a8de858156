import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { openDatabase } from './database.ts';
import { shadowDatabase } from './shadow.ts';
import { inTemporaryFolder } from '../testing/temporaryFolder.ts';

const sizes = { cacheSize: 1 << 20, writeBufferSize: 1 << 16 };
const key = (index: number): Uint8Array => Uint8Array.of(index >> 8, index & 255);

/** Names and content of all files. */
const contentOf = (dir: string): string[] =>
  readdirSync(dir)
    .toSorted()
    .map(
      (name) =>
        `${name} ${createHash('sha256')
          .update(readFileSync(join(dir, name)))
          .digest('hex')}`,
    );

it('a shadow has all that was written, tables and log, and whatever is done to it the original stays', () =>
  inTemporaryFolder(async (folder) => {
    const [original, shadow] = [join(folder, 'original'), join(folder, 'shadow')];
    const database = await openDatabase(original, sizes);
    const count = 4_000;
    for (let index = 0; index < count; index++) await database.put(key(index), new Uint8Array(100).fill(index));
    await database.close();
    const before = contentOf(original);
    expect(before.some((line) => /\.ldb /.test(line))).toBe(true);
    shadowDatabase(original, shadow);
    const copy = await openDatabase(shadow, sizes);
    for (let index = 0; index < count; index++) expect(copy.getSync(key(index))?.[0]).toBe(index & 255);
    await copy.put(key(count), Uint8Array.of(1));
    for (let index = 0; index < count; index += 2) await copy.del(key(index));
    // Rewrites all tables, and removes those that it had.
    await copy.compactRange(key(0), key(count));
    expect(copy.getSync(key(1))?.length).toBe(100);
    await copy.close();
    expect(contentOf(original)).toEqual(before);
  }));

it('of a folder that is not there: empty', () =>
  inTemporaryFolder(async (folder) => {
    const shadow = join(folder, 'shadow');
    shadowDatabase(join(folder, 'none'), shadow);
    const copy = await openDatabase(shadow, sizes);
    expect(await copy.keys().all()).toEqual([]);
    await copy.close();
  }));

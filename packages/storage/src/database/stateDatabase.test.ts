import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { statePrefix } from '@prime/codec';
import type { StateDatabase } from '@prime/evm';
import { bytesToHex, createPrng } from '@prime/primitives';
import fc from 'fast-check';
import { openDatabase, prefixEnd } from './database.ts';
import { openStateDatabase } from './stateDatabase.ts';
import { compactToOneTable, damageFirstEntry, mergeTables } from '../testing/damagedTables.ts';
import { inTemporaryFolder } from '../testing/temporaryFolder.ts';

const key = (...bytes: number[]): Uint8Array => Uint8Array.from(bytes);
const put = (bytes: readonly number[], value: number) => ({ key: key(...bytes), value: key(value) });

async function keysOf(entries: AsyncIterable<readonly [Uint8Array, Uint8Array]>): Promise<string[]> {
  const keys: string[] = [];
  for await (const [each] of entries) keys.push(bytesToHex(each));
  return keys;
}

describe('state database', () => {
  it('a folder whose list of files is damaged is corrupt, and not a disk that failed', () =>
    inTemporaryFolder(async (folder) => {
      const database = await openStateDatabase(folder);
      await database.write([put([1], 10)], { sync: true });
      await database.close();
      for (const name of readdirSync(folder).filter((file) => file.startsWith('MANIFEST')))
        writeFileSync(join(folder, name), new Uint8Array(100).fill(0x5a));
      await expect(openStateDatabase(folder)).rejects.toMatchObject({ code: 'DATABASE_CORRUPT' });
    }));

  it('opened again: what was written and not deleted', () =>
    inTemporaryFolder(async (folder) => {
      const first = await openStateDatabase(folder);
      await first.write([put([1], 10), put([2], 20)], { sync: true });
      await first.write([{ key: key(1), value: null }, put([2], 21), put([3], 30)], { sync: false });
      await first.close();
      const second = await openStateDatabase(folder);
      const values = [1, 2, 3].map((name) => second.getSync(key(name))?.[0]);
      expect(values).toEqual([undefined, 21, 30]);
      await second.close();
    }));

  it('an empty value is refused by name, and nothing of its batch is written', () =>
    inTemporaryFolder(async (folder) => {
      const database = await openStateDatabase(folder);
      const writes = [put([1], 10), { key: key(2), value: new Uint8Array(0) }, put([3], 30)];
      await expect(database.write(writes, { sync: true })).rejects.toMatchObject({
        code: 'INVARIANT_BROKEN',
        message: 'the record 0x02 is empty',
      });
      expect([1, 2, 3].map((name) => database.getSync(key(name)))).toEqual([undefined, undefined, undefined]);
      await database.close();
    }));

  it('the number 0 of a mark and the absence in the history of the order book are empty, and written', () =>
    inTemporaryFolder(async (folder) => {
      const database = await openStateDatabase(folder);
      for (const prefix of [statePrefix.meta, statePrefix.orderHistory]) {
        await database.write([{ key: Uint8Array.of(prefix, 1), value: new Uint8Array(0) }], { sync: true });
        expect(database.getSync(Uint8Array.of(prefix, 1))).toEqual(new Uint8Array(0));
      }
      await database.close();
    }));

  it('entries of a prefix come in order, and only these, whatever bytes the prefix ends with', () =>
    inTemporaryFolder(async (folder) => {
      const database = await openStateDatabase(folder);
      const keys = [
        [0x6f],
        [0x6f, 0],
        [0x6f, 0xff],
        [0x6f, 0xff, 0xff, 1],
        [0x70],
        [0xff, 0xff],
        [0xff, 0xff, 7],
        [0x6e, 0xff],
      ];
      await database.write(
        keys.map((bytes) => put(bytes, 1)),
        { sync: false },
      );
      expect(await keysOf(database.entries(key(0x6f)))).toEqual(['0x6f', '0x6f00', '0x6fff', '0x6fffff01']);
      expect(await keysOf(database.entries(key(0x6f, 0xff)))).toEqual(['0x6fff', '0x6fffff01']);
      expect(await keysOf(database.entries(key(0xff, 0xff)))).toEqual(['0xffff', '0xffff07']);
      expect(await keysOf(database.entries(key(0x01)))).toEqual([]);
      expect((await keysOf(database.entries(key()))).length).toBe(keys.length);
      await database.close();
    }));

  it('entries are those of the moment when reading began', () =>
    inTemporaryFolder(async (folder) => {
      const database = await openStateDatabase(folder);
      await database.write([put([1, 1], 1), put([1, 2], 1)], { sync: false });
      const seen: string[] = [];
      for await (const [each] of database.entries(key(1))) {
        seen.push(bytesToHex(each));
        await database.write([put([1, 3], 1)], { sync: false });
      }
      expect(seen).toEqual(['0x0101', '0x0102']);
      await database.close();
    }));

  it('a write or read of a closed database surfaces with its cause', () =>
    inTemporaryFolder(async (folder) => {
      const database = await openStateDatabase(folder);
      await database.close();
      await expect(database.write([put([1], 1)], { sync: true })).rejects.toMatchObject({
        code: 'STATE_DATABASE_WRITE_FAILED',
        detail: { systemCode: 'LEVEL_DATABASE_NOT_OPEN' },
      });
      expect(() => database.getSync(key(1))).toThrow(expect.objectContaining({ code: 'STATE_DATABASE_READ_FAILED' }));
      await expect(keysOf(database.entries(key(1)))).rejects.toMatchObject({ code: 'STATE_DATABASE_READ_FAILED' });
    }));

  it('a damaged table of LevelDB is told from a failure to read', () =>
    inTemporaryFolder(async (folder) => {
      const database = await openStateDatabase(folder);
      await database.write([{ key: key(1), value: new Uint8Array(4000) }], { sync: true });
      await database.close();
      const table = await compactToOneTable(folder);
      writeFileSync(table, readFileSync(table).fill(0xff, 0, 16));
      await expect(openStateDatabase(folder)).rejects.toMatchObject({ code: 'STATE_DATABASE_CORRUPT' });
    }));

  it('the end of a prefix', () => {
    expect(prefixEnd(key(1, 2))).toEqual(key(1, 3));
    expect(prefixEnd(key(1, 0xff))).toEqual(key(2));
    expect(prefixEnd(key(0xff, 0xff))).toBeNull();
    expect(prefixEnd(key())).toBeNull();
  });
});

describe('scan of the state database', () => {
  const rows = (entries: readonly (readonly [Uint8Array, Uint8Array])[]): number[] => entries.map(([name]) => name[0]!);

  it('goes through the range in portions, jumps forward, and ends where the range ends', () =>
    inTemporaryFolder(async (folder) => {
      const database = await openStateDatabase(folder);
      await database.write(
        [1, 2, 3, 4, 5, 6, 7, 8, 9].map((name) => put([name], name)),
        { sync: false },
      );
      const scan = database.scan(key(2), key(9));
      expect(rows(await scan.next(2))).toEqual([2, 3]);
      expect(rows(await scan.next(1))).toEqual([4]);
      scan.seek(key(6, 1));
      expect(rows(await scan.next(10))).toEqual([7, 8]);
      expect(await scan.next(10)).toEqual([]);
      scan.seek(key(9));
      expect(await scan.next(10)).toEqual([]);
      scan.seek(key(200));
      expect(await scan.next(10)).toEqual([]);
      await scan.close();
      const values = await database.getMany([key(9), key(77), key(1)]);
      expect(values.map((value) => value?.[0])).toEqual([9, undefined, 1]);
      await database.close();
    }));

  it('goes down from the last entry of the range to its first', () =>
    inTemporaryFolder(async (folder) => {
      const database = await openStateDatabase(folder);
      await database.write(
        [1, 2, 3, 4, 5, 6, 7, 8, 9].map((name) => put([name], name)),
        { sync: false },
      );
      const scan = database.scan(key(2), key(9), 'down');
      expect(rows(await scan.next(2))).toEqual([8, 7]);
      scan.seek(key(4, 1));
      expect(rows(await scan.next(2))).toEqual([4, 3]);
      expect(rows(await scan.next(10))).toEqual([2]);
      expect(await scan.next(10)).toEqual([]);
      await scan.close();
      await database.close();
    }));
});

describe('a state database whose tables are damaged', () => {
  const prng = createPrng(1);
  const entries = Array.from({ length: 300 }, (_, name) => ({
    key: key(1, name >> 8, name & 255),
    // Nothing that could be compressed: what was written stands in the table as it is.
    value: Uint8Array.from({ length: 60 + (name % 40) }, () => prng.below(256)),
  }));

  /** All in one table, none in the log. */
  async function fill(folder: string): Promise<string> {
    const database = await openStateDatabase(folder);
    await database.write(entries, { sync: true });
    await database.close();
    return compactToOneTable(folder);
  }

  /** Where a value can not be read, null stands in its place. */
  async function readAll(database: StateDatabase): Promise<(Uint8Array | undefined | null)[]> {
    const values: (Uint8Array | undefined | null)[] = [];
    for (const { key: name } of entries) {
      try {
        values.push(database.getSync(name));
      } catch (error) {
        expect(error).toMatchObject({ code: 'STATE_DATABASE_CORRUPT' });
        values.push(null);
      }
    }
    return values;
  }

  it('damage that LevelDB finds while it merges tables behind the writes is told from a disk that can not be written', () =>
    inTemporaryFolder(async (folder) => {
      damageFirstEntry(await fill(folder));
      const database = await openStateDatabase(folder);
      await database.write([entries[0]!], { sync: true });
      await mergeTables(folder);
      await expect(database.write([entries[0]!], { sync: true })).rejects.toMatchObject({
        code: 'STATE_DATABASE_CORRUPT',
        message: `can not write the state database ${folder}: Corruption: bad entry in block`,
      });
      await database.close();
    }));

  // Elsewhere than in values LevelDB's own checks may end the process, which a test would not survive.
  it('a bit that is flipped in a value: this one is refused in every way of reading, the others are right', () =>
    inTemporaryFolder(async (folder) => {
      const table = await fill(folder);
      const whole = readFileSync(table);
      await fc.assert(
        fc.asyncProperty(fc.nat(entries.length - 1), fc.nat(59), fc.nat(7), async (index, place, bit) => {
          const { key: name, value } = entries[index]!;
          const bytes = Uint8Array.from(whole);
          bytes[whole.indexOf(value) + place]! ^= 1 << bit;
          writeFileSync(table, bytes);
          const database = await openStateDatabase(folder);
          const refusal = { code: 'STATE_DATABASE_CORRUPT' };
          expect(await readAll(database)).toEqual(entries.map((entry, at) => (at === index ? null : entry.value)));
          await expect(database.getMany([name])).rejects.toMatchObject(refusal);
          await expect(keysOf(database.entries(key(1)))).rejects.toMatchObject(refusal);
          const scan = database.scan(name, key(2));
          await expect(scan.next(1)).rejects.toMatchObject(refusal);
          await scan.close();
          await database.close();
        }),
        { numRuns: 8 },
      );
    }));

  it('a value in the place of another one: refused', () =>
    inTemporaryFolder(async (folder) => {
      const database = await openStateDatabase(folder);
      await database.write([put([1], 10), put([2], 20)], { sync: true });
      await database.close();
      const raw = await openDatabase(folder, { cacheSize: 1 << 20, writeBufferSize: 1 << 20 });
      await raw.put(key(1), raw.getSync(key(2))!);
      await raw.close();
      const again = await openStateDatabase(folder);
      expect(() => again.getSync(key(1))).toThrow(/value of 0x01 does not match its checksum/);
      await again.close();
    }));

  it('of a layout without checksums: refused, with both layouts', () =>
    inTemporaryFolder(async (folder) => {
      const old = await openDatabase(folder, { cacheSize: 1 << 20, writeBufferSize: 1 << 20 });
      await old.put(key(1), key(2));
      await old.close();
      await expect(openStateDatabase(folder)).rejects.toMatchObject({
        code: 'STATE_DATABASE_FOREIGN',
        detail: { found: 1, expected: 2 },
      });
    }));
});

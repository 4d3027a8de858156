import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { checkDatabaseFiles } from './levelLog.ts';
import { openStateDatabase } from './stateDatabase.ts';
import { inTemporaryFolder } from '../testing/temporaryFolder.ts';

const key = (number: number): Uint8Array => Uint8Array.of(1, number);
const count = 20;

/** A database whose log holds `count` writes of about 10 000 bytes, several to a block and across blocks. */
async function fill(folder: string): Promise<string> {
  const database = await openStateDatabase(folder);
  for (let number = 0; number < count; number++)
    await database.write([{ key: key(number), value: new Uint8Array(9_000 + 97 * number).fill(number) }], {
      sync: false,
    });
  await database.close();
  return join(folder, readdirSync(folder).find((name) => name.endsWith('.log'))!);
}

async function found(folder: string): Promise<number[]> {
  const database = await openStateDatabase(folder);
  const numbers = Array.from({ length: count }, (_, number) => number);
  const there = numbers.filter((number) => database.getSync(key(number)) !== undefined);
  await database.close();
  return there;
}

const refused = (folder: string): boolean => {
  try {
    checkDatabaseFiles(folder);
    return false;
  } catch (error) {
    expect(error).toMatchObject({ code: 'DATABASE_CORRUPT' });
    return true;
  }
};

describe('logs of LevelDB', () => {
  it('none, and whole ones, are good', () =>
    inTemporaryFolder(async (folder) => {
      expect(refused(join(folder, 'nothing'))).toBe(false);
      await fill(folder);
      expect(refused(folder)).toBe(false);
      expect(await found(folder)).toHaveLength(count);
    }));

  it('bits that are flipped anywhere: refused, or only the newest writes are lost', () =>
    inTemporaryFolder(async (folder) => {
      let run = 0;
      await fc.assert(
        fc.asyncProperty(
          fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }),
          fc.nat(7),
          async (place, bit) => {
            const copy = join(folder, `${run++}`);
            const log = await fill(copy);
            const bytes = readFileSync(log);
            bytes[Math.floor(place * bytes.length)]! ^= 1 << bit;
            writeFileSync(log, bytes);
            if (refused(copy)) return;
            const there = await found(copy);
            expect(there).toEqual(Array.from({ length: there.length }, (_, number) => number));
          },
        ),
        { numRuns: 40 },
      );
    }));

  it('a log that was cut short anywhere: good', () =>
    inTemporaryFolder(async (folder) => {
      const log = await fill(folder);
      const bytes = readFileSync(log);
      fc.assert(
        fc.property(fc.nat(bytes.length), (length) => {
          writeFileSync(log, bytes.subarray(0, length));
          expect(refused(folder)).toBe(false);
        }),
      );
    }));

  it('a damaged write with others behind it: refused, with the place', () =>
    inTemporaryFolder(async (folder) => {
      const log = await fill(folder);
      const bytes = readFileSync(log);
      bytes[70_000]! ^= 4;
      writeFileSync(log, bytes);
      expect(() => checkDatabaseFiles(folder)).toThrow(/\.log is damaged at \d+, and whole records follow/);
      // What it is for: LevelDB itself opens it, and what is in the middle is gone.
      const there = await found(folder);
      expect(there).toContain(count - 1);
      expect(there.length).toBeLessThan(count);
    }));
});

describe('the file that names the tables of a database', () => {
  it('refused when it is gone: opened, the folder would be made anew and lose what it holds', () =>
    inTemporaryFolder(async (folder) => {
      await fill(folder);
      expect(refused(folder)).toBe(false);
      rmSync(join(folder, 'CURRENT'));
      const before = readdirSync(folder);
      expect(() => checkDatabaseFiles(folder)).toThrow(/CURRENT is gone/);
      expect(refused(folder)).toBe(true);
      expect(readdirSync(folder)).toEqual(before);
    }));

  it('a manifest that is gone, which LevelDB calls a failure of the disk', () =>
    inTemporaryFolder(async (folder) => {
      await fill(folder);
      const manifest = readdirSync(folder).find((name) => name.startsWith('MANIFEST-'))!;
      rmSync(join(folder, manifest));
      await expect(openStateDatabase(folder)).rejects.toMatchObject({ code: 'DATABASE_OPEN_FAILED' });
      expect(refused(folder)).toBe(true);
      expect(() => checkDatabaseFiles(folder)).toThrow(`CURRENT names ${manifest}, which is gone`);
    }));

  it('is not missed where nothing was ever written', () =>
    inTemporaryFolder(async (folder) => {
      expect(refused(folder)).toBe(false);
      writeFileSync(join(folder, 'MANIFEST-000001'), new Uint8Array(0));
      expect(refused(folder)).toBe(false);
    }));
});

import { closeSync, mkdirSync, openSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { utf8ToBytes } from '@prime/primitives';
import { openPatiently, readWhole, watchedFiles, writeFileDurably } from './files.ts';
import { inTemporaryFolder } from '../testing/temporaryFolder.ts';

it('writes and replaces a file with its mode, and leaves nothing else', () =>
  inTemporaryFolder((folder) => {
    const path = join(folder, 'key.json');
    writeFileDurably(path, utf8ToBytes('first'), 0o644);
    writeFileDurably(path, utf8ToBytes('second'), 0o600);
    expect(readFileSync(path, 'utf8')).toBe('second');
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder)).toEqual(['key.json']);
  }));

it('what a killed process left under the temporary name is replaced', () =>
  inTemporaryFolder((folder) => {
    const path = join(folder, 'key.json');
    writeFileSync(`${path}.${process.pid}.tmp`, 'half');
    writeFileDurably(path, utf8ToBytes('whole'), 0o600);
    expect(readdirSync(folder)).toEqual(['key.json']);
  }));

it('a failure names file and reason, and leaves the old content and no temporary file', () =>
  inTemporaryFolder((folder) => {
    const path = join(folder, 'taken');
    mkdirSync(join(path, 'inside'), { recursive: true });
    expect(() => writeFileDurably(path, utf8ToBytes('x'), 0o600)).toThrow(
      expect.objectContaining({
        code: 'FILE_WRITE_FAILED',
        detail: expect.objectContaining({ path, systemCode: 'EISDIR' }),
        cause: expect.objectContaining({ code: 'EISDIR' }),
      }),
    );
    expect(readdirSync(folder)).toEqual(['taken']);
    expect(() => writeFileDurably(join(folder, 'none', 'x'), utf8ToBytes('x'), 0o600)).toThrow(
      expect.objectContaining({ detail: expect.objectContaining({ systemCode: 'ENOENT' }) }),
    );
    writeFileSync(join(folder, 'file'), '');
    expect(() => writeFileDurably(join(folder, 'file', 'x'), utf8ToBytes('x'), 0o600)).toThrow(
      expect.objectContaining({ detail: expect.objectContaining({ systemCode: 'ENOTDIR' }) }),
    );
  }));

it('watched files tell of each write and each sync, and are files as ever', () =>
  inTemporaryFolder((folder) => {
    const path = join(folder, 'log');
    const told: [string, number][] = [];
    const files = watchedFiles({
      onSync: (ms) => told.push(['sync', Math.sign(ms)]),
      onWrite: (bytes) => told.push(['write', bytes]),
    });
    expect(files.open(path)).toBeNull();
    files.create(path, utf8ToBytes('abc'));
    const file = files.open(path)!;
    file.write(utf8ToBytes('de'), 3);
    file.sync();
    file.write(utf8ToBytes('fgh'), 5);
    expect(told).toEqual([
      ['write', 2],
      ['sync', 1],
      ['write', 3],
    ]);
    expect(Buffer.from(file.read()).toString()).toBe('abcdefgh');
    file.close();
  }));

it.each([1, 4, 5, 6, 7, 10, 11])(
  'a file of 10 bytes is read whole, %i at once: Node takes less than 2 GiB in one',
  (atOnce) =>
    inTemporaryFolder((folder) => {
      const path = join(folder, 'ten');
      writeFileSync(path, '0123456789');
      const descriptor = openSync(path, 'r');
      expect(readWhole(descriptor, atOnce)).toEqual(utf8ToBytes('0123456789'));
      closeSync(descriptor);
    }),
);

it('where no file is left, opening one waits until another is closed, and not for ever', () => {
  const failing = (code: string, times: number) => {
    const waits: number[] = [];
    let tries = 0;
    const open = (): number => {
      if (tries++ < times) throw Object.assign(new Error('open failed'), { code });
      return 7;
    };
    const result = (): number => openPatiently(open, (ms) => waits.push(ms));
    return { result, waits };
  };
  const late = failing('EMFILE', 3);
  expect(late.result()).toBe(7);
  expect(late.waits).toEqual([5, 5, 5]);
  const never = failing('EMFILE', Number.POSITIVE_INFINITY);
  expect(never.result).toThrow(expect.objectContaining({ code: 'EMFILE' }));
  expect(never.waits).toHaveLength(400);
  const other = failing('EACCES', 1);
  expect(other.result).toThrow(expect.objectContaining({ code: 'EACCES' }));
  expect(other.waits).toEqual([]);
});

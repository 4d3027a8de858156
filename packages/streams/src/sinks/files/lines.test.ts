import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { encodeRecord } from '../../json.ts';
import { busyRecords, emptyRecords } from '../../testing/blocks.ts';
import { linesOf, readHour } from './lines.ts';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'prime-lines-'));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

async function fileOf(text: string): Promise<string> {
  const path = join(directory, 'hour');
  await writeFile(path, text);
  return path;
}
const linesOfBlock = (records: ReturnType<typeof busyRecords>): string[] =>
  records.records.map((record) => `${encodeRecord(record)}\n`);

describe('lines of a file', () => {
  it.each([
    ['', []],
    ['a', []],
    ['a\n', [['a', 2]]],
    ['\n', [['', 1]]],
    [
      'a\n\nb\nc',
      [
        ['a', 2],
        ['', 3],
        ['b', 5],
      ],
    ],
  ])('%j', async (text, expected) => {
    const found: unknown[] = [];
    for await (const { line, end } of linesOf(await fileOf(text))) found.push([line.toString(), end]);
    expect(found).toEqual(expected);
  });

  it.each([65_535, 65_536, 65_537])(
    'one of %d bytes is longer than what is read at one time, or just not',
    async (length) => {
      const lengths: number[] = [];
      for await (const { line } of linesOf(await fileOf(`${'x'.repeat(length)}\ny\n`))) lengths.push(line.length);
      expect(lengths).toEqual([length, 1]);
    },
  );
});

describe('records of an hour', () => {
  const first = linesOfBlock(busyRecords(1));
  const second = linesOfBlock(busyRecords(2));

  it('are whole blocks; lines of one that is not count for nothing', async () => {
    const whole = first.join('');
    const path = await fileOf(whole + second.slice(0, -1).join(''));
    const { sequence, bytes, hash, timeMs, wrongLine } = await readHour(path);
    expect(sequence.blocks.map(({ height }) => height)).toEqual([1]);
    expect([sequence.records, bytes, wrongLine]).toEqual([first.length, Buffer.byteLength(whole), null]);
    expect(hash.digest('hex')).toBe(createHash('sha256').update(whole).digest('hex'));
    expect(timeMs).toBe(busyRecords(1).timeMs);
  });

  it.each([
    ['no JSON', 'x\n'],
    ['no record', '{}\n'],
    ['a block left out', linesOfBlock(emptyRecords(3)).join('')],
    ['a record left out', second.slice(1).join('')],
    ['the same block again', first.join('')],
  ])('end at a line that does not follow, and say which: %s', async (_what, text) => {
    const { sequence, wrongLine } = await readHour(await fileOf(first.join('') + text + second.join('')));
    expect([sequence.blocks.length, wrongLine]).toEqual([1, first.length + 1]);
  });
});

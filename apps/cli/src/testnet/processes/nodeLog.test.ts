import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { describeEntry, openLogFile, parseLogLine } from './nodeLog.ts';

let directory: string;
let path: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'prime-log-'));
  path = join(directory, 'node.log');
});
afterEach(() => rm(directory, { recursive: true, force: true }));

const read = (name: string): Promise<string> => readFile(name, 'utf8');

describe('the log of a node of a local network', () => {
  it('goes on where the run before ended', async () => {
    for (const line of ['one', 'two']) {
      const log = openLogFile(path);
      log.write(line);
      await log.close();
    }
    expect(await read(path)).toBe('one\ntwo\n');
  });

  // A line is ten bytes with its end.
  it.each([
    [29, 2],
    [30, 3],
    [31, 3],
  ])('of at most %i bytes: a new file after %i lines, and the one before is kept', async (bytesMax, lines) => {
    const log = openLogFile(path, bytesMax);
    const all = Array.from({ length: 2 * lines + 1 }, (_, index) => `line-${String(index).padStart(4, '0')}`);
    for (const line of all) log.write(line);
    await log.close();
    expect(await read(`${path}.1`)).toBe(`${all.slice(lines, 2 * lines).join('\n')}\n`);
    expect(await read(path)).toBe(`${all.at(-1)}\n`);
  });

  it('a line longer than a file may be is written whole', async () => {
    const log = openLogFile(path, 8);
    log.write('much longer than that');
    await log.close();
    expect(await read(path)).toBe('much longer than that\n');
  });

  it('lines for eyes: time, level, module, words, fields; what is no entry is none', () => {
    const line = '{"level":"warn","time":45000123,"pid":7,"module":"network","peer":"0x01","msg":"gone"}';
    expect(describeEntry(parseLogLine(line)!)).toBe('12:30:00.123 warn network: gone {"peer":"0x01"}');
    expect(describeEntry({ level: 'info', msg: 'bare' })).toBe('info bare');
    for (const other of [
      '',
      'null',
      '7',
      'prime: can not start',
      '{"level":"x","msg":""}',
      '{"level":30,"msg":""}',
      '{"msg":"m"}',
    ])
      expect(parseLogLine(other)).toBeNull();
  });
});

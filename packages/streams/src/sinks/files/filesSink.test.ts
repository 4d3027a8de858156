import { mkdtemp, readdir, readFile, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { asyncBufferFromFile, parquetReadObjects } from 'hyparquet';
import type { Cursor } from '../../ports.ts';
import type { BlockRecords, StoredRecord } from '../../record.ts';
import { addressOf, busyRecords, emptyRecords, hashOf } from '../../testing/blocks.ts';
import type { Finding } from '../../verify/findings.ts';
import { createFilesSink } from './filesSink.ts';
import { openFilesStore } from './filesStore.ts';
import type { Manifest } from './manifest.ts';

const chain = { chainId: 7, genesisHash: hashOf('genesis') };
const otherChain = { chainId: 7, genesisHash: hashOf('other') };
let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'prime-files-'));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

const path = (name: string): string => join(directory, name);
const part = '2026-02-28T12.ndjson.part';
const [finished, manifest] = ['2026-02-28T12.ndjson', '2026-02-28T12.manifest.json'];

/** Opens, writes, closes. @returns where it was when it was opened */
async function write(blocks: readonly BlockRecords[], { parquet = false } = {}): Promise<Cursor | null> {
  const sink = createFilesSink({ directory, parquet });
  const cursor = await sink.open(chain);
  try {
    if (blocks.length > 0) await sink.write(blocks);
  } finally {
    await sink.close();
  }
  return cursor;
}

async function stored(): Promise<{ records: StoredRecord[]; findings: Finding[]; range: object | null }> {
  const store = await openFilesStore(directory);
  const [records, findings]: [StoredRecord[], Finding[]] = [[], []];
  for await (const record of store.records()) records.push(record);
  for await (const finding of store.ownFindings()) findings.push(finding);
  return { records, findings, range: store.range };
}

const cursorAt = (height: number): Cursor => ({ height, hash: hashOf(`block ${height}`) });
/** The hour of the first eight blocks, and what comes in the next. */
const hour = Array.from({ length: 8 }, (_, height) => busyRecords(height));
const nextHour = [busyRecords(8), busyRecords(9)];

describe('files of NDJSON', () => {
  it('hold what was written, and say where they are', async () => {
    expect(await write(hour.slice(0, 3))).toBeNull();
    expect(await write(hour.slice(3))).toEqual(cursorAt(2));
    const { records, findings, range } = await stored();
    expect(records.map(({ record }) => record)).toEqual(hour.flatMap((block) => block.records));
    expect([findings, range]).toEqual([[], { from: 0, to: 7 }]);
  });

  it('are finished with the hour, and described by a manifest', async () => {
    await write([...hour, ...nextHour]);
    expect((await readdir(directory)).toSorted()).toEqual([
      manifest,
      finished,
      '2026-02-28T13.ndjson.part',
      'chain.json',
    ]);
    const said = JSON.parse(await readFile(path(manifest), 'utf8')) as Manifest;
    expect(said).toMatchObject({ records: 40, first_id: '0:0', last_id: '7:4', genesis_hash: chain.genesisHash });
    expect(said.blocks).toEqual(hour.map(({ height, hash }) => ({ height, hash, records: 5 })));
    expect(said.bytes).toBe((await readFile(path(finished))).length);
    expect(await write([])).toEqual(cursorAt(9));
  });

  it('are finished where nothing was written in the hour after them', async () => {
    await write(hour);
    await write([emptyRecords(8, Date.UTC(2026, 2, 1))]);
    expect((await readdir(directory)).toSorted()).toEqual([
      manifest,
      finished,
      '2026-03-01T00.ndjson.part',
      'chain.json',
    ]);
  });

  it('lose nothing but the block that was not whole, wherever a process ended', async () => {
    await write(hour.slice(0, 2));
    const whole = await readFile(path(part));
    const first = hour[0]!.records.reduce((bytes, record) => bytes + Buffer.byteLength(JSON.stringify(record)) + 1, 0);
    for (let bytes = 0; bytes < whole.length; bytes += 37) {
      await writeFile(path(part), whole.subarray(0, bytes));
      expect([bytes, await write([])]).toEqual([bytes, bytes < first ? null : cursorAt(0)]);
      expect((await readFile(path(part))).length).toBe(bytes < first ? 0 : first);
    }
    for (const bytes of [first - 1, first, first + 1]) {
      await writeFile(path(part), whole.subarray(0, bytes));
      expect([bytes, await write([])]).toEqual([bytes, bytes < first ? null : cursorAt(0)]);
    }
    await write(hour.slice(1, 2));
    expect(await readFile(path(part))).toEqual(whole);
  });

  it('go on in a later hour where the hour that grew was cut off to nothing', async () => {
    await write(hour.slice(0, 1));
    await truncate(path(part), 10);
    await write(nextHour);
    expect((await readdir(directory)).toSorted()).toEqual(['2026-02-28T13.ndjson.part', 'chain.json']);
    expect(await write([])).toEqual(cursorAt(9));
  });

  it('get the manifest that a process did not come to write', async () => {
    await write([...hour, ...nextHour]);
    const said = await readFile(path(manifest), 'utf8');
    await rm(path(manifest));
    expect((await stored()).findings).toMatchObject([{ kind: 'unreadable', words: `${finished} has no manifest` }]);
    expect(await write([])).toEqual(cursorAt(9));
    expect(await readFile(path(manifest), 'utf8')).toBe(said);
  });

  it('are refused where a finished file is damaged and nobody described it yet', async () => {
    await write([...hour, ...nextHour]);
    await rm(path(manifest));
    const lines = (await readFile(path(finished), 'utf8')).split('\n');
    await writeFile(path(finished), lines.toSpliced(3, 1).join('\n'));
    await expect(write([])).rejects.toMatchObject({
      code: 'STREAMS_STORE_DAMAGED',
      message: expect.stringContaining('line 4 is not the record that has to come there'),
    });
  });

  it('of another chain are refused, and stay as they are', async () => {
    await write(hour);
    const before = await readFile(path(part));
    const sink = createFilesSink({ directory, parquet: false });
    await expect(sink.open(otherChain)).rejects.toMatchObject({ code: 'STREAMS_OTHER_CHAIN' });
    expect(await readFile(path(part))).toEqual(before);
  });

  it('are refused where an hour that is finished goes on, or two hours grow', async () => {
    await write([...hour, ...nextHour]);
    await rm(path('2026-02-28T13.ndjson.part'));
    await expect(write([busyRecords(7)])).rejects.toMatchObject({ code: 'STREAMS_STORE_DAMAGED' });
    await writeFile(path('2026-02-28T13.ndjson.part'), '');
    await writeFile(path('2026-02-28T14.ndjson.part'), '');
    await expect(write([])).rejects.toMatchObject({ code: 'STREAMS_STORE_DAMAGED' });
  });

  it('say what is not as their manifest says', async () => {
    await write([...hour, ...nextHour]);
    const text = await readFile(path(finished), 'utf8');
    await writeFile(path(finished), text.replace('"fills":2', '"fills":3'));
    expect((await stored()).findings.map(({ words }) => words)).toEqual([
      `${finished} is not the file that its manifest was written for`,
    ]);
    await writeFile(path(finished), text.split('\n').slice(1).join('\n'));
    expect((await stored()).findings.map(({ words }) => words)).toEqual([
      `${finished} has 39 records, and its manifest says 40`,
    ]);
    await rename(path(finished), path('gone'));
    expect((await stored()).findings.map(({ words }) => words)).toEqual([`${manifest} is there, and its file is not`]);
  });

  it('are no export where nothing says whose they are, or nothing was written', async () => {
    await expect(openFilesStore(directory)).rejects.toMatchObject({ code: 'STREAMS_NOTHING_STORED' });
    await write([]);
    expect((await openFilesStore(directory)).range).toBeNull();
  });
});

describe('Parquet beside them', () => {
  it('has the rows of the hour, one file for each type of record, also where there are none', async () => {
    const quiet = Array.from({ length: 8 }, (_, height) => emptyRecords(height));
    await write([busyRecords(0), ...quiet.slice(1), ...nextHour], { parquet: true });
    const rows = async (type: string): Promise<Record<string, unknown>[]> =>
      parquetReadObjects({ file: await asyncBufferFromFile(path(`2026-02-28T12.${type}s.parquet`)) });
    expect(await rows('fill')).toMatchObject([
      { height: 0n, account: addressOf('maker'), price: `${10n ** 30n}`, trade_id: 1n },
      { height: 0n, account: addressOf('taker') },
    ]);
    expect(await rows('event')).toMatchObject([{ kind: 'trade', ticket: null, data: { size: '4' } }]);
    expect(await rows('log')).toMatchObject([{ topics: [hashOf('topic')], data: '0x01' }]);
    expect((await rows('block')).map(({ height }) => height)).toEqual([0n, 1n, 2n, 3n, 4n, 5n, 6n, 7n]);
  });

  it('is there also for an hour without an event', async () => {
    await write([...Array.from({ length: 8 }, (_, height) => emptyRecords(height)), ...nextHour], { parquet: true });
    const file = await asyncBufferFromFile(path('2026-02-28T12.events.parquet'));
    expect(await parquetReadObjects({ file })).toEqual([]);
  });
});

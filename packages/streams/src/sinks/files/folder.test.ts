import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  chainFile,
  chainOfFolder,
  claimFolder,
  hourOf,
  hoursOf,
  manifestName,
  readManifest,
  writeWhole,
} from './folder.ts';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'prime-folder-'));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

const write = (name: string, text: string): Promise<void> => writeFile(join(directory, name), text);
const ours = { chainId: 7919, genesisHash: `0x${'aa'.repeat(32)}` };
const theirs = { ...ours, genesisHash: `0x${'bb'.repeat(32)}` };
const damaged = expect.objectContaining({ code: 'STREAMS_STORE_DAMAGED' });

it('an hour of block time ends with its last millisecond', () => {
  const next = Date.UTC(2026, 1, 28, 13);
  expect([next - 1, next, next + 1].map(hourOf)).toEqual(['2026-02-28T12', '2026-02-28T13', '2026-02-28T13']);
});

it('hours are told by names, oldest first, and other files are passed over', async () => {
  const names = [
    '2026-02-28T13.ndjson.part',
    '2026-02-28T12.ndjson',
    '2026-02-28T11.ndjson',
    '2026-02-28T12.manifest.json',
  ];
  const others = ['2026-02-28T12.ndjson.tmp', 'x2026-02-28T12.ndjson', '2026-2-28T12.ndjson', '2026-02-28T12.parquet'];
  for (const name of [...names, ...others]) await write(name, '');
  expect(await hoursOf(directory)).toEqual({
    finished: ['2026-02-28T11', '2026-02-28T12'],
    growing: ['2026-02-28T13'],
    manifests: new Set(['2026-02-28T12']),
  });
});

it('a file is written whole, in the place of what was there, and leaves no other', async () => {
  await write('a', 'a longer text than the new one');
  await writeWhole(directory, 'a', 'new');
  expect(await readdir(directory)).toEqual(['a']);
});

describe('whose files a folder has', () => {
  it('an empty folder is nobody’s, and whoever comes first claims it', async () => {
    expect(await chainOfFolder(directory)).toBeNull();
    expect(await claimFolder(directory, ours)).toBeNull();
    expect(await chainOfFolder(directory)).toEqual({ ...ours, firstHeight: null });
    expect(await claimFolder(directory, ours)).toBeNull();
    await expect(claimFolder(directory, theirs)).rejects.toMatchObject({ code: 'STREAMS_OTHER_CHAIN' });
  });

  it.each(['', 'x', 'null', '7', '{}', '{"chain_id":"1","genesis_hash":"0x"}', '{"chain_id":1}'])(
    'a file that says %j is damaged',
    async (text) => {
      await write(chainFile, text);
      await expect(chainOfFolder(directory)).rejects.toEqual(damaged);
    },
  );
});

it.each([null, '', '{}', '{"format":1}', '{"format":2,"blocks":[]}', '{"format":1,"blocks":{}}'])(
  'what a manifest must not be: %j',
  async (text) => {
    if (text !== null) await write(manifestName('2026-02-28T12'), text);
    await expect(readManifest(directory, '2026-02-28T12')).rejects.toEqual(damaged);
    await write(manifestName('2026-02-28T12'), '{"format":1,"blocks":[]}');
    expect(await readManifest(directory, '2026-02-28T12')).toMatchObject({ format: 1 });
  },
);

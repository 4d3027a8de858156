import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { StreamsError } from '../../errors.ts';
import { decodeRecord } from '../../json.ts';
import type { ExportStore } from '../../ports.ts';
import type { StoredRecord } from '../../record.ts';
import type { Finding } from '../../verify/findings.ts';
import { chainFile, chainOfFolder, finishedName, growingName, hoursOf, manifestName, readManifest } from './folder.ts';
import { linesOf } from './lines.ts';

/**
 * Files of {@link createFilesSink}, as they are now; a process that goes on writing may go on.
 *
 * @throws StreamsError `STREAMS_NOTHING_STORED` for a folder that is none of streams, `STREAMS_STORE_DAMAGED`
 */
export async function openFilesStore(directory: string): Promise<ExportStore> {
  const chain = await chainOfFolder(directory);
  if (chain === null)
    throw new StreamsError(`${directory} is no folder of streams: there is no ${chainFile} in it`, {
      code: 'STREAMS_NOTHING_STORED',
      where: directory,
    });
  const { finished, growing, manifests } = await hoursOf(directory);
  const files = [...finished.map(finishedName), ...growing.map(growingName)];
  const to = await lastHeight(
    directory,
    finished.filter((hour) => manifests.has(hour)),
    growing,
  );
  return {
    where: directory,
    chain,
    range: to === null || chain.firstHeight === null ? null : { from: chain.firstHeight, to },
    async *ownFindings() {
      for (const hour of finished)
        if (manifests.has(hour)) yield* manifestFindings(directory, hour);
        else yield unreadable(`${finishedName(hour)} has no manifest`);
      for (const hour of manifests)
        if (!finished.includes(hour)) yield unreadable(`${manifestName(hour)} is there, and its file is not`);
    },
    async *records() {
      for (const name of files) yield* recordsIn(directory, name);
    },
    close: () => Promise.resolve(),
  };
}

const unreadable = (words: string): Finding => ({ kind: 'unreadable', id: null, words });

async function lastHeight(
  directory: string,
  finished: readonly string[],
  growing: readonly string[],
): Promise<number | null> {
  let last: number | null = null;
  const newest = finished.at(-1);
  if (newest !== undefined) last = (await readManifest(directory, newest)).blocks.at(-1)?.height ?? null;
  for (const hour of growing) {
    // Whatever is wrong in the middle of it is found later; here it is asked how far it says to be.
    for await (const { record } of recordsIn(directory, growingName(hour)))
      if (record?.type === 'block' && record.height > (last ?? -1)) last = record.height;
  }
  return last;
}

async function* manifestFindings(directory: string, hour: string): AsyncGenerator<Finding> {
  const manifest = await readManifest(directory, hour);
  const name = finishedName(hour);
  const hash = createHash('sha256');
  let [bytes, records] = [0, 0];
  for await (const { line, end } of linesOf(join(directory, name))) {
    hash.update(line).update('\n');
    bytes = end;
    records++;
  }
  if (records !== manifest.records)
    yield unreadable(`${name} has ${records} records, and its manifest says ${manifest.records}`);
  else if (bytes !== manifest.bytes || hash.digest('hex') !== manifest.sha256)
    yield unreadable(`${name} is not the file that its manifest was written for`);
}

async function* recordsIn(directory: string, name: string): AsyncGenerator<StoredRecord> {
  let number = 0;
  // The file may grow while it is read, and then it ends in the middle of a block.
  for await (const { line } of linesOf(join(directory, name))) {
    number++;
    const record = decodeRecord(line.toString('utf8'));
    const { height, index } = record ?? { height: 0, index: 0 };
    yield { height, index, record, place: `line ${number} of ${name}` };
  }
}

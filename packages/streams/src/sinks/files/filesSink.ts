import { createHash, type Hash } from 'node:crypto';
import { type FileHandle, mkdir, open, rename, truncate, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { damaged } from '../../errors.ts';
import { encodeRecord } from '../../json.ts';
import type { ChainIdentity, Cursor, Sink } from '../../ports.ts';
import type { BlockRecords } from '../../record.ts';
import {
  claimFolder,
  finishedName,
  growingName,
  hourOf,
  hoursOf,
  manifestName,
  readManifest,
  syncAndClose,
  syncFolder,
  writeChainFile,
  writeWhole,
} from './folder.ts';
import { readHour } from './lines.ts';
import { BlockSequence, type Manifest } from './manifest.ts';
import { writeParquet } from './parquet.ts';

/** An hour whose records are known. */
interface Hour {
  readonly hour: string;
  readonly sequence: BlockSequence;
  /** Over all lines. */
  readonly hash: Hash;
  bytes: number;
}

/** The hour that is being written. */
interface GrowingHour extends Hour {
  readonly handle: FileHandle;
}

/** Where the files stand, and in which forms. */
export interface FilesSinkOptions {
  readonly directory: string;
  /** Each finished hour is written as Parquet too, before its manifest. */
  readonly parquet: boolean;
}

/**
 * Files of NDJSON, one for each hour of block time. The hour that grows is called `.part`; what follows its last whole block is cut off at the next
 * start, so the files themselves say how far they are.
 */
export const createFilesSink = (options: FilesSinkOptions): Sink => new FilesSink(options);

class FilesSink implements Sink {
  readonly name = 'files';
  readonly #directory: string;
  readonly #parquet: boolean;
  #chain: ChainIdentity | null = null;
  #growing: GrowingHour | null = null;
  #firstHeight: number | null = null;

  constructor({ directory, parquet }: FilesSinkOptions) {
    this.#directory = directory;
    this.#parquet = parquet;
  }

  async open(chain: ChainIdentity): Promise<Cursor | null> {
    this.#chain = chain;
    await mkdir(this.#directory, { recursive: true });
    this.#firstHeight = await claimFolder(this.#directory, chain);
    const { finished, growing, manifests } = await hoursOf(this.#directory);
    for (const hour of finished) if (!manifests.has(hour)) await this.#describe(await this.#readFinished(hour));
    const [part, ...more] = growing;
    if (more.length > 0) throw damaged(this.#directory, `more than one hour grows: ${growing.join(', ')}`);
    if (part !== undefined) this.#growing = await this.#goOn(part);
    const newest = finished.at(-1);
    const earlierBlocks = newest === undefined ? [] : (await readManifest(this.#directory, newest)).blocks;
    const last = (this.#growing?.sequence.blocks ?? []).at(-1) ?? earlierBlocks.at(-1);
    return last === undefined ? null : { height: last.height, hash: last.hash };
  }

  async write(blocks: readonly BlockRecords[]): Promise<void> {
    for (const block of blocks) await this.#write(block);
  }

  async #write(block: BlockRecords): Promise<void> {
    if (this.#firstHeight === null) {
      await writeChainFile(this.#directory, this.#chain!, block.height);
      this.#firstHeight = block.height;
    }
    const hour = hourOf(block.timeMs);
    if (this.#growing !== null && this.#growing.hour !== hour) await this.#finish();
    this.#growing ??= await this.#begin(hour);
    const growing = this.#growing;
    const bytes = Buffer.from(block.records.map((record) => `${encodeRecord(record)}\n`).join(''), 'utf8');
    await growing.handle.writeFile(bytes);
    for (const record of block.records) growing.sequence.take(record);
    growing.hash.update(bytes);
    growing.bytes += bytes.length;
  }

  async close(): Promise<void> {
    const growing = this.#growing;
    this.#growing = null;
    await growing?.handle.close();
  }

  /** A file between its end and its manifest, where a process ended. */
  async #readFinished(hour: string): Promise<Hour> {
    const path = this.#path(finishedName(hour));
    const { sequence, hash, bytes, wrongLine } = await readHour(path);
    if (wrongLine !== null || sequence.records === 0)
      throw damaged(path, `line ${wrongLine ?? 1} is not the record that has to come there`);
    return { hour, sequence, hash, bytes };
  }

  async #goOn(hour: string): Promise<GrowingHour> {
    const path = this.#path(growingName(hour));
    const { sequence, hash, bytes } = await readHour(path);
    await truncate(path, bytes);
    return { hour, handle: await open(path, 'a'), sequence, hash, bytes };
  }

  async #begin(hour: string): Promise<GrowingHour> {
    const { finished } = await hoursOf(this.#directory);
    if (finished.includes(hour))
      throw damaged(this.#directory, `${finishedName(hour)} is finished, and its hour goes on`);
    const handle = await open(this.#path(growingName(hour)), 'a');
    await syncFolder(this.#directory);
    return { hour, handle, sequence: new BlockSequence(), hash: createHash('sha256'), bytes: 0 };
  }

  async #finish(): Promise<void> {
    const done = this.#growing!;
    this.#growing = null;
    const growing = this.#path(growingName(done.hour));
    await syncAndClose(done.handle);
    // Cut off to nothing at the start: its blocks are of a later hour by now.
    if (done.sequence.records === 0) return unlink(growing);
    await rename(growing, this.#path(finishedName(done.hour)));
    await syncFolder(this.#directory);
    await this.#describe(done);
  }

  /** Says that an hour is finished: with its manifest. */
  async #describe({ hour, sequence, hash, bytes }: Hour): Promise<void> {
    if (this.#parquet) await writeParquet(this.#directory, hour);
    const { chainId, genesisHash } = this.#chain!;
    const manifest: Manifest = {
      format: 1,
      chain_id: chainId,
      genesis_hash: genesisHash,
      file: finishedName(hour),
      records: sequence.records,
      bytes,
      sha256: hash.digest('hex'),
      first_id: sequence.ids.first!,
      last_id: sequence.ids.last!,
      blocks: sequence.blocks,
    };
    await writeWhole(this.#directory, manifestName(hour), `${JSON.stringify(manifest)}\n`);
  }

  #path(name: string): string {
    return join(this.#directory, name);
  }
}

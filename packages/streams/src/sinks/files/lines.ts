import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { decodeRecord } from '../../json.ts';
import { BlockSequence } from './manifest.ts';

const lineEnd = 0x0a;

/** Lines of a file with the place behind each, bytes. What stands behind the last line end is no line. */
export async function* linesOf(path: string): AsyncGenerator<{ readonly line: Buffer; readonly end: number }> {
  let unfinished: Buffer = Buffer.alloc(0);
  let end = 0;
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    let from = 0;
    for (;;) {
      const at = chunk.indexOf(lineEnd, from);
      if (at < 0) break;
      const line = Buffer.concat([unfinished, chunk.subarray(from, at)]);
      unfinished = Buffer.alloc(0);
      from = at + 1;
      end += line.length + 1;
      yield { line, end };
    }
    unfinished = Buffer.concat([unfinished, chunk.subarray(from)]);
  }
}

/** A file of records as far as it is whole blocks one after the other. */
export interface ReadHour {
  readonly sequence: BlockSequence;
  /** Bytes of the whole blocks; what stands behind them was not finished. */
  readonly bytes: number;
  /** Over those bytes. */
  readonly hash: Hash;
  readonly timeMs: number | null;
  /** Number of the line that is not what has to come there, from 1; null where all are. */
  readonly wrongLine: number | null;
}

/**
 * Reads a file of records and checks that they follow each other. It stops at the first that does not, and says its
 * line, from 1 on. Lines of a last block that is not whole are neither counted nor hashed.
 */
export async function readHour(path: string): Promise<ReadHour> {
  // Lines of the block that is not whole yet count for nothing: a sequence of its own follows them.
  const whole = new BlockSequence();
  const hash = createHash('sha256');
  let open: { line: Buffer; record: ReturnType<typeof decodeRecord> }[] = [];
  const ahead = new BlockSequence();
  let bytes = 0;
  let number = 0;
  let timeMs: number | null = null;
  for await (const { line, end } of linesOf(path)) {
    number++;
    const record = decodeRecord(line.toString('utf8'));
    const place = record === null ? 'wrong' : ahead.take(record);
    if (place === 'wrong') return { sequence: whole, bytes, hash, timeMs, wrongLine: number };
    open.push({ line, record });
    if (place === 'inside') continue;
    for (const each of open) {
      whole.take(each.record!);
      hash.update(each.line).update('\n');
    }
    open = [];
    bytes = end;
    timeMs = record!.time_ms;
  }
  return { sequence: whole, bytes, hash, timeMs, wrongLine: null };
}

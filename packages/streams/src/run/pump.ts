import { isFatal, StreamsError } from '../errors.ts';
import { backoffMs, pause } from '../pause.ts';
import type { BlockSource, Cursor, Sink, StreamsLog } from '../ports.ts';
import { type BlockRecords, recordsOf } from '../record.ts';
import type { StreamsMetrics } from './metrics.ts';

/** What carries blocks from a source into one sink; heights are block numbers, both ends included. */
export interface PumpOptions {
  readonly source: BlockSource;
  /** First block for a sink that holds nothing. */
  readonly from: number;
  /** Last block that is wanted; then it is done. Default: none. */
  readonly to?: number | undefined;
  readonly metrics: StreamsMetrics;
  readonly log: StreamsLog;
}

/** Blocks and records that are written together, at most; of a block with more records all are. */
export const [blocksTogetherMax, recordsTogetherMax] = [32, 4_000];

/**
 * Takes blocks into a sink, in their order, until the signal is aborted. Blocks that are there already are written together, so that a sink whose
 * writes take long is behind by the more blocks that each of them takes, and not for ever. The next ones are asked for when those before them are written: a
 * slow sink makes nothing wait in memory, and an absent one is tried again for as long as it takes.
 *
 * @throws StreamsError that {@link isFatal}
 */
export async function pump(sink: Sink, options: PumpOptions, signal: AbortSignal): Promise<void> {
  const { metrics, log } = options;
  const progress = { attempt: 0 };
  while (!signal.aborted)
    try {
      return await follow(sink, options, progress, signal);
    } catch (error) {
      if (isFatal(error)) throw error;
      progress.attempt++;
      metrics.sinkFailed(sink.name);
      const waitMs = backoffMs(progress.attempt);
      log.warn({ sink: sink.name, reason: reasonOf(error), attempt: progress.attempt, waitMs }, 'sink is not there');
      await pause(waitMs, signal);
    }
}

/** Errors of connections may have no words but their code. */
function reasonOf(error: unknown): string {
  const { message, code } = error as { readonly message?: string; readonly code?: string };
  return message === undefined || message === '' ? (code ?? String(error)) : message;
}

async function follow(
  sink: Sink,
  { source, from, to = Number.POSITIVE_INFINITY, metrics, log }: PumpOptions,
  progress: { attempt: number },
  signal: AbortSignal,
): Promise<void> {
  try {
    let cursor = await sink.open(source.chain);
    metrics.opened(sink.name, cursor?.height ?? null);
    log.info({ sink: sink.name, height: cursor?.height ?? null }, 'sink is open');
    for (;;) {
      const next = cursor === null ? from : cursor.height + 1;
      if (next > to) return;
      await source.until(next, signal);
      const blocks = await blocksFrom(source, next, to, signal);
      if (blocks === null) return;
      for (const block of blocks) {
        checkParent(sink, cursor, block.parentHash);
        cursor = { height: block.height, hash: block.hash };
      }
      await sink.write(blocks);
      progress.attempt = 0;
      metrics.wrote(sink.name, blocks.at(-1)!.height, { blocks: blocks.length, records: countOf(blocks) });
    }
  } finally {
    await sink.close().catch(() => undefined);
  }
}

/** The block at a height that there is, and those behind it as far as they are there too and may go together; null once the signal is aborted. */
async function blocksFrom(
  source: BlockSource,
  first: number,
  to: number,
  signal: AbortSignal,
): Promise<readonly BlockRecords[] | null> {
  const blocks: BlockRecords[] = [];
  const last = Math.min(Math.max(source.head, first), to, first + blocksTogetherMax - 1);
  for (let height = first; height <= last && countOf(blocks) < recordsTogetherMax; height++) {
    const block = signal.aborted ? null : await source.read(height, signal);
    if (block === null) return null;
    blocks.push(recordsOf(block));
  }
  return blocks;
}

const countOf = (blocks: readonly BlockRecords[]): number =>
  blocks.reduce((count, { records }) => count + records.length, 0);

/** Blocks are final: a parent that is not the block that was written is another chain, or a node that lies. */
function checkParent(sink: Sink, cursor: Cursor | null, parentHash: string): void {
  const { height = 0, hash = null } = cursor ?? {};
  if (hash === null || hash === parentHash) return;
  throw new StreamsError(
    `${sink.name} holds block ${height} as ${hash}, and the chain goes on from ${parentHash}: verify what was exported, and the nodes of source.urls`,
    { code: 'STREAMS_FORKED', sink: sink.name, height, found: parentHash, expected: hash },
  );
}

import { isFatal, StreamsError } from '../errors.ts';
import { backoffMs, pause } from '../pause.ts';
import type { BlockSource, Cursor, Sink, StreamsLog } from '../ports.ts';
import { recordsOf } from '../record.ts';
import type { StreamsMetrics } from './metrics.ts';

export interface PumpOptions {
  readonly source: BlockSource;
  /** First block for a sink that holds nothing. */
  readonly from: number;
  /** Last block that is wanted; then it is done. Default: none. */
  readonly to?: number | undefined;
  readonly metrics: StreamsMetrics;
  readonly log: StreamsLog;
}

/**
 * Takes blocks into a sink, one after the other, until the signal is aborted: it asks for the next block when the sink has taken the one before, so a
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
      const block = signal.aborted ? null : await source.read(next, signal);
      if (block === null) return;
      const records = recordsOf(block);
      checkParent(sink, cursor, records.parentHash);
      await sink.write(records);
      progress.attempt = 0;
      cursor = { height: next, hash: records.hash };
      metrics.wrote(sink.name, next, records.records.length);
    }
  } finally {
    await sink.close().catch(() => undefined);
  }
}

/** Blocks are final: a parent that is not the block that was written is another chain, or a node that lies. */
function checkParent(sink: Sink, cursor: Cursor | null, parentHash: string): void {
  const { height = 0, hash = null } = cursor ?? {};
  if (hash === null || hash === parentHash) return;
  throw new StreamsError(
    `${sink.name} holds block ${height} as ${hash}, and the chain goes on from ${parentHash}: verify what was exported, and the nodes of source.urls`,
    { code: 'STREAMS_FORKED', sink: sink.name, height, found: parentHash, expected: hash },
  );
}

import type { BlockSource, Sink, StreamsLog } from '../ports.ts';
import type { StreamsMetrics } from './metrics.ts';
import { pump } from './pump.ts';

/** One source and its sinks. `from` is the first block for a sink that holds nothing. */
export interface RunStreamsOptions {
  readonly source: BlockSource;
  readonly sinks: readonly Sink[];
  readonly from: number;
  /** Last block that is wanted; then it ends by itself. */
  readonly to?: number | undefined;
  readonly metrics: StreamsMetrics;
  readonly log: StreamsLog;
  /** Ends it between two blocks. */
  readonly signal: AbortSignal;
}

/**
 * Takes blocks into all sinks, each at its own pace, until the signal is aborted or the last block is there.
 *
 * @throws StreamsError of the first sink that needs a person; the others end between two blocks first
 */
export async function runStreams({ sinks, signal, ...options }: RunStreamsOptions): Promise<void> {
  const failed = new AbortController();
  const either = AbortSignal.any([signal, failed.signal]);
  const pumps = sinks.map(async (sink) => {
    try {
      await pump(sink, options, either);
    } catch (error) {
      failed.abort();
      throw error;
    }
  });
  const outcomes = await Promise.allSettled(pumps);
  const refused = outcomes.find((outcome) => outcome.status === 'rejected');
  if (refused !== undefined) throw refused.reason;
}

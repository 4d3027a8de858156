import { type LabelledMetric, type MetricReading, renderMetrics } from '@prime/telemetry';
import type { Sink } from '../ports.ts';

type SinkName = Sink['name'];

/** What became of one sink. */
interface SinkCount {
  height: number;
  blocks: number;
  records: number;
  failures: number;
  isUp: boolean;
}

/** What streams count. */
export class StreamsMetrics {
  readonly #sinks: ReadonlyMap<SinkName, SinkCount>;
  readonly #head: () => number;
  #sourceFailures = 0;

  /** @param head newest block that is known of */
  constructor(sinks: readonly SinkName[], head: () => number) {
    const none = { height: -1, blocks: 0, records: 0, failures: 0, isUp: false };
    this.#sinks = new Map(sinks.map((name) => [name, { ...none }]));
    this.#head = head;
  }

  /** A sink is open. @param height of the newest block that it holds; null for none */
  opened(sink: SinkName, height: number | null): void {
    const count = this.#sinks.get(sink)!;
    count.isUp = true;
    count.height = height ?? -1;
  }

  wrote(
    sink: SinkName,
    height: number,
    { blocks, records }: { readonly blocks: number; readonly records: number },
  ): void {
    const count = this.#sinks.get(sink)!;
    count.height = height;
    count.blocks += blocks;
    count.records += records;
  }

  sinkFailed(sink: SinkName): void {
    const count = this.#sinks.get(sink)!;
    count.isUp = false;
    count.failures++;
  }

  sourceFailed(): void {
    this.#sourceFailures++;
  }

  /** Prometheus text. */
  render(): Promise<string> {
    const head = this.#head();
    const of = (name: string, help: string, value: (count: SinkCount) => number): LabelledMetric => ({
      name,
      help,
      type: 'gauge',
      labelNames: ['sink'],
      read: () => [...this.#sinks].map(([sink, count]) => ({ labels: { sink }, value: value(count) })),
    });
    const counters = (name: string, help: string, value: (count: SinkCount) => number): MetricReading => ({
      name,
      help,
      type: 'counters',
      label: 'sink',
      counts: [...this.#sinks].map(([sink, count]) => [sink, value(count)]),
    });
    return renderMetrics(
      [
        { name: 'streams_head_height', help: 'Newest block that a node told of.', type: 'gauge', value: head },
        {
          name: 'streams_source_failures_total',
          help: 'Questions that no node answered.',
          type: 'counter',
          value: this.#sourceFailures,
        },
        counters('streams_blocks_total', 'Blocks written since the start.', ({ blocks }) => blocks),
        counters('streams_records_total', 'Records written since the start.', ({ records }) => records),
        counters('streams_sink_failures_total', 'Times that a sink was lost.', ({ failures }) => failures),
      ],
      [
        of('streams_sink_height', 'Newest block that a sink holds; -1 for none.', ({ height }) => height),
        of('streams_sink_lag_blocks', 'Blocks that a sink lacks.', ({ height }) => Math.max(0, head - height)),
        of('streams_sink_up', '1 while a sink takes blocks.', ({ isUp }) => (isUp ? 1 : 0)),
      ],
    );
  }
}

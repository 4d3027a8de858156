import { type Finding, finding } from '@prime/audit';
import { LatencyHistogram } from '../../histogram.ts';
import { processClock } from '../../openLoop.ts';
import type { RunReport } from '../../report/runReport.ts';
import { wallNowMs } from '../../stages/stageEndpoint.ts';
import { StageJoin } from '../../stages/stageJoin.ts';
import { type StagedNode, StageReader } from '../../stages/stageReader.ts';
import type { StreamTopic } from '../../subscribers/streamReader.ts';
import { Subscribers } from '../../subscribers/subscribers.ts';
import type { Entry } from '../verdict/ledger.ts';

/** Stamps that nodes take of a run's operations, joined with the run's own times. */
export class StageObserver {
  readonly #reader: StageReader;
  readonly #join: StageJoin;

  private constructor(nodes: readonly StagedNode[]) {
    this.#join = new StageJoin({ nodes: nodes.length, createRecorder: () => new LatencyHistogram() });
    this.#reader = new StageReader({ nodes, onStamps: (node, stamps) => this.#join.addStamps(node, stamps) });
  }

  static async start(nodes: readonly StagedNode[]): Promise<StageObserver> {
    const observer = new StageObserver(nodes);
    await observer.#reader.start();
    return observer;
  }

  /** @param entry with times of this process */
  told({ hash, url, scheduledMs, sentMs, endMs, told }: Entry): void {
    const wall = wallNowMs() - performance.now();
    this.#join.addOperation({
      hash,
      node: url,
      scheduledMs: scheduledMs + wall,
      sentMs: sentMs + wall,
      acknowledgedMs: told === 'acknowledged' ? endMs + wall : null,
    });
  }

  /** @param say told in words which nodes did not tell everything @returns null when none told anything */
  async stop(say: (line: string) => void): Promise<RunReport['stages']> {
    await this.#reader.stop();
    const standings = this.#reader.standings();
    for (const { name, trouble, lost } of standings) {
      if (trouble !== null) say(`stages of ${name}: ${trouble}`);
      if (lost > 0) say(`stages of ${name}: ${lost} stamps went out of its ring before they were read`);
    }
    const { rows } = this.#join.latencies(this.#reader.offsetsMs());
    if (rows.length === 0) return null;
    return {
      rows: [...rows],
      clocks: standings.flatMap(({ name, clock }) =>
        clock === null ? [] : [{ validator: name, offsetMs: clock.offsetMs, errorMs: clock.errorMs }],
      ),
    };
  }
}

/** Connections that subscribe and check what they are told while a run goes on. */
export interface ReadersOptions {
  readonly urls: readonly string[];
  readonly count: number;
  readonly streams: readonly ('orderBook' | 'trades' | 'commits')[];
  /** Ids of the markets that they keep. */
  readonly markets: readonly number[];
}

/** Clients of streams that keep order books while the run goes on, and check every message. */
export class Readers {
  readonly #subscribers: Subscribers;
  readonly #delivery = new LatencyHistogram();

  private constructor(subscribers: Subscribers) {
    this.#subscribers = subscribers;
  }

  /** @throws LoadError when one of them can not be opened */
  static async open({ urls, count, streams, markets }: ReadersOptions): Promise<Readers> {
    const topics = streams.flatMap((kind): StreamTopic[] =>
      kind === 'commits' ? [{ kind }] : markets.map((market) => ({ kind, market })),
    );
    const delivered: { record: (ms: number) => void } = { record: () => undefined };
    const readers = new Readers(
      await Subscribers.open({
        urls: urls.map((url) => url.replace(/^http/, 'ws')),
        readers: count,
        topicsOf: () => topics,
        clock: processClock,
        unixMs: wallNowMs,
        onDelivery: (_kind, ms) => delivered.record(ms),
      }),
    );
    delivered.record = (ms) => readers.#delivery.record(ms);
    return readers;
  }

  /** Ends them, and tells what they found wrong. */
  close(): Finding {
    const { open, messages, faults, firstFaults, lost, firstLost } = this.#subscribers.totals();
    this.#subscribers.close();
    const { p50Ms, p99Ms } = this.#delivery.percentiles();
    const all = Object.values(messages).reduce((sum, count) => sum + count, 0);
    const seen = `${open} connections, ${all} messages (${messages.orderBook} of books), each checked; after the time of its block p50 ${p50Ms.toFixed(0)} ms, p99 ${p99Ms.toFixed(0)} ms; ${lost} connections ended${firstLost.length === 0 ? '' : `: ${firstLost[0]}`}`;
    const more = faults > firstFaults.length ? [`${faults - firstFaults.length} more`] : [];
    const silent = all === 0 ? ['no message came'] : [];
    return finding('streams', seen, [...firstFaults, ...more, ...silent]);
  }
}

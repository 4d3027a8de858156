import { LatencyHistogram } from '../../histogram.ts';
import { lateMs } from '../../report/runReport.ts';
import type { Outcome } from './lanes.ts';
import { type KindTotals, type Outcomes, rowFields, rowOutcomes } from './messages.ts';

/** An operation from when it was due on; times are ms since the begin of the run. */
export interface Sent {
  readonly kind: string;
  /** Null for an operation without a hash. */
  readonly place: number | null;
  readonly dueMs: number;
  url: number;
  sentMs: number;
}

class KindLog {
  scheduled = 0;
  sent = 0;
  acknowledged = 0;
  refused = 0;
  unknown = 0;
  late = 0;
  readonly latency = new LatencyHistogram();
}

/** What came of a worker's operations since it was last told. */
export class OperationLog {
  #kinds = new Map<string, KindLog>();
  #rows: number[] = [];
  #errors = new Map<string, { readonly code: number; readonly words: string; count: number }>();
  #refusals = new Map<
    string,
    { readonly kind: string; readonly code: number; readonly words: string; count: number }
  >();
  #late = new LatencyHistogram();
  #latestMs = 0;

  /** @param behindMs how late the generator itself was to begin it */
  scheduled(kind: string, behindMs: number): void {
    this.#of(kind).scheduled++;
    this.#late.record(behindMs);
    this.#latestMs = Math.max(this.#latestMs, behindMs);
  }

  /** Of its first attempt. */
  sent({ kind, dueMs, sentMs }: Sent): void {
    const log = this.#of(kind);
    log.sent++;
    if (sentMs - dueMs > lateMs) log.late++;
  }

  /** An operation that was never sent: late for ever. */
  neverSent(kind: string): void {
    this.#of(kind).late++;
  }

  ended({ kind, place, url, dueMs, sentMs }: Sent, endMs: number, outcome: Outcome['kind']): void {
    const log = this.#of(kind);
    log[outcome]++;
    if (outcome === 'acknowledged') log.latency.record(endMs - dueMs);
    if (place !== null) this.#rows.push(place, url, dueMs, sentMs, endMs, rowOutcomes.indexOf(outcome));
  }

  /** One attempt that was refused or lost. */
  failed(code: number, message: string): void {
    const words = errorKind(message);
    const key = `${code} ${words}`;
    const known = this.#errors.get(key);
    if (known === undefined) this.#errors.set(key, { code, words, count: 1 });
    else known.count++;
  }

  /** An operation that is not sent again, or a fault of the node. */
  refused(kind: string, code: number, message: string): void {
    const key = `${kind} ${code}`;
    const known = this.#refusals.get(key);
    if (known === undefined) this.#refusals.set(key, { kind, code, words: errorKind(message), count: 1 });
    else known.count++;
  }

  /** Tells and begins anew. */
  take(now: Pick<Outcomes, 'underWay' | 'waiting' | 'up' | 'cpuSeconds'>): Outcomes {
    const kinds = [...this.#kinds].map(
      ([kind, { latency, ...counts }]): KindTotals => ({ kind, ...counts, latency: latency.encode() }),
    );
    const outcomes: Outcomes = {
      type: 'outcomes',
      rows: Float64Array.from(this.#rows),
      kinds,
      errors: [...this.#errors.values()],
      refusals: [...this.#refusals.values()],
      late: this.#late.encode(),
      latestMs: this.#latestMs,
      ...now,
    };
    this.#kinds = new Map();
    this.#rows = [];
    this.#errors = new Map();
    this.#refusals = new Map();
    this.#late = new LatencyHistogram();
    this.#latestMs = 0;
    return outcomes;
  }

  #of(kind: string): KindLog {
    const known = this.#kinds.get(kind);
    if (known !== undefined) return known;
    const log = new KindLog();
    this.#kinds.set(kind, log);
    return log;
  }
}

/** Numbers and hashes differ from one refusal to the next of the same kind. */
export const errorKind = (message: string): string =>
  message
    .replaceAll(/0x[0-9a-fA-F]+|\d+(?:\.\d+)?/g, (number) => (number.startsWith('0x') ? '0x…' : '…'))
    .slice(0, 160);

/** One row of {@link Outcomes.rows}. */
export type Row = Readonly<Record<(typeof rowFields)[number], number>>;

/** Rows of a message, one after the other. */
export function* rowsOf(rows: Float64Array): Generator<Row> {
  const width = rowFields.length;
  for (let from = 0; from < rows.length; from += width)
    yield Object.fromEntries(rowFields.map((field, index) => [field, rows[from + index]!])) as Row;
}

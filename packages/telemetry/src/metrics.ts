import { PrimeError } from '@prime/primitives';

/**
 * Metrics in shared memory: a thread counts with a plain store, the supervisor reads when Prometheus asks.
 *
 * A labelled prom-client observation costs about 600 ns and belongs to one thread; a slot here costs a few. Each metric is written
 * by one thread only, so no atomic operation is needed: aligned 64-bit stores are whole, and a reader that is a moment behind does
 * no harm.
 */
export type MetricDefinition =
  | { readonly type: 'counter' | 'gauge'; readonly help: string }
  | { readonly type: 'histogram'; readonly help: string; readonly buckets: readonly number[] };

/** Metric names (with their unit as suffix) to what they are. The order is the layout. */
export type MetricDefinitions = Readonly<Record<string, MetricDefinition>>;

type NamesOf<D extends MetricDefinitions, Type extends MetricDefinition['type']> = {
  [Name in keyof D]: D[Name]['type'] extends Type ? Name : never;
}[keyof D] &
  string;

/** The writing side, in any thread. */
export interface Metrics<D extends MetricDefinitions> {
  /** Adds to a counter. */
  add(name: NamesOf<D, 'counter'>, amount?: number): void;
  set(name: NamesOf<D, 'gauge'>, value: number): void;
  observe(name: NamesOf<D, 'histogram'>, value: number): void;
}

export class MetricsError extends PrimeError<{
  readonly code: 'METRICS_MEMORY_SIZE';
  readonly bytes: number;
  readonly expected: number;
}> {}

/** Slots of a metric: one for the value; for a histogram one per bucket, one beyond the last, and the sum. */
const slotsOf = (definition: MetricDefinition): number =>
  definition.type === 'histogram' ? definition.buckets.length + 2 : 1;

const layoutOf = (
  definitions: MetricDefinitions,
): { readonly offsets: ReadonlyMap<string, number>; readonly slots: number } => {
  const offsets = new Map<string, number>();
  let slots = 0;
  for (const [name, definition] of Object.entries(definitions)) {
    offsets.set(name, slots);
    slots += slotsOf(definition);
  }
  return { offsets, slots };
};

/** Memory for all metrics of a process, to be handed to its threads. */
export const allocateMetrics = (definitions: MetricDefinitions): SharedArrayBuffer =>
  new SharedArrayBuffer(layoutOf(definitions).slots * Float64Array.BYTES_PER_ELEMENT);

/** @throws MetricsError `METRICS_MEMORY_SIZE` when the memory was made for other definitions */
export function openMetrics<const D extends MetricDefinitions>(definitions: D, memory: SharedArrayBuffer): Metrics<D> {
  const { offsets } = layoutOf(definitions);
  const values = view(definitions, memory);
  const slot = (name: string): number => offsets.get(name)!;
  return {
    add(name, amount = 1) {
      values[slot(name)]! += amount;
    },
    set(name, value) {
      values[slot(name)] = value;
    },
    observe(name, value) {
      const definition = definitions[name]!;
      if (definition.type !== 'histogram') return;
      const { buckets } = definition;
      let bucket = 0;
      while (bucket < buckets.length && value > buckets[bucket]!) bucket++;
      const first = slot(name);
      values[first + bucket]! += 1;
      values[first + buckets.length + 1]! += value;
    },
  };
}

function view(definitions: MetricDefinitions, memory: SharedArrayBuffer): Float64Array {
  const expected = layoutOf(definitions).slots * Float64Array.BYTES_PER_ELEMENT;
  if (memory.byteLength !== expected)
    throw new MetricsError(`metrics memory has ${memory.byteLength} bytes, these definitions need ${expected}`, {
      code: 'METRICS_MEMORY_SIZE',
      bytes: memory.byteLength,
      expected,
    });
  return new Float64Array(memory);
}

/** One metric as read: a value, or cumulative bucket counts with their upper bounds. */
export type MetricReading =
  | { readonly name: string; readonly help: string; readonly type: 'counter' | 'gauge'; readonly value: number }
  | {
      readonly name: string;
      readonly help: string;
      readonly type: 'histogram';
      /** Upper bound to number of observations at or below it; the last bound is infinite. */
      readonly buckets: readonly (readonly [bound: number, count: number])[];
      readonly sum: number;
    };

/** What all threads have written so far. */
export function readMetrics(definitions: MetricDefinitions, memory: SharedArrayBuffer): MetricReading[] {
  const { offsets } = layoutOf(definitions);
  const values = view(definitions, memory);
  return Object.entries(definitions).map(([name, definition]): MetricReading => {
    const first = offsets.get(name)!;
    const { help } = definition;
    if (definition.type !== 'histogram') return { name, help, type: definition.type, value: values[first]! };
    let count = 0;
    const bounds = [...definition.buckets, Number.POSITIVE_INFINITY];
    const buckets = bounds.map((bound, index): readonly [number, number] => {
      count += values[first + index]!;
      return [bound, count];
    });
    return { name, help, type: 'histogram', buckets, sum: values[first + bounds.length]! };
  });
}

import { PrimeError } from '@prime/primitives';

/**
 * Metrics in shared memory: any thread counts with a plain store, the supervisor reads when Prometheus asks.
 *
 * A labelled prom-client observation costs about 600 ns and belongs to one thread; a slot here costs about 10 ns. Each opening of
 * the memory has a lane of its own, and a reading is the sum of the lanes. So a slot has one writer, and needs no atomic operation:
 * aligned 64-bit stores are whole, and a reader that is a moment behind does no harm. Atomics.add was refused because it knows
 * integers of 32 bits, which a counter of bytes passes, or bigints, which allocate. A gauge has no lanes: the last value counts.
 */
export type MetricDefinition =
  | { readonly type: 'counter' | 'gauge'; readonly help: string }
  | { readonly type: 'histogram'; readonly help: string; readonly buckets: readonly number[] }
  /** One counter for each value of a label. */
  | { readonly type: 'counters'; readonly help: string; readonly label: string; readonly values: readonly string[] }
  /** One histogram for each value of a label, with the same buckets. */
  | {
      readonly type: 'histograms';
      readonly help: string;
      readonly label: string;
      readonly values: readonly string[];
      readonly buckets: readonly number[];
    };

/** Metric names (with their unit as suffix) to what they are. The order is the layout. */
export type MetricDefinitions = Readonly<Record<string, MetricDefinition>>;

type LabelsOf<Definition extends MetricDefinition> = Definition extends { readonly values: readonly (infer Value)[] }
  ? Value
  : never;

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
  /** Into the histogram of a label's value. */
  observeOf<Name extends NamesOf<D, 'histograms'>>(name: Name, label: LabelsOf<D[Name]>, value: number): void;
  /** Adds to the counter of a label's value. */
  count<Name extends NamesOf<D, 'counters'>>(name: Name, value: LabelsOf<D[Name]>, amount?: number): void;
}

/** Sizes are in bytes of shared memory. */
export type MetricsErrorDetail =
  /** The memory was made for other definitions. */
  | { readonly code: 'METRICS_MEMORY_SIZE'; readonly bytes: number; readonly expected: number }
  /** The memory was opened more often than it has lanes. */
  | { readonly code: 'METRICS_LANES_EXHAUSTED'; readonly lanes: number };

/** Threads disagree on the definitions, or open the memory too often: a mistake of the program. */
export class MetricsError extends PrimeError<MetricsErrorDetail> {}

/** How often the memory may be opened: more than a process has threads, also when pools replace some. */
const lanes = 64;
/** Lanes begin at cache lines, so that threads do not fight for one. The line before the first holds the number of lanes given out. */
const lineSlots = 8;

/** Of a histogram: one per bucket, one beyond the last, and the sum. */
const histogramSlots = (buckets: readonly number[]): number => buckets.length + 2;

/** Slots of a metric: for each value of its label, or for the one that it has. */
function slotsOf(definition: MetricDefinition): number {
  const series = 'values' in definition ? definition.values.length : 1;
  return 'buckets' in definition ? series * histogramSlots(definition.buckets) : series;
}

const layoutOf = (
  definitions: MetricDefinitions,
): { readonly offsets: ReadonlyMap<string, number>; readonly slots: number } => {
  const offsets = new Map<string, number>();
  let slots = 0;
  for (const [name, definition] of Object.entries(definitions)) {
    offsets.set(name, slots);
    slots += slotsOf(definition);
  }
  return { offsets, slots: Math.ceil(slots / lineSlots) * lineSlots };
};

const bytesOf = (definitions: MetricDefinitions): number =>
  (lineSlots + lanes * layoutOf(definitions).slots) * Float64Array.BYTES_PER_ELEMENT;

/** Memory for all metrics of a process, to be handed to its threads. */
export const allocateMetrics = (definitions: MetricDefinitions): SharedArrayBuffer =>
  new SharedArrayBuffer(bytesOf(definitions));

/**
 * Opens the memory for writing; once per thread.
 *
 * @throws MetricsError `METRICS_MEMORY_SIZE` when the memory was made for other definitions, `METRICS_LANES_EXHAUSTED`
 */
export function openMetrics<const D extends MetricDefinitions>(definitions: D, memory: SharedArrayBuffer): Metrics<D> {
  const { offsets, slots } = layoutOf(definitions);
  const values = view(definitions, memory);
  const lane = Atomics.add(new Int32Array(memory, 0, 1), 0, 1);
  if (lane >= lanes)
    throw new MetricsError(`the metrics were opened more than ${lanes} times`, {
      code: 'METRICS_LANES_EXHAUSTED',
      lanes,
    });
  const start = lineSlots + lane * slots;
  const slot = (name: string): number => start + offsets.get(name)!;
  const observeAt = (first: number, buckets: readonly number[], value: number): void => {
    let bucket = 0;
    while (bucket < buckets.length && value > buckets[bucket]!) bucket++;
    values[first + bucket]! += 1;
    values[first + buckets.length + 1]! += value;
  };
  return {
    add(name, amount = 1) {
      values[slot(name)]! += amount;
    },
    set(name, value) {
      values[lineSlots + offsets.get(name)!] = value;
    },
    observe(name, value) {
      const { buckets } = definitions[name] as MetricDefinition & { readonly type: 'histogram' };
      observeAt(slot(name), buckets, value);
    },
    observeOf(name, label, value) {
      const { buckets, values: labels } = definitions[name] as MetricDefinition & { readonly type: 'histograms' };
      observeAt(slot(name) + labels.indexOf(label) * histogramSlots(buckets), buckets, value);
    },
    count(name, value, amount = 1) {
      const { values: labels } = definitions[name] as { readonly values: readonly string[] };
      values[slot(name) + labels.indexOf(value)]! += amount;
    },
  };
}

function view(definitions: MetricDefinitions, memory: SharedArrayBuffer): Float64Array {
  const expected = bytesOf(definitions);
  if (memory.byteLength !== expected)
    throw new MetricsError(`metrics memory has ${memory.byteLength} bytes, these definitions need ${expected}`, {
      code: 'METRICS_MEMORY_SIZE',
      bytes: memory.byteLength,
      expected,
    });
  return new Float64Array(memory);
}

/** What a histogram counted. */
export interface HistogramReading {
  /** Upper bound to number of observations at or below it; the last bound is infinite. */
  readonly buckets: readonly (readonly [bound: number, count: number])[];
  readonly sum: number;
}

/** One metric as read. */
export type MetricReading =
  | { readonly name: string; readonly help: string; readonly type: 'counter' | 'gauge'; readonly value: number }
  | (HistogramReading & { readonly name: string; readonly help: string; readonly type: 'histogram' })
  | {
      readonly name: string;
      readonly help: string;
      readonly type: 'counters';
      readonly label: string;
      readonly counts: readonly (readonly [value: string, count: number])[];
    }
  | {
      readonly name: string;
      readonly help: string;
      readonly type: 'histograms';
      readonly label: string;
      readonly series: readonly (readonly [value: string, read: HistogramReading])[];
    };

/**
 * What all threads have written so far.
 *
 * @throws MetricsError `METRICS_MEMORY_SIZE`
 */
export function readMetrics(definitions: MetricDefinitions, memory: SharedArrayBuffer): MetricReading[] {
  const { offsets, slots } = layoutOf(definitions);
  const values = view(definitions, memory);
  const opened = Math.min(Atomics.load(new Int32Array(memory, 0, 1), 0), lanes);
  const total = (offset: number): number => {
    let sum = 0;
    for (let lane = 0; lane < opened; lane++) sum += values[lineSlots + lane * slots + offset]!;
    return sum;
  };
  const histogram = (first: number, limits: readonly number[]): HistogramReading => {
    let count = 0;
    const bounds = [...limits, Number.POSITIVE_INFINITY];
    const buckets = bounds.map((bound, index): readonly [number, number] => {
      count += total(first + index);
      return [bound, count];
    });
    return { buckets, sum: total(first + bounds.length) };
  };
  return Object.entries(definitions).map(([name, definition]): MetricReading => {
    const first = offsets.get(name)!;
    const { help, type } = definition;
    switch (type) {
      case 'gauge':
        return { name, help, type, value: values[lineSlots + first]! };
      case 'counter':
        return { name, help, type, value: total(first) };
      case 'counters': {
        const counts = definition.values.map((value, index) => [value, total(first + index)] as const);
        return { name, help, type, label: definition.label, counts };
      }
      case 'histogram':
        return { name, help, type, ...histogram(first, definition.buckets) };
      case 'histograms': {
        const { buckets, label } = definition;
        const at = (index: number): number => first + index * histogramSlots(buckets);
        const series = definition.values.map((value, index) => [value, histogram(at(index), buckets)] as const);
        return { name, help, type, label, series };
      }
    }
  });
}

import type { RecordWrite } from '@prime/codec';
import { compareStrings } from '@prime/primitives';
import type { Scan, ScanDirection, StateDatabase } from '../ports.ts';

/** A {@link StateDatabase} in memory, for tests, benchmarks and tools: ordered, atomic, and gone when it is dropped. */
export interface MemoryDatabase extends StateDatabase {
  readonly size: number;
  /** Everything in it, in key order: what a test compares to see that nothing was written. */
  dump(): readonly (readonly [key: string, value: string])[];
}

/** A scan looks at all keys, so it is for small states. Values are kept as they are given, not copied. */
export function createMemoryDatabase(initial: readonly RecordWrite[] = []): MemoryDatabase {
  const values = new Map<string, Uint8Array>();
  const write = (writes: readonly RecordWrite[]): void => {
    for (const { key, value } of writes)
      if (value === null) values.delete(text(key));
      else values.set(text(key), value);
  };
  write(initial);
  return {
    get size() {
      return values.size;
    },
    dump: () =>
      [...values].map(([key, value]): [string, string] => [key, text(value)]).sort(([a], [b]) => compareStrings(a, b)),
    getSync: (key) => values.get(text(key)),
    getMany: async (keys) => keys.map((key) => values.get(text(key))),
    scan: (from, before, direction = 'up') => {
      const entries = entriesBetween(values, text(from), text(before));
      return scanOf(direction === 'up' ? entries : entries.toReversed(), direction);
    },
    async *entries(prefix) {
      const start = text(prefix);
      const keys = [...values.keys()].filter((key) => key.startsWith(start)).sort(compareStrings);
      for (const key of keys) yield [new Uint8Array(Buffer.from(key, 'latin1')), values.get(key)!];
    },
    write: async (writes) => write(writes),
    close: async () => undefined,
  };
}

type Entries = readonly (readonly [key: string, value: Uint8Array])[];

const entriesBetween = (values: ReadonlyMap<string, Uint8Array>, from: string, before: string): Entries =>
  [...values].filter(([key]) => key >= from && key < before).sort(([a], [b]) => compareStrings(a, b));

function scanOf(entries: Entries, direction: ScanDirection): Scan {
  let index = 0;
  return {
    seek(key) {
      const at = text(key);
      index = entries.findIndex(([other]) => (direction === 'up' ? other >= at : other <= at));
      if (index < 0) index = entries.length;
    },
    async next(count) {
      const found = entries.slice(index, index + count);
      index += found.length;
      return found.map(([key, value]) => [new Uint8Array(Buffer.from(key, 'latin1')), value] as const);
    },
    close: async () => undefined,
  };
}

/** One code unit per byte, so that keys sort like their bytes. */
const text = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');

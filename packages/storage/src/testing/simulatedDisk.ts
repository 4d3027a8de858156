import { assert, type Prng } from '@prime/primitives';
import type { FileLayer, StorageFile } from '../files/files.ts';

interface SimulatedFile {
  /** What survives a power cut for certain. */
  durable: Uint8Array;
  /** Since the last sync, in order; any part of any of them may survive. */
  pending: Change[];
}

type Change = { readonly offset: number; readonly bytes: Uint8Array } | { readonly size: number };

const sectorBytes = 32;
/** Of the sectors that were on their way when the power went, one in so many holds anything. */
const corruptionOdds = 12;

/** What became of writes that were not synced: a disk on which nothing goes wrong proves nothing. */
export interface DiskFaults {
  /** Writes that a killed process had done in part. */
  tornWrites: number;
  /** Sectors that a power cut took, with the older content back. */
  droppedSectors: number;
  /** Sectors that a power cut left with bytes that nobody wrote. */
  corruptedSectors: number;
}

/** A disk in memory that keeps what was synced and, of the rest, what a generator of random numbers decides. */
export class SimulatedDisk {
  readonly #files = new Map<string, SimulatedFile>();
  /** Operations until the process dies in the middle of one; null when it lives on. */
  failAfter: number | null = null;
  readonly #prng: Prng;
  writes = 0;
  syncs = 0;
  readonly faults: DiskFaults = { tornWrites: 0, droppedSectors: 0, corruptedSectors: 0 };

  constructor(prng: Prng) {
    this.#prng = prng;
  }

  get layer(): FileLayer {
    return {
      open: (path) => this.#open(path),
      create: (path, content) => {
        this.#step(() => undefined);
        this.#files.set(path, { durable: content.slice(), pending: [] });
      },
      makeFolder: () => undefined,
    };
  }

  /** The content as a process sees it. */
  content(path: string): Uint8Array {
    const file = this.#files.get(path);
    assert(file !== undefined, `there is no ${path}`);
    return applied(file.durable, file.pending);
  }

  /** What survives a power cut for certain: another array after each sync; null without the file. */
  durable(path: string): Uint8Array | null {
    return this.#files.get(path)?.durable ?? null;
  }

  /** Replaces the content, synced. */
  put(path: string, content: Uint8Array): void {
    this.#files.set(path, { durable: content.slice(), pending: [] });
  }

  remove(path: string): void {
    this.#files.delete(path);
  }

  /** Loses a random part, by sectors, of what was not synced, and leaves garbage in some. */
  powerCut(): void {
    for (const file of this.#files.values()) {
      const left = file.pending.flatMap(sectorsOf).flatMap((change) => this.#afterCut(change));
      file.durable = applied(file.durable, left);
      file.pending = [];
    }
  }

  #afterCut(change: Change): Change[] {
    if ('bytes' in change && this.#prng.chance(1, corruptionOdds)) {
      this.faults.corruptedSectors += 1;
      return [{ ...change, bytes: change.bytes.map(() => this.#prng.below(256)) }];
    }
    if (this.#prng.chance(1, 2)) return [change];
    this.faults.droppedSectors += 1;
    return [];
  }

  #open(path: string): StorageFile | null {
    const file = this.#files.get(path);
    if (file === undefined) return null;
    return {
      read: () => this.content(path).slice(),
      write: (bytes, offset) => {
        this.writes += 1;
        const copy = bytes.slice();
        const torn = copy.subarray(0, this.#prng.below(copy.length + 1));
        this.#step(() => {
          this.faults.tornWrites += 1;
          file.pending.push({ offset, bytes: torn });
        });
        file.pending.push({ offset, bytes: copy });
      },
      resize: (size) => {
        this.#step(() => undefined);
        file.pending.push({ size });
      },
      sync: () => {
        this.syncs += 1;
        this.#step(() => undefined);
        file.durable = this.content(path);
        file.pending = [];
      },
      close: () => undefined,
    };
  }

  #step(die: () => void): void {
    if (this.failAfter === null) return;
    if (this.failAfter > 0) {
      this.failAfter -= 1;
      return;
    }
    die();
    throw Object.assign(new Error('killed'), { code: 'KILLED' });
  }
}

/** A copy with the changes, in their order. */
function applied(content: Uint8Array, changes: readonly Change[]): Uint8Array {
  let size = content.length;
  let sizeMax = size;
  for (const change of changes) {
    size = 'size' in change ? change.size : Math.max(size, change.offset + change.bytes.length);
    sizeMax = Math.max(sizeMax, size);
  }
  const next = new Uint8Array(sizeMax);
  next.set(content);
  for (const change of changes)
    if ('size' in change) next.fill(0, change.size);
    else next.set(change.bytes, change.offset);
  return next.subarray(0, size);
}

function sectorsOf(change: Change): Change[] {
  if ('size' in change) return [change];
  const sectors: Change[] = [];
  const { offset, bytes } = change;
  for (let start = 0; start < bytes.length; ) {
    const end = Math.min(bytes.length, start + sectorBytes - ((offset + start) % sectorBytes));
    sectors.push({ offset: offset + start, bytes: bytes.subarray(start, end) });
    start = end;
  }
  return sectors;
}

import { assert, type Prng } from '@prime/primitives';
import type { FileLayer, StorageFile } from '../files.ts';

interface SimulatedFile {
  /** What survives a power cut for certain. */
  durable: Uint8Array;
  /** Since the last sync, in order; any part of any of them may survive. */
  pending: Change[];
}

type Change = { readonly offset: number; readonly bytes: Uint8Array } | { readonly size: number };

const sectorBytes = 32;

/** A disk in memory that keeps what was synced and, of the rest, what a generator of random numbers decides. */
export class SimulatedDisk {
  readonly #files = new Map<string, SimulatedFile>();
  /** Operations until the process dies in the middle of one; null when it lives on. */
  failAfter: number | null = null;
  readonly #prng: Prng;
  writes = 0;
  syncs = 0;

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
    return file.pending.reduce(applyChange, file.durable);
  }

  /** Replaces the content, synced. */
  put(path: string, content: Uint8Array): void {
    this.#files.set(path, { durable: content.slice(), pending: [] });
  }

  remove(path: string): void {
    this.#files.delete(path);
  }

  /** Loses a random part, by sectors, of what was not synced. */
  powerCut(): void {
    for (const file of this.#files.values()) {
      for (const change of file.pending.flatMap(sectorsOf))
        if (this.#prng.below(2) === 0) file.durable = applyChange(file.durable, change);
      file.pending = [];
    }
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
        this.#step(() => file.pending.push({ offset, bytes: torn }));
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

function applyChange(content: Uint8Array, change: Change): Uint8Array {
  const size = 'size' in change ? change.size : Math.max(content.length, change.offset + change.bytes.length);
  const next = new Uint8Array(size);
  next.set(content.subarray(0, size));
  if (!('size' in change)) next.set(change.bytes, change.offset);
  return next;
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

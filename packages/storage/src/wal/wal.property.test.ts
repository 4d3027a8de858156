import { expect, it } from '@jest/globals';
import { assert, createPrng, type Hash, type Height, isPrimeError, type Prng } from '@prime/primitives';
import type { Wal } from '@prime/engine';
import fc from 'fast-check';
import { SimulatedDisk } from '../testing/simulatedDisk.ts';
import { openWal } from './open.ts';

const genesisHash = `0x${'5a'.repeat(32)}` as Hash;
const text = (bytes: Uint8Array): string => Array.from(bytes).join(',');

interface HeightModel {
  readonly height: Height;
  /** All that was appended. */
  readonly entries: string[];
  /** How many of them a returned sync covers; -1 when not even the begin is covered. */
  synced: number;
}

/**
 * What may be found after a crash: the newest height of which a sync returned, or a later one that was on its way, with all
 * synced entries and any beginning of the others.
 */
class Model {
  heights: HeightModel[] = [];

  get newest(): HeightModel | null {
    return this.heights.at(-1) ?? null;
  }

  begin(height: Height): void {
    this.heights.push({ height, entries: [], synced: -1 });
  }

  check(found: ReturnType<Wal['replay']>): void {
    const covered = this.heights.findLast(({ synced }) => synced >= 0) ?? null;
    if (found === null) {
      assert(covered === null, `height ${covered?.height} was synced, nothing is found`);
      this.heights = [];
      return;
    }
    const model = this.heights.findLast(({ height }) => height === found.height);
    assert(model !== undefined, `height ${found.height} is found and was not begun`);
    assert(found.height >= (covered?.height ?? 0), `height ${covered?.height} was synced, ${found.height} is found`);
    const entries = found.entries.map(text);
    const prefix = entries.every((entry, index) => entry === model.entries[index]);
    assert(prefix && entries.length >= model.synced, `${model.synced} entries were synced, others are found`);
    this.heights = [{ height: found.height, entries, synced: entries.length }];
  }
}

type Step =
  | { readonly kind: 'begin' | 'sync' | 'close' | 'kill' | 'powerCut' }
  | { readonly kind: 'append'; readonly size: number }
  | { readonly kind: 'dieSoon'; readonly after: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.constant({ kind: 'begin' } as const) },
  { weight: 8, arbitrary: fc.record({ kind: fc.constant('append' as const), size: fc.nat(120) }) },
  { weight: 6, arbitrary: fc.constant({ kind: 'sync' } as const) },
  { weight: 1, arbitrary: fc.constant({ kind: 'close' } as const) },
  { weight: 1, arbitrary: fc.constant({ kind: 'kill' } as const) },
  { weight: 2, arbitrary: fc.constant({ kind: 'powerCut' } as const) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('dieSoon' as const), after: fc.nat(8) }) },
);

class Run {
  readonly #prng: Prng;
  readonly #disk: SimulatedDisk;
  readonly #model = new Model();
  #height = 0;
  #wal: Wal;

  constructor(seed: number) {
    this.#prng = createPrng(seed);
    this.#disk = new SimulatedDisk(this.#prng.fork());
    this.#wal = this.#open();
  }

  #open(): Wal {
    // Opening writes as well, when the log is new, and may be where the process dies.
    for (;;) {
      try {
        const wal = openWal('wal', { genesisHash, fileBytes: 256, files: this.#disk.layer });
        this.#model.check(wal.replay());
        return wal;
      } catch (error) {
        if (!isKill(error)) throw error;
        this.#crash();
      }
    }
  }

  #crash(): void {
    this.#disk.failAfter = null;
    if (this.#prng.chance(2, 3)) this.#disk.powerCut();
  }

  take(step: Step): void {
    try {
      this.#perform(step);
    } catch (error) {
      if (!isKill(error)) throw error;
      this.#crash();
      this.#wal = this.#open();
    }
  }

  /** Closes in order and opens once more: everything is there. */
  finish(): { readonly found: unknown; readonly expected: unknown } {
    this.#disk.failAfter = null;
    const { newest } = this.#model;
    this.#wal.close();
    this.#disk.powerCut();
    const found = openWal('wal', { genesisHash, fileBytes: 256, files: this.#disk.layer }).replay();
    return {
      found: found && { height: found.height, entries: found.entries.map(text) },
      expected: newest && { height: newest.height, entries: newest.entries },
    };
  }

  #perform(step: Step): void {
    const { newest } = this.#model;
    if (step.kind === 'begin') {
      this.#height += 1;
      this.#model.begin(this.#height as Height);
      this.#wal.beginHeight(this.#height as Height);
    } else if (step.kind === 'append' && newest !== null) {
      const bytes = Uint8Array.from({ length: step.size }, () => this.#prng.below(256));
      newest.entries.push(text(bytes));
      this.#wal.append(bytes);
    } else if (step.kind === 'sync') {
      this.#wal.sync();
      if (newest !== null) newest.synced = newest.entries.length;
    } else if (step.kind === 'dieSoon') this.#disk.failAfter = step.after;
    else if (step.kind === 'close') this.#closeAndOpen();
    else if (step.kind === 'kill') this.#wal = this.#open();
    else if (step.kind === 'powerCut') {
      this.#disk.powerCut();
      this.#wal = this.#open();
    }
  }

  #closeAndOpen(): void {
    this.#wal.close();
    const { newest } = this.#model;
    if (newest !== null) newest.synced = newest.entries.length;
    this.#wal = this.#open();
  }
}

const isKill = (error: unknown): boolean =>
  isPrimeError(error) && (error.detail as { readonly systemCode?: string }).systemCode === 'KILLED';

it('kills and power cuts at any point lose nothing that was synced, invent nothing, and never refuse to open', () => {
  fc.assert(
    fc.property(fc.integer(), fc.array(step, { minLength: 10, maxLength: 80 }), (seed, steps) => {
      const run = new Run(seed);
      for (const each of steps) run.take(each);
      const { found, expected } = run.finish();
      expect(found).toEqual(expected);
    }),
    { numRuns: 600 },
  );
});

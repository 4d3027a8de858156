import type { RecordWrite } from '@prime/codec';
import type { StateDatabase } from '@prime/evm';
import { createMemoryDatabase, type MemoryDatabase } from '@prime/evm/testing';
import type { Prng } from '@prime/primitives';

/**
 * A database on the simulated disk, as LevelDB keeps one: a batch is there as a whole or not at all, later batches never without the
 * earlier ones, and only those up to the last synced one survive a power cut for certain.
 */
export class SimulatedDatabase implements StateDatabase {
  #values: MemoryDatabase = createMemoryDatabase();
  readonly #prng: Prng;
  /** What takes back each batch that is not durable, oldest first. */
  #undo: (readonly RecordWrite[])[] = [];

  constructor(prng: Prng) {
    this.#prng = prng;
  }

  getSync(key: Uint8Array): Uint8Array | undefined {
    return this.#values.getSync(key);
  }

  getMany(keys: readonly Uint8Array[]): Promise<readonly (Uint8Array | undefined)[]> {
    return this.#values.getMany(keys);
  }

  scan(...range: Parameters<StateDatabase['scan']>): ReturnType<StateDatabase['scan']> {
    return this.#values.scan(...range);
  }

  entries(prefix: Uint8Array): ReturnType<StateDatabase['entries']> {
    return this.#values.entries(prefix);
  }

  /** Holds what another one does from now on, for good. */
  copyFrom(other: SimulatedDatabase): void {
    const bytes = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'latin1'));
    this.#values = createMemoryDatabase(
      other.#values.dump().map(([key, value]) => ({ key: bytes(key), value: bytes(value) })),
    );
    this.#undo = [];
  }

  async write(writes: readonly RecordWrite[], { sync }: { readonly sync: boolean }): Promise<void> {
    this.writeNow(writes, sync);
  }

  writeNow(writes: readonly RecordWrite[], sync: boolean): void {
    const before = writes.map(({ key }): RecordWrite => ({ key, value: this.#values.getSync(key) ?? null }));
    // Last write first, so that a key that a batch names twice gets back what it had before the batch.
    this.#undo.push(before.toReversed());
    void this.#values.write(writes, { sync });
    if (sync) this.#undo = [];
  }

  async close(): Promise<void> {
    // Every process opens it anew.
  }

  /** Loses any number of the newest batches that were not synced. @returns how many */
  powerCut(): number {
    const lost = this.#prng.below(this.#undo.length + 1);
    // The log of the database is in the memory of the system until it is synced: what is left of it counts from now on.
    for (let index = 0; index < lost; index++) void this.#values.write(this.#undo.pop()!, { sync: true });
    this.#undo = [];
    return lost;
  }
}

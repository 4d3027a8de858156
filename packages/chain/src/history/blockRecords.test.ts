import { describe, expect, it } from '@jest/globals';
import { heightKey, statePrefix } from '@prime/codec';
import { createMemoryDatabase } from '@prime/evm/testing';
import type { Height } from '@prime/primitives';
import { rememberingRecords, storedRecords } from './blockRecords.ts';

const keyOf = (height: number) => heightKey(statePrefix.events, height as Height);

/** A database of so many blocks with events of 10 bytes, and how often each of them was read. */
async function counted(blocks: number) {
  const database = createMemoryDatabase();
  const reads = Array<number>(blocks + 1).fill(0);
  for (let height = 1; height <= blocks; height++)
    await database.write([{ key: keyOf(height), value: new Uint8Array(10).fill(height) }], { sync: false });
  const getSync = (key: Uint8Array) => {
    reads[key.at(-1)!]!++;
    return database.getSync(key);
  };
  return { database, reads, counting: { ...database, getSync } };
}

describe('records of blocks that are read again and again', () => {
  it('are read once while they fit, and the one that was used longest ago goes first', async () => {
    const { counting, reads } = await counted(4);
    const remembering = rememberingRecords(counting, 30);
    const see = (...heights: number[]) =>
      heights.map((height) => storedRecords(remembering, height as Height).events?.[0] ?? null);
    expect(see(1, 2, 3, 1, 2, 3)).toEqual([1, 2, 3, 1, 2, 3]);
    expect(reads.slice(1)).toEqual([1, 1, 1, 0]);
    expect(see(1, 4, 1, 3, 2)).toEqual([1, 4, 1, 3, 2]);
    expect(reads.slice(1)).toEqual([1, 2, 1, 1]);
  });

  it('that are not there yet are asked for again', async () => {
    const { counting, database } = await counted(1);
    const remembering = rememberingRecords(counting, 30);
    expect(remembering.getSync(keyOf(2))).toBeUndefined();
    await database.write([{ key: keyOf(2), value: Uint8Array.of(7) }], { sync: false });
    expect(remembering.getSync(keyOf(2))).toEqual(Uint8Array.of(7));
  });

  it('larger than all that may be kept are told all the same', async () => {
    const { counting, reads } = await counted(1);
    const remembering = rememberingRecords(counting, 9);
    expect([remembering.getSync(keyOf(1)), remembering.getSync(keyOf(1))]).toHaveLength(2);
    expect(reads[1]).toBe(2);
  });

  it('are the only ones that are kept: heads and marks move', async () => {
    const database = createMemoryDatabase();
    const remembering = rememberingRecords(database, 100);
    const key = Uint8Array.of(statePrefix.meta, 1);
    for (const value of [Uint8Array.of(1), Uint8Array.of(2)]) {
      await database.write([{ key, value }], { sync: false });
      expect(remembering.getSync(key)).toEqual(value);
    }
  });
});

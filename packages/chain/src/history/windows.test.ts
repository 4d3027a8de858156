import { describe, expect, it } from '@jest/globals';
import { encodeBlockLogs, type Log, type Receipt, statePrefix } from '@prime/codec';
import type { MemoryDatabase } from '@prime/evm/testing';
import type { Address, Hash, Height } from '@prime/primitives';
import { indexedBlocks } from '../testing/indexedBlocks.ts';
import { oldestWrite } from './history.ts';
import { findLogs } from './historyIndex.ts';
import { readIndexed, windowDeletions, windowLimits } from './windows.ts';

/** How windows end, and how they go. */

const address = `0x${'1'.repeat(40)}` as Address;
const topicOf = (name: number): Hash => `0x${name.toString(16).padStart(64, '0')}` as Hash;
const logOf = (...topics: Hash[]): Log => ({ address, topics, data: new Uint8Array(0) });
const recordsOf = (logs: readonly Log[]) => ({ logs: encodeBlockLogs([{ logs, transactionIndex: 0 } as Receipt]) });

async function countOf({ entries }: MemoryDatabase, prefix: number): Promise<number> {
  let count = 0;
  for await (const _ of entries(Uint8Array.of(prefix))) count++;
  return count;
}

async function heightsOf(database: MemoryDatabase, topic: Hash, toHeight: number): Promise<number[]> {
  const found: number[] = [];
  for await (const { height } of findLogs(database, { addresses: [], topics: [[topic]] }, { fromHeight: 0, toHeight }))
    found.push(height);
  return found;
}

/** Deletes until nothing is left to delete. @returns how many deletions that took */
async function prune(database: MemoryDatabase, oldest: number): Promise<number> {
  for (let round = 0; ; round++) {
    const writes = await windowDeletions(database, oldest as Height);
    if (writes.length === 0) return round;
    await database.write(writes, { sync: false });
  }
}

describe('a window', () => {
  it.each([
    ['blocks', 2],
    ['bytes', 100],
    ['terms', 3],
    ['places', 4],
  ] as const)('ends with the block in which it has so many %s', async (name, most) => {
    // A block has its address and one topic: the second and later ones a new topic each.
    const blocks = [1, 2, 3, 4, 5].map((topic) => recordsOf([logOf(topicOf(topic))]));
    const indexed = (count: number) => indexedBlocks(blocks.slice(0, count), { ...windowLimits, [name]: most });
    const ends = await Promise.all([1, 2, 3, 4, 5].map(async (count) => readIndexed(await indexed(count))));
    expect(ends).toEqual([1, 3, 3, 5, 5]);
    const database = await indexed(5);
    expect(await heightsOf(database, topicOf(4), 9)).toEqual([4]);
    expect(await heightsOf(database, topicOf(5), 9)).toEqual([5]);
  });

  it('counts a term once that a block has twice at a place', async () => {
    const twice = recordsOf([logOf(topicOf(1), topicOf(1))]);
    const database = await indexedBlocks([twice, twice], { ...windowLimits, blocks: 2 });
    const terms = { addresses: [address], topics: [[topicOf(1)], [topicOf(1)]] };
    const found: object[] = [];
    for await (const place of findLogs(database, terms, { fromHeight: 1, toHeight: 2 })) found.push(place);
    expect(found).toEqual([
      { height: 1, positions: [0] },
      { height: 2, positions: [0] },
    ]);
  });

  it('stays as long as one of its blocks, and goes whole', async () => {
    const blocks = Array.from({ length: 8 }, (_, at) => recordsOf([logOf(topicOf(at))]));
    const database = await indexedBlocks(blocks, { ...windowLimits, blocks: 4 });
    const whole = await countOf(database, statePrefix.postings);
    expect(await prune(database, 4)).toBe(0);
    expect(await countOf(database, statePrefix.postings)).toBe(whole);
    expect(await prune(database, 5)).toBe(1);
    expect(await countOf(database, statePrefix.postings)).toBe(whole / 2);
    expect(await heightsOf(database, topicOf(7), 8)).toEqual([8]);
    await prune(database, 9);
    expect(await countOf(database, statePrefix.postings)).toBe(0);
    expect(await countOf(database, statePrefix.windowTerms)).toBe(0);
  });

  it.each([2047, 2048, 2049, windowLimits.terms - 1, windowLimits.terms, windowLimits.terms + 2050])(
    'of %d terms leaves nothing behind',
    async (terms) => {
      const logs = Array.from({ length: Math.ceil((terms - 1) / 4) }, (_, at) =>
        logOf(...[0, 1, 2, 3].filter((topic) => 4 * at + topic < terms - 1).map((topic) => topicOf(4 * at + topic))),
      );
      const database = await indexedBlocks([recordsOf(logs)], { ...windowLimits, blocks: 1 });
      expect(await countOf(database, statePrefix.postings)).toBe(terms);
      expect(await prune(database, 2)).toBe(terms > windowLimits.terms ? 2 : 1);
      expect(await countOf(database, statePrefix.postings)).toBe(0);
      expect(await countOf(database, statePrefix.windowTerms)).toBe(0);
    },
  );

  it('is made of the blocks that are kept where a process goes on behind what was deleted', async () => {
    const blocks = Array.from({ length: 6 }, (_, at) => recordsOf([logOf(topicOf(at % 2))]));
    const database = await indexedBlocks(blocks.slice(0, 3), { ...windowLimits, blocks: 4 });
    await database.write([oldestWrite('oldestBlock', 3 as Height)], { sync: false });
    expect(await heightsOf(database, topicOf(0), 3)).toEqual([3]);
  });
});

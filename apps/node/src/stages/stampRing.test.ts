import { Worker } from 'node:worker_threads';
import { describe, expect, it } from '@jest/globals';
import type { Hash } from '@prime/primitives';
import { allocateStampRing, LaneReader, LaneWriter, stampedStages } from './stampRing.ts';

const hash = (index: number): Hash => `0x${index.toString(16).padStart(16, '0')}${'ee'.repeat(24)}` as Hash;
const stored = (index: number): string => `0x${index.toString(16).padStart(16, '0')}`;

/** A lane with room for `stamps`, and a writer of stamps 1, 2, 3 … */
function open(stamps: number, thread: 'consensus' | 'evm' | 'gateway' = 'consensus') {
  const buffer = allocateStampRing(stamps, 0);
  const writer = new LaneWriter(buffer, thread);
  let written = 0;
  const write = (count: number): void => {
    for (let index = 0; index < count; index++) {
      written++;
      writer.write(written % stampedStages.length, written, hash(written), hash(written * 3), written * 5);
    }
  };
  return { buffer, write, reader: new LaneReader(buffer, thread) };
}
const heights = (reading: { readonly stamps: readonly { readonly height: number }[] }): number[] =>
  reading.stamps.map(({ height }) => height);
const range = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, index) => from + index);

describe('a lane of stamps', () => {
  it('gives back what was written: hashes by their first eight bytes, times of today exactly', () => {
    const buffer = allocateStampRing(4, 0);
    const writer = new LaneWriter(buffer, 'consensus');
    const item = `0xfedcba9876543210${'00'.repeat(24)}` as Hash;
    writer.write(stampedStages.indexOf('pooled'), 0, null, item, 1_900_000_000_123_457);
    writer.write(stampedStages.indexOf('delivered'), 9_007_199_254_740_991, item, null, 1);
    expect(new LaneReader(buffer, 'consensus').read(0, 10)).toEqual({
      stamps: [
        { stage: 'pooled', height: 0, block: null, item: '0xfedcba9876543210', atUs: 1_900_000_000_123_457 },
        { stage: 'delivered', height: 9_007_199_254_740_991, block: '0xfedcba9876543210', item: null, atUs: 1 },
      ],
      next: 2,
      lost: 0,
      more: false,
    });
  });

  for (const stamps of [1, 2, 7, 64])
    for (const [written, lost] of [
      [stamps - 1, 0],
      [stamps, 0],
      [stamps + 1, 1],
      [2 * stamps, stamps],
      [5 * stamps + 3, 4 * stamps + 3],
    ] as const)
      it(`room for ${stamps}, ${written} written: the newest are there, ${lost} are told as lost`, () => {
        const { write, reader } = open(stamps);
        write(written);
        const reading = reader.read(0, 1_000);
        expect(heights(reading)).toEqual(range(lost + 1, written));
        expect(reading).toMatchObject({ next: written, lost, more: false });
        for (const { height, block, item, atUs, stage } of reading.stamps)
          expect([block, item, atUs, stage]).toEqual([
            stored(height),
            stored(height * 3),
            height * 5,
            stampedStages[height % stampedStages.length],
          ]);
      });

  it('is read page by page, and goes on where the page before ended', () => {
    const { write, reader } = open(10);
    write(10);
    const first = reader.read(0, 4);
    expect([heights(first), first.more, first.next]).toEqual([range(1, 4), true, 4]);
    // The ring goes round past where the reader is: 5, 6 and 7 are gone.
    write(7);
    const second = reader.read(first.next, 4);
    expect([heights(second), second.lost, second.more]).toEqual([range(8, 11), 3, true]);
    const third = reader.read(second.next, 100);
    expect([heights(third), third.lost, third.more, third.next]).toEqual([range(12, 17), 0, false, 17]);
    expect(reader.read(third.next, 100)).toEqual({ stamps: [], next: 17, lost: 0, more: false });
  });

  it('a page of nothing moves nothing', () => {
    const { write, reader } = open(8);
    write(3);
    expect(reader.read(1, 0)).toEqual({ stamps: [], next: 1, lost: 0, more: true });
  });

  it('of one thread is apart from those of the others, which have room for 64 blocks at least', () => {
    const buffer = allocateStampRing(2, 0);
    const writers = (['consensus', 'evm', 'gateway'] as const).map((thread) => new LaneWriter(buffer, thread));
    for (const [index, writer] of writers.entries())
      for (let height = 1; height <= 100; height++) writer.write(index, height, null, null, 0);
    const read = (thread: 'consensus' | 'evm' | 'gateway') => new LaneReader(buffer, thread).read(0, 1_000);
    expect(heights(read('consensus'))).toEqual([99, 100]);
    expect([heights(read('evm')), heights(read('gateway'))]).toEqual([range(37, 100), range(37, 100)]);
    expect(new Set(read('evm').stamps.map(({ stage }) => stage))).toEqual(new Set([stampedStages[1]]));
  });

  it('a writer that begins anew in the same ring goes on after the one before', () => {
    const { buffer, write, reader } = open(4);
    write(3);
    new LaneWriter(buffer, 'consensus').write(0, 4, null, null, 0);
    expect(heights(reader.read(0, 10))).toEqual([1, 2, 3, 4]);
  });

  it('read while another thread writes: no stamp is mixed of two, none comes twice, and none is missing without being told', async () => {
    const [stamps, written] = [64, 300_000];
    const { buffer, reader } = open(stamps);
    const worker = new Worker(new URL('../testing/stampWriter.worker.js', import.meta.url), {
      workerData: { buffer, written },
    });
    let [after, lost, seen, previous] = [0, 0, 0, 0];
    let ended = false;
    worker.once('message', () => {
      ended = true;
    });
    const look = (): void => {
      const reading = reader.read(after, 50);
      after = reading.next;
      lost += reading.lost;
      for (const { height, block, item, atUs } of reading.stamps) {
        if (height <= previous || block !== stored(height) || item !== stored(height * 3) || atUs !== height * 5)
          throw new Error(`a mixed stamp: ${height} after ${previous}, ${block}, ${item}, ${atUs}`);
        previous = height;
        seen++;
      }
    };
    while (!ended || after < written) {
      for (let turn = 0; turn < 200; turn++) look();
      await new Promise((resolve) => setImmediate(resolve));
    }
    await worker.terminate();
    expect(seen + lost).toBe(written);
    expect(seen).toBeGreaterThanOrEqual(stamps);
  });

  it('memory is what was asked for, and little more', () => {
    expect(allocateStampRing(262_144, 0).byteLength).toBeLessThan(262_144 * 46);
    expect(() => new LaneReader(allocateStampRing(1, 0), 'clob' as 'evm')).toThrow('stamps nothing');
  });
});

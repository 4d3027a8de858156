import { describe, expect, it } from '@jest/globals';
import { type Block, type CommitOutcome, nativeTransactionBytesMax } from '@prime/codec';
import { BlockRoom } from './blockRoom.ts';

const kibibyte = 1024;
const bytesMax = 512 * kibibyte;
let nowMs = 0;
const clock = { monotonicMs: () => nowMs };
const options = {
  bytesMax,
  gasLimit: 30_000_000n,
  leastMs: 400,
  mostMs: 1_600,
  clock,
  log: { debug: () => undefined },
};
const executed = (actionBytes: number, waitedMs: number, gasUsed = 0n, besidesMs = 0) => ({
  actionBytes,
  waitedMs,
  gasUsed,
  besidesMs,
});

/** Of a node that has made full blocks in no time. */
function warmRoom(): BlockRoom {
  const room = new BlockRoom(options);
  for (let block = 0; block < 6; block++) room.onExecuted(executed(room.bytes, 1, BigInt(room.gas)));
  return room;
}

describe('the room of actions in a proposed block', () => {
  it('begins with a part of what a block may have, and is all of it once blocks are quick, until one takes longer than the target', () => {
    const room = new BlockRoom(options);
    expect([room.bytes, room.gas]).toEqual([bytesMax / 4, 7_500_000]);
    room.onExecuted(executed(bytesMax / 4, 200));
    room.onExecuted(executed(bytesMax / 2, 200));
    expect(room.bytes).toBe(bytesMax);
    room.onExecuted(executed(bytesMax, 400));
    expect(room.bytes).toBe(bytesMax);
    room.onExecuted(executed(bytesMax, 401));
    expect(room.bytes).toBeLessThan(bytesMax);
  });

  it('becomes what would have taken the target', () => {
    const room = warmRoom();
    room.onExecuted(executed(400 * kibibyte, 1_600));
    expect(room.bytes).toBe(100 * kibibyte);
    // One that is heavier for its size than the others.
    room.onExecuted(executed(90 * kibibyte, 450));
    expect(room.bytes).toBe(80 * kibibyte);
  });

  it('never falls below the largest action, and an empty block teaches nothing', () => {
    const room = warmRoom();
    room.onExecuted(executed(10, 60_000));
    expect(room.bytes).toBe(nativeTransactionBytesMax);
    room.onExecuted(executed(0, 60_000));
    room.onExecuted(executed(0, 0));
    expect(room.bytes).toBe(nativeTransactionBytesMax);
  });

  it('grows again with blocks that are full and quick, at most twofold, and not with small ones', () => {
    const room = warmRoom();
    room.onExecuted(executed(bytesMax, 60_000));
    room.onExecuted(executed(30 * kibibyte, 0));
    expect(room.bytes).toBe(64 * kibibyte);
    room.onExecuted(executed(64 * kibibyte, 0));
    expect(room.bytes).toBe(128 * kibibyte);
    room.onExecuted(executed(128 * kibibyte, 320));
    expect(room.bytes).toBe(160 * kibibyte);
    for (let block = 0; block < 5; block++) room.onExecuted(executed(room.bytes, 1));
    expect(room.bytes).toBe(bytesMax);
  });

  it('of transactions is learnt by their gas, beside that of actions', () => {
    const room = warmRoom();
    expect(room.gas).toBe(30_000_000);
    room.onExecuted(executed(0, 1_600, 20_000_000n));
    expect(room.gas).toBe(5_000_000);
    expect(room.bytes).toBe(bytesMax);
    room.onExecuted(executed(0, 400, 5_000_000n));
    expect(room.gas).toBe(5_000_000);
    room.onExecuted(executed(0, 100, 5_000_000n));
    expect(room.gas).toBe(10_000_000);
    // Half full of each, as it was at first: both took half of the time.
    const both = warmRoom();
    both.onExecuted(executed(bytesMax / 2, 1_600, 15_000_000n));
    expect([both.bytes, both.gas]).toEqual([bytesMax / 4, 7_500_000]);
  });

  it('is what takes half as long as the rest of a block where that is more, up to a bound', () => {
    const room = warmRoom();
    room.onExecuted(executed(0, 1_600, 16_000_000n, 802));
    expect(room.gas).toBe(4_010_000);
    const slow = warmRoom();
    slow.onExecuted(executed(0, 3_200, 16_000_000n, 60_000));
    expect(slow.gas).toBe(8_000_000);
  });

  it('of transactions is some at least, and no more than a block has', () => {
    const room = warmRoom();
    room.onExecuted(executed(0, 60_000, 21_000n));
    expect(room.gas).toBe(1_000_000);
    expect(new BlockRoom({ ...options, gasLimit: 500_000n }).gas).toBe(500_000);
  });

  it('is not taken away by transactions that take the time', () => {
    const room = warmRoom();
    room.onExecuted(executed(50 * kibibyte, 3_000, 30_000_000n));
    expect(room.bytes).toBe(bytesMax);
    room.onExecuted(executed(bytesMax, 3_000, 30_000_000n));
    expect(room.bytes).toBe(Math.floor((bytesMax * 400) / 1_500));
  });

  it('learns from the time between a decision and its commit', async () => {
    const room = warmRoom();
    const block = { actions: [new Uint8Array(100 * kibibyte), new Uint8Array(300 * kibibyte)] } as unknown as Block;
    await room.watch(block, async () => {
      nowMs += 1_600;
      return { height: 1, roots: { gasUsed: 0n } } as unknown as CommitOutcome;
    });
    expect(room.bytes).toBe(100 * kibibyte);
    await expect(room.watch(block, () => Promise.reject(new Error('a disk that is full')))).rejects.toThrow('full');
    expect(room.bytes).toBe(100 * kibibyte);
  });
});

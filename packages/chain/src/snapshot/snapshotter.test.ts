import { expect, it } from '@jest/globals';
import type { StoredBlock } from '@prime/codec';
import type { Height } from '@prime/primitives';
import { certificateOf, createTestChain, testGenesis } from '../testing/chain.ts';
import { createSnapshotter } from './snapshotter.ts';

/**
 * Runs as many blocks as are given.
 *
 * @param intervalBlocks between two snapshots
 * @param behind of each block
 * @returns heights of the snapshots that were taken
 */
async function takenWith(behind: readonly number[], intervalBlocks = 2): Promise<Height[]> {
  const chain = await createTestChain(testGenesis());
  const stored = new Map<Height, StoredBlock>();
  const taken: Height[] = [];
  const failures: unknown[] = [];
  const snapshotter = createSnapshotter({
    database: chain.database,
    blocks: { get: (height) => stored.get(height) ?? null, validators: () => ({ validators: [] }) },
    store: {
      async write(_height, chunks, manifest) {
        for await (const chunk of chunks) expect(chunk.length).toBeGreaterThan(0);
        manifest();
      },
      prune: () => undefined,
    },
    intervalBlocks,
    keep: 2,
    onTaken: (height) => taken.push(height),
    onFailed: (_height, error) => failures.push(error),
  });
  for (const blocks of behind) {
    const delta = await chain.run({});
    const { block, hash } = delta;
    const certificate = certificateOf({ ...delta, transactions: [], actions: [] });
    stored.set(block.header.height, { block, hash, certificate });
    snapshotter.onCommit(block, blocks);
    await new Promise((resolve) => setImmediate(resolve));
  }
  await snapshotter.settled();
  expect(failures).toEqual([]);
  return taken;
}

it('a snapshot is taken of every block at the interval', async () => {
  expect(await takenWith([0, 0, 0, 0, 0, 0, 0])).toEqual([2, 4, 6]);
});

it('the first one is of block 2: nobody stores who the validators of block 1 are', async () => {
  expect((await takenWith([0], 1)).length).toBe(0);
  expect((await takenWith([0, 0, 0], 1))[0]).toBe(2);
});

it('who catches up takes none', async () => {
  expect(await takenWith([7, 6, 5, 4, 3, 2, 1, 0])).toEqual([8]);
  expect(await takenWith([6, 5, 4, 3, 2, 1, 0])).toEqual([]);
  expect(await takenWith([2, 1, 0, 0])).toEqual([4]);
});

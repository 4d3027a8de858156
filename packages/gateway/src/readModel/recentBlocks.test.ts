import { describe, expect, it } from '@jest/globals';
import type { ActionResult } from '@prime/codec';
import type { Height } from '@prime/primitives';
import { FakeNode, hashOf } from '../testing/fakeNode.ts';
import { RecentBlocks } from './recentBlocks.ts';

const done: ActionResult = { ok: true, value: { type: 'done' } };
const refused: ActionResult = { ok: false, error: { code: 'CLOB_NONCE', message: 'nonce used', data: {} } };
const hash = hashOf('action');

/** Blocks with these results of the same action, with room for two of them. */
function open(...results: readonly (ActionResult | null)[]): RecentBlocks {
  const node = new FakeNode();
  const blocks = new RecentBlocks({ blocks: 2, bytes: 1 << 20 }, node.genesis, node.genesis, 1n);
  for (const result of results) blocks.add(node.commit({ actions: result === null ? [] : [{ hash, result }] }));
  return blocks;
}

describe('an action that a later block holds again, where it is refused for its nonce', () => {
  it('is where it stood first, with the result it had there', () => {
    const blocks = open(done, refused);
    expect(blocks.location(hash)).toEqual({ kind: 'action', height: 1 as Height, index: 0 });
    expect(blocks.executedAction(hash)).toMatchObject({ height: 1, result: done });
  });

  it('is not known here when the first block is no longer: the database knows it', () => {
    const blocks = open(done, null, refused);
    expect(blocks.location(hash)).toBeUndefined();
  });
});

it('an action refused for its nonce that was in no block before: who waits for it is answered', () => {
  expect(open(refused).executedAction(hash)).toMatchObject({ height: 1, result: refused });
  expect(open(refused, null, null).executedAction(hash)).toBeUndefined();
});

/** Of a block that has one. */
function actionBytes(): number {
  const node = new FakeNode();
  const blocks = new RecentBlocks({ blocks: 1, bytes: 0 }, node.genesis, node.genesis, 1n);
  blocks.add(node.commit({ actions: [{ hash: hashOf('one'), result: done }] }));
  return blocks.recent(1 as Height)!.bytes;
}

describe('bounds', () => {
  /** Heights that are kept after blocks of so many actions each, with room for five of them. */
  const kept = (...sizes: readonly number[]): number[] => {
    const node = new FakeNode();
    const blocks = new RecentBlocks({ blocks: 3, bytes: 5 * actionBytes() }, node.genesis, node.genesis, 1n);
    const names = sizes.map((size, block) => Array.from({ length: size }, (_, index) => hashOf(`${block} ${index}`)));
    for (const hashes of names)
      blocks.add(node.commit({ actions: hashes.map((name) => ({ hash: name, result: done })) }));
    const heights = sizes
      .map((_, block) => (block + 1) as Height)
      .filter((height) => blocks.recent(height) !== undefined);
    expect(blocks.oldest).toBe(heights[0]);
    const found = names.flat().filter((name) => blocks.location(name) !== undefined);
    expect(found).toEqual(names.slice(heights[0]! - 1).flat());
    return heights;
  };

  it('by number of blocks', () => {
    expect(kept(1, 1, 1)).toEqual([1, 2, 3]);
    expect(kept(1, 1, 1, 1)).toEqual([2, 3, 4]);
  });

  it('by what they hold, the newest always', () => {
    expect(kept(2, 3)).toEqual([1, 2]);
    expect(kept(2, 4)).toEqual([2]);
    expect(kept(1, 2, 6)).toEqual([3]);
    expect(kept(6)).toEqual([1]);
    expect(kept(6, 0)).toEqual([2]);
    expect(kept(6, 1, 1, 1)).toEqual([2, 3, 4]);
  });
});

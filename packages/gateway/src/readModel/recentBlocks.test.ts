import { describe, expect, it } from '@jest/globals';
import type { ActionResult } from '@prime/codec';
import type { Height } from '@prime/primitives';
import { FakeNode, hashOf } from '../testing/fakeNode.ts';
import { RecentBlocks } from './recentBlocks.ts';

const done: ActionResult = { ok: true, value: { type: 'done' } };
const refused = { ok: false, error: { code: 'CLOB_NONCE', message: 'nonce used' } } as unknown as ActionResult;
const hash = hashOf('action');

/** Blocks with these results of the same action, with room for two of them. */
function open(...results: readonly (ActionResult | null)[]): RecentBlocks {
  const node = new FakeNode();
  const blocks = new RecentBlocks(2, node.genesis, node.genesis, 1n);
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

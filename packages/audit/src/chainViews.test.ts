import { describe, expect, it } from '@jest/globals';
import { agreement, progress, readBlockClaims, readChainViews, roots } from './chainViews.ts';
import { hashOf } from './testing/blocks.ts';
import { FakeNode, fakeGenesis } from './testing/fakeNode.ts';

function nodeAt(head: number): FakeNode {
  const node = new FakeNode(fakeGenesis);
  node.head = head;
  node.answers.set('eth_getStorageAt', () => hashOf('orders'));
  return node;
}

describe('views of the chain', () => {
  it('of nodes that agree, from any height on', async () => {
    const nodes = [nodeAt(9), nodeAt(9)];
    const views = await readChainViews(nodes, { from: 5, to: 9 });
    const of = { names: ['a', 'b'], views, from: 5 };
    expect([agreement(of), roots(of)]).toEqual([
      { rule: 'agreement', seen: '5 blocks on 2 nodes', violations: [] },
      { rule: 'state and orders roots', seen: '10 state roots, 2 orders roots', violations: [] },
    ]);
  });

  it('of a node that does not answer are missing, and the rule says so', async () => {
    const gone = nodeAt(3);
    gone.answers.delete('eth_getStorageAt');
    const views = await readChainViews([nodeAt(3), gone], { from: 1, to: 3 });
    expect(views.map(({ validator }) => validator)).toEqual([0]);
    expect(agreement({ names: ['a', 'b'], views }).violations).toEqual(['b did not answer in the end']);
  });

  it('of no node at all are no blocks', () => {
    expect(agreement({ names: ['a'], views: [], from: 4 })).toEqual({
      rule: 'agreement',
      seen: '0 blocks on 0 nodes',
      violations: ['a did not answer in the end'],
    });
  });

  it('a node that keeps recent blocks alone is compared where it has them, and told of', async () => {
    const pruned = nodeAt(9);
    const shown = pruned.answers.get('eth_getBlockByNumber')! as (height: string) => object;
    const keeping = (oldest: number, code = 4444) =>
      pruned.answers.set('eth_getBlockByNumber', (height: string) => {
        if (Number(height) < oldest) throw Object.assign(new Error('pruned history unavailable'), { code });
        return shown(height);
      });
    const judged = async () => {
      const views = await readChainViews([nodeAt(9), pruned], { from: 4, to: 9 });
      return agreement({ names: ['a', 'b'], views, from: 4 });
    };
    for (const oldest of [0, 4]) {
      keeping(oldest);
      expect(await judged()).toEqual({ rule: 'agreement', seen: '6 blocks on 2 nodes', violations: [] });
    }
    for (const oldest of [5, 9]) {
      keeping(oldest);
      expect(await judged()).toEqual({
        rule: 'agreement',
        seen: `6 blocks on 2 nodes; b keeps blocks from ${oldest} on`,
        violations: [],
      });
    }
    // It deletes while it is asked: told, gone, about to be gone.
    pruned.answers.set('eth_getBlockByNumber', (height: string) => {
      if (height === '0x5') throw Object.assign(new Error('pruned history unavailable'), { code: 4444 });
      return height === '0x6' ? null : shown(height);
    });
    expect(await judged()).toMatchObject({ seen: '6 blocks on 2 nodes; b keeps blocks from 7 on', violations: [] });
    // Another refusal is no answer.
    keeping(5, -32_000);
    expect((await judged()).violations).toEqual(['b did not answer in the end']);
  });

  it('blocks that a node does not have are left out', async () => {
    const node = nodeAt(3);
    const shown = node.answers.get('eth_getBlockByNumber')! as (height: string) => object;
    node.answers.set('eth_getBlockByNumber', (height: string) => (height === '0x2' ? null : shown(height)));
    expect((await readBlockClaims(node.call, 1, 3)).map(({ height }) => height)).toEqual([1, 3]);
  });
});

describe('progress', () => {
  const at = (times: readonly number[]) => times.map((atMs, index) => ({ height: index + 7, atMs }));

  it('holds up to the longest pause that is allowed, and not a millisecond more', () => {
    expect(progress(at([0, 1000, 3000]), 2000)).toEqual({
      rule: 'progress',
      seen: '3 blocks, longest pause 2.0 s',
      violations: [],
    });
    expect(progress(at([0, 1000, 3001]), 2000).violations).toEqual([
      'no block for 2.0 s before block 9, at most 2.0 s',
    ]);
  });

  it('of one block or none has nothing to say', () => {
    for (const times of [[], [5]]) expect(progress(at(times), 1).violations).toEqual([]);
  });

  it('does not judge pauses that are excused', () => {
    const { seen, violations } = progress(at([0, 5000, 6000, 12_000]), 2000, (fromMs) => fromMs === 0);
    expect(seen).toBe('4 blocks, longest pause 6.0 s; 1 pauses were excused');
    expect(violations).toHaveLength(1);
  });
});

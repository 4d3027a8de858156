import { describe, expect, it } from '@jest/globals';
import type { AuditedNode } from '@prime/audit';
import type { Hash } from '@prime/primitives';
import { waitingInMempools } from './waiting.ts';

const hashOf = (index: number): Hash => `0x${index.toString(16).padStart(64, '0')}` as Hash;

/** A node that has some operations in its mempool, and some in blocks. */
function node(name: string, pooled: readonly number[], committed: readonly number[] = []): AuditedNode {
  const answers = new Map<unknown, unknown>([
    ...pooled.map((index) => [hashOf(index), { blockNumber: null }] as const),
    ...committed.map((index) => [hashOf(index), { blockNumber: '0x7' }] as const),
  ]);
  return { name, call: (_, [hash] = []) => Promise.resolve((answers.get(hash) ?? null) as never) };
}

describe('waitingInMempools', () => {
  it('finds what any node has in its mempool, and nothing that is in a block or nowhere', async () => {
    const asked = Array.from({ length: 30 }, (_, index) => hashOf(index));
    const nodes = [node('first', [1, 2], [5]), node('second', [2, 29])];
    expect([...(await waitingInMempools(nodes, asked))].toSorted()).toEqual([1, 2, 29].map(hashOf));
  });

  it('a node that ends meanwhile says nothing', async () => {
    const gone: AuditedNode = { name: 'gone', call: () => Promise.reject(new Error('no answer')) };
    expect([...(await waitingInMempools([gone, node('up', [3])], [hashOf(3), hashOf(4)]))]).toEqual([hashOf(3)]);
    expect((await waitingInMempools([gone], [hashOf(3)])).size).toBe(0);
  });
});

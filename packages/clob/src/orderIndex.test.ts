import { describe, expect, it } from '@jest/globals';
import { createPrng } from '@prime/primitives';
import { OrderIndex } from './orderIndex.ts';

describe('order index', () => {
  it.each([1, 2, 3])('holds what a plain map holds through growth and removals: seed %i', (seed) => {
    const random = createPrng(seed);
    const index = new OrderIndex();
    const plain = new Map<number, number>();
    const live: number[] = [];
    // Ids of one home too: multiples of 2^32 share the bits that the home is made of.
    const idOf = (step: number): number => (random.chance(1, 3) ? step * 2 ** 32 : step);
    for (let step = 1; step < 30_000; step++) {
      if (live.length === 0 || random.chance(step < 15_000 ? 2 : 1, 3)) {
        const id = idOf(step);
        if (plain.has(id)) continue;
        index.set(id, step);
        plain.set(id, step);
        live.push(id);
      } else {
        const at = random.below(live.length);
        const id = live[at]!;
        live[at] = live[live.length - 1]!;
        live.pop();
        index.delete(id);
        plain.delete(id);
        if (index.get(id) !== undefined) throw new Error(`order ${id} is still there in step ${step}`);
      }
      const asked = live[random.below(live.length + 1)] ?? step + 1;
      if (index.get(asked) !== plain.get(asked)) throw new Error(`order ${asked} differs in step ${step}`);
    }
    expect([...plain.keys()].map((id) => index.get(id))).toEqual([...plain.values()]);
    expect(index.size).toBe(plain.size);
  });

  it('has nothing under the id that no order has', () => {
    const index = new OrderIndex();
    index.set(1, 7);
    expect([index.get(0), index.get(2), index.get(1)]).toEqual([undefined, undefined, 7]);
  });
});

import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createHeap } from './heap.ts';

const ascending = (a: number, b: number): number => a - b;

describe('createHeap', () => {
  it('gives back what it was made of and what was pushed, the smallest first', () => {
    fc.assert(
      fc.property(fc.array(fc.integer()), fc.array(fc.integer()), (first, later) => {
        const heap = createHeap(ascending, [...first]);
        for (const item of later) heap.push(item);
        expect(heap.size).toBe(first.length + later.length);
        const out: number[] = [];
        while (heap.size > 0) {
          const top = heap.peek();
          expect(heap.pop()).toBe(top);
          out.push(top!);
        }
        expect(out).toEqual([...first, ...later].sort(ascending));
      }),
    );
  });

  it('an empty one has nothing on top', () => {
    const heap = createHeap(ascending);
    expect([heap.peek(), heap.pop(), heap.size]).toEqual([undefined, undefined, 0]);
  });
});

import { describe, expect, it } from '@jest/globals';
import { flatten, type TraceFrame } from './frames.ts';

const frame = (type: string, ...calls: readonly TraceFrame[]): TraceFrame => ({
  type,
  from: '0x0',
  gasUsed: '0x0',
  input: '0x',
  calls,
});
const root = frame('a', frame('b', frame('c')), frame('d'));

describe('calls of a transaction', () => {
  it('are listed in the order in which they were made, with how deep they are', () => {
    const { shown, more } = flatten(root, 10);
    expect(shown.map(({ frame: { type }, depth }) => `${type}${depth}`)).toEqual(['a0', 'b1', 'c2', 'd1']);
    expect(more).toBe(0);
  });

  it('beyond the limit are counted', () => {
    const { shown, more } = flatten(root, 2);
    expect(shown.map(({ frame: { type } }) => type)).toEqual(['a', 'b']);
    expect(more).toBe(2);
  });
});

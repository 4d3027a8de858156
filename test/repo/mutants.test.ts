import { describe, expect, it } from '@jest/globals';
import { allMutants } from '../mutants/allMutants.ts';
import { planted, problemOf } from '../mutants/mutant.ts';
import { root } from './repository.ts';

describe('planted errors', () => {
  it('each stands exactly once in the code that it is for, and has tests that are there', () => {
    expect(allMutants.map((mutant) => problemOf(root, mutant)).filter((problem) => problem !== null)).toEqual([]);
  });

  it('are sixty and more, over all packages that decide about money or what is believed, with names of their own', () => {
    expect(allMutants.length).toBeGreaterThanOrEqual(60);
    expect(new Set(allMutants.map(({ name }) => name)).size).toBe(allMutants.length);
    for (const name of ['clob', 'chain', 'mempool', 'gateway', 'evm', 'consensus', 'sdk'])
      expect([name, allMutants.filter(({ file }) => file.startsWith(`packages/${name}/`)).length > 5]).toEqual([
        name,
        true,
      ]);
  });

  it('are refused when their text is not there, or twice', () => {
    const mutant = { ...allMutants[0]!, text: 'a = 1;\n  b', planted: 'b' };
    expect(planted(mutant, 'x; a = 1;   b();')).toBe('x; b();');
    expect(() => planted(mutant, 'x;')).toThrow('stands 0 times');
    expect(() => planted(mutant, 'a = 1; b; a = 1; b')).toThrow('stands 2 times');
  });
});

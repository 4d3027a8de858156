import { describe, expect, it } from '@jest/globals';
import { blockPrefix, statePrefix } from './databaseKeys.ts';

describe('keys of the databases', () => {
  it.each([
    ['state', statePrefix],
    ['blocks', blockPrefix],
  ])('%s: no two kinds begin alike', (_name, prefixes) => {
    const bytes = Object.values(prefixes);
    expect(new Set(bytes).size).toBe(bytes.length);
  });
});

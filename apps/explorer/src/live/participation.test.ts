import { describe, expect, it } from '@jest/globals';
import type { NativeBlockHead } from '@prime/sdk';
import { isUp, signedShare } from './participation.ts';

const block = (signers: readonly string[]): NativeBlockHead =>
  ({ commit: { round: 0, signers } }) as unknown as NativeBlockHead;
const nobody: ReadonlyMap<string, number> = new Map();
const genesis = { commit: null } as NativeBlockHead;

describe('who signs', () => {
  it('is told by the certificates that there are; genesis has none', () => {
    expect(signedShare('a', [block(['a', 'b']), block(['b']), genesis])).toBe(0.5);
    expect(signedShare('a', [genesis])).toBeNull();
    expect(signedShare('a', [])).toBeNull();
  });

  it('is up who is in one of the latest twelve, and not who was in one before them', () => {
    const missing = Array.from({ length: 11 }, () => block(['b']));
    expect(isUp('a', [...missing, block(['a'])], nobody)).toBe(true);
    expect(isUp('a', [...missing, block(['b']), block(['a'])], nobody)).toBe(false);
    expect(isUp('a', [], nobody)).toBe(false);
  });

  it('is down at once who left the node and is not in the newest block, and soon who left it', () => {
    const left = (looks: number): ReadonlyMap<string, number> => new Map([['a', looks]]);
    const [signed, unsigned] = [block(['a', 'b']), block(['b'])];
    expect(isUp('a', [unsigned, signed], left(1))).toBe(false);
    expect(isUp('a', [signed, signed], left(1))).toBe(true);
    expect(isUp('a', [signed, signed], left(2))).toBe(false);
    expect(isUp('a', [signed, signed], left(0))).toBe(true);
  });
});

import { describe, expect, it } from '@jest/globals';
import type { NativeBlockHead } from '@prime/sdk';
import { isUp, signedShare } from './participation.ts';

const block = (signers: readonly string[]): NativeBlockHead =>
  ({ commit: { round: 0, signers } }) as unknown as NativeBlockHead;
const genesis = { commit: null } as NativeBlockHead;

describe('who signs', () => {
  it('is told by the certificates that there are; genesis has none', () => {
    expect(signedShare('a', [block(['a', 'b']), block(['b']), genesis])).toBe(0.5);
    expect(signedShare('a', [genesis])).toBeNull();
    expect(signedShare('a', [])).toBeNull();
  });

  it('is up who is in one of the latest twelve, and not who was in one before them', () => {
    const missing = Array.from({ length: 11 }, () => block(['b']));
    expect(isUp('a', [...missing, block(['a'])])).toBe(true);
    expect(isUp('a', [...missing, block(['b']), block(['a'])])).toBe(false);
    expect(isUp('a', [])).toBe(false);
  });
});

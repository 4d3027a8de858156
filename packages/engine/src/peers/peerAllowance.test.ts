import { describe, expect, it } from '@jest/globals';
import type { Address } from '@prime/primitives';
import { PeerAllowance } from './peerAllowance.ts';

const [one, two] = ['0x01', '0x02'] as unknown as [Address, Address];

describe('what a peer may ask for in a second', () => {
  it('so much and no more, each peer by itself, and again when the second is over', () => {
    const allowance = new PeerAllowance(3);
    const took = (peer: Address, nowMs: number, times: number): number =>
      Array.from({ length: times }, () => allowance.take(peer, nowMs)).filter(Boolean).length;
    expect(took(one, 5, 10)).toBe(3);
    expect(took(two, 5, 10)).toBe(3);
    expect(took(one, 1_004, 10)).toBe(0);
    expect(took(one, 1_005, 10)).toBe(3);
    allowance.forget(one);
    expect(took(one, 1_006, 10)).toBe(3);
  });
});

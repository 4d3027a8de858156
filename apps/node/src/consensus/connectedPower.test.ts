import { describe, expect, it } from '@jest/globals';
import type { NetworkStatus } from '@prime/engine';
import type { Address } from '@prime/primitives';
import { connectedPower, missingPower } from './connectedPower.ts';

const address = (index: number): Address => `0x${String(index).padStart(40, '0')}` as Address;
const validators = { validators: [10n, 20n, 30n].map((power, index) => ({ address: address(index), power })) };
const standing = (reachable: readonly number[], self: number | null) =>
  ({
    validators,
    reachable: reachable.map(address),
    self: self === null ? null : address(self),
  }) as unknown as NetworkStatus;

describe('voting power', () => {
  it('that is connected: the own one counts, once, and nobody who is not in the set', () => {
    expect(connectedPower(standing([1, 9], 0))).toEqual({ connectedPower: '30', totalPower: '60' });
    expect(connectedPower(standing([0, 1], 0))).toEqual({ connectedPower: '30', totalPower: '60' });
    expect(connectedPower(standing([2], null))).toEqual({ connectedPower: '30', totalPower: '60' });
  });

  it('that is missing: of who did not sign; nobody is before the first block', () => {
    expect(missingPower(standing([], 0), new Set([address(0), address(2)]))).toEqual({
      missing: [address(1)],
      missingPower: '20',
    });
    expect(missingPower(standing([], 0), null)).toEqual({ missing: [], missingPower: '0' });
  });
});

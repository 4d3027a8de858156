import { describe, expect, it } from '@jest/globals';
import type { Address } from '@prime/primitives';
import fc from 'fast-check';
import { addressOf } from '../testing/fakeNode.ts';
import { HotAccounts } from './hotAccounts.ts';

const addresses = Array.from({ length: 9 }, (_, index) => addressOf(`account ${index}`));
const anyAddress = fc.constantFrom(...addresses);
const anyStep = fc.oneof(
  fc.record({ kind: fc.constant('ask' as const), address: anyAddress }),
  fc.record({ kind: fc.constant('block' as const), address: anyAddress, nonce: fc.nat({ max: 99 }) }),
);

describe('hot accounts', () => {
  it('never show anything but the state at the head, whatever was asked for and changed', () => {
    fc.assert(
      fc.property(fc.array(anyStep, { maxLength: 60 }), fc.constantFrom(2, 4, 6), (steps, capacity) => {
        const hot = new HotAccounts(capacity);
        const head = new Map<Address, number>(addresses.map((address) => [address, 0]));
        for (const step of steps) {
          if (step.kind === 'block') {
            head.set(step.address, step.nonce);
            hot.apply([{ address: step.address, nonce: step.nonce, balance: 0n }]);
            continue;
          }
          const shown = hot.get(step.address);
          const nonce = head.get(step.address)!;
          if (shown === undefined) hot.put(step.address, { nonce, balance: 0n });
          else expect(shown.nonce).toBe(nonce);
        }
        const kept = addresses.filter((address) => new Set([hot.get(address)]).has(undefined) === false);
        expect(kept.length).toBeLessThanOrEqual(capacity);
      }),
    );
  });

  it('keep what is asked for all the time while others come and go', () => {
    const hot = new HotAccounts(4);
    const [favourite, ...others] = addresses as [Address, ...Address[]];
    hot.put(favourite, { nonce: 7, balance: 1n });
    for (const address of others) {
      expect(hot.get(favourite)).toMatchObject({ nonce: 7 });
      hot.put(address, { nonce: 0, balance: 0n });
    }
    expect(hot.get(others[0]!)).toBeUndefined();
  });
});

import { describe, expect, it } from '@jest/globals';
import { encodeActionResults, encodeEvents } from '@prime/codec';
import { keccakHexOf } from '@prime/crypto';
import { createPrng, utf8ToBytes } from '@prime/primitives';
import { createHarness, startMs } from './testing/harness.ts';
import { randomBlock } from './testing/streams.ts';

describe('a network whose genesis says nothing about fees, tiers and funding', () => {
  it('has the results, events, records and roots that it had before there were any', () => {
    const harness = createHarness({ params: { maxOpenOrders: 6, autoLiquidatePerBlock: 1, autoDequeue: true } });
    const random = createPrng(77);
    const seen: Uint8Array[] = [];
    const roots: Uint8Array[] = [];
    for (let block = 1; block <= 400; block++) {
      const timeMs = startMs + block * 60_000;
      const center = 60 + ((block * 7) % 90);
      const options = { nowSeconds: Math.floor(timeMs / 1000), risky: true, center };
      const { results, events, writes, ordersRoot } = harness.block(randomBlock(random, 8, options), timeMs);
      seen.push(encodeActionResults(results), encodeEvents(events));
      roots.push(utf8ToBytes(ordersRoot));
      for (const { key, value } of writes) seen.push(key, value ?? Uint8Array.of(0));
    }
    // Made by the version before there were any: a difference here is a fork of every network that runs.
    expect(keccakHexOf(seen)).toBe('0x5af0c88b7bbb0c9160ad2e3fd31da18c55436f006413723efe4ebd37e77e32c8');
    // Made when orders came to share leaves, which changed the roots and nothing else (ADR 0111).
    expect(keccakHexOf(roots)).toBe('0x101e823f89aa8e2c7078c0731e411e25ab60108bbced405840293d63fd96d2c5');
  });
});

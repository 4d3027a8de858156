import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Testnet } from '@prime/testkit';
import { fuzz } from './fuzz.ts';
import { fuzzNetwork } from './network.ts';

/** The small, fixed part of `npm run fuzz:rpc`; `FUZZ_SEED=` takes another seed. */
const seed = Number(process.env['FUZZ_SEED'] ?? 1);
/** A node at rest has some 200 MB; caches and garbage of a few thousand requests add to that, a leak would add more. */
const memoryGrowthMbMax = 700;

let network: { readonly testnet: Testnet; readonly pid: number };
beforeAll(async () => {
  network = await fuzzNetwork();
});
afterAll(() => network.testnet.destroy());

describe('requests that are almost right', () => {
  it('are all answered, with JSON and without an internal error, and the node lives on', async () => {
    const url = network.testnet.url(0);
    const result = await fuzz({ url, seed, requests: 3_000, timeMs: 45_000, pid: network.pid });
    expect({ seed, faults: result.faults }).toEqual({ seed, faults: [] });
    expect(network.testnet.running(0)).toBe(true);
    expect(result.requests).toBeGreaterThan(300);
    expect(result.outcomes['result']).toBeGreaterThan(0);
    expect(result.outcomes['-32602']).toBeGreaterThan(0);
    const [before, most] = result.memoryMb;
    expect(most - before).toBeLessThan(memoryGrowthMbMax);
  });
});

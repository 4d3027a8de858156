import { expect, it } from '@jest/globals';
import { createCryptoProvider } from '@prime/crypto';
import { simulateNetwork, wanOptions } from '../simulateNetwork.ts';
import { measureWan, oneWayMs, type WanProfile, type WanResult, wanProfiles } from './wan.ts';

const crypto = await createCryptoProvider();
const measure = (profile: WanProfile): Promise<WanResult> =>
  measureWan(profile, 4, (changes) => simulateNetwork({ ...wanOptions(changes), blocksAfterFaults: 30 }, crypto));

it('validators on several continents: three distances to a quorum, and a little for the work', async () => {
  const { violation, commitMs, blocksPerSecond } = await measure('atlantic');
  expect(violation).toBeNull();
  // The proposal and two rounds of votes; the nearest quorum is not as far away as the farthest validator.
  const farthest = Math.max(...[0, 1, 2, 3].map((to) => oneWayMs('atlantic', 0, to)));
  expect(commitMs.p50).toBeGreaterThan(farthest);
  expect(commitMs.p99).toBeLessThan(3 * 1.1 * Math.max(farthest, oneWayMs('atlantic', 1, 3)) + 50);
  // No round fails, so that nothing but the pace of blocks and the distance decides.
  expect(blocksPerSecond).toBeGreaterThan(2);
});

it('the distances are those of a map: the same both ways, and more than nothing', () => {
  for (const profile of Object.keys(wanProfiles) as WanProfile[])
    for (let from = 0; from < 7; from++)
      for (let to = 0; to < 7; to++) {
        expect(oneWayMs(profile, from, to)).toBe(oneWayMs(profile, to, from));
        expect(oneWayMs(profile, from, to)).toBeGreaterThan(0);
      }
});

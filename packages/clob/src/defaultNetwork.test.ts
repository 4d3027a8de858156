import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { type DefaultNetwork, runDefaultNetwork } from './testing/defaultNetwork.ts';

describe('a network whose genesis says nothing about fees, tiers and funding', () => {
  it('has the results, events, records and roots that are recorded', () => {
    const text = readFileSync(new URL('../testdata/defaultNetwork.json', import.meta.url), 'utf8');
    // A difference is another protocol: `npm run vectors:approve` takes it, and the commit says what it is.
    expect(runDefaultNetwork()).toEqual(JSON.parse(text) as DefaultNetwork);
  });
});

import { describe, expect, it } from '@jest/globals';
import { loadConfig } from '@prime/config';
import { defaultLimits } from '@prime/network';
import { networkLimits } from './networkLimits.ts';

describe('limits of the transport', () => {
  it('the defaults of the configuration are those of the network package', () => {
    expect({ ...defaultLimits, ...networkLimits(loadConfig().config) }).toEqual(defaultLimits);
  });

  it('every key changes one of them', () => {
    const base = JSON.stringify(networkLimits(loadConfig().config));
    const isPlace = /^(listen|advertise|dialPolicy|peers|sentries|privatePeers|followers)$/;
    const { p2p } = loadConfig().config;
    for (const key of Object.keys(p2p).filter((name) => !isPlace.test(name))) {
      const snake = key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
      const changed = loadConfig({ flags: { [`p2p.${snake}`]: '7' } }).config;
      expect([key, JSON.stringify(networkLimits(changed)) === base]).toEqual([key, false]);
    }
  });
});

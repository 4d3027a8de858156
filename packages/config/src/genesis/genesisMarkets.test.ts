import { describe, expect, it } from '@jest/globals';
import { decodeGenesis, encodeGenesis, genesisHash } from '@prime/codec';
import { formatGenesis, parseGenesis } from './genesisFile.ts';
import { fileOf, testNetwork } from '../testing/network.ts';

/** A parsed file on its way to being changed. */
// oxlint-disable-next-line typescript/no-explicit-any -- the cases below reach into arbitrary places of it
type Loose = Record<string, any>;

/** What genesis may say of single markets, and of all that say nothing. */
describe('markets of a genesis', () => {
  const text = fileOf(testNetwork('local'), 'validator0/genesis.json').text;
  const changed = (change: (file: Loose) => void): string => {
    const file = JSON.parse(text) as Loose;
    change(file);
    return JSON.stringify(file);
  };

  it('limits of markets: an entry has what it leaves out from all markets, and all of it is part of the genesis hash', () => {
    const withLimits = (all?: object, own?: object) =>
      parseGenesis(
        changed((file) => {
          Object.assign(file['clob'], { limits: all });
          Object.assign(file['markets'][1], { limits: own });
        }),
      );
    const none = { openInterestMax: 0n, positionMax: 0n, priceBandBps: 0, orderNotionalMax: 0n };
    expect(withLimits().clob.limits).toBeUndefined();
    expect(withLimits({ priceBandBps: 500 }).clob.limits).toEqual({ ...none, priceBandBps: 500 });
    const rich = withLimits({ priceBandBps: 500, positionMax: '0x10' }, { positionMax: '0', openInterestMax: '7' });
    expect(rich.markets.map(({ limits }) => limits)).toEqual([
      undefined,
      { ...none, openInterestMax: 7n, priceBandBps: 500 },
    ]);
    expect(parseGenesis(formatGenesis(rich))).toEqual(rich);
    expect(decodeGenesis(encodeGenesis(rich))).toEqual(rich);
    expect(genesisHash(withLimits({ priceBandBps: 1 }))).not.toBe(genesisHash(withLimits({ priceBandBps: 2 })));
    expect(() => withLimits({ priceBandBps: 10_001 })).toThrow(/clob\.limits\.priceBandBps/);
    expect(withLimits({ positionMax: String(2n ** 128n - 1n) }).clob.limits?.positionMax).toBe(2n ** 128n - 1n);
    expect(() => withLimits({ positionMax: String(2n ** 128n) })).toThrow(/clob\.limits\.positionMax.*2\^128/);
    expect(() => withLimits({}, { openInterestMax: String(2n ** 128n) })).toThrow(/ETH\/USD.*openInterestMax/);
    expect(() => withLimits({ orderNotionalMax: `1${'0'.repeat(77)}9` })).toThrow(/orderNotionalMax/);
    expect(() => withLimits({ openInterest: '1' })).toThrow(/clob\.limits/);
  });

  it('oracle: what the section leaves out has its default, a market without it has no index', () => {
    const withOracle = (section?: object, own?: boolean) =>
      parseGenesis(
        changed((file) => {
          Object.assign(file['clob'], { oracle: section });
          Object.assign(file['markets'][0], { oracle: undefined });
          Object.assign(file['markets'][1], { oracle: own });
        }),
      );
    const usual = withOracle({}, true);
    expect(usual.clob.oracle).toMatchObject({
      reportMaxAgeMs: 10_000,
      staleMs: 15_000,
      maxMoveBps: 500,
      resumeMs: 30_000,
    });
    expect(usual.markets.map(({ oracle }) => oracle)).toEqual([undefined, true]);
    expect(withOracle({}, false).markets[1]!.oracle).toBeUndefined();
    expect(withOracle().clob.oracle).toBeUndefined();
    expect(parseGenesis(formatGenesis(usual))).toEqual(usual);
    expect(decodeGenesis(encodeGenesis(usual))).toEqual(usual);
    expect(genesisHash(withOracle({ staleMs: 15_001 }))).not.toBe(genesisHash(withOracle({})));
    expect(genesisHash(usual)).not.toBe(genesisHash(withOracle({})));
    expect(() => withOracle(undefined, true)).toThrow(/ETH\/USD.*oracle.*an oracle section in clob/);
    expect(() => withOracle({ staleMs: 0 })).toThrow(/clob\.oracle\.staleMs/);
    expect(() => withOracle({ premiumMaxBps: 10_001 })).toThrow(/clob\.oracle\.premiumMaxBps/);
    expect(() => withOracle({ stale: 1 })).toThrow(/clob\.oracle/);
  });
});

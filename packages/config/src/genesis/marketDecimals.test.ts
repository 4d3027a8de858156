import { describe, expect, it } from '@jest/globals';
import { decodeGenesis, encodeGenesis, type Genesis, genesisHash } from '@prime/codec';
import { parseAddress, toTimestampMs } from '@prime/primitives';
import { ConfigError } from '../errors.ts';
import { formatGenesis, parseGenesis } from './genesisFile.ts';
import { presetGenesis, presetNames } from '../testnet/presets.ts';

const admin = parseAddress(`0x${'a1'.repeat(20)}`);
const network = { networkName: 'decimals', chainId: 7919, timestampMs: toTimestampMs(1_700_000_000_000) };
const validator = { address: admin, publicKey: new Uint8Array(33).fill(2), stake: 1n, moniker: 'v' };
const genesis: Genesis = {
  ...presetGenesis('local', network, { devAccounts: [], admin }),
  validators: [validator],
};

/** The file with fields of its first market changed; undefined takes one away. */
function read(fields: Record<string, unknown>): Genesis {
  const file = JSON.parse(formatGenesis(genesis));
  Object.assign(file.markets[0], fields);
  return parseGenesis(JSON.stringify(file));
}

function refusal(fields: Record<string, unknown>): unknown {
  try {
    return read(fields);
  } catch (error) {
    if (error instanceof ConfigError) return { ...error.detail, words: error.message };
    throw error;
  }
}

describe('decimals of a market in genesis.json', () => {
  it.each(['baseDecimals', 'quoteDecimals'] as const)('%s may be 0 to 36, and is part of the hash', (name) => {
    const hashes = [0, 1, 35, 36].map((decimals) => {
      const made = read({ [name]: decimals });
      expect(made.markets[0]).toHaveProperty(name, decimals);
      expect(parseGenesis(formatGenesis(made))).toEqual(made);
      expect(decodeGenesis(encodeGenesis(made))).toEqual(made);
      return genesisHash(made);
    });
    expect(new Set(hashes).size).toBe(hashes.length);
  });

  it.each([
    ['baseDecimals', -1],
    ['baseDecimals', 37],
    ['quoteDecimals', -1],
    ['quoteDecimals', 37],
    ['quoteDecimals', 1.5],
    ['baseDecimals', '18'],
    ['baseDecimals', null],
  ])('%s of %j is refused with what is allowed', (name, value) => {
    expect(refusal({ [name]: value })).toMatchObject({
      code: 'CONFIG_GENESIS_INVALID',
      path: `markets.0.${name}`,
      words: expect.stringContaining('0 to 36') as never,
    });
  });

  it('without them a base unit is whole and the quote has 18, as if the file said so', () => {
    const without = read({ baseDecimals: undefined, quoteDecimals: undefined });
    expect(without.markets[0]).toMatchObject({ baseDecimals: 0, quoteDecimals: 18 });
    expect(genesisHash(without)).toBe(genesisHash(read({ baseDecimals: 0, quoteDecimals: 18 })));
  });

  it.each(presetNames)('of the preset %s let people write cents', (name) => {
    const { markets } = presetGenesis(name, network, { devAccounts: [], admin });
    // A price of p wei for a base unit reads as p · 10^(baseDecimals − quoteDecimals).
    const steps = markets.map(({ symbol, tickSize, baseDecimals, quoteDecimals }) => {
      expect(quoteDecimals - baseDecimals).toBe(2);
      return [symbol, tickSize];
    });
    expect(steps).toEqual([
      ['PRM/USD', 1n],
      ['ETH/USD', 5n],
    ]);
  });
});

import { describe, expect, it } from '@jest/globals';
import { defaultClobParams, defaultStakingParams } from './genesis.ts';
import { type GenesisJson, genesisFromJson } from './genesisJson.ts';
import { defaultMarketDecimals } from './marketDecimals.ts';

const address = (byte: string): string => `0x${byte.repeat(20)}`;
const json = {
  formatVersion: 1,
  chainId: 7919,
  networkName: 'x',
  testNetwork: true,
  timestampMs: 1_000,
  actions: 'open',
  consensus: {},
  evm: { gasLimit: '30000000', initialBaseFee: '0x3b9aca00' },
  clob: { minNotional: '0' },
  alloc: {},
  validators: [],
  markets: [],
} as unknown as GenesisJson;
const read = (changes: object) => genesisFromJson({ ...json, ...changes } as GenesisJson);

describe('genesis.json', () => {
  it('has defaults for what it leaves out, and no section that it does not name', () => {
    const genesis = read({});
    expect(genesis).toMatchObject({
      faucet: null,
      privacyForkBlock: null,
      evm: { gasLimit: 30_000_000n, initialBaseFee: 10n ** 9n },
    });
    expect(genesis.clob).toEqual({ ...defaultClobParams, minNotional: 0n });
    expect(['staking', 'upgrades'].filter((name) => name in genesis)).toEqual([]);
  });

  it('a section that is empty has its defaults', () => {
    expect(read({ staking: {} }).staking).toEqual(defaultStakingParams);
    const { clob } = read({ clob: { minNotional: '1', funding: {}, fees: { takerPpm: 1, makerPpm: 0 } } });
    expect(clob.funding).toMatchObject({ intervalSeconds: 3600, premiumIntervals: 8 });
    expect(clob.fees).toEqual({ takerPpm: 1, makerPpm: 0, treasury: null, treasuryShareBps: 0 });
  });

  it('values of it win over defaults', () => {
    const { staking } = read({ staking: { minStake: '5', minValidators: 1, slashedTo: address('AB') } });
    expect(staking).toEqual({ ...defaultStakingParams, minStake: 5n, minValidators: 1, slashedTo: address('ab') });
    const market = { symbol: 'A/B', tickSize: '1', lotSize: '0x10' };
    expect(read({ markets: [market, { ...market, baseDecimals: 3 }] }).markets).toEqual([
      { ...defaultMarketDecimals, symbol: 'A/B', tickSize: 1n, lotSize: 16n },
      { ...defaultMarketDecimals, symbol: 'A/B', tickSize: 1n, lotSize: 16n, baseDecimals: 3 },
    ]);
  });

  it('accounts and slots are in order, whatever their order in the file', () => {
    const slots = ['02', '01'].map((byte) => [`0x${byte.repeat(32)}`, `0x${'ff'.repeat(32)}`] as const);
    const alloc = {
      [address('bb')]: { balance: '1' },
      [address('AA')]: { balance: '2', storage: Object.fromEntries(slots) },
    };
    const found = read({ alloc }).alloc;
    expect(found.map(({ address: of, nonce, balance }) => [of, nonce, balance])).toEqual([
      [address('aa'), 0, 2n],
      [address('bb'), 0, 1n],
    ]);
    expect(found[0]!.storage.map(({ slot }) => slot)).toEqual([`0x${'01'.repeat(32)}`, `0x${'02'.repeat(32)}`]);
  });

  it.each([
    ['an amount in words', { evm: { gasLimit: 'many', initialBaseFee: '1' } }, 'Cannot convert many to a BigInt'],
    ['an amount with a fraction', { evm: { gasLimit: '1.5', initialBaseFee: '1' } }, 'Cannot convert 1.5 to a BigInt'],
    ['an address of 19 bytes', { faucet: `0x${'aa'.repeat(19)}` }, 'expected 0x and 40 hex digits'],
    ['an address of 21 bytes', { faucet: `0x${'aa'.repeat(21)}` }, 'expected 0x and 40 hex digits'],
    [
      'code of half a byte',
      { alloc: { [address('aa')]: { balance: '1', code: '0x1' } } },
      'an even number of hex digits',
    ],
    ['a time before 1970', { timestampMs: -1 }, 'timestamp must be an integer'],
  ])('%s is refused', (_what, changes, words) => {
    expect(() => read(changes)).toThrow(words);
  });
});

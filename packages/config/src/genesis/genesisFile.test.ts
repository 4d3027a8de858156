import { describe, expect, it } from '@jest/globals';
import { decodeGenesis, encodeGenesis, genesisHash } from '@prime/codec';
import { ConfigError } from '../errors.ts';
import { formatGenesis, parseGenesis } from './genesisFile.ts';
import { fileOf, testNetwork, word } from '../testing/network.ts';

/** A parsed file on its way to being broken. */
// oxlint-disable-next-line typescript/no-explicit-any -- the cases below reach into arbitrary places of it
type Loose = Record<string, any>;

describe('parseGenesis', () => {
  const text = fileOf(testNetwork('local'), 'validator0/genesis.json').text;
  const changed = (change: (file: Loose) => void): string => {
    const file = JSON.parse(text) as Loose;
    change(file);
    return JSON.stringify(file);
  };
  const refused = (genesis: string): unknown => {
    try {
      parseGenesis(genesis);
    } catch (error) {
      if (error instanceof ConfigError) return error.detail;
      throw error;
    }
    return 'accepted';
  };

  it('reads what formatGenesis writes, also with everything optional', () => {
    const rich = parseGenesis(
      changed((file) => {
        file['privacyForkBlock'] = 7;
        file['clob'].admin = `0x${'12'.repeat(20)}`;
        file['clob'].riskTiers = [{ aboveNotional: '1000', initialMarginBps: 2000, maintenanceMarginBps: 900 }];
        file['markets'][1].riskTiers = [
          { aboveNotional: '0x3e8', initialMarginBps: 1000, maintenanceMarginBps: 1000 },
          { aboveNotional: '1001', initialMarginBps: 10000, maintenanceMarginBps: 1000 },
        ];
        file['clob'].limits = { orderNotionalMax: '9', priceBandBps: 10_000 };
        file['clob'].insuranceSlippageBps = 0;
        file['clob'].funding = { intervalSeconds: 60, maxRateBps: 10, premiumIntervals: 1, referenceWeight: 256 };
        file['clob'].fees = {
          takerPpm: 450,
          makerPpm: -30,
          treasury: `0x${'7e'.repeat(20)}`,
          treasuryShareBps: 2500,
        };
        file['alloc'][`0x${'ab'.repeat(20)}`] = {
          balance: '0xff',
          nonce: 3,
          code: '0x6001',
          storage: { [word(2)]: word(3), [word(1)]: word(4) },
        };
      }),
    );
    expect(parseGenesis(formatGenesis(rich))).toEqual(rich);
    expect(decodeGenesis(encodeGenesis(rich))).toEqual(rich);
    expect(rich.alloc.find(({ nonce }) => nonce === 3)).toMatchObject({ balance: 255n, code: Uint8Array.of(0x60, 1) });
  });

  it('funding that says no more is hourly', () => {
    const genesis = parseGenesis(
      changed((file) => {
        file['clob'].funding = {};
      }),
    );
    expect(genesis.clob.funding).toEqual({
      intervalSeconds: 3600,
      maxRateBps: 400,
      premiumIntervals: 8,
      referenceWeight: 30,
    });
  });

  it('fees: what the file leaves out goes to the insurance fund, and fees are part of the genesis hash', () => {
    const [free, taker] = [undefined, { takerPpm: 450, makerPpm: 0 }].map((fees) =>
      parseGenesis(
        changed((file) => {
          file['clob'].fees = fees;
        }),
      ),
    );
    expect(taker!.clob.fees).toEqual({ takerPpm: 450, makerPpm: 0, treasury: null, treasuryShareBps: 0 });
    expect('fees' in free!.clob).toBe(false);
    expect(genesisHash(free!)).toBe(genesisHash(parseGenesis(text)));
    expect(genesisHash(taker!)).not.toBe(genesisHash(free!));
    expect(decodeGenesis(encodeGenesis(taker!))).toEqual(taker);
  });

  it('writes of contracts: what the file leaves out changes nothing, a number is part of the genesis hash', () => {
    const withWrites = (contractWritesPerBlock?: number) =>
      parseGenesis(changed((file) => Object.assign(file['clob'], { contractWritesPerBlock })));
    expect(genesisHash(withWrites())).toBe(genesisHash(parseGenesis(text)));
    expect(genesisHash(withWrites(7))).not.toBe(genesisHash(withWrites(8)));
    expect(decodeGenesis(encodeGenesis(withWrites(7)))).toEqual(withWrites(7));
    expect(() => withWrites(-1)).toThrow(/contractWritesPerBlock/);
  });

  it('levels as records: what the file leaves out changes nothing, saying so is part of the genesis hash', () => {
    const withLevels = (levelProofs?: unknown) =>
      parseGenesis(changed((file) => Object.assign(file['clob'], { levelProofs })));
    expect(genesisHash(withLevels())).toBe(genesisHash(parseGenesis(text)));
    expect(genesisHash(withLevels(true))).not.toBe(genesisHash(withLevels()));
    expect(decodeGenesis(encodeGenesis(withLevels(true)))).toEqual(withLevels(true));
    expect(() => withLevels('yes')).toThrow(/levelProofs/);
  });

  it('changes of orders in a block: what the file leaves out is no limit, a number is part of the genesis hash', () => {
    const withLimit = (orderChangesPerBlock?: number) =>
      parseGenesis(changed((file) => Object.assign(file['clob'], { orderChangesPerBlock })));
    expect('orderChangesPerBlock' in parseGenesis(text).clob).toBe(false);
    expect(genesisHash(withLimit(7))).not.toBe(genesisHash(withLimit(8)));
    expect(decodeGenesis(encodeGenesis(withLimit(7)))).toEqual(withLimit(7));
    expect(() => withLimit(0)).toThrow(/orderChangesPerBlock/);
  });

  it('who may act: what the file leaves out changes nothing, saying so is part of the genesis hash', () => {
    const withOwners = (ownersOnly?: unknown) =>
      parseGenesis(changed((file) => Object.assign(file['clob'], { ownersOnly })));
    expect(genesisHash(withOwners())).toBe(genesisHash(parseGenesis(text)));
    expect(genesisHash(withOwners(true))).not.toBe(genesisHash(withOwners()));
    expect(decodeGenesis(encodeGenesis(withOwners(true)))).toEqual(withOwners(true));
    expect(() => withOwners('yes')).toThrow(/ownersOnly/);
  });

  it('triggers: what the file leaves out changes nothing, what a section leaves out has its usual value', () => {
    const withTriggers = (trigger?: unknown) =>
      parseGenesis(changed((file) => Object.assign(file['clob'], { trigger })));
    const usual = { slippageBps: 1000, perAccountMax: 100, perMarketMax: 100_000, perBlockMax: 1000 };
    expect(parseGenesis(text).clob.trigger).toEqual(usual);
    expect('trigger' in withTriggers().clob).toBe(false);
    expect(withTriggers({}).clob.trigger).toEqual(usual);
    expect(genesisHash(withTriggers({ perBlockMax: 7 }))).not.toBe(genesisHash(withTriggers({ perBlockMax: 8 })));
    expect(decodeGenesis(encodeGenesis(withTriggers({ perBlockMax: 7 })))).toEqual(withTriggers({ perBlockMax: 7 }));
    expect(() => withTriggers({ perBlockMax: 0 })).toThrow(/perBlockMax/);
    expect(() => withTriggers({ most: 1 })).toThrow(/most/);
  });

  it('sub-accounts: what the file leaves out changes nothing, how many there may be is part of the genesis hash', () => {
    const withMost = (subAccountsMax?: number) =>
      parseGenesis(changed((file) => Object.assign(file['clob'], { subAccountsMax })));
    expect(parseGenesis(text).clob.subAccountsMax).toBe(128);
    expect('subAccountsMax' in withMost().clob).toBe(false);
    expect(genesisHash(withMost())).not.toBe(genesisHash(withMost(1)));
    expect(genesisHash(withMost(7))).not.toBe(genesisHash(withMost(8)));
    for (const most of [1, 0xffffffff]) expect(decodeGenesis(encodeGenesis(withMost(most)))).toEqual(withMost(most));
    for (const most of [0, 0x100000000, 1.5]) expect(() => withMost(most)).toThrow(/subAccountsMax/);
  });

  it.each([
    [1, /formatVersion = 1: allowed is 2: this genesis is of an older format\. Run the version of Prime/],
    [3, /formatVersion = 3: allowed is 2: this genesis is of a newer format\./],
    ['2', /formatVersion/],
    [undefined, /formatVersion/],
  ])('a genesis of format %s is refused and told so', (formatVersion, words) => {
    expect(() => parseGenesis(changed((file) => Object.assign(file, { formatVersion })))).toThrow(words);
    // Whatever else is not as it should be.
    const old = JSON.stringify({ formatVersion, clob: {} });
    expect(() => parseGenesis(old)).toThrow(ConfigError);
  });

  it('the order of accounts in the file does not matter', () => {
    const reversed = changed((file) => {
      file['alloc'] = Object.fromEntries(Object.entries(file['alloc']).reverse());
    });
    expect(genesisHash(parseGenesis(reversed))).toBe(genesisHash(parseGenesis(text)));
  });

  it.each<[string, (file: Loose) => void, string]>([
    [
      'wait that is longer than a timer of Node can be',
      (file) => {
        file['consensus'].emptyBlockIntervalMs = 2 ** 31;
      },
      'consensus.emptyBlockIntervalMs',
    ],
    [
      'no tiers in a list of tiers',
      (file) => {
        file['clob'].riskTiers = [];
      },
      'clob.riskTiers',
    ],
    [
      'tier from 0',
      (file) => {
        file['clob'].riskTiers = [{ aboveNotional: '0', initialMarginBps: 2000, maintenanceMarginBps: 900 }];
      },
      'clob.riskTiers.0.aboveNotional',
    ],
    [
      'tiers that do not ascend',
      (file) => {
        file['clob'].riskTiers = [
          { aboveNotional: '9', initialMarginBps: 2000, maintenanceMarginBps: 900 },
          { aboveNotional: '9', initialMarginBps: 3000, maintenanceMarginBps: 900 },
        ];
      },
      'clob.riskTiers.1.aboveNotional',
    ],
    [
      'tier with less initial margin than the base',
      (file) => {
        file['clob'].riskTiers = [{ aboveNotional: '9', initialMarginBps: 999, maintenanceMarginBps: 900 }];
      },
      'clob.riskTiers.0.initialMarginBps',
    ],
    [
      'tier with less maintenance margin than the one before',
      (file) => {
        file['clob'].riskTiers = [
          { aboveNotional: '9', initialMarginBps: 2000, maintenanceMarginBps: 900 },
          { aboveNotional: '10', initialMarginBps: 2000, maintenanceMarginBps: 899 },
        ];
      },
      'clob.riskTiers.1.maintenanceMarginBps',
    ],
    [
      'tier with more maintenance than initial margin',
      (file) => {
        file['clob'].riskTiers = [{ aboveNotional: '9', initialMarginBps: 2000, maintenanceMarginBps: 2001 }];
      },
      'clob.riskTiers.0.maintenanceMarginBps',
    ],
    [
      'tiers of a market',
      (file) => {
        file['markets'][0].riskTiers = [{ aboveNotional: '9', initialMarginBps: 1000, maintenanceMarginBps: 499 }];
      },
      'markets (PRM/USD).riskTiers.0.maintenanceMarginBps',
    ],
    [
      'funding without intervals',
      (file) => {
        file['clob'].funding = { intervalSeconds: 0 };
      },
      'clob.funding.intervalSeconds',
    ],
    [
      'rebate above the fee of the taker',
      (file) => {
        file['clob'].fees = { takerPpm: 300, makerPpm: -301 };
      },
      'clob.fees.makerPpm',
    ],
    [
      'share of a treasury that there is not',
      (file) => {
        file['clob'].fees = { takerPpm: 300, makerPpm: 0, treasuryShareBps: 1 };
      },
      'clob.fees.treasuryShareBps',
    ],
    [
      'escrow as treasury',
      (file) => {
        file['clob'].fees = { takerPpm: 300, makerPpm: 0, treasury: `0x${'100'.padStart(40, '0')}` };
      },
      'clob.fees.treasury',
    ],
    [
      'blocks that no message between nodes holds',
      (file) => {
        file['consensus'].maxBlockBytes = 2 ** 21;
      },
      'consensus.maxBlockBytes',
    ],
    [
      'escrow as faucet',
      (file) => {
        file['faucet'] = `0x${'100'.padStart(40, '0')}`;
        file['alloc'][file['faucet']] = { balance: '1' };
      },
      'faucet',
    ],
    [
      'what was slashed goes to the stake of others',
      (file) => {
        file['staking'] = { slashedTo: `0x${'200'.padStart(40, '0')}` };
      },
      'staking.slashedTo',
    ],
    [
      'storage of the order book',
      (file) => {
        const storage = { [`0x${'01'.repeat(32)}`]: `0x${'02'.repeat(32)}` };
        file['alloc'][`0x${'100'.padStart(40, '0')}`] = { balance: '1', storage };
      },
      `alloc.0x${'100'.padStart(40, '0')}`,
    ],
    [
      'fee beyond a tenth',
      (file) => {
        file['clob'].fees = { takerPpm: 100_001, makerPpm: 0 };
      },
      'clob.fees.takerPpm',
    ],
    [
      'unknown key',
      (file) => {
        file['extra'] = 1;
      },
      'extra',
    ],
    [
      'unknown key below',
      (file) => {
        file['clob'].extra = 1;
      },
      'clob.extra',
    ],
    [
      'missing key',
      (file) => {
        delete file['chainId'];
      },
      'chainId',
    ],
    [
      'balance as a number',
      (file) => {
        file['alloc'][`0x${'ab'.repeat(20)}`] = { balance: 1 };
      },
      `alloc.0x${'ab'.repeat(20)}.balance`,
    ],
    [
      'no validators',
      (file) => {
        file['validators'] = [];
      },
      'validators',
    ],
    [
      'a validator twice',
      (file) => {
        file['validators'].push(file['validators'][0]);
      },
      'validators',
    ],
    [
      'a market twice',
      (file) => {
        file['markets'].push(file['markets'][0]);
      },
      'markets',
    ],
    [
      'a market twice, in other letter case',
      (file) => {
        const [market] = file['markets'];
        file['markets'].push({ ...market, symbol: market.symbol.toLowerCase() });
      },
      'markets',
    ],
    [
      'tick 0',
      (file) => {
        file['markets'][0].tickSize = '0';
      },
      'markets (PRM/USD)',
    ],
    [
      'maintenance above initial margin',
      (file) => {
        file['clob'].maintenanceMarginBps = 1_001;
      },
      'clob.maintenanceMarginBps',
    ],
    [
      'faucet without an account',
      (file) => {
        file['faucet'] = `0x${'99'.repeat(20)}`;
      },
      'faucet',
    ],
    [
      'the same account in two cases',
      (file) => {
        file['alloc'][`0x${'ab'.repeat(20)}`] = { balance: '1' };
        file['alloc'][`0x${'AB'.repeat(20)}`] = { balance: '2' };
      },
      'alloc',
    ],
  ])('%s is refused', (_, change, path) => {
    expect(refused(changed(change))).toMatchObject({ code: 'CONFIG_GENESIS_INVALID', path });
  });

  it('what is not JSON is refused', () => {
    expect(refused('{')).toMatchObject({ code: 'CONFIG_SYNTAX' });
  });
});

import { describe, expect, it } from '@jest/globals';
import { parseFeeder } from './feederFile.ts';

const source = `[[markets.sources]]
kind = "sim"
price = 3000
`;
const file = (market = '', sources = source): string => `[[markets]]\nsymbol = "ETH/USD"\n${market}\n${sources}`;

describe('parseFeeder', () => {
  it('fills in what the file leaves out', () => {
    expect(parseFeeder(file(), 'feeder.toml')).toEqual({
      interval_ms: 3000,
      markets: [
        {
          symbol: 'ETH/USD',
          quorum: 1,
          max_age_ms: 10_000,
          outlier_bps: 300,
          sources: [{ kind: 'sim', price: 3000, seed: 1, volatility_bps: 200, jump_bps: 0 }],
        },
      ],
    });
  });

  it('takes JSON', () => {
    const json = { markets: [{ symbol: 'ETH/USD', sources: [{ kind: 'file', file: 'price.json' }] }] };
    expect(parseFeeder(JSON.stringify(json), 'feeder.json').markets[0]!.sources).toEqual([
      { kind: 'file', file: 'price.json', path: '' },
    ]);
  });

  it.each<[string, string, string]>([
    ['no TOML', 'symbol =', 'f: is no TOML and no JSON'],
    ['no markets', 'interval_ms = 3000', 'f: markets is missing'],
    ['a key that is none', file('quorums = 2'), 'f: markets.0.quorums is no key'],
    ['a quorum of more than there are', file('quorum = 2'), 'f: markets.0.quorum is 2, and there are 1 sources'],
    ['a market twice', `${file()}${file()}`, 'f: markets.1.symbol names ETH/USD again'],
    [
      'a kind that is none',
      file('', '[[markets.sources]]\nkind = "ftp"\n'),
      'sources.0.kind must be one of http, file, exec, sim',
    ],
    ['an http source without its URL', file('', '[[markets.sources]]\nkind = "http"\n'), 'sources.0.url is missing'],
    [
      'a URL of another kind',
      file('', '[[markets.sources]]\nkind = "http"\nurl = "file:///x"\n'),
      'sources.0.url must match',
    ],
    ['an interval that is too short', `interval_ms = 999\n${file()}`, 'f: interval_ms must be >= 1000'],
  ])('refuses %s', (_, text, words) => {
    const refused = expect.objectContaining({
      code: 'CLI_FEEDER_INVALID',
      message: expect.stringContaining(words) as unknown as string,
    });
    expect(() => parseFeeder(text, 'f')).toThrow(refused as never);
  });
});

import { describe, expect, it } from '@jest/globals';
import { createMarketUnits } from '@prime/sdk';
import { BotError } from '../errors.ts';
import { parseStrategy } from './parseStrategy.ts';
import { toBotOptions } from './settings.ts';

const refusal = (text: string): string => {
  try {
    parseStrategy(text, 'bot.toml');
  } catch (error) {
    if (error instanceof BotError) return `${error.code} ${error.message}`;
  }
  return 'no refusal';
};
const maker = (rest: string): string => `strategy = "maker"\nmarket = "PRM/USD"\n${rest}`;

describe('a strategy file', () => {
  it('needs little, and has the defaults of what it leaves out', () => {
    expect(parseStrategy(maker(''), 'bot.toml')).toMatchObject({
      name: 'maker',
      maker: { spread_bps: 20, levels: 3, size: '1', max_position: '10' },
      fair_price: { source: 'book', max_age_ms: 5_000 },
      execution: { order_seconds: 30, refresh_seconds: 10, batch_max: 100 },
      limits: { items_per_second: 100 },
      dead_man: { feed_silent_ms: 10_000 },
    });
  });

  it('may be JSON, and gives way to the command line', () => {
    const text = '{"strategy":"taker","market":"A/B","taker":{"interval_ms":50}}';
    expect(parseStrategy(text, 'bot.json', { market: 2, name: 'mine' })).toMatchObject({
      name: 'mine',
      market: 2,
      taker: { interval_ms: 50, size_min: '1' },
    });
  });

  it.each([
    ['strategy = ', 'BOT_STRATEGY_MALFORMED bot.toml is no TOML: line 1, column'],
    ['{"strategy":', 'BOT_STRATEGY_MALFORMED bot.toml is no JSON: '],
    ['', 'BOT_STRATEGY_INVALID bot.toml: strategy is missing; allowed: maker, taker'],
    ['strategy = "arb"', 'BOT_STRATEGY_INVALID bot.toml: strategy can not be "arb"; allowed: maker, taker'],
    ['strategy = "maker"', 'BOT_STRATEGY_INVALID bot.toml: market is missing'],
    [
      maker('[maker]\nspred_bps = 4'),
      'bot.toml: maker.spred_bps is no key of a strategy; allowed: spread_bps, levels,',
    ],
    [maker('[taker]'), 'bot.toml: taker is no key of a strategy; allowed: strategy, name, market, maker,'],
    [maker('[maker]\nlevels = 51'), 'bot.toml: maker.levels can not be 51; allowed: <= 50'],
    [maker('[maker]\nlevels = 0'), 'bot.toml: maker.levels can not be 0; allowed: >= 1'],
    [maker('[maker]\nsize = 1'), 'bot.toml: maker.size can not be 1; allowed: string'],
    [maker('[maker]\nsize = "1e3"'), 'maker.size can not be "1e3"; allowed: a decimal number as text, such as "0.25"'],
    [maker('[execution]\nbatch_max = 101'), 'bot.toml: execution.batch_max can not be 101; allowed: <= 100'],
    [
      maker('[fair_price]\nsource = "oracle"'),
      'fair_price.source can not be "oracle"; allowed: book, fixed, http, index',
    ],
    [maker('[fair_price]\nsource = "fixed"'), 'fair_price.start is missing; allowed: a price, because'],
    [maker('[fair_price]\nsource = "http"'), 'fair_price.url is missing; allowed: an http URL'],
    [maker('[execution]\norder_seconds = 10'), 'execution.refresh_seconds can not be 10; allowed: less than'],
    [
      'strategy = "maker"\nmarket = "A/B"\nname = "My Bot"',
      'name can not be "My Bot"; allowed: up to 32 small letters',
    ],
  ])('%j: %s', (text, words) => {
    expect(refusal(text)).toContain(words);
  });

  it.each([50, 100])('takes the greatest values: %i', (value) => {
    const text = maker(value === 50 ? '[maker]\nlevels = 50' : '[execution]\nbatch_max = 100');
    expect(refusal(text)).toBe('no refusal');
  });

  it('is read in units of its market', () => {
    const grid = { symbol: 'PRM/USD', tickSize: 1n, lotSize: 10n, baseDecimals: 2, quoteDecimals: 4 };
    const market = { marketId: 3, ...grid, ...createMarketUnits(grid) };
    const file = parseStrategy(maker('[limits]\nposition = "0"\nnotional = "12.5"\nloss = "1"'), 'bot.toml');
    expect(toBotOptions(file, market, 500)).toMatchObject({
      market: { marketId: 3, symbol: 'PRM/USD', tickSize: 1n, lotSize: 10n },
      limits: { positionMax: 0n, notionalMax: 125_000n, lossMax: 10_000n },
      openOrdersMax: 500,
      actionTtlMs: 5_000,
    });
    const offGrid = parseStrategy(maker('[maker]\nsize = "0.05"'), 'bot.toml');
    expect(() => toBotOptions(offGrid, market, 500)).toThrow(/0\.05 is no size of PRM\/USD/);
  });
});

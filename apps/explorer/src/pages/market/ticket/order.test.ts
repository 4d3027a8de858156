import { describe, expect, it } from '@jest/globals';
import { createMarketUnits, type Market, type PlacedOrder } from '@prime/sdk';
import { outcomeText, readPrice, readSize, requestOf } from './order.ts';

const grid = { symbol: 'ETH/USD', tickSize: 5n, lotSize: 10n, baseDecimals: 16, quoteDecimals: 18 };
const market = { ...createMarketUnits(grid), ...grid, marketId: 2, base: 'ETH', quote: 'USD' } as unknown as Market;

describe('what is typed', () => {
  it.each([
    ['3000.05', 300_005n],
    ['3,000.05', 300_005n],
    [' 3 000.10 ', 300_010n],
  ])('%s is a price', (text, value) => {
    expect(readPrice(market, text)).toEqual({ value, problem: null, nearest: [] });
  });

  it('between two ticks has the nearest ones', () => {
    expect(readPrice(market, '3000.07')).toEqual({
      value: null,
      problem: 'Nearest valid:',
      nearest: ['3000.05', '3000.1'],
    });
    expect(readPrice(market, '0').nearest).toEqual(['0.05']);
  });

  it('a size below a lot has the least one', () => {
    expect(readSize(market, '0.0000000000000001').nearest).toEqual(['0.000000000000001']);
  });

  it.each(['x', '1e3', '1.2.3', '0x10'])('%s is no number, and says what is', (text) => {
    expect(readPrice(market, text)).toMatchObject({ value: null, problem: 'A number such as 3012.55.' });
  });

  it('nothing is no mistake', () => {
    expect(readSize(market, ' ')).toEqual({ value: null, problem: null, nearest: [] });
  });
});

describe('an order', () => {
  const order = { side: 'buy', price: 5n, size: 10n, isReduceOnly: true } as const;

  it.each([
    ['gtc', { tif: 'gtc', postOnly: false, reduceOnly: true }],
    ['post', { tif: 'gtc', postOnly: true, reduceOnly: true }],
    ['ioc', { tif: 'ioc', reduceOnly: true }],
    ['fok', { tif: 'fok', reduceOnly: true }],
  ] as const)('of life %s', (life, fields) => {
    expect(requestOf(market, { ...order, life })).toEqual({ market: 2, side: 'buy', price: 5n, size: 10n, ...fields });
  });
});

describe('what became of it', () => {
  const unit = 10n ** 16n;
  const placed = (fields: Partial<PlacedOrder>) =>
    outcomeText(market, 'buy', { filled: 0n, remaining: 0n, reason: null, ...fields } as PlacedOrder);

  it.each([
    [{ status: 'open', remaining: unit }, '1.0000 ETH rests in the book.'],
    [{ status: 'filled', filled: unit }, 'Bought 1.0000 ETH.'],
    [{ status: 'partially_filled', filled: unit, remaining: unit }, 'Bought 1.0000 ETH; 1.0000 ETH rests.'],
    [{ status: 'cancelled', reason: 'ioc' }, 'Nothing traded: the rest found nobody at that price.'],
    [{ status: 'killed', reason: 'fok' }, 'Nothing traded: not all of it could be filled.'],
    [{ status: 'cancelled', filled: unit, reason: 'margin' }, 'Bought 1.0000 ETH; the rest was not covered by margin.'],
  ] as const)('%#: in words', (fields, words) => {
    expect(placed(fields)).toBe(words);
  });
});

import { describe, expect, it } from '@jest/globals';
import { createMarketUnits, type Market } from '@prime/sdk';
import { bar, colored, colorless, column, type LadderLayout, ladderLines } from './ladder.ts';

const grid = { symbol: 'ETH/USD', tickSize: 5n, lotSize: 10n, baseDecimals: 16, quoteDecimals: 18 };
const market: Market = {
  ...grid,
  ...createMarketUnits(grid),
  marketId: 2,
  base: 'ETH',
  quote: 'USD',
  status: 'trading',
  lastPrice: null,
  markPrice: null,
  initialMarginBps: 1_000,
  maintenanceMarginBps: 500,
};
const level = (price: string, size: string) => ({ price: market.price(price), size: market.size(size) });
const layout: LadderLayout = { depth: 3, trades: 2, width: 60, isSteady: false, paint: colorless };
const bids = [level('3012.5', '0.25'), level('3012', '1'), level('3011', '2'), level('3010', '5')];
const asks = [level('3013', '0.5'), level('3014.05', '0.75')];
const trade = { tradeId: 1, side: 'sell', ...level('3012.5', '0.1'), blockNumber: 7n } as const;
const view = { market, bids, asks, trades: [], standing: 'block 9' };

describe('a ladder', () => {
  it('has the asks above, the best beside the spread, and sizes added up from there; no more levels than asked for', () => {
    const lines = ladderLines(view, layout);
    expect(lines.map((line) => line.replaceAll(/ +[█▏▎▍▌▋▊▉]+$/g, ''))).toEqual([
      ' ETH/USD  block 9',
      '   price  size  total',
      ' 3014.05  0.75   1.25',
      ' 3013.00  0.50   0.50',
      ' spread 0.5 USD (1.65 bps)',
      ' 3012.50  0.25   0.25',
      ' 3012.00  1.00   1.25',
      ' 3011.00  2.00   3.25',
    ]);
  });

  it('draws bars of all that stands up to a level, the deepest over the whole width', () => {
    const lengths = ladderLines(view, layout).map((line) => /█*[▏▎▍▌▋▊▉]?$/.exec(line)![0].length);
    const whole = lengths[7]!;
    expect(whole).toBe(60 - ' 3011.00  2.00   3.25'.length - 3);
    expect(lengths[6]).toBe(Math.ceil((whole * 1.25) / 3.25));
    expect(lengths[2]).toBe(lengths[6]);
  });

  it('no line is wider than the terminal, and where it is narrow there are no bars', () => {
    for (const width of [40, 60, 200])
      expect(Math.max(...ladderLines(view, { ...layout, width }).map((line) => line.length))).toBeLessThanOrEqual(
        width,
      );
    expect(ladderLines(view, { ...layout, width: 26 }).join('')).not.toContain('█');
  });

  it('steady: the spread stays at its line, whatever is missing', () => {
    const steady = { ...layout, isSteady: true };
    const spreadAt = (changes: object): number =>
      ladderLines({ ...view, ...changes }, steady).findIndex((line) => /spread|no /.test(line));
    expect([spreadAt({}), spreadAt({ asks: [] }), spreadAt({ bids: [], asks: [] })]).toEqual([5, 5, 5]);
    const heights = [{}, { asks: [] }, { bids: [] }].map(
      (changes) => ladderLines({ ...view, ...changes }, steady).length,
    );
    expect(new Set(heights).size).toBe(1);
  });

  it.each([
    [{ asks: [] }, ' no asks'],
    [{ bids: [] }, ' no bids'],
    [{ bids: [], asks: [] }, ' no orders'],
    [{ market: { ...market, markPrice: market.price('3012') } }, ' spread 0.5 USD (1.65 bps), mark 3012'],
  ])('%# says what there is between the sides', (changes, expected) => {
    expect(ladderLines({ ...view, ...changes }, layout)).toContain(expected);
  });

  it('shows the newest trades, and says where there are none', () => {
    const many = [trade, trade, trade];
    expect(ladderLines({ ...view, trades: many }, layout).slice(-3)).toEqual([
      ' last trades',
      ' sell  0.1 @ 3012.50  block 7',
      ' sell  0.1 @ 3012.50  block 7',
    ]);
    expect(ladderLines(view, { ...layout, isSteady: true }).at(-1)).toBe(' no trades yet');
  });

  it('colours change nothing but colours', () => {
    const painted = ladderLines({ ...view, trades: [trade] }, { ...layout, paint: colored });
    // oxlint-disable-next-line no-control-regex -- that is what colours are
    const plain = painted.map((line) => line.replaceAll(/\u001b\[\d+m/g, '').trimEnd());
    expect(painted.join('')).toContain('\u001b[31m');
    expect(plain).toEqual(ladderLines({ ...view, trades: [trade] }, layout));
  });
});

describe('a bar', () => {
  it('grows by eighths of a column', () => {
    expect([0n, 1n, 8n, 9n, 12n, 16n].map((part) => bar(part, 16n, 2))).toEqual(['', '▏', '█', '█▏', '█▌', '██']);
  });

  it('of what is there is never nothing', () => {
    expect([bar(1n, 10n ** 30n, 10), bar(0n, 10n ** 30n, 10), bar(1n, 0n, 10)]).toEqual(['▏', '', '']);
  });
});

describe('a column of numbers', () => {
  it('has the points below each other', () => {
    expect(column('size', ['1', '10.25', '0.5'], String)).toEqual([' size', ' 1.00', '10.25', ' 0.50']);
    expect(column('p', ['7'], String, 2)).toEqual(['   p', '7.00']);
  });

  it('cuts far decimals off, never up, and says where something is less than it can show', () => {
    expect(column('s', ['1.999999999', '0.000000000000001'], String)).toEqual([
      '          s',
      ' 1.99999999',
      '<0.00000001',
    ]);
  });
});

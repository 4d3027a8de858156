import { describe, expect, it } from '@jest/globals';
import { CommitsChecker, FillsChecker, TradesChecker } from './tradeCheckers.ts';

const trade = (id: string, more = {}) => ({
  trade_id: id,
  price: '0x64',
  size: '0x5',
  maker_order_id: '0x1',
  taker_order_id: '0x2',
  ...more,
});
const trades = (block: string, list: unknown, more = {}) => ({
  block_number: block,
  market_id: 1,
  trades: list,
  ...more,
});
const fill = (id: string, more = {}) => ({
  trade_id: id,
  price: '0x64',
  size: '0x5',
  value: '0x1f4',
  kind: 'trade',
  ...more,
});
const fills = (block: string, list: unknown, more = {}) => ({
  block_number: block,
  address: '0xaa',
  fills: list,
  ...more,
});

describe('TradesChecker', () => {
  it('finds nothing wrong with blocks and trades that rise', () => {
    const checker = new TradesChecker(1);
    expect(checker.take(trades('0x10', [trade('0x1'), trade('0x2')]))).toEqual([]);
    expect(checker.take(trades('0x12', [trade('0x9')]))).toEqual([]);
  });

  it('names what comes twice, goes back, or is none', () => {
    const cases: [Record<string, unknown>, string][] = [
      [trades('0x10', [trade('0x6')]), 'trades 1 at block 16: came after block 16'],
      [trades('0xf', [trade('0x6')]), 'trades 1 at block 15: came after block 16'],
      [trades('0x11', [trade('0x5')]), 'trades 1 at block 17: trade 5 came after trade 5'],
      [trades('0x11', [trade('0x7'), trade('0x6')]), 'trades 1 at block 17: trade 6 came after trade 7'],
      [trades('0x11', [trade('7')]), 'trades 1 at block 17: trade id 7'],
      [trades('0x11', []), 'trades 1 at block 17: has none'],
      [trades('0x11', [trade('0x6')], { market_id: 2 }), 'trades 1 at block 17: are of market 2'],
      [trades('0x11', [trade('0x6', { size: '0x0' })]), 'trades 1 at block 17: 0x0 at 0x64'],
      [
        trades('0x11', [trade('0x6', { taker_order_id: '0x1' })]),
        'trades 1 at block 17: maker 0x1 is not older than taker 0x1',
      ],
      [trades('17', [trade('0x6')]), 'trades 1: block 17 is no height'],
    ];
    for (const [message, words] of cases) {
      const checker = new TradesChecker(1);
      checker.take(trades('0x10', [trade('0x5')]));
      expect(checker.take(message)).toEqual([words]);
    }
  });
});

describe('FillsChecker', () => {
  it('finds nothing wrong with fills that rise, and with positions that the protocol closed', () => {
    const checker = new FillsChecker('0xaa');
    const closed = { trade_id: null, price: null, size: '0x3', value: '0x9', kind: 'deleveraging' };
    expect(checker.take(fills('0x10', [fill('0x1'), closed, fill('0x3', { kind: 'liquidation' })]))).toEqual([]);
    expect(checker.take(fills('0x11', [closed]))).toEqual([]);
  });

  it('names what comes twice, goes back, or does not add up', () => {
    const cases: [Record<string, unknown>, string][] = [
      [fills('0x10', [fill('0x6')]), 'fills of 0xaa at block 16: came after block 16'],
      [fills('0x11', [fill('0x5')]), 'fills of 0xaa at block 17: trade 5 came after trade 5'],
      [fills('0x11', [fill('0x6', { value: '0x1f5' })]), 'fills of 0xaa at block 17: 0x5 at 0x64 is not 0x1f5'],
      [fills('0x11', [fill('0x6', { price: null })]), 'fills of 0xaa at block 17: 0x5 at null'],
      [
        fills('0x11', [fill('0x6', { kind: 'deleveraging' })]),
        'fills of 0xaa at block 17: deleveraging with a price, or without a size',
      ],
      [fills('0x11', [fill('0x6')], { address: '0xbb' }), 'fills of 0xaa at block 17: are of 0xbb'],
      [fills('0x11', undefined), 'fills of 0xaa at block 17: has none'],
    ];
    for (const [message, words] of cases) {
      const checker = new FillsChecker('0xaa');
      checker.take(fills('0x10', [fill('0x5')]));
      expect(checker.take(message)).toEqual([words]);
    }
  });
});

describe('CommitsChecker', () => {
  it('wants each block once, on top of the one before', () => {
    const commit = (height: number, hash: string, parent: string) => ({
      block_number: `0x${height}`,
      block_hash: hash,
      parent_hash: parent,
    });
    const checker = new CommitsChecker();
    expect(checker.take(commit(5, 'e', 'd'))).toEqual([]);
    expect(checker.take(commit(6, 'f', 'e'))).toEqual([]);
    expect(checker.take(commit(8, 'h', 'g'))).toEqual(['commits: block 8 came after block 6']);
    expect(checker.take(commit(8, 'h', 'g'))).toEqual(['commits: block 8 came after block 8']);
    expect(checker.take(commit(9, 'i', 'x'))).toEqual(['commits: block 9 is not on top of the block before it']);
  });
});

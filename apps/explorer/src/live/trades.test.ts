import { describe, expect, it } from '@jest/globals';
import { type FeedTrade, mergeTrades } from './trades.ts';

const trade = (blockNumber: bigint, tradeId: number, marketId = 1): FeedTrade => ({
  marketId,
  tradeId,
  blockNumber,
  price: 1n,
  size: 1n,
  side: 'buy',
});
const idsOf = (trades: readonly FeedTrade[]): string[] =>
  trades.map(({ marketId, tradeId }) => `${marketId}/${tradeId}`);

describe('the latest trades', () => {
  it('are newest first by block and then by number, each once, as many as wanted', () => {
    const known = [trade(3n, 7), trade(2n, 5)];
    expect(idsOf(mergeTrades(known, [trade(3n, 8), trade(2n, 5), trade(2n, 5, 2)], 10))).toEqual([
      '1/8',
      '1/7',
      '1/5',
      '2/5',
    ]);
    expect(idsOf(mergeTrades(known, [trade(4n, 9)], 2))).toEqual(['1/9', '1/7']);
    expect(mergeTrades([], [], 2)).toEqual([]);
  });
});

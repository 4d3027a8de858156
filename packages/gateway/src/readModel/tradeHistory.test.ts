import { describe, expect, it } from '@jest/globals';
import { type DomainEvent, encodeEventFrames } from '@prime/codec';
import type { Height, MarketId, TimestampMs } from '@prime/primitives';
import { tradeEvent } from '../testing/tradeEvent.ts';
import { TradeHistory } from './tradeHistory.ts';

const id = 7 as MarketId;
const blockTime = (height: number): TimestampMs => (1_700_000_000_000 + 1000 * height) as TimestampMs;

const trade = (tradeId: number, marketId = id): DomainEvent => tradeEvent({ marketId, tradeId });

/** Trades 1 to n, one a block. */
function filled(count: number): TradeHistory {
  const history = new TradeHistory();
  for (let tradeId = 1; tradeId <= count; tradeId++)
    history.add(tradeId as Height, blockTime(tradeId), encodeEventFrames([trade(tradeId)]));
  return history;
}

describe('the latest trades of a market', () => {
  it.each([1, 999, 1000, 1001, 1999, 2000, 2001, 2999, 3000])(
    'after %i of them the newest thousand are there, newest first',
    (count) => {
      const kept = Math.min(count, 1000);
      const expected = Array.from({ length: kept }, (_, index) => count - index);
      expect(
        filled(count)
          .latest(id, 1000)
          .map(({ tradeId }) => tradeId),
      ).toEqual(expected);
    },
  );

  it.each([999, 1000, 1001, 2500])('are the newest thousand of a block of %i, of which all are counted', (count) => {
    const history = filled(1);
    const tradeIds = Array.from({ length: count }, (_, index) => index + 2);
    history.add(2 as Height, blockTime(2), encodeEventFrames(tradeIds.map((tradeId) => trade(tradeId))));
    const latest = history.latest(id, 1000).map(({ tradeId }) => tradeId);
    expect(latest).toEqual([1, ...tradeIds].reverse().slice(0, 1000));
    expect(history.count(id)).toBe(count + 1);
  });

  it('are as many as are asked for, with their heights', () => {
    const latest = filled(5).latest(id, 2);
    expect(latest.map(({ tradeId, height }) => [tradeId, height])).toEqual([
      [5, 5],
      [4, 4],
    ]);
    expect(filled(5).latest(id, 0)).toEqual([]);
  });

  it('are those of the market, and nothing that is no trade', () => {
    const history = filled(2);
    const data = { order_id: 1, market_id: id, owner: `0x${'a1'.repeat(20)}`, remaining: 1n, reason: 'user' };
    const other: DomainEvent = { domain: 'orders', kind: 'order_cancelled', actionIndex: 0, data };
    history.add(3 as Height, blockTime(3), encodeEventFrames([trade(3, 8 as MarketId), other]));
    expect(history.latest(id, 9).map(({ tradeId }) => tradeId)).toEqual([2, 1]);
    expect(history.latest(9 as MarketId, 9)).toEqual([]);
  });
});

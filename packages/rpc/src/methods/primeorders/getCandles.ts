import { type CandleInterval, candleIntervalMs, candleStart } from '@prime/codec';
import { Type } from '@sinclair/typebox';
import { candleInterval, candleRange, candleResult, formatCandle, type TimeRange } from '../../orders/candles.ts';
import { defineMethod, optional, required } from '../../define.ts';
import { invalidParams } from '../../errors/errors.ts';
import { marketId, refuseUnknownMarket } from '../../orders/orderActions.ts';

const limitDefault = 500;
/** A candle is made of up to 24 stored ones. */
const limitMax = 1000;

/** Begins of the first and the last candle that a request is about, ms; null when that is none. */
function spanOf(
  interval: CandleInterval,
  { fromMs, toMs, limit = limitDefault }: TimeRange,
  headMs: number,
): { readonly fromMs: number; readonly toMs: number } | null {
  if (limit < 1 || limit > limitMax) throw invalidParams('range.limit', `must be from 1 to ${limitMax}`);
  if (fromMs !== undefined && toMs !== undefined && fromMs > toMs)
    throw invalidParams('range', 'from_time_ms is after to_time_ms');
  const intervalMs = candleIntervalMs[interval];
  const last = candleStart(Math.min(toMs ?? headMs, headMs), intervalMs);
  const first = Math.max(candleStart(fromMs ?? 0, intervalMs), last - (limit - 1) * intervalMs);
  return first > last ? null : { fromMs: first, toMs: last };
}

/** Prices in wei per base unit, volume in base units, quote volume in wei. */
export const getCandles = defineMethod({
  name: 'primeorders_getCandles',
  summary:
    'Trades, mark and index of a market by time, oldest first. Of trades: open, high, low and close price, base units and wei that were traded, number of trades. `mark` and `index` have open, high, low and close; they begin with what the price was before. Intervals are 1s, 1m, 5m, 15m, 1h, 4h and 1d, in UTC by block time; one in which nothing was traded and no price moved is left out. `range` is {from_time_ms, to_time_ms, limit}, each optional: the newest `limit` intervals (default 500, at most 1000) from the one that holds from_time_ms to the one that holds to_time_ms, by default that of the newest block, whose last candle still grows. They are kept as long as the blocks of their time: an earlier from_time_ms is refused.',
  params: [required('marketId', marketId), required('interval', candleInterval), optional('range', candleRange)],
  result: Type.Array(candleResult),
  errors: ['RPC_ACTION_REFUSED', 'RPC_CANDLES_NOT_KEPT'],
  privacy: 'public',
  fixedAtHead: true,
  examples: [
    {
      situation: 'a market that trades',
      params: ['0x1', '1m', { limit: 60 }],
      result: [
        {
          open_time_ms: '0x19378d2b000',
          close_time_ms: '0x19378d39a60',
          open: '0x64',
          high: '0x64',
          low: '0x64',
          close: '0x64',
          volume: '0xa',
          quote_volume: '0x3e8',
          trades: '0x1',
          mark: { open: '0x63', high: '0x64', low: '0x63', close: '0x64' },
          index: null,
        },
      ],
    },
  ],
  handler: async ({ ports }, id, interval, range = {}) => {
    const headMs = (await ports.chain.head()).block.header.timestampMs;
    const span = spanOf(interval, range, headMs);
    if ((await ports.books.market(id)) === null) return refuseUnknownMarket(id);
    if (span === null) return [];
    const mayBeCut = range.fromMs === undefined;
    const candles = await ports.chain.candles({ marketId: id, interval, ...span, mayBeCut });
    return candles.map((candle) => formatCandle(candle, interval));
  },
});

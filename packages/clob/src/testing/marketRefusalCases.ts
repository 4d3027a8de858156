import { noMarketLimits } from '@prime/codec';
import { order, startMs } from './harness.ts';
import type { RefusalCase } from './refusalCase.ts';

/** Refusals by limits of markets, and of schedules; refusalCases.ts has the others. */
export const marketRefusalCases: readonly RefusalCase[] = [
  {
    name: 'a notional above the most',
    code: 'CLOB_ORDER_NOTIONAL',
    words: 'notional is above 0x40',
    payload: order('buy', 5n, 13n),
    params: { limits: { ...noMarketLimits, orderNotionalMax: 64n } },
  },
  {
    name: 'a buy above the band of prices',
    code: 'CLOB_PRICE_BAND',
    words: 'price of a buy is above 0x6e',
    payload: order('buy', 111n, 1n),
    params: { limits: { ...noMarketLimits, priceBandBps: 1000 } },
    prepare: ({ state }) => void (state.markets[1]!.markPrice = 100n),
  },
  {
    name: 'a sell below the band of prices',
    code: 'CLOB_PRICE_BAND',
    words: 'price of a sell is below 0x5a',
    payload: order('sell', 89n, 1n),
    params: { limits: { ...noMarketLimits, priceBandBps: 1000 } },
    prepare: ({ state }) => void (state.markets[1]!.markPrice = 100n),
  },
  {
    name: 'a position above the most',
    code: 'CLOB_POSITION_LIMIT',
    words: 'position could be above 0x14',
    payload: order('buy', 5n, 21n),
    params: { limits: { ...noMarketLimits, positionMax: 20n } },
  },
  {
    name: 'more open interest than there may be',
    code: 'CLOB_OPEN_INTEREST',
    words: 'open interest could be above 0x14',
    payload: order('buy', 5n, 21n),
    params: { limits: { ...noMarketLimits, openInterestMax: 20n } },
  },
  {
    name: 'a cancel that is scheduled for a time too near',
    code: 'CLOB_BAD_SCHEDULE',
    words: `a cancel is scheduled for ${startMs + 5300} or later, in milliseconds, or taken back by 0`,
    payload: { type: 'scheduleCancel', atMs: startMs },
  },
];

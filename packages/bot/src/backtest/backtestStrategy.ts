import type { MarketRules } from '../market.ts';
import { createMarketUnits } from '@prime/sdk';
import type { StrategyFile } from '../config/schema.ts';
import { toBotOptions } from '../config/settings.ts';
import { BotError } from '../errors.ts';
import { createBookPrice, createFixedPrice } from '../live/prices.ts';
import { backtest } from './backtest.ts';
import type { FlowLine } from './flowOrders.ts';
import { type BacktestReport, backtestText } from './report.ts';

/**
 * A recorded flow, and the strategy file that trades against it. `latencyMs` passes before a decision can be in a
 * block.
 */
export interface StrategyBacktestOptions {
  readonly file: StrategyFile;
  readonly flow: AsyncIterable<FlowLine>;
  /** Of base and quote: a flow does not tell them. */
  readonly baseDecimals: number;
  readonly quoteDecimals: number;
  readonly latencyMs: number;
}

/** Open orders of an account where genesis says nothing else. */
const openOrdersMax = 10_000;
const idleBlockMs = 1_000;

/** Runs a strategy file through a recorded flow. @throws BotError `BOT_FLOW_UNFIT`, for a fair price from outside too */
export async function backtestStrategy({
  file,
  flow,
  baseDecimals,
  quoteDecimals,
  latencyMs,
}: StrategyBacktestOptions): Promise<{ readonly report: BacktestReport; readonly text: string }> {
  if (file.fair_price.source === 'http' || file.fair_price.source === 'index') {
    const reason = 'a price from outside was not recorded: take the source book or fixed';
    throw new BotError(`no backtest: ${reason}`, { code: 'BOT_FLOW_UNFIT', reason });
  }
  const unitsOf = (market: MarketRules) => createMarketUnits({ ...market, baseDecimals, quoteDecimals });
  const { source, start } = file.fair_price;
  let units: ReturnType<typeof unitsOf> | null = null;
  const report = await backtest({
    flow,
    market: file.market,
    latencyMs,
    idleBlockMs,
    bot: (market) => {
      units = unitsOf(market);
      return toBotOptions(file, { ...market, ...units }, openOrdersMax);
    },
    prices: (market, last) => {
      const begin = start === undefined ? null : unitsOf(market).price(start, { rounding: 'nearest' });
      return source === 'fixed' ? createFixedPrice(begin!) : createBookPrice(last, begin);
    },
  });
  return { report, text: backtestText(report, units!) };
}

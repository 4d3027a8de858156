import { camelKeys, createPrng } from '@prime/primitives';
import type { MarketUnits } from '@prime/sdk';
import type { BotOptions } from '../botState.ts';
import { createClientIds } from '../execution/clientIds.ts';
import type { MarketRules } from '../market.ts';
import { createMarketMaker } from '../strategy/marketMaker.ts';
import type { Strategy } from '../strategy/strategy.ts';
import { createTaker } from '../strategy/taker.ts';
import type { StrategyFile } from './schema.ts';

/** The market of a bot: its grid, and how people write its prices and sizes. */
export type BotMarket = MarketRules & Pick<MarketUnits, 'price' | 'size' | 'quoteAmount'>;

/** What a strategy file says, in units of the chain. @throws InvalidSizeError, InvalidPriceError and their kin of the SDK for what is off the grid */
export function toBotOptions(file: StrategyFile, market: BotMarket, openOrdersMax: number): BotOptions {
  const { execution, limits, dead_man: deadMan } = file;
  const { marketId, symbol, tickSize, lotSize } = market;
  return {
    market: { marketId, symbol, tickSize, lotSize },
    strategy: strategyOf(file, market),
    ids: createClientIds(file.name, marketId),
    execution: camelKeys(execution),
    limits: {
      positionMax: limits.position === undefined ? null : sizeOrZero(market, limits.position),
      notionalMax: limits.notional === undefined ? null : market.quoteAmount(limits.notional),
      lossMax: limits.loss === undefined ? null : market.quoteAmount(limits.loss),
    },
    deadMan: camelKeys(deadMan),
    openOrdersMax,
    itemsPerSecond: limits.items_per_second,
    actionTtlMs: execution.action_ttl_ms,
  };
}

/** Sizes of the SDK are above 0, and a position may be none. */
const sizeOrZero = (market: BotMarket, text: string): bigint => (/^0+(\.0+)?$/.test(text) ? 0n : market.size(text));

function strategyOf(file: StrategyFile, market: BotMarket): Strategy {
  if (file.strategy === 'taker') {
    const { taker } = file;
    return createTaker(
      {
        ...camelKeys(taker),
        sizeMin: market.size(taker.size_min),
        sizeMax: market.size(taker.size_max),
        maxPosition: market.size(taker.max_position),
      },
      createPrng(taker.seed),
    );
  }
  const { maker } = file;
  return createMarketMaker({
    ...camelKeys(maker),
    size: market.size(maker.size),
    targetPosition: sizeOrZero(market, maker.target_position),
    maxPosition: market.size(maker.max_position),
  });
}

import type { BestPrices, Ticker } from '@prime/sdk';
import { unitsOf } from '../desk.ts';
import type { CcxtExchange, CcxtMarket, Structure } from '../library.ts';
import { plain } from '../plain.ts';

/** A ticker: best prices, last, mark and index, and the trades of the last 24 hours. @param time of the block that it is of, ms */
export function parseTicker(
  exchange: CcxtExchange,
  market: CcxtMarket,
  ticker: Ticker,
  time: number | undefined,
): Structure {
  const { formatPrice, formatSize, formatQuoteAmount } = unitsOf(market);
  const price = (value: bigint | null): string | undefined => (value === null ? undefined : formatPrice(value));
  const { day, lastPrice } = ticker;
  return exchange.safeTicker(
    {
      symbol: market.symbol,
      timestamp: time,
      datetime: exchange.iso8601(time),
      ...bestOf(market, { bid: ticker.bestBid, ask: ticker.bestAsk }),
      open: price(day.open),
      high: price(day.high),
      low: price(day.low),
      last: price(lastPrice),
      close: price(lastPrice),
      baseVolume: formatSize(day.volume),
      quoteVolume: formatQuoteAmount(day.quoteVolume),
      markPrice: price(ticker.markPrice),
      indexPrice: price(ticker.indexPrice),
      info: plain(ticker),
    },
    market,
  );
}

/** Best bid and best ask alone, in the form of a ticker. @param time of the block that they are of, ms */
export const parseBest = (
  exchange: CcxtExchange,
  market: CcxtMarket,
  best: Pick<BestPrices, 'bid' | 'ask'>,
  time: number | undefined,
): Structure =>
  exchange.safeTicker(
    {
      symbol: market.symbol,
      timestamp: time,
      datetime: exchange.iso8601(time),
      ...bestOf(market, best),
      info: plain(best),
    },
    market,
  );

function bestOf(market: CcxtMarket, { bid, ask }: Pick<BestPrices, 'bid' | 'ask'>): Structure {
  const { formatPrice, formatSize } = unitsOf(market);
  return {
    bid: bid === null ? undefined : formatPrice(bid.price),
    bidVolume: bid === null ? undefined : formatSize(bid.size),
    ask: ask === null ? undefined : formatPrice(ask.price),
    askVolume: ask === null ? undefined : formatSize(ask.size),
  };
}

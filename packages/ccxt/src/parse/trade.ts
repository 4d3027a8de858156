import type { Fill, Side, Trade } from '@prime/sdk';
import { type Collateral, collateralOf, type Desk, unitsOf } from '../desk.ts';
import type { CcxtExchange, CcxtMarket, Structure } from '../library.ts';
import { decimalText, ratioText } from '../numbers.ts';
import { plain } from '../plain.ts';

/** What turns fills into trades of ccxt. */
export interface TradeContext {
  readonly exchange: CcxtExchange;
  readonly market: CcxtMarket;
  readonly collateral: Collateral;
}

/** The context of trades in a market. */
export const tradeContext = ({ exchange }: Pick<Desk, 'exchange'>, market: CcxtMarket): TradeContext => ({
  exchange,
  market,
  collateral: collateralOf(exchange),
});

interface TradeFields {
  readonly id: string | undefined;
  readonly order: string | undefined;
  readonly side: Side;
  readonly takerOrMaker: 'taker' | 'maker' | undefined;
  readonly price: string;
  readonly amount: bigint;
  /** Wei. */
  readonly cost: bigint;
  /** Wei; undefined for a trade of others. */
  readonly fee?: bigint | undefined;
  readonly info: Structure;
}

function toTrade(
  { exchange, market, collateral }: TradeContext,
  fields: TradeFields,
  time: number | undefined,
): Structure {
  const { formatSize, formatQuoteAmount } = unitsOf(market);
  const { fee, cost, amount, ...rest } = fields;
  return exchange.safeTrade(
    {
      ...rest,
      type: undefined,
      symbol: market.symbol,
      timestamp: time,
      datetime: exchange.iso8601(time),
      amount: formatSize(amount),
      cost: formatQuoteAmount(cost),
      ...(fee === undefined
        ? {}
        : { fee: { cost: decimalText(fee, collateral.decimals), currency: collateral.code, rate: undefined } }),
    },
    market,
  );
}

/** A trade of anybody; its side is the taker's. */
export const parsePublicTrade = (
  context: TradeContext,
  trade: Omit<Trade, 'maker' | 'taker'>,
  time: number | undefined,
): Structure =>
  toTrade(
    context,
    {
      id: String(trade.tradeId),
      order: undefined,
      side: trade.side,
      takerOrMaker: undefined,
      price: unitsOf(context.market).formatPrice(trade.price),
      amount: trade.size,
      cost: trade.price * trade.size,
      info: plain(trade),
    },
    time,
  );

/** Digits behind the point of a price that is no multiple of a tick: what a position was closed for by the protocol. */
const averageDigits = 8;

/** The price at which a size had a value, cut behind some digits more than the market has. */
export function averagePriceText(market: CcxtMarket, value: bigint, size: bigint): string {
  const { baseDecimals, quoteDecimals } = unitsOf(market);
  const digits = quoteDecimals + averageDigits;
  return ratioText(value * 10n ** BigInt(baseDecimals), size * 10n ** BigInt(quoteDecimals), digits);
}

/** What a fill says of itself, without its place in the chain. */
export type FillBody = Omit<Fill, 'blockNumber' | 'blockHash' | 'timeMs' | 'eventIndex'>;

/** Id and time of a fill. Those that are no trades are told apart by their place in the chain. */
export const placeOfFill = ({
  tradeId,
  blockNumber,
  eventIndex,
  timeMs,
}: Pick<Fill, 'tradeId' | 'blockNumber' | 'eventIndex' | 'timeMs'>): FillPlace => ({
  id: tradeId === null ? entryId({ blockNumber, eventIndex }) : String(tradeId),
  time: timeMs,
});

interface FillPlace {
  readonly id: string;
  /** ms; undefined where the node does not know it any more. */
  readonly time: number | undefined;
}

/** Id of what happened to an account: the place of its event in the chain. */
export const entryId = ({ blockNumber, eventIndex }: Pick<Fill, 'blockNumber' | 'eventIndex'>): string =>
  `${blockNumber}-${eventIndex}`;

/** What changed a position of the account. */
export function parseFill(context: TradeContext, fill: FillBody, { id, time }: FillPlace): Structure {
  const { formatPrice } = unitsOf(context.market);
  return toTrade(
    context,
    {
      id,
      order: fill.orderId === null ? undefined : String(fill.orderId),
      side: fill.side,
      takerOrMaker: fill.liquidity ?? undefined,
      price: fill.price === null ? averagePriceText(context.market, fill.value, fill.size) : formatPrice(fill.price),
      amount: fill.size,
      cost: fill.value,
      fee: fill.fee,
      info: plain(fill),
    },
    time,
  );
}

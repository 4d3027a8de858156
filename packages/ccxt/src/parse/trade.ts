import type { DomainEvent, DomainEventData, Fill, Side, Trade } from '@prime/sdk';
import { type Collateral, unitsOf } from '../desk.ts';
import type { CcxtExchange, CcxtMarket, Structure } from '../library.ts';
import { decimalText, magnitude, ratioText } from '../numbers.ts';
import { plain } from '../plain.ts';

/** What turns fills into trades of ccxt. */
export interface TradeContext {
  readonly exchange: CcxtExchange;
  readonly market: CcxtMarket;
  readonly collateral: Collateral;
}

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

/** What changed a position of the account. @param place tells fills apart that are no trades */
export function parseFill(
  context: TradeContext,
  fill: Omit<Fill, 'blockHash'>,
  place: string,
  time: number | undefined,
): Structure {
  const { formatPrice } = unitsOf(context.market);
  return toTrade(
    context,
    {
      id: fill.tradeId === null ? place : String(fill.tradeId),
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

const against = (side: Side): Side => (side === 'buy' ? 'sell' : 'buy');

/** A fill of an account with its place in the chain. */
export type PlacedFill = Omit<Fill, 'blockHash'> & { readonly place: string };

/** What events of an account did to its positions, in order. */
export function fillsOfEvents(events: readonly DomainEvent[], account: string): readonly PlacedFill[] {
  const makerFees = new Map<number, bigint>();
  const liquidations = new Set<number>();
  for (const { kind, data } of events as readonly { kind: string; data: object }[])
    if (kind === 'trade_fees') {
      const { tradeId, makerFee } = data as DomainEventData['trade_fees'];
      makerFees.set(tradeId, makerFee);
    } else if (kind === 'liquidation') liquidations.add((data as DomainEventData['liquidation']).orderId);
  return events.flatMap(({ kind, data, blockNumber, index }): PlacedFill[] => {
    const place = `${blockNumber}-${index}`;
    if (kind === 'trade') {
      const trade = data as unknown as DomainEventData['trade'];
      const common = {
        blockNumber,
        tradeId: trade.tradeId,
        marketId: trade.marketId,
        price: trade.price,
        size: trade.size,
        value: trade.price * trade.size,
        kind: liquidations.has(trade.takerOrderId) ? ('liquidation' as const) : ('trade' as const),
      };
      const taken = {
        ...common,
        place,
        orderId: trade.takerOrderId,
        side: trade.side,
        fee: trade.fees,
        liquidity: 'taker' as const,
      };
      const made = {
        ...common,
        place,
        orderId: trade.makerOrderId,
        side: against(trade.side),
        fee: makerFees.get(trade.tradeId) ?? 0n,
        liquidity: 'maker' as const,
      };
      return [...(trade.maker === account ? [made] : []), ...(trade.taker === account ? [taken] : [])];
    }
    if (kind !== 'deleveraged') return [];
    const closed = data as unknown as DomainEventData['deleveraged'];
    return (['address', 'counterparty'] as const)
      .filter((whose) => closed[whose] === account)
      .map((whose) => ({
        blockNumber,
        place,
        tradeId: null,
        orderId: whose === 'address' ? closed.orderId : null,
        marketId: closed.marketId,
        side: closed.size > 0n === (whose === 'address') ? 'sell' : 'buy',
        price: null,
        size: magnitude(closed.size),
        value: closed.value,
        fee: 0n,
        liquidity: null,
        kind: 'deleveraging',
      }));
  });
}

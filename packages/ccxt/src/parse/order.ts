import type { Order, OpenOrder, OrderUpdate, PlacedOrder, Side, TimeInForce, Trigger } from '@prime/sdk';
import { decodeClientOrderId } from '../clientOrderId.ts';
import { unitsOf } from '../desk.ts';
import type { CcxtExchange, CcxtMarket, Structure } from '../library.ts';
import { plain } from '../plain.ts';
import type { Attached, WaitsFor } from '../rest/waitingRequest.ts';

/** Times of an order, ms; undefined where nobody knows them. */
export interface OrderTimes {
  readonly placed?: number | undefined;
  readonly updated?: number | undefined;
}

/** What ccxt calls an order that ended without being filled. */
function endOf(reason: string | null): string {
  if (reason === 'expired') return 'expired';
  // Of an order that waited: another one came in its place, or none could.
  if (reason === 'fired') return 'closed';
  return reason === 'refused' ? 'rejected' : 'canceled';
}

/** ccxt's word for a status of the chain: `open`, `closed`, `expired`, `rejected` or `canceled`. */
export const statusOf = (status: string, reason: string | null): string =>
  status === 'open' || status === 'partially_filled' ? 'open' : status === 'filled' ? 'closed' : endOf(reason);

const timeInForceOf = (tif: TimeInForce | null): string | undefined => tif?.toUpperCase();

/** The market of an order, and who writes it. */
export interface OrderContext {
  readonly exchange: CcxtExchange;
  readonly market: CcxtMarket;
}

interface OrderFields {
  readonly id: string | undefined;
  readonly clientOrderId: string | undefined;
  readonly side: Side;
  readonly type?: string | undefined;
  readonly timeInForce: string | undefined;
  readonly postOnly?: boolean | undefined;
  readonly reduceOnly?: boolean | undefined;
  readonly price: bigint | null;
  /** Null: all of a position. */
  readonly amount: bigint | null;
  readonly waits?: WaitsFor | undefined;
  readonly attached?: Attached | undefined;
  readonly filled: bigint;
  readonly remaining: bigint;
  readonly status: string;
  readonly trades?: readonly Structure[] | undefined;
  readonly info: Structure;
}

/** An order of ccxt. Its cost and fee follow from its trades where they are all known. */
function toOrder({ exchange, market }: OrderContext, fields: OrderFields, times: OrderTimes): Structure {
  const { formatPrice, formatSize } = unitsOf(market);
  const { trades, waits, attached, ...rest } = fields;
  // Numbers as text, as safeOrder wants them; undefined ones would count as given.
  const known = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined));
  return exchange.safeOrder(
    {
      ...known,
      type: fields.type ?? 'limit',
      symbol: market.symbol,
      timestamp: times.placed,
      lastUpdateTimestamp: times.updated,
      price: fields.price === null ? undefined : formatPrice(fields.price),
      amount: fields.amount === null ? undefined : formatSize(fields.amount),
      filled: formatSize(fields.filled),
      remaining: fields.amount === null ? undefined : formatSize(fields.remaining),
      ...pricesOf(formatPrice, waits, attached),
      ...(trades === undefined ? {} : { trades }),
      ...(fields.filled === 0n ? { cost: '0' } : {}),
    },
    market,
  );
}

/** Prices of ccxt that an order waits for, or that are attached to it. */
function pricesOf(
  formatPrice: (price: bigint) => string,
  waits: WaitsFor | undefined,
  attached: Attached | undefined,
): Structure {
  const legs = {
    ...(attached?.stop === undefined ? {} : { stopLossPrice: formatPrice(attached.stop.triggerPrice) }),
    ...(attached?.takeProfit === undefined ? {} : { takeProfitPrice: formatPrice(attached.takeProfit.triggerPrice) }),
  };
  if (waits === undefined) return legs;
  const triggerPrice = formatPrice(waits.triggerPrice);
  if (!waits.closes) return { triggerPrice };
  return { triggerPrice, [waits.kind === 'stop' ? 'stopLossPrice' : 'takeProfitPrice']: triggerPrice };
}

/** An order that waits for the mark of its market. */
export const parseTrigger = (context: OrderContext, trigger: Trigger, times: OrderTimes): Structure => {
  const { kind, triggerPrice, limitPrice, size } = trigger;
  const isPosition = size === 'position';
  return toOrder(
    context,
    {
      id: String(trigger.orderId),
      clientOrderId: decodeClientOrderId(trigger.clientId),
      side: trigger.side,
      type: limitPrice === null ? 'market' : 'limit',
      timeInForce: timeInForceOf(trigger.tif),
      reduceOnly: trigger.reduceOnly,
      price: limitPrice,
      amount: isPosition ? null : size,
      waits: { kind, triggerPrice, closes: trigger.reduceOnly },
      filled: 0n,
      remaining: isPosition ? 0n : size,
      status: 'open',
      info: plain(trigger),
    },
    times,
  );
};

/** @param trades all of the order's trades, or undefined where not all are known */
export const parseOrder = (
  context: OrderContext,
  order: Order,
  { times = {}, trades }: { readonly times?: OrderTimes; readonly trades?: readonly Structure[] | undefined } = {},
): Structure =>
  toOrder(
    context,
    {
      ...commonFields(order),
      ...waitedFields(order),
      // What an ended order did not trade is not open any more, but was part of it.
      status: statusOf(order.status, order.reason),
      trades,
      info: plain(order),
    },
    times,
  );

/**
 * A resting order as ccxt writes orders.
 *
 * @param times of its blocks, ms
 */
export const parseOpenOrder = (context: OrderContext, order: OpenOrder, times: OrderTimes): Structure =>
  toOrder(context, { ...commonFields(order), status: 'open', info: plain(order) }, times);

/** Of an order that waits or waited. */
const waitedFields = ({ trigger, price }: Order): Partial<OrderFields> =>
  trigger === undefined
    ? {}
    : {
        type: price === 0n ? 'market' : 'limit',
        price: price === 0n ? null : price,
        waits: { kind: trigger.kind, triggerPrice: trigger.triggerPrice, closes: false },
      };

const commonFields = (order: OpenOrder | OrderUpdate) => ({
  id: order.orderId === null ? undefined : String(order.orderId),
  clientOrderId: decodeClientOrderId(order.clientId),
  side: order.side,
  timeInForce: timeInForceOf(order.tif),
  price: order.price,
  amount: order.size,
  filled: order.filled,
  remaining: order.remaining,
});

/** An order as it was asked for. */
export interface Asked {
  readonly side: Side;
  readonly type: string;
  readonly price: bigint;
  readonly size: bigint;
  readonly tif: TimeInForce;
  readonly postOnly: boolean;
  readonly reduceOnly: boolean;
  readonly clientOrderId: string | undefined;
  readonly waits?: WaitsFor | undefined;
  readonly attached?: Attached | undefined;
}

const askedFields = ({ clientOrderId, side, type, tif, price, size, waits, attached }: Asked) => ({
  waits,
  attached,
  clientOrderId,
  side,
  type,
  timeInForce: timeInForceOf(tif),
  price,
  amount: size,
});

/** What became of an order in the block that took it. */
export const parsePlacedOrder = (
  context: OrderContext,
  {
    asked,
    placed,
    trades,
    time,
  }: {
    readonly asked: Asked;
    readonly placed: PlacedOrder;
    readonly trades: readonly Structure[];
    readonly time: number | undefined;
  },
): Structure =>
  toOrder(
    context,
    {
      id: String(placed.orderId),
      ...askedFields(asked),
      postOnly: asked.postOnly,
      reduceOnly: asked.reduceOnly,
      // The bound of a market order is no price that anybody asked for.
      price: asked.type === 'market' ? null : asked.price,
      filled: placed.filled,
      remaining: placed.remaining,
      status: statusOf(placed.status, placed.reason),
      trades,
      info: plain(placed),
    },
    { placed: time, updated: time },
  );

/** An order that was refused as one of many: the others stand. @param refused ccxt's exception, and the chain's word for the reason */
export const parseRefusedOrder = (
  context: OrderContext,
  asked: Asked,
  { error, kind }: { readonly error: Error; readonly kind: string },
): Structure =>
  toOrder(
    context,
    {
      id: undefined,
      ...askedFields(asked),
      filled: 0n,
      remaining: asked.size,
      status: 'rejected',
      info: { error: error.message, name: error.name, kind },
    },
    {},
  );

/** What a block made of an order, as a stream tells it. */
export const parseOrderUpdate = (context: OrderContext, update: OrderUpdate, times: OrderTimes): Structure =>
  toOrder(
    context,
    { ...commonFields(update), status: statusOf(update.status, update.reason), info: plain(update) },
    times,
  );

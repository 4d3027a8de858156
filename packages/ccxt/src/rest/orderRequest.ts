import {
  type BatchItem,
  type OrderRequest,
  type SelfTradeMode,
  selfTradeModes,
  type Side,
  type TimeInForce,
  type TriggerRequest,
} from '@prime/sdk';
import { encodeClientOrderId } from '../clientOrderId.ts';
import { type Desk, fail, type KnownMarket, textParameter, unitsOf } from '../desk.ts';
import type { CcxtMarket, Num, Params } from '../library.ts';
import { parseDecimalDown } from '../numbers.ts';
import type { Asked } from '../parse/order.ts';
import { attachedOf, type WaitsFor, waitsFor } from './waitingRequest.ts';

/** An order as ccxt's callers give it. */
export interface OrderArguments {
  readonly symbol: string;
  readonly type: string;
  readonly side: string;
  readonly amount: Num;
  readonly price?: Num | undefined;
  readonly params?: Params | undefined;
}

/** An order that can be signed, and what was asked for in ccxt's words. */
export interface PreparedOrder {
  readonly market: CcxtMarket;
  readonly asked: Asked;
  readonly item: PlacingItem;
}

/** An order, or one that waits for the mark of its market. */
type PlacingItem = Extract<BatchItem, { readonly type: 'order' | 'trigger' }>;

/** Parameters of orders that the venue has no word for. Who gives one must not believe that it holds. */
const unsupported = ['trailingAmount', 'trailingPercent', 'cost', 'hedged'] as const;

const msOfSecond = 1000;

interface Life {
  readonly tif: TimeInForce;
  readonly postOnly: boolean;
  readonly expiresAtSeconds: number | undefined;
}

/** How long an order lives. @throws InvalidOrder for words that contradict each other */
function lifeOf(desk: Desk, type: string, params: Params): Life {
  const word = (textParameter(desk, params, 'timeInForce') ?? (type === 'market' ? 'IOC' : 'GTC')).toUpperCase();
  const postOnly = params['postOnly'] === true || word === 'PO';
  const until = params['until'] ?? params['goodTillDate'];
  const tif = { GTC: 'gtc', GTD: 'gtc', PO: 'gtc', IOC: 'ioc', FOK: 'fok' }[word] as TimeInForce | undefined;
  if (tif === undefined) return fail(desk, 'InvalidOrder', `takes timeInForce GTC, GTD, PO, IOC and FOK, not ${word}`);
  if (type === 'market' && tif === 'gtc')
    return fail(desk, 'InvalidOrder', 'market orders are IOC or FOK: they never rest');
  if (postOnly && tif !== 'gtc') return fail(desk, 'InvalidOrder', `postOnly orders rest, and ${word} does not`);
  if ((until !== undefined) !== (word === 'GTD') && word === 'GTD')
    return fail(desk, 'ArgumentsRequired', 'GTD needs params.until, ms since 1970');
  if (until === undefined) return { tif, postOnly, expiresAtSeconds: undefined };
  if (typeof until !== 'number' || tif !== 'gtc')
    return fail(desk, 'InvalidOrder', 'params.until is a time in ms, of an order that rests');
  return { tif, postOnly, expiresAtSeconds: Math.floor(until / msOfSecond) };
}

const ppm = 1_000_000n;
const ppmDecimals = 6;

/**
 * The limit of a market order, which the chain does not have: the price that was given, else the best of the other side and the slippage
 * of params or options beyond it.
 *
 * @throws OrderNotFillable where nobody offers anything
 */
async function boundOf(
  desk: Desk,
  units: KnownMarket,
  side: Side,
  { price, params = {} }: OrderArguments,
): Promise<bigint> {
  const rounding = side === 'buy' ? 'up' : 'down';
  if (price !== undefined) return units.price(desk.exchange.numberToString(price), { rounding });
  const given = params['slippage'] ?? desk.exchange.options['slippage'];
  const slippage = parseDecimalDown(desk.exchange.numberToString(given as Num), ppmDecimals);
  if (slippage === null || slippage < 0n || (side === 'sell' && slippage >= ppm))
    return fail(desk, 'InvalidOrder', `takes a slippage such as 0.05, not ${String(given)}`);
  const { bids, asks } = await desk.reader.getOrderBook({ market: units.marketId });
  const best = (side === 'buy' ? asks : bids)[0];
  if (best === undefined)
    return fail(desk, 'OrderNotFillable', `has no ${side === 'buy' ? 'asks' : 'bids'} in ${units.symbol}`);
  const factor = side === 'buy' ? ppm + slippage : ppm - slippage;
  const ticks = (best.price * factor) / (ppm * units.tickSize);
  return (ticks > 0n ? ticks : 1n) * units.tickSize;
}

/** Rounds as ccxt's own priceToPrecision and amountToPrecision do: prices to the nearest tick, amounts down to the lot. */
async function sizesOf(
  desk: Desk,
  units: KnownMarket,
  side: Side,
  order: OrderArguments,
): Promise<{ price: bigint; size: bigint }> {
  const size = units.size(desk.exchange.numberToString(order.amount), { rounding: 'down' });
  if (order.type === 'market') return { size, price: await boundOf(desk, units, side, order) };
  if (order.price === undefined) return fail(desk, 'ArgumentsRequired', 'limit orders need a price');
  return { size, price: units.price(desk.exchange.numberToString(order.price), { rounding: 'nearest' }) };
}

/**
 * An order in the chain's words.
 *
 * @throws InvalidOrder, ArgumentsRequired, NotSupported; the SDK's errors of prices and sizes
 */
export async function prepareOrder(desk: Desk, order: OrderArguments): Promise<PreparedOrder> {
  const params = order.params ?? {};
  const given = unsupported.find((name) => params[name] !== undefined && params[name] !== false);
  if (given !== undefined) return fail(desk, 'NotSupported', `has no orders with ${given}`);
  const side = order.side.toLowerCase();
  if (side !== 'buy' && side !== 'sell')
    return fail(desk, 'InvalidOrder', `takes sides buy and sell, not ${order.side}`);
  const type = order.type.toLowerCase();
  if (type !== 'limit' && type !== 'market')
    return fail(desk, 'InvalidOrder', `takes types limit and market, not ${order.type}`);
  const market = desk.exchange.market(order.symbol);
  const units = unitsOf(market);
  const waits = waitsFor(desk, units, side, params);
  const attached = attachedOf(desk, units, params);
  const isBracket = attached.stop !== undefined || attached.takeProfit !== undefined;
  if (waits !== null && isBracket) return fail(desk, 'NotSupported', 'attaches nothing to an order that waits itself');
  const life = lifeOf(desk, type, params);
  const selfTrade = textParameter(desk, params, 'selfTradePrevention')?.toLowerCase();
  if (selfTrade !== undefined && !(selfTradeModes as readonly string[]).includes(selfTrade))
    return fail(desk, 'InvalidOrder', `takes selfTradePrevention ${selfTradeModes.join(', ')}, not ${selfTrade}`);
  const clientOrderId = textParameter(desk, params, 'clientOrderId');
  const common = {
    market: units.marketId,
    side,
    selfTrade: selfTrade as SelfTradeMode | undefined,
    reduceOnly: params['reduceOnly'] === true || waits?.closes === true,
    clientId: clientOrderId === undefined ? undefined : encodeClientOrderId(clientOrderId),
  } as const;
  const words = { side, type, reduceOnly: common.reduceOnly, clientOrderId } as const;
  if (waits !== null) {
    const item = waitingItem(desk, units, { ...order, type }, { common, life, waits });
    const { size } = item as { readonly size: bigint };
    const { tif = 'ioc', limitPrice: price = 0n } = item;
    return { market, item, asked: { ...words, price, size, tif, postOnly: false, waits } };
  }
  const { price, size } = await sizesOf(desk, units, side, { ...order, type });
  const { tif, postOnly, expiresAtSeconds } = life;
  const request: OrderRequest =
    tif === 'gtc'
      ? { ...common, ...attached, price, size, tif, postOnly, expiresAtSeconds }
      : { ...common, ...attached, price, size, tif };
  return {
    market,
    item: { type: 'order', ...request },
    asked: { ...words, price, size, tif, postOnly, ...(isBracket ? { attached } : {}) },
  };
}

/** An order that waits: one with a price rests or takes at it then, a market order takes. */
function waitingItem(
  desk: Desk,
  units: KnownMarket,
  { type, amount, price }: OrderArguments,
  {
    common,
    life: { tif, postOnly, expiresAtSeconds },
    waits: { kind, triggerPrice },
  }: {
    readonly common: Pick<TriggerRequest, 'market' | 'side' | 'selfTrade' | 'reduceOnly' | 'clientId'>;
    readonly life: Life;
    readonly waits: WaitsFor;
  },
): Extract<PlacingItem, { readonly type: 'trigger' }> {
  const text = (value: Num): string => desk.exchange.numberToString(value);
  if (postOnly || tif === 'fok') return fail(desk, 'InvalidOrder', 'orders that wait are GTC or IOC when they come');
  const size = units.size(text(amount), { rounding: 'down' });
  const waiting = { type: 'trigger', ...common, kind, triggerPrice, size, expiresAtSeconds } as const;
  if (type === 'market') return { ...waiting, tif: 'ioc' };
  if (price === undefined) return fail(desk, 'ArgumentsRequired', 'limit orders need a price');
  return { ...waiting, tif, limitPrice: units.price(text(price), { rounding: 'nearest' }) };
}

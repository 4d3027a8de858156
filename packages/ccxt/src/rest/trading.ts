import {
  type Action,
  type ActionResult,
  batchSizeMax,
  type BatchItem,
  type Inclusion,
  type Order,
  type PlacedOrder,
  type Trade,
} from '@prime/sdk';
import { decodeClientOrderId, encodeClientOrderId } from '../clientOrderId.ts';
import { type Desk, fail, marketIdOf, marketOfId, textParameter, unitsOf } from '../desk.ts';
import { toCcxtError } from '../errors.ts';
import type { CcxtMarket, Num, Params, Structure } from '../library.ts';
import { parsePlacedOrder, parseRefusedOrder } from '../parse/order.ts';
import { parseFill, tradeContext } from '../parse/trade.ts';
import { plain } from '../plain.ts';
import { fetchTime } from './markets.ts';
import { type OrderArguments, prepareOrder, type PreparedOrder } from './orderRequest.ts';
import { waitsFor } from './waitingRequest.ts';

/** Signs an action, sends it, and waits for the block that carries it out. */
const submit = <const action extends Action>(
  desk: Desk,
  action: action,
): Promise<ActionResult<action['type']> & Inclusion> =>
  desk.writer().submitAction({ action, timeoutMs: Number(desk.exchange.options['outcomeTimeout']) }) as Promise<
    ActionResult<action['type']> & Inclusion
  >;

/** The taker's own side of trades. */
function tradesOf(desk: Desk, market: CcxtMarket, trades: readonly Trade[], time: number | undefined): Structure[] {
  const context = tradeContext(desk, market);
  const { marketId } = unitsOf(market);
  return trades.map((trade) =>
    parseFill(
      context,
      {
        tradeId: trade.tradeId,
        orderId: trade.takerOrderId,
        marketId,
        side: trade.side,
        price: trade.price,
        size: trade.size,
        value: trade.price * trade.size,
        fee: trade.fee,
        liquidity: 'taker',
        kind: 'trade',
      },
      { id: String(trade.tradeId), time },
    ),
  );
}

function placedOrder(
  desk: Desk,
  { market, asked }: Pick<PreparedOrder, 'market' | 'asked'>,
  placed: PlacedOrder,
  time: number | undefined,
): Structure {
  const trades = tradesOf(desk, market, placed.trades, time);
  return parsePlacedOrder({ exchange: desk.exchange, market }, { asked, placed, trades, time });
}

/** Places an order and gives what became of it, after the block that matched it. */
export async function createOrder(desk: Desk, order: OrderArguments): Promise<Structure> {
  const prepared = await prepareOrder(desk, order);
  const placed = await submit(desk, prepared.item);
  return placedOrder(desk, prepared, placed, await desk.times.timeOf(placed.blockNumber));
}

/**
 * Places up to 100 orders in one action of one block. An order that is refused comes back with the status `rejected`, and does not
 * stop the others.
 */
export async function createOrders(desk: Desk, orders: readonly OrderArguments[]): Promise<Structure[]> {
  if (orders.length === 0 || orders.length > batchSizeMax)
    return fail(desk, 'BadRequest', `takes 1 to ${batchSizeMax} orders at once, not ${orders.length}`);
  const prepared = await Promise.all(orders.map((order) => prepareOrder(desk, order)));
  const batch = await submit(desk, { type: 'batch', items: prepared.map(({ item }) => item) });
  const time = await desk.times.timeOf(batch.blockNumber);
  return batch.results.map((result, index) => {
    const { market, asked } = prepared[index]!;
    if (!result.ok) {
      const error = toCcxtError(desk.library, desk.exchange.id, result.error) as Error;
      return parseRefusedOrder({ exchange: desk.exchange, market }, asked, { error, kind: result.error.kind });
    }
    if (result.type !== 'order') return fail(desk, 'BadResponse', `got the result of a ${result.type} for an order`);
    return placedOrder(desk, { market, asked }, result, time);
  });
}

/** @throws BadRequest for what is no id */
export function parseOrderId(desk: Desk, id: string): number {
  const number = Number(id);
  if (!/^\d+$/.test(id) || !Number.isSafeInteger(number))
    return fail(desk, 'BadRequest', `has order ids of digits, not ${id}`);
  return number;
}

/** What is changed of an order; an amount or a price that is left out stays. */
export interface EditArguments {
  readonly id: string;
  readonly amount?: Num | undefined;
  readonly price?: Num | undefined;
  readonly params?: Params | undefined;
}

/**
 * Gives an order another price and amount. Less at the same price keeps id and place; anything else comes back with a new id. The amount
 * counts what is filled already, as it did when the order was placed; what fills between the look at the order and the change is not
 * counted. Of an order that waits, `params.triggerPrice` changes what it waits for; its limit stays. What is attached to an order keeps its amount.
 */
export async function editOrder(desk: Desk, { id, amount, price, params = {} }: EditArguments): Promise<Structure> {
  const orderId = parseOrderId(desk, id);
  const order = await desk.reader.getOrder({ orderId });
  if (order === null) return fail(desk, 'OrderNotFound', `has no order ${id}`);
  const market = await marketOfId(desk, order.marketId);
  const units = unitsOf(market);
  const text = (value: Num): string => desk.exchange.numberToString(value);
  const size = amount === undefined ? order.remaining : units.size(text(amount), { rounding: 'down' }) - order.filled;
  if (order.trigger !== undefined)
    return editWaiting(desk, market, order, { size: amount === undefined ? null : size, price, params });
  if (size <= 0n) return fail(desk, 'InvalidOrder', `order ${id} has traded ${units.formatSize(order.filled)} already`);
  const newPrice = price === undefined ? order.price : units.price(text(price), { rounding: 'nearest' });
  const done = await submit(desk, { type: 'modify', orderId, price: newPrice, size });
  const time = await desk.times.timeOf(done.blockNumber);
  const asked = {
    side: order.side,
    type: 'limit',
    price: newPrice,
    size: done.orderId === orderId ? order.filled + size : size,
    tif: order.tif,
    postOnly: false,
    reduceOnly: false,
    clientOrderId: decodeClientOrderId(order.clientId),
  };
  return placedOrder(desk, { market, asked }, done, time);
}

/** @param size null: as it is */
async function editWaiting(
  desk: Desk,
  market: CcxtMarket,
  order: Order,
  { size, price, params }: { readonly size: bigint | null; readonly price: Num | undefined; readonly params: Params },
): Promise<Structure> {
  const { kind, triggerPrice: before, parentOrderId } = order.trigger!;
  const units = unitsOf(market);
  const limit =
    price === undefined ? order.price : units.price(desk.exchange.numberToString(price), { rounding: 'nearest' });
  if (limit !== order.price) return fail(desk, 'NotSupported', 'changes no limit of an order that waits');
  const { triggerPrice = before } = waitsFor(desk, units, order.side, params) ?? {};
  // 0 is what is attached to an order when it keeps what that filled.
  const kept = parentOrderId === null ? order.remaining : 0n;
  const done = await submit(desk, { type: 'modify', orderId: order.orderId, price: triggerPrice, size: size ?? kept });
  const asked = {
    side: order.side,
    type: limit === 0n ? 'market' : 'limit',
    price: limit,
    size: done.remaining,
    tif: order.tif,
    postOnly: false,
    reduceOnly: false,
    clientOrderId: decodeClientOrderId(order.clientId),
    waits: { kind, triggerPrice, closes: false },
  };
  return placedOrder(desk, { market, asked }, done, await desk.times.timeOf(done.blockNumber));
}

/** What a cancel says of its order: the node tells what was left, and `fetchOrder` the rest. */
const cancelledOrder = (desk: Desk, order: Structure): Structure =>
  desk.exchange.safeOrder({ ...order, status: 'canceled' });

/** A cancel by id, or by the client id of params. */
function cancelItem(desk: Desk, id: string | undefined, symbol: string | undefined, params: Params): BatchItem {
  const clientOrderId = textParameter(desk, params, 'clientOrderId');
  if (clientOrderId === undefined)
    return {
      type: 'cancel',
      orderId: parseOrderId(desk, id ?? fail(desk, 'ArgumentsRequired', 'cancelOrder needs an id')),
    };
  if (symbol === undefined) return fail(desk, 'ArgumentsRequired', 'a cancel by clientOrderId needs a symbol');
  const market = unitsOf(desk.exchange.market(symbol)).marketId;
  return { type: 'cancelByClientId', market, clientId: encodeClientOrderId(clientOrderId) };
}

const symbolOf = (desk: Desk, symbol: string | undefined) =>
  symbol === undefined ? undefined : desk.exchange.market(symbol).symbol;

/**
 * Cancels by id, or by `clientOrderId` in `params`; the time is that of the block.
 *
 * @throws ccxt's exception for a refusal
 */
export async function cancelOrder(
  desk: Desk,
  id: string | undefined,
  symbol?: string,
  params: Params = {},
): Promise<Structure> {
  const done = await submit(desk, cancelItem(desk, id, symbol, params));
  if (done.type !== 'cancel') return fail(desk, 'BadResponse', `got the result of ${done.type} for a cancel`);
  const time = await desk.times.timeOf(done.blockNumber);
  return cancelledOrder(desk, {
    id: String(done.orderId),
    clientOrderId: textParameter(desk, params, 'clientOrderId'),
    symbol: symbolOf(desk, symbol),
    lastUpdateTimestamp: time,
    info: { orderId: done.orderId, hash: done.hash },
  });
}

/** Cancels in actions of up to 100. Those that are refused (filled, gone) come back as `rejected` and do not stop the others. */
export async function cancelOrders(desk: Desk, ids: readonly string[], symbol?: string): Promise<Structure[]> {
  const cancelled: Structure[] = [];
  for (let at = 0; at < ids.length; at += batchSizeMax) {
    const page = ids.slice(at, at + batchSizeMax);
    const items = page.map((id): BatchItem => ({ type: 'cancel', orderId: parseOrderId(desk, id) }));
    const batch = await submit(desk, { type: 'batch', items });
    const time = await desk.times.timeOf(batch.blockNumber);
    for (const [index, result] of batch.results.entries()) {
      const order = { id: page[index]!, symbol: symbolOf(desk, symbol), lastUpdateTimestamp: time };
      if (result.ok) cancelled.push(cancelledOrder(desk, { ...order, info: { hash: batch.hash } }));
      else
        cancelled.push(
          desk.exchange.safeOrder({
            ...order,
            status: 'rejected',
            info: { kind: result.error.kind, error: result.error.message },
          }),
        );
    }
  }
  return cancelled;
}

/** How far the own clock counts ahead of the newest block, ms: a chain without work makes none for a while, and a wrong clock must not put the end off. */
const clockLeadMaxMs = 10_000;

/**
 * A dead man's switch: all orders of the account end so many ms from now, unless it is called again; 0 takes it back. Times are those of blocks.
 *
 * @throws ccxt's exception for a refusal, such as a time that is too short
 */
export async function cancelAllOrdersAfter(desk: Desk, timeout: number): Promise<Structure> {
  if (!Number.isSafeInteger(timeout) || timeout < 0)
    return fail(desk, 'BadRequest', `takes a timeout of whole ms, not ${timeout}`);
  const headMs = (await fetchTime(desk)) ?? 0;
  const nowMs = Math.min(Math.max(headMs, desk.exchange.milliseconds()), headMs + clockLeadMaxMs);
  const atMs = timeout === 0 ? 0 : nowMs + timeout;
  const { hash, blockNumber } = await submit(desk, { type: 'scheduleCancel', atMs });
  const time = atMs === 0 ? undefined : atMs;
  return {
    info: plain({ atMs, hash, blockNumber }),
    triggerTime: time,
    datetime: desk.exchange.iso8601(time),
  };
}

/** Cancels in one market or in all, by one action; one row for each order that ended. */
export async function cancelAllOrders(desk: Desk, symbol?: string): Promise<Structure[]> {
  const done = await submit(desk, { type: 'cancelAll', market: marketIdOf(desk, symbol) });
  const time = await desk.times.timeOf(done.blockNumber);
  return done.orderIds.map((id) =>
    cancelledOrder(desk, {
      id: String(id),
      symbol: symbolOf(desk, symbol),
      lastUpdateTimestamp: time,
      info: { hash: done.hash },
    }),
  );
}

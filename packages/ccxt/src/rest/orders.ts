import { type DomainEventOf, type EventFill, fillsFromEvents, type Order } from '@prime/sdk';
import { encodeClientOrderId } from '../clientOrderId.ts';
import { type Desk, fail, marketIdOf, marketOfId, marketsOf, textParameter } from '../desk.ts';
import { eventsOfRange, findEvents } from '../history.ts';
import { type Limit, type Params, rowsDefault, type Since, type Structure } from '../library.ts';
import { parseOpenOrder, parseOrder, parseTrigger } from '../parse/order.ts';
import { parseFill, tradeContext } from '../parse/trade.ts';
import { parseOrderId } from './trading.ts';

const rowsMax = 1000;

async function parseFills(desk: Desk, fills: readonly EventFill[]): Promise<Structure[]> {
  const markets = await marketsOf(desk, fills);
  const parsed = fills.map(async (fill) => {
    return parseFill(tradeContext(desk, markets.get(fill.marketId)!), fill, await desk.times.timeOf(fill.blockNumber));
  });
  return Promise.all(parsed);
}

/** What changed positions of the account: trades, and what the protocol closed. The newest where no time is given. */
export async function fetchMyTrades(desk: Desk, symbol?: string, since?: Since, limit?: Limit): Promise<Structure[]> {
  const wanted = limit ?? rowsDefault;
  const [address, marketId] = [desk.address(), marketIdOf(desk, symbol)];
  const ownFills = (events: readonly DomainEventOf[]): readonly EventFill[] =>
    fillsFromEvents(events, address).filter((fill) => marketId === undefined || fill.marketId === marketId);
  const events = await findEvents(desk, { address }, since, (found) => ownFills(found).length >= wanted);
  const trades = await parseFills(desk, ownFills(events));
  return desk.exchange.filterBySinceLimit(trades, since, wanted, 'timestamp', since === undefined);
}

/** The trades of an order, or undefined where not all of them are known any more. */
async function tradesOf(desk: Desk, order: Order): Promise<Structure[] | undefined> {
  if (order.filled === 0n) return [];
  const head = order.closedBlock ?? (await desk.reader.getBlockNumber({ cacheTime: 0 }));
  const range = { fromBlock: order.createdBlock, toBlock: head };
  const events = await eventsOfRange(desk, { kind: undefined, address: order.owner }, range);
  const fills = fillsFromEvents(events, order.owner).filter(({ orderId }) => orderId === order.orderId);
  const filled = fills.reduce((sum, { size }) => sum + size, 0n);
  // An order may have traded on between the two answers; and a node may have deleted its first blocks.
  return filled < order.filled ? undefined : parseFills(desk, fills);
}

async function findOrder(desk: Desk, id: string | undefined, params: Params): Promise<Order> {
  const clientOrderId = textParameter(desk, params, 'clientOrderId');
  const order =
    clientOrderId === undefined
      ? await desk.reader.getOrder({
          orderId: parseOrderId(desk, id ?? fail(desk, 'ArgumentsRequired', 'fetchOrder needs an id')),
        })
      : await desk.reader.getOrder({ owner: desk.address(), clientId: encodeClientOrderId(clientOrderId) });
  return order ?? fail(desk, 'OrderNotFound', `has no order ${clientOrderId ?? id}`);
}

async function describeOrder(desk: Desk, order: Order, trades?: readonly Structure[]): Promise<Structure> {
  const market = await marketOfId(desk, order.marketId);
  const placed = await desk.times.timeOf(order.createdBlock);
  const updated = order.closedBlock === null ? placed : ((await desk.times.timeOf(order.closedBlock)) ?? placed);
  return parseOrder({ exchange: desk.exchange, market }, order, { times: { placed, updated }, trades });
}

/** An order wherever it stands, with its trades. */
export async function fetchOrder(desk: Desk, id: string | undefined, params: Params = {}): Promise<Structure> {
  const order = await findOrder(desk, id, params);
  return describeOrder(desk, order, await tradesOf(desk, order));
}

/**
 * Trades of one order, wherever it stands.
 *
 * @throws ccxt's `OrderNotFound`; `BadRequest` where the node has deleted some of them
 */
export async function fetchOrderTrades(desk: Desk, id: string, params: Params = {}): Promise<Structure[]> {
  const order = await findOrder(desk, id, params);
  return (await tradesOf(desk, order)) ?? fail(desk, 'BadRequest', `does not keep all trades of order ${id}`);
}

/** Resting orders of the account, and those that wait for a mark, with the times of their blocks, by id: in one market or in all. */
export async function fetchOpenOrders(desk: Desk, symbol?: string, since?: Since, limit?: Limit): Promise<Structure[]> {
  const marketId = marketIdOf(desk, symbol);
  const owned = { address: desk.address() };
  const [resting, waiting] = await Promise.all([desk.reader.getOpenOrders(owned), desk.reader.getTriggers(owned)]);
  const parsed = [...resting, ...waiting]
    .filter((order) => marketId === undefined || order.marketId === marketId)
    .toSorted((a, b) => a.orderId - b.orderId)
    .map(async (order) => {
      const context = { exchange: desk.exchange, market: await marketOfId(desk, order.marketId) };
      const times = { placed: await desk.times.timeOf(order.createdBlock) };
      return 'kind' in order ? parseTrigger(context, order, times) : parseOpenOrder(context, order, times);
    });
  return desk.exchange.filterBySinceLimit(await Promise.all(parsed), since, limit, 'timestamp');
}

/** Ids of orders of the account that events name as ended, or that may have ended: in the order of the last event of each. */
function endedIds(events: readonly DomainEventOf[], account: string, marketId: number | undefined): readonly number[] {
  const ids = new Set<number>();
  const put = (id: number, market: number): void => {
    if (marketId !== undefined && market !== marketId) return;
    ids.delete(id);
    ids.add(id);
  };
  for (const { kind, data } of events) {
    if (kind === 'order_cancelled') {
      if (data.owner === account) put(data.orderId, data.marketId);
    } else if (kind === 'trade') {
      if (data.maker === account) put(data.makerOrderId, data.marketId);
      if (data.taker === account) put(data.takerOrderId, data.marketId);
    }
  }
  return [...ids];
}

/** Which ended orders are wanted. */
export type Ended = 'closed' | 'canceled' | 'all';

/** Orders that ended, by when they did. They are found in the events of the account, so as far back as the node keeps those. */
export const fetchEndedOrders =
  (which: Ended) =>
  async (desk: Desk, symbol?: string, since?: Since, limit?: Limit): Promise<Structure[]> => {
    const wanted = Math.min(limit ?? rowsDefault, rowsMax);
    const [address, marketId] = [desk.address(), marketIdOf(desk, symbol)];
    const events = await findEvents(
      desk,
      { address },
      since,
      (found) => endedIds(found, address, marketId).length >= 2 * wanted,
    );
    const ids = endedIds(events, address, marketId);
    const ended: { readonly order: Order; readonly structure: Structure }[] = [];
    // From the end that is wanted: without a time the newest, else the oldest.
    for (const orderId of since === undefined ? ids.toReversed() : ids) {
      if (ended.length >= wanted) break;
      const order = await desk.reader.getOrder({ orderId });
      // A position in liquidation has an order id, and is no order.
      if (order === null || order.closedBlock === null || order.owner !== address) continue;
      const structure = await describeOrder(desk, order);
      if (which === 'all' || (which === 'closed') === (structure['status'] === 'closed'))
        ended.push({ order, structure });
    }
    return ended
      .toSorted((a, b) => Number(a.order.closedBlock! - b.order.closedBlock!) || a.order.orderId - b.order.orderId)
      .map(({ structure }) => structure);
  };

/** Ids of orders of the account that events name as placed, ascending: an order's id says when it was. */
function placedIds(events: readonly DomainEventOf[], account: string, marketId: number | undefined): readonly number[] {
  const placed = events.flatMap(({ kind, data }) => {
    if (kind !== 'order_accepted' || data.owner !== account) return [];
    return marketId === undefined || data.marketId === marketId ? [data.orderId] : [];
  });
  return placed.toSorted((a, b) => a - b);
}

/** Orders of any kind, by when they were placed. */
export async function fetchOrders(desk: Desk, symbol?: string, since?: Since, limit?: Limit): Promise<Structure[]> {
  const wanted = Math.min(limit ?? rowsDefault, rowsMax);
  const [address, marketId] = [desk.address(), marketIdOf(desk, symbol)];
  const idsOf = (events: readonly DomainEventOf[]): readonly number[] => placedIds(events, address, marketId);
  const ids = idsOf(await findEvents(desk, { address }, since, (found) => idsOf(found).length >= wanted));
  const chosen = since === undefined ? ids.slice(-wanted) : ids.slice(0, wanted);
  const orders = await Promise.all(chosen.map((orderId) => desk.reader.getOrder({ orderId })));
  return Promise.all(orders.flatMap((order) => (order === null ? [] : [describeOrder(desk, order)])));
}

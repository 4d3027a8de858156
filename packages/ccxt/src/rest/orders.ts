import type { EndedOrder, OpenOrder, Order, Trigger } from '@prime/sdk';
import { findEntries, newestPages, type ReadPage, spanOf, walkPages } from '../accountHistory.ts';
import { encodeClientOrderId } from '../clientOrderId.ts';
import { type Desk, fail, marketIdOf, marketOfId, textParameter } from '../desk.ts';
import { type Limit, type Params, rowsDefault, type RowsQuery, type Since, type Structure } from '../library.ts';
import { parseOpenOrder, parseOrder, parseTrigger, statusOf } from '../parse/order.ts';
import { tradesOf } from './fills.ts';
import { parseOrderId } from './trading.ts';

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

const contextOf = async (desk: Desk, { marketId }: { readonly marketId: number }) => ({
  exchange: desk.exchange,
  market: await marketOfId(desk, marketId),
});

/** An order wherever it stands, with its trades. */
export async function fetchOrder(desk: Desk, id: string | undefined, params: Params = {}): Promise<Structure> {
  const order = await findOrder(desk, id, params);
  const placed = await desk.times.timeOf(order.createdBlock);
  const updated = order.closedBlock === null ? placed : ((await desk.times.timeOf(order.closedBlock)) ?? placed);
  const trades = await tradesOf(desk, order);
  return parseOrder(await contextOf(desk, order), order, { times: { placed, updated }, trades });
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

type Open = OpenOrder | Trigger;

/** What rests and what waits for a mark, ascending by id. */
async function openOrders(desk: Desk, marketId: number | undefined): Promise<readonly Open[]> {
  const owned = { address: desk.address() };
  const [resting, waiting] = await Promise.all([desk.reader.getOpenOrders(owned), desk.reader.getTriggers(owned)]);
  return [...resting, ...waiting]
    .filter((order) => marketId === undefined || order.marketId === marketId)
    .toSorted((a, b) => a.orderId - b.orderId);
}

async function describeOpen(desk: Desk, order: Open): Promise<Structure> {
  const context = await contextOf(desk, order);
  const times = { placed: await desk.times.timeOf(order.createdBlock) };
  return 'kind' in order ? parseTrigger(context, order, times) : parseOpenOrder(context, order, times);
}

async function describeEnded(desk: Desk, order: EndedOrder): Promise<Structure> {
  const times = { placed: await desk.times.timeOf(order.createdBlock), updated: order.timeMs };
  return parseOrder(await contextOf(desk, order), order, { times });
}

/** Resting orders of the account, and those that wait for a mark, with the times of their blocks, by id: in one market or in all. */
export async function fetchOpenOrders(desk: Desk, symbol?: string, since?: Since, limit?: Limit): Promise<Structure[]> {
  const open = await openOrders(desk, marketIdOf(desk, symbol));
  const parsed = await Promise.all(open.map((order) => describeOpen(desk, order)));
  return desk.exchange.filterBySinceLimit(parsed, since, limit, 'timestamp');
}

/** Which ended orders are wanted. */
export type Ended = 'closed' | 'canceled' | 'all';

/** Orders that ended, by when they did: the first ones since a time, or the newest where none is given. */
export const fetchEndedOrders =
  (which: Ended) =>
  async (desk: Desk, query: RowsQuery): Promise<Structure[]> => {
    const isWanted = (order: EndedOrder): boolean => which === 'all' || (which === 'closed') === isClosed(order);
    const ended = await findEntries(desk, (page) => desk.reader.getOrderHistory(page), query, isWanted);
    return Promise.all(ended.map((order) => describeEnded(desk, order)));
  };

const isClosed = ({ status, reason }: Order): boolean => statusOf(status, reason) === 'closed';

/** Blocks in which an order may have been placed, both included. */
interface Placed {
  readonly from: bigint;
  readonly to: bigint;
}

async function placedBetween(desk: Desk, since: Since, until: number | undefined): Promise<Placed> {
  const head = await desk.reader.getBlockNumber({ cacheTime: 0 });
  return {
    from: since === undefined ? 0n : await desk.times.firstSince(since, head),
    to: until === undefined ? head : (await desk.times.firstSince(until + 1, head)) - 1n,
  };
}

/**
 * Orders of any kind, by when they were placed, which is the order of their ids: the first ones since a time, or the newest where none is
 * given. Nodes list orders by when they ended, so a question about long ago reads all that ended since.
 */
export async function fetchOrders(desk: Desk, query: RowsQuery): Promise<Structure[]> {
  const { since, limit: count = rowsDefault } = query;
  const { toTimeMs: until, ...span } = spanOf(desk, query);
  const placed = await placedBetween(desk, since, until);
  const isWanted = ({ createdBlock }: Open): boolean => createdBlock >= placed.from && createdBlock <= placed.to;
  const choose = (orders: readonly Candidate[]): readonly Candidate[] => {
    const sorted = orders.toSorted((a, b) => a.orderId - b.orderId);
    return since === undefined ? sorted.slice(-count) : sorted.slice(0, count);
  };
  // Before those that ended: what ends between the two answers is in both then, and not in none.
  const open = new Map((await openOrders(desk, span.market)).filter(isWanted).map((order) => [order.orderId, order]));
  let ended: readonly EndedOrder[] = [];
  const read: ReadPage<EndedOrder> = (page) => desk.reader.getOrderHistory(page);
  for await (const { entries } of since === undefined ? newestPages(desk, read, span) : walkPages(read, span)) {
    for (const { orderId } of entries) open.delete(orderId);
    ended = choose([...ended, ...entries.filter(isWanted)]) as readonly EndedOrder[];
    // What ended before the last entry was placed before it, too.
    const reached = entries.at(-1)?.closedBlock;
    const all = [...open.values(), ...ended];
    if (since === undefined && reached !== undefined && isEnough(all, count, reached)) break;
  }
  return Promise.all(
    choose([...open.values(), ...ended]).map((order) =>
      'timeMs' in order ? describeEnded(desk, order) : describeOpen(desk, order),
    ),
  );
}

type Candidate = Open | EndedOrder;

/** Whether so many were placed behind a block. */
const isEnough = (orders: readonly Candidate[], count: number, block: bigint): boolean =>
  orders.filter(({ createdBlock }) => createdBlock > block).length >= count;

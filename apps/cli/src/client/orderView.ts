import type { Market, OpenOrder, Order, PlacedOrder, Trade } from '@prime/sdk';

/** An order as people read it; amounts are decimal text. What is not known of it is absent. */
export type OrderView = Readonly<Record<string, string | number | null>>;

/** The text that a client id was made of, where it was: it says more to people than hex. */
export function clientIdText(clientId: string): string {
  const text = Buffer.from(clientId.slice(2), 'hex').toString('latin1').replace(/\0+$/, '');
  return /^[\x21-\x7e]{1,16}$/.test(text) ? text : clientId;
}

const timeOf = (seconds: number): string | null => (seconds === 0 ? null : new Date(seconds * 1_000).toISOString());

/** @param market null where the node does not list it */
export function viewOrder(order: OpenOrder | Order, market: Market | null): OrderView {
  const { formatPrice = String, formatSize = String } = market ?? {};
  const ended = 'status' in order ? order : null;
  return {
    orderId: order.orderId,
    market: market?.symbol ?? `${order.marketId}`,
    side: order.side,
    price: formatPrice(order.price),
    size: formatSize(order.size),
    filled: formatSize(order.filled),
    remaining: formatSize(order.remaining),
    tif: order.tif,
    status: ended?.status ?? (order.filled > 0n ? 'partially_filled' : 'open'),
    ...(ended === null
      ? {}
      : { reason: ended.reason, closedBlock: ended.closedBlock === null ? null : Number(ended.closedBlock) }),
    clientId: order.clientId,
    expiresAt: timeOf(order.expiresAtSeconds),
    createdBlock: Number(order.createdBlock),
    owner: order.owner,
  };
}

/** What became of an order that was placed or modified. */
export function viewPlaced(
  placed: PlacedOrder & { readonly hash: string; readonly blockNumber: bigint },
  market: Market,
): Readonly<Record<string, unknown>> {
  return {
    orderId: placed.orderId,
    market: market.symbol,
    status: placed.status,
    reason: placed.reason,
    filled: market.formatSize(placed.filled),
    remaining: market.formatSize(placed.remaining),
    trades: placed.trades.map((trade) => viewTrade(trade, market)),
    block: Number(placed.blockNumber),
    hash: placed.hash,
  };
}

type SeenTrade = Pick<Trade, 'tradeId' | 'price' | 'size' | 'side'>;

/** A trade; its side is the taker's. */
export const viewTrade = (
  { tradeId, price, size, side }: SeenTrade,
  { formatPrice, formatSize }: Market,
): { readonly tradeId: number; readonly side: string; readonly size: string; readonly price: string } => ({
  tradeId,
  side,
  size: formatSize(size),
  price: formatPrice(price),
});

/** What became of an order, in one line and one for each of its trades. */
export function placedLines(placed: PlacedOrder & { readonly blockNumber: bigint }, market: Market): string[] {
  const { orderId, status, reason, filled, remaining, trades, blockNumber } = placed;
  const words = {
    open: `rests with ${market.formatSize(remaining)}`,
    partially_filled: `${market.formatSize(filled)} traded, ${market.formatSize(remaining)} rests`,
    filled: `filled, ${market.formatSize(filled)}`,
    cancelled: `${market.formatSize(filled)} traded, the rest was cancelled (${reason})`,
    killed: `nothing traded (${reason})`,
  }[status];
  const lines = trades.map(({ price, size }) => `  ${market.formatSize(size)} @ ${market.formatPrice(price)}`);
  return [`order ${orderId}: ${words}, block ${blockNumber}`, ...lines];
}

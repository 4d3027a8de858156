import type { AccountLiquidation, HistoryFill, Order } from '@prime/sdk';
import { findEntries, walkPages } from '../accountHistory.ts';
import { type Desk, marketsOf, unitsOf } from '../desk.ts';
import type { RowsQuery, Structure } from '../library.ts';
import { magnitude } from '../numbers.ts';
import { averagePriceText, entryId, parseFill, placeOfFill, tradeContext } from '../parse/trade.ts';
import { plain } from '../plain.ts';

/** What changed positions of an account: trades, liquidations and deleveraging. */

async function parseFills(desk: Desk, fills: readonly HistoryFill[]): Promise<Structure[]> {
  const markets = await marketsOf(desk, fills);
  return fills.map((fill) => parseFill(tradeContext(desk, markets.get(fill.marketId)!), fill, placeOfFill(fill)));
}

/** Trades of the account, and what the protocol closed: the first ones since a time, or the newest where none is given. */
export const fetchMyTrades = async (desk: Desk, query: RowsQuery): Promise<Structure[]> =>
  parseFills(desk, await findEntries(desk, (page) => desk.reader.getFills(page), query));

/** Whose fills are looked for, of which order and when. */
interface OrderFills {
  readonly owner: `0x${string}`;
  readonly marketId: number;
  readonly orderId: number;
  readonly fromTimeMs: number | undefined;
  readonly toTimeMs: number | undefined;
  /** Base units after which there are no more. */
  readonly size: bigint;
}

/** Fills of one order or liquidation, oldest first. */
async function fillsOfOrder(desk: Desk, wanted: OrderFills): Promise<readonly HistoryFill[]> {
  const { owner, marketId, orderId, fromTimeMs, toTimeMs, size } = wanted;
  const found: HistoryFill[] = [];
  let sum = 0n;
  const span = { address: owner, market: marketId, fromTimeMs, toTimeMs };
  for await (const { entries } of walkPages((page) => desk.reader.getFills(page), span)) {
    for (const fill of entries)
      if (fill.orderId === orderId) {
        found.push(fill);
        sum += fill.size;
      }
    if (sum >= size) break;
  }
  return found.toReversed();
}

/** The trades of an order, or undefined where not all of them are known any more. */
export async function tradesOf(desk: Desk, order: Order): Promise<Structure[] | undefined> {
  const { owner, marketId, orderId, filled, createdBlock, closedBlock } = order;
  if (filled === 0n) return [];
  const fills = await fillsOfOrder(desk, {
    owner,
    marketId,
    orderId,
    fromTimeMs: await desk.times.timeOf(createdBlock),
    toTimeMs: closedBlock === null ? undefined : await desk.times.timeOf(closedBlock),
    size: filled,
  });
  const sum = fills.reduce((total, { size }) => total + size, 0n);
  // An order may have traded on between the two answers; and a node may have deleted its first blocks.
  return sum < filled ? undefined : parseFills(desk, fills);
}

/** The price that a position in liquidation was closed at, from its fills, which stand in the same block. */
async function parseLiquidation(desk: Desk, entry: AccountLiquidation & { readonly marketId: number }) {
  const { marketId, orderId, timeMs } = entry;
  const market = (await marketsOf(desk, [entry])).get(marketId)!;
  const { formatSize, formatQuoteAmount } = unitsOf(market);
  const size = entry.size!;
  const fills = await fillsOfOrder(desk, {
    owner: desk.address(),
    marketId,
    orderId: orderId!,
    fromTimeMs: timeMs,
    toTimeMs: timeMs,
    size: magnitude(size),
  });
  const closed = fills.reduce((sum, fill) => sum + fill.size, 0n);
  const value = fills.reduce((sum, fill) => sum + fill.value, 0n);
  return desk.exchange.safeLiquidation(
    {
      info: plain(entry),
      id: entryId(entry),
      symbol: market.symbol,
      side: size > 0n ? 'sell' : 'buy',
      contracts: formatSize(magnitude(size)),
      price: closed === 0n ? undefined : averagePriceText(market, value, closed),
      baseValue: formatSize(closed),
      quoteValue: formatQuoteAmount(value),
      timestamp: timeMs,
      datetime: desk.exchange.iso8601(timeMs),
    },
    market,
  );
}

/** Positions of the account that were liquidated. What deleveraging closed against others is among its trades only. */
export async function fetchMyLiquidations(desk: Desk, query: RowsQuery): Promise<Structure[]> {
  const isOwn = ({ kind }: AccountLiquidation): boolean => kind === 'liquidation';
  const entries = await findEntries(desk, (page) => desk.reader.getLiquidations(page), query, isOwn);
  return Promise.all(
    entries.map((entry) => parseLiquidation(desk, entry as AccountLiquidation & { readonly marketId: number })),
  );
}

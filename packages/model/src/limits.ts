import type { OrderFields } from '@prime/codec';
import { ceil, floor, max, type ModelState, ordersThat } from './state.ts';

/**
 * Which limit of its market an order is beyond, by its code; null when it is beyond none.
 *
 * @param owner who sent it @param size what may be matched of it
 */
export function beyondLimit(
  state: ModelState,
  owner: string,
  { marketId, side, price, reduceOnly }: OrderFields,
  size: bigint,
): string | null {
  const { limits, mark } = state.markets[marketId - 1]!;
  const sign = side === 'buy' ? 1n : -1n;
  const sizeOf = (account: string): bigint => state.accounts[account]?.positions[marketId]?.size ?? 0n;
  const position = sizeOf(owner) * sign;
  const own = ordersThat(state, (order) => order.owner === owner && order.market === marketId);
  const open = own.filter(({ buy }) => buy === (side === 'buy')).reduce((sum, { remaining }) => sum + remaining, 0n);
  if (reduceOnly || position + open + size <= 0n) return null;
  const within = (value: bigint, most: bigint): boolean => most === 0n || value <= most;
  if (!within(price * size, limits.orderNotionalMax)) return 'CLOB_ORDER_NOTIONAL';
  if (limits.priceBandBps > 0 && mark !== null) {
    const [above, below] = [10_000 + limits.priceBandBps, 10_000 - limits.priceBandBps];
    if (side === 'buy' && price > floor(mark * BigInt(above), 10_000n)) return 'CLOB_PRICE_BAND';
    if (side === 'sell' && price < ceil(mark * BigInt(below), 10_000n)) return 'CLOB_PRICE_BAND';
  }
  const reducing = own.filter(({ fields }) => fields.reduceOnly).reduce((sum, { remaining }) => sum + remaining, 0n);
  const opening = position < 0n ? open - reducing : open;
  if (!within(max(0n, position) + opening + size, limits.positionMax)) return 'CLOB_POSITION_LIMIT';
  const opened = max(0n, size + (position < 0n ? position : 0n));
  const longs = Object.keys(state.accounts).reduce((sum, account) => sum + max(0n, sizeOf(account)), 0n);
  return opened === 0n || within(longs + opened, limits.openInterestMax) ? null : 'CLOB_OPEN_INTEREST';
}

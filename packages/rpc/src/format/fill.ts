import type { DomainEvent } from '@prime/codec';
import { type Address, toQuantity, toSignedQuantity } from '@prime/primitives';
import type { Json } from './format.ts';

/** Fills: what changed a position of an account, as the stream `fills` and `primeorders_getFills` tell it. */

/** How a fill came about: an order, a liquidation, or the closing of a position against one in liquidation. */
type FillKind = 'trade' | 'liquidation' | 'deleveraging';

/** What the block tells of a fill besides its event. */
export interface FillContext {
  /** Place of the event among those of the block. */
  readonly index: number;
  /** Whether its taker was a position in liquidation. */
  readonly isLiquidation: boolean;
  /** Wei; negative is a rebate. */
  readonly makerFee: bigint;
}

type Event = Pick<DomainEvent, 'kind' | 'data'>;

/** Fields that name the two accounts. */
const sides = { trade: ['maker', 'taker'], deleveraged: ['address', 'counterparty'] } as const;
const sidesOf = (kind: string): readonly string[] => (kind === 'trade' || kind === 'deleveraged' ? sides[kind] : []);

/** Whether an event changed a position of the account. */
export const isFillOf = (account: Address, { kind, data }: Event): boolean =>
  sidesOf(kind).some((side) => data[side] === account);

/** One side of a trade, as its account sees it. @param side whose */
function tradeFill(
  data: Event['data'],
  side: 'maker' | 'taker',
  { index, isLiquidation, makerFee }: FillContext,
): Json {
  const takerSide = data['side'] as string;
  const makerSide = takerSide === 'buy' ? 'sell' : 'buy';
  const [price, size] = [data['price'] as bigint, data['size'] as bigint];
  return {
    trade_id: toQuantity(data['trade_id'] as number),
    order_id: toQuantity(data[`${side}_order_id`] as number),
    market_id: data['market_id'],
    side: side === 'taker' ? takerSide : makerSide,
    price: toQuantity(price),
    size: toQuantity(size),
    value: toQuantity(price * size),
    fees: toSignedQuantity(side === 'taker' ? (data['fees'] as bigint) : makerFee),
    liquidity: side,
    kind: (isLiquidation ? 'liquidation' : 'trade') satisfies FillKind,
    event_index: toQuantity(index),
  };
}

/** What deleveraging did to one of both accounts: no trade, so without price, fee and trade id. @param whose whose side */
function deleveragingFill(data: Event['data'], whose: 'address' | 'counterparty', { index }: FillContext): Json {
  const size = data['size'] as bigint;
  const isLong = size > 0n === (whose === 'address');
  return {
    trade_id: null,
    order_id: whose === 'address' ? toQuantity(data['order_id'] as number) : null,
    market_id: data['market_id'],
    side: isLong ? 'sell' : 'buy',
    price: null,
    size: toQuantity(size < 0n ? -size : size),
    value: toQuantity(data['value'] as bigint),
    fees: '0x0',
    liquidity: null,
    kind: 'deleveraging' satisfies FillKind,
    event_index: toQuantity(index),
  };
}

/** The fills that an event is to an account; none where it is none of its. */
export function fillsOfEvent(account: Address, { kind, data }: Event, context: FillContext): readonly Json[] {
  if (kind === 'trade')
    return sides.trade.filter((side) => data[side] === account).map((side) => tradeFill(data, side, context));
  if (kind === 'deleveraged')
    return sides.deleveraged
      .filter((side) => data[side] === account)
      .map((side) => deleveragingFill(data, side, context));
  return [];
}

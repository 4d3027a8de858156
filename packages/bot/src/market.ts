/** What a bot sees: plain data, amounts as bigints. Whoever fills it in parses first. */

/** Direction of an order; of a trade, the taker's. */
export type Side = 'buy' | 'sell';

/** What rests at one price on one side of a book. */
export interface Level {
  /** Wei of the quote for one base unit. */
  readonly price: bigint;
  /** Base units. */
  readonly size: bigint;
}

/** A book after one block. Best price first on both sides. */
export interface Book {
  readonly bids: readonly Level[];
  readonly asks: readonly Level[];
}

/** What orders of a market have to keep to. */
export interface MarketRules {
  readonly marketId: number;
  /** BASE/QUOTE. */
  readonly symbol: string;
  /** Prices are multiples of it. */
  readonly tickSize: bigint;
  /** Sizes are multiples of it. */
  readonly lotSize: bigint;
}

/** An order of the account that rests in the bot's market. */
export interface OwnOrder extends Level {
  readonly orderId: number;
  /** 16 bytes; null for an order without. */
  readonly clientId: string | null;
  readonly side: Side;
  /** What is left of it, base units. */
  readonly size: bigint;
  /** Block time after which the chain cancels it, s; 0 is never. */
  readonly expiresAtSeconds: number;
}

/** The account after one block, as far as the bot's market goes. */
export interface AccountView {
  readonly blockNumber: bigint;
  /** Wei. */
  readonly collateral: bigint;
  /** Base units; negative is short. */
  readonly position: bigint;
  /** What the position was opened for, wei, never negative. */
  readonly entry: bigint;
  /** Those of the bot's market. */
  readonly orders: readonly OwnOrder[];
  /** Open orders of the account in all markets. */
  readonly openOrders: number;
}

/** Whether it is the bid side. */
export const isBuy = (side: Side): boolean => side === 'buy';

/** Those of one side, the best price first. */
export const bestFirst = <order extends { readonly side: Side; readonly price: bigint }>(
  orders: readonly order[],
  side: Side,
): order[] =>
  orders
    .filter((order) => order.side === side)
    .toSorted((a, b) => Number(isBuy(side) ? b.price - a.price : a.price - b.price));

/** The book as it were without the account's own orders, so that a strategy does not follow itself. */
export function withoutOwn({ bids, asks }: Book, orders: readonly OwnOrder[]): Book {
  const rest = (levels: readonly Level[], side: Side): Level[] => {
    const own = new Map<bigint, bigint>();
    for (const order of orders)
      if (order.side === side) own.set(order.price, (own.get(order.price) ?? 0n) + order.size);
    return levels
      .map(({ price, size }) => ({ price, size: size - (own.get(price) ?? 0n) }))
      .filter(({ size }) => size > 0n);
  };
  return { bids: rest(bids, 'buy'), asks: rest(asks, 'sell') };
}

/** Halfway between the best prices, rounded down; null while a side is empty. */
export function midOf({ bids, asks }: Book): bigint | null {
  const [bid, ask] = [bids[0], asks[0]];
  return bid === undefined || ask === undefined ? null : (bid.price + ask.price) / 2n;
}

/** The greatest multiple of `step` that is not above a value of 0 or more. */
export const floorTo = (value: bigint, step: bigint): bigint => value - (value % step);
/** The least multiple of `step` that is not below a value of 0 or more. */
export const ceilTo = (value: bigint, step: bigint): bigint => floorTo(value + step - 1n, step);

import { bigintAbs } from '@prime/primitives';
import { sides as orderSides } from '@prime/codec';
import { bestFirst, type OwnOrder, type Side } from '../market.ts';
import type { Quote } from '../strategy/strategy.ts';
import type { ClientIds } from './clientIds.ts';
import { matchMost } from './matchOrders.ts';

/** What a batch is made of. */
export type PlannedItem =
  | { readonly type: 'cancel'; readonly orderId: number }
  /** `size` is what is to be open afterwards. */
  | { readonly type: 'modify'; readonly orderId: number; readonly price: bigint; readonly size: bigint }
  | (Quote & { readonly type: 'quote'; readonly clientId: `0x${string}`; readonly expiresAtSeconds: number })
  /** Immediate or cancel. */
  | (Quote & { readonly type: 'take'; readonly clientId: `0x${string}` });

/** When orders are left alone and when they are replaced; from the strategy file. */
export interface ExecutionSettings {
  /** An order this near to its quote stays where it is, ticks. */
  readonly priceToleranceTicks: number;
  /** An order that has at least this part of its quote left is not refilled, percent. A refill loses the place in the queue. */
  readonly refillBelowPercent: number;
  /** Life of an order, s of block time: what a dead bot leaves behind is gone after it. */
  readonly orderSeconds: number;
  /** An order with less life than this is replaced, s. */
  readonly refreshSeconds: number;
  /** Items of one batch, at most what the protocol takes. */
  readonly batchMax: number;
}

/**
 * What a strategy wants and what rests, at one moment. Block time in s, `tickSize` in wei of the quote for one base
 * unit.
 */
export interface PlanInput {
  readonly quotes: readonly Quote[];
  readonly takes: readonly Quote[];
  /** The bot's own orders that rest. */
  readonly live: readonly OwnOrder[];
  /** Orders that the bot may have open, at most. */
  readonly openOrdersMax: number;
  readonly nowSeconds: number;
  readonly tickSize: bigint;
  /** Block that the decision is made by. */
  readonly basisBlock: bigint;
  readonly ids: ClientIds;
  readonly settings: ExecutionSettings;
}

/** Items of the next batch, and how much it leaves undone. */
export interface Plan {
  /** In the order in which they have to be carried out. */
  readonly items: readonly PlannedItem[];
  /** Items that did not find room in the batch; they follow from what rests afterwards. */
  readonly postponed: number;
  /** Orders that stay as they are, with their place in the queue. */
  readonly kept: number;
}

/**
 * The least number of cancels, modifies and orders that lead from what rests to what is wanted.
 *
 * Each order that is kept saves one item, so as many as possible are kept; of the others each pair of an order and a quote is one
 * modify. An order whose life ends soon is cancelled and placed anew, because a modify does not prolong it.
 *
 * Cancels come first, then what moves away from the other side, then what moves towards it: so no order meets another one of the bot's,
 * and at no time are there more orders than allowed.
 */
export function planQuotes(input: PlanInput): Plan {
  const quotes = nearestFirst(input.quotes).slice(0, Math.max(0, input.openOrdersMax));
  const sides = orderSides.map((side) => planSide(input, side, quotes));
  const cancels = sides.flatMap(({ cancelled }) =>
    cancelled.map(({ orderId }) => ({ type: 'cancel', orderId }) as const),
  );
  const modifies = sides.flatMap(({ modified }) => modified);
  const items: PlannedItem[] = [
    ...cancels,
    ...modifies.filter(isRetreat).map(toModify),
    ...modifies.filter((modified) => !isRetreat(modified)).map(toModify),
  ];
  const { ids, basisBlock, settings } = input;
  const expiresAtSeconds = input.nowSeconds + settings.orderSeconds;
  let index = 0;
  for (const quote of nearestFirst(sides.flatMap(({ placed }) => placed)))
    items.push({ type: 'quote', ...quote, clientId: ids.next(basisBlock, index++), expiresAtSeconds });
  for (const take of input.takes) items.push({ type: 'take', ...take, clientId: ids.next(basisBlock, index++) });
  return {
    items: items.slice(0, settings.batchMax),
    postponed: Math.max(0, items.length - settings.batchMax),
    kept: sides.reduce((sum, { kept }) => sum + kept, 0),
  };
}

/** An order and the quote that it is made to. */
interface Modified {
  readonly order: OwnOrder;
  readonly price: bigint;
  readonly size: bigint;
}

const toModify = ({ order: { orderId }, ...rest }: Modified): PlannedItem => ({ type: 'modify', orderId, ...rest });

/** Away from the other side, or smaller in its place: it can meet nothing. */
const isRetreat = ({ order, price }: Modified): boolean =>
  order.side === 'buy' ? price <= order.price : price >= order.price;

function planSide({ live, nowSeconds, tickSize, settings }: PlanInput, side: Side, all: readonly Quote[]) {
  const quotes = all.filter((quote) => quote.side === side);
  const own = bestFirst(live, side);
  const isDue = ({ expiresAtSeconds }: OwnOrder): boolean =>
    expiresAtSeconds !== 0 && expiresAtSeconds - nowSeconds < settings.refreshSeconds;
  const due = own.filter(isDue);
  const orders = own.filter((order) => !isDue(order));
  const tolerance = BigInt(settings.priceToleranceTicks) * tickSize;
  const opposite = bestFirst(all, side === 'buy' ? 'sell' : 'buy')[0];
  // One that is not quite in its place must not stand in the way of the other side, which may be as far from its own.
  const isClear = (price: bigint): boolean =>
    opposite === undefined ||
    (side === 'buy' ? price + tolerance < opposite.price : price - tolerance > opposite.price);
  const isNear = (order: OwnOrder, quote: Quote): boolean =>
    order.price === quote.price || (bigintAbs(order.price - quote.price) <= tolerance && isClear(order.price));
  const keeps = (order: OwnOrder, quote: Quote): boolean =>
    isNear(order, quote) &&
    order.size <= quote.size &&
    order.size * 100n >= quote.size * BigInt(settings.refillBelowPercent);
  const kept = pairsOf(orders, quotes, keeps);
  const looseOrders = orders.filter((order) => !kept.has(order));
  const looseQuotes = quotes.filter((quote) => ![...kept.values()].includes(quote));
  // One that only has to be smaller keeps its place.
  const shrunk = pairsOf(looseOrders, looseQuotes, (order, quote) => isNear(order, quote) && order.size > quote.size);
  const restOrders = looseOrders.filter((order) => !shrunk.has(order));
  const restQuotes = looseQuotes.filter((quote) => ![...shrunk.values()].includes(quote));
  const moved = Math.min(restOrders.length, restQuotes.length);
  return {
    kept: kept.size,
    cancelled: [...due, ...restOrders.slice(moved)],
    modified: [
      ...[...shrunk].map(([order, { size }]): Modified => ({ order, price: order.price, size })),
      ...restOrders.slice(0, moved).map((order, at): Modified => ({ order, ...priceAndSize(restQuotes[at]!) })),
    ],
    placed: restQuotes.slice(moved),
  };
}

const priceAndSize = ({ price, size }: Quote) => ({ price, size });

/** As many pairs as there can be; of several quotes an order prefers the nearest. */
function pairsOf(
  orders: readonly OwnOrder[],
  quotes: readonly Quote[],
  fits: (order: OwnOrder, quote: Quote) => boolean,
): Map<OwnOrder, Quote> {
  const edges = orders.map((order) =>
    [...quotes.keys()]
      .filter((at) => fits(order, quotes[at]!))
      .toSorted((a, b) =>
        Number(bigintAbs(quotes[a]!.price - order.price) - bigintAbs(quotes[b]!.price - order.price)),
      ),
  );
  const pairs = new Map<OwnOrder, Quote>();
  matchMost(edges).forEach((at, index) => {
    if (at !== null) pairs.set(orders[index]!, quotes[at]!);
  });
  return pairs;
}

/** By rank within their side, so that what is cut is the farthest of both. */
function nearestFirst<quote extends { readonly side: Side; readonly price: bigint }>(
  quotes: readonly quote[],
): quote[] {
  const ranked = orderSides.flatMap((side) => bestFirst(quotes, side).map((quote, rank) => ({ quote, rank })));
  return ranked.toSorted((a, b) => a.rank - b.rank).map(({ quote }) => quote);
}

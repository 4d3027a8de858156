import {
  InvalidDecimalError,
  InvalidPriceError,
  InvalidSizeError,
  type Market,
  type OrderRequest,
  type PlacedOrder,
  type Side,
} from '@prime/sdk';
import { sizeText } from '../../../kit/index.ts';

/** How an order lives, in the words of the ticket. */
export const lives = [
  { id: 'gtc', title: 'Rests until it is filled', hint: 'gtc: stays in the book until it is filled or cancelled' },
  { id: 'post', title: 'Rests, never takes', hint: 'post-only: refused instead of trading at once' },
  { id: 'ioc', title: 'Takes what is there', hint: 'ioc: trades at once up to its limit; the rest is dropped' },
  { id: 'fok', title: 'All at once or nothing', hint: 'fok: filled whole at once, or not at all' },
] as const;
/** How an order lives: one of {@link lives} by its id. */
export type Life = (typeof lives)[number]['id'];

/** What somebody typed as the chain has it, or why it is nothing. */
export type Typed =
  | { readonly value: bigint; readonly problem: null; readonly nearest: readonly string[] }
  | { readonly value: null; readonly problem: string | null; readonly nearest: readonly string[] };

const nothing: Typed = { value: null, problem: null, nearest: [] };

/** Commas and spaces are as people copy numbers. */
const clean = (text: string): string => text.replace(/[\s,]/g, '');

function read(text: string, parse: (clean: string) => bigint): Typed {
  if (clean(text) === '') return nothing;
  try {
    return { value: parse(clean(text)), problem: null, nearest: [] };
  } catch (error) {
    if (error instanceof InvalidPriceError || error instanceof InvalidSizeError) {
      const { below, above } = error.nearestText;
      const nearest = [below, above].filter((one) => one !== null);
      return { value: null, problem: nearest.length === 0 ? 'Not above zero.' : 'Nearest valid:', nearest };
    }
    if (error instanceof InvalidDecimalError) return { value: null, problem: 'A number such as 3012.55.', nearest: [] };
    throw error;
  }
}

/** A typed decimal as wei of the quote for one base unit; one off the tick gets the nearest that are on it. */
export const readPrice = (market: Pick<Market, 'price'>, text: string): Typed => read(text, (one) => market.price(one));
/** A typed decimal as base units; one off the lot gets the nearest that are on it. */
export const readSize = (market: Pick<Market, 'size'>, text: string): Typed => read(text, (one) => market.size(one));

/** What the ticket says: price in wei of the quote for one base unit, size in base units. */
export interface TicketOrder {
  readonly side: Side;
  readonly price: bigint;
  readonly size: bigint;
  readonly life: Life;
  readonly isReduceOnly: boolean;
}

/** As the SDK takes it. */
export function requestOf(market: Market, { side, price, size, life, isReduceOnly }: TicketOrder): OrderRequest {
  const common = { market: market.marketId, side, price, size, reduceOnly: isReduceOnly };
  return life === 'gtc' || life === 'post'
    ? { ...common, tif: 'gtc', postOnly: life === 'post' }
    : { ...common, tif: life };
}

const endWords: Readonly<Record<string, string>> = {
  ioc: 'the rest found nobody at that price',
  fok: 'not all of it could be filled',
  self_trade: 'your own order was in the way',
  margin: 'the rest was not covered by margin',
  reduce_only: 'the rest would not have reduced the position',
};

/** What became of an order, in one sentence. */
export function outcomeText(market: Market, side: Side, { filled, remaining, status, reason }: PlacedOrder): string {
  const verb = side === 'buy' ? 'Bought' : 'Sold';
  const done = filled === 0n ? null : `${verb} ${sizeText(market, filled)} ${market.base}`;
  if (status === 'filled') return `${done}.`;
  const rests = `${sizeText(market, remaining)} ${market.base} ${status === 'open' || status === 'partially_filled' ? 'rests' : ''}`;
  if (status === 'open') return `${rests} in the book.`;
  if (status === 'partially_filled') return `${done}; ${rests}.`;
  const why = endWords[reason ?? ''] ?? 'the rest is cancelled';
  return done === null ? `Nothing traded: ${why}.` : `${done}; ${why}.`;
}

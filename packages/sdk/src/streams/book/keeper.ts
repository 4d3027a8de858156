import type { PriceLevel } from '../../types/order.ts';
import { StreamError } from '../errors.ts';
import type { WholeStep } from '../feed/keptWatcher.ts';
import type { BookChange, BookOrder, BookOrdersChange, BookOrdersState, OrderBookState } from '../types.ts';
import type { BookMessage, BookOrdersMessage, MessageOf } from '../wire/states.ts';
import { bookChecksum, ordersChecksum } from './checksum.ts';

type Hex = `0x${string}`;
/** Below 0: the first entry stands in front of the second one. */
type Order<entry> = (a: entry, b: entry) => number;

/** A book as it was after a message, of levels or of orders. */
interface BookOf<entry> {
  readonly sequence: number;
  readonly bids: readonly entry[];
  readonly asks: readonly entry[];
}

/** Place of an entry in a side, or where it belongs. */
function placeOf<entry>(side: readonly entry[], wanted: entry, order: Order<entry>): number {
  let low = 0;
  let high = side.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (order(wanted, side[middle]!) > 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

function applied<entry extends PriceLevel>(
  side: readonly entry[],
  changes: readonly entry[],
  order: Order<entry>,
): readonly entry[] {
  if (changes.length === 0) return side;
  const next = [...side];
  for (const entry of changes) {
    const at = placeOf(next, entry, order);
    const known = next[at] !== undefined && order(entry, next[at]) === 0 ? 1 : 0;
    if (entry.size === 0n) next.splice(at, known);
    else next.splice(at, known, entry);
  }
  return next;
}

const compare = (a: bigint, b: bigint): number => (a < b ? -1 : a > b ? 1 : 0);
const lowestFirst = (a: PriceLevel, b: PriceLevel): number => compare(a.price, b.price);
const highestFirst = (a: PriceLevel, b: PriceLevel): number => compare(b.price, a.price);
/** At one price the oldest first. */
const thenOldest =
  (byPrice: Order<PriceLevel>): Order<BookOrder> =>
  (a, b) =>
    byPrice(a, b) || a.orderId - b.orderId;

/** What came is not what has to come. */
export const brokenSequence = (
  expected: string,
  actual: string,
): { readonly kind: 'broken'; readonly error: StreamError } => ({
  kind: 'broken',
  error: new StreamError(`An order book stream is broken: expected ${expected}, got ${actual}.`, {
    code: 'STREAM_SEQUENCE_BROKEN',
    expected,
    actual,
  }),
});

/** Why a message can not follow; null when it can. */
function misfit(
  book: BookOf<unknown> | null,
  message: MessageOf<PriceLevel>,
  marketId: number,
): ReturnType<typeof brokenSequence> | null {
  if (message.marketId !== marketId) return brokenSequence(`market ${marketId}`, `market ${message.marketId}`);
  if (message.type === 'snapshot') {
    const empty = [...message.bids, ...message.asks].some(({ size }) => size === 0n);
    return empty ? brokenSequence('levels with a size', 'a level of size 0 in a snapshot') : null;
  }
  if (book === null) return brokenSequence('a snapshot', 'an update');
  if (message.previousSequence !== book.sequence)
    return brokenSequence(`an update of ${book.sequence}`, `one of ${message.previousSequence}`);
  return message.sequence > book.sequence
    ? null
    : brokenSequence(`a sequence above ${book.sequence}`, `${message.sequence}`);
}

/** How the entries of a book are ordered, best first, and what they sum up to. */
interface Rules<entry> {
  readonly bids: Order<entry>;
  readonly asks: Order<entry>;
  readonly checksum: (bids: readonly entry[], asks: readonly entry[]) => Hex;
}

const levelRules: Rules<PriceLevel> = { bids: highestFirst, asks: lowestFirst, checksum: bookChecksum };
const orderRules: Rules<BookOrder> = {
  bids: thenOldest(highestFirst),
  asks: thenOldest(lowestFirst),
  checksum: ordersChecksum,
};

function step<entry extends PriceLevel>(
  book: BookOf<entry> | null,
  message: MessageOf<entry>,
  marketId: number,
  rules: Rules<entry>,
) {
  const wrong = misfit(book, message, marketId);
  if (wrong !== null) return wrong;
  const told = { bids: message.bids.toSorted(rules.bids), asks: message.asks.toSorted(rules.asks) };
  const isWhole = message.type === 'snapshot' || book === null;
  const bids = isWhole ? told.bids : applied(book.bids, told.bids, rules.bids);
  const asks = isWhole ? told.asks : applied(book.asks, told.asks, rules.asks);
  const checksum = rules.checksum(bids, asks);
  const { blockNumber, blockHash, timeMs, sequence } = message;
  if (checksum !== message.checksum) {
    const detail = { marketId, blockNumber, expected: message.checksum, actual: checksum };
    const error = new StreamError(
      `The book of market ${marketId} at block ${blockNumber} has the checksum ${checksum}, not ${message.checksum}.`,
      { code: 'STREAM_CHECKSUM_WRONG', ...detail },
    );
    return { kind: 'broken', error } as const;
  }
  const state = { marketId, blockNumber, blockHash, timeMs, sequence, bids, asks, checksum };
  return { kind: 'state', state, change: isWhole ? null : told } as const;
}

/**
 * The book after a message. Never returns one that fails its checksum.
 *
 * @param book as it was after the message before; null before the first snapshot
 */
export const stepBook = (
  book: OrderBookState | null,
  message: BookMessage,
  marketId: number,
): WholeStep<OrderBookState, BookChange> => step(book, message, marketId, levelRules);

/** The same of a book order by order. */
export const stepBookOrders = (
  book: BookOrdersState | null,
  message: BookOrdersMessage,
  marketId: number,
): WholeStep<BookOrdersState, BookOrdersChange> => step(book, message, marketId, orderRules);

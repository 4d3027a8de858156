import type { PriceLevel } from '../../types/order.ts';
import { StreamError } from '../errors.ts';
import type { BookChange, OrderBookState } from '../types.ts';
import type { BookMessage } from '../wire/messages.ts';
import { bookChecksum } from './checksum.ts';

/** What a message makes of a book: the next one, or nothing that may be shown. */
export type BookStep =
  | { readonly kind: 'book'; readonly book: OrderBookState; readonly change: BookChange }
  /** Subscribe again: only a snapshot helps. */
  | { readonly kind: 'broken'; readonly error: StreamError };

/** Place of a price in a side, or where it belongs. @param worse whether the first price stands behind the second one */
function placeOf(side: readonly PriceLevel[], price: bigint, worse: (a: bigint, b: bigint) => boolean): number {
  let low = 0;
  let high = side.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (worse(price, side[middle]!.price)) low = middle + 1;
    else high = middle;
  }
  return low;
}

function applied(
  side: readonly PriceLevel[],
  changes: readonly PriceLevel[],
  worse: (a: bigint, b: bigint) => boolean,
): readonly PriceLevel[] {
  if (changes.length === 0) return side;
  const next = [...side];
  for (const level of changes) {
    const at = placeOf(next, level.price, worse);
    const known = next[at]?.price === level.price ? 1 : 0;
    if (level.size === 0n) next.splice(at, known);
    else next.splice(at, known, level);
  }
  return next;
}

const below = (a: bigint, b: bigint): boolean => a < b;
const above = (a: bigint, b: bigint): boolean => a > b;

const broken = (expected: string, actual: string): BookStep => ({
  kind: 'broken',
  error: new StreamError(`An order book stream is broken: expected ${expected}, got ${actual}.`, {
    code: 'STREAM_SEQUENCE_BROKEN',
    expected,
    actual,
  }),
});

/** Why a message can not follow; null when it can. */
function misfit(book: OrderBookState | null, message: BookMessage, marketId: number): BookStep | null {
  if (message.marketId !== marketId) return broken(`market ${marketId}`, `market ${message.marketId}`);
  if (message.type === 'snapshot') {
    const empty = [...message.bids, ...message.asks].some(({ size }) => size === 0n);
    return empty ? broken('levels with a size', 'a level of size 0 in a snapshot') : null;
  }
  if (book === null) return broken('a snapshot', 'an update');
  if (message.previousSequence !== book.sequence)
    return broken(`an update of ${book.sequence}`, `one of ${message.previousSequence}`);
  return message.sequence > book.sequence ? null : broken(`a sequence above ${book.sequence}`, `${message.sequence}`);
}

/**
 * The book after a message. Never returns one that fails its checksum.
 *
 * @param book as it was after the message before; null before the first snapshot
 */
export function stepBook(book: OrderBookState | null, message: BookMessage, marketId: number): BookStep {
  const wrong = misfit(book, message, marketId);
  if (wrong !== null) return wrong;
  const isWhole = message.type === 'snapshot' || book === null;
  const bids = isWhole ? message.bids.toReversed() : applied(book.bids, message.bids, below);
  const asks = isWhole ? message.asks : applied(book.asks, message.asks, above);
  const checksum = bookChecksum(bids, asks);
  const { blockNumber, blockHash, sequence } = message;
  if (checksum !== message.checksum) {
    const detail = { marketId, blockNumber, expected: message.checksum, actual: checksum };
    const error = new StreamError(
      `The book of market ${marketId} at block ${blockNumber} has the checksum ${checksum}, not ${message.checksum}.`,
      { code: 'STREAM_CHECKSUM_WRONG', ...detail },
    );
    return { kind: 'broken', error };
  }
  return {
    kind: 'book',
    book: { marketId, blockNumber, blockHash, sequence, bids, asks, checksum },
    change: { bids: message.bids.toReversed(), asks: message.asks },
  };
}

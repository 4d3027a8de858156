import { type Book, reaches } from './book.ts';
import { noOrder, type SideIndex } from './orderPool.ts';
import { minus, type Quantity } from './quantity.ts';

/** What the engine says about a maker that a taker meets. */
export const verdict = {
  /** They trade. */
  trade: 0,
  /** The maker is gone; look at the next one. */
  makerGone: 1,
  /** The taker stops here. */
  stop: 2,
  /** Both lose the quantity without a trade; the maker's share is taken off already. */
  decrement: 3,
} as const;

/** Answer to a meeting of maker and taker, as {@link verdict} numbers them. */
export type Verdict = (typeof verdict)[keyof typeof verdict];

/** The engine's side of matching: it judges each meeting and carries trades out. */
export interface MatchPolicy<N extends Quantity> {
  /** @param quantity what both sides have left, in lots @param left of the taker */
  meet(maker: number, quantity: N, left: N): Verdict;
  /** Takes the quantity off the maker, and the maker out of the book when nothing is left of it. */
  trade(maker: number, quantity: N): void;
}

/**
 * Matches a taker against the book by price, then time, at the makers' prices.
 *
 * @param side of the taker @param limit ticks @param lots > 0
 * @returns the lots that are left of the taker
 */
export function match<N extends Quantity>(
  book: Book<N>,
  side: SideIndex,
  limit: N,
  lots: N,
  policy: MatchPolicy<N>,
): N {
  const opposite = (1 - side) as SideIndex;
  const { columns, zero } = book;
  let left = lots;
  while (left > zero) {
    const maker = book.best(opposite);
    if (maker === noOrder || !reaches(opposite, columns.ticks[maker]!, limit)) break;
    const available = columns.remaining[maker]!;
    const quantity = available < left ? available : left;
    const outcome = policy.meet(maker, quantity, left);
    if (outcome === verdict.stop) break;
    if (outcome === verdict.makerGone) continue;
    if (outcome === verdict.trade) policy.trade(maker, quantity);
    left = minus(left, quantity);
  }
  return left;
}

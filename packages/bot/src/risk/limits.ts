import { bigintAbs, bigintMin } from '@prime/primitives';
import { sides as orderSides } from '@prime/codec';
import { bestFirst, floorTo, isBuy, type AccountView, type MarketRules } from '../market.ts';
import type { Quote, Wanted } from '../strategy/strategy.ts';

/** What a bot may hold and show. null is no limit. */
export interface RiskLimits {
  /** Greatest position either way, base units, also if everything trades that rests. */
  readonly positionMax: bigint | null;
  /** Greatest sum of the position at the fair price and of all that rests on the greater side, wei. */
  readonly notionalMax: bigint | null;
  /** Greatest loss; beyond it the bot stops for good, wei. */
  readonly lossMax: bigint | null;
}

/** What was cut, and by which limit. */
export interface LimitedQuotes extends Wanted {
  readonly cut: readonly ('position' | 'notional')[];
}

/**
 * What of a wish keeps within the limits even if all of it trades. Quotes nearest to the fair price keep their size the longest; one that
 * reduces the position may always rest up to it.
 */
export function limitQuotes(
  wanted: Wanted,
  account: AccountView,
  { lotSize }: MarketRules,
  price: bigint,
  { positionMax, notionalMax }: RiskLimits,
): LimitedQuotes {
  const cut = new Set<'position' | 'notional'>();
  const sides = orderSides.map((side) => {
    const held = isBuy(side) ? account.position : -account.position;
    let room = positionMax === null ? null : positionMax - held;
    let notional = notionalMax === null ? null : notionalMax - bigintAbs(held) * price;
    // What closes an open position takes no room of the notional.
    let closable = held < 0n ? -held : 0n;
    const fit = (quote: Quote): Quote[] => {
      let { size } = quote;
      if (room !== null && size > room) {
        cut.add('position');
        size = room;
      }
      if (notional !== null) {
        const affordable = closable + (notional > 0n ? notional / quote.price : 0n);
        if (size > affordable) {
          cut.add('notional');
          size = affordable;
        }
      }
      size = size <= 0n ? 0n : floorTo(size, lotSize);
      if (size === 0n) return [];
      if (room !== null) room -= size;
      const closing = bigintMin(size, closable);
      closable -= closing;
      if (notional !== null) notional -= (size - closing) * quote.price;
      return [{ ...quote, size }];
    };
    const of = (quotes: readonly Quote[]): Quote[] => bestFirst(quotes, side).flatMap(fit);
    // What trades at once comes before what may.
    const takes = of(wanted.takes);
    return { takes, quotes: of(wanted.quotes) };
  });
  return { quotes: sides.flatMap(({ quotes }) => quotes), takes: sides.flatMap(({ takes }) => takes), cut: [...cut] };
}

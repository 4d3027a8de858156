import { encodeLevelRecord, type LevelRecord, levelRecordKey, type RecordWrite } from '@prime/codec';
import { assert, type MarketId } from '@prime/primitives';
import type { Market } from '../state/markets.ts';
import { buySide, sellSide, type SideIndex } from '../book/orderPool.ts';
import type { ClobState } from '../state/state.ts';
import type { TouchedLevels } from '../state/touchedLevels.ts';
import type { Quantity } from '../book/quantity.ts';

/**
 * Price levels as records, where genesis says `clob.levelProofs`: who is shown a level can check that it is all that rests at that price,
 * which no number of proofs of orders would show (ADR 0128). Levels follow from the orders; a block notes the prices at which something
 * happened, and asks the books at its end what rests there.
 */

/** Records of all noted prices, in the order of their keys. */
export function* levelWrites(state: ClobState, { ticks: noted }: TouchedLevels): Generator<RecordWrite> {
  const markets = [...noted.keys()].filter((market) => state.market(market.id) === market);
  for (const market of markets.sort((a, b) => a.id - b.id))
    for (const side of [buySide, sellSide] as const)
      for (const ticks of sorted(noted.get(market)![side])) {
        const level = levelOf(market, side, ticks);
        yield { key: levelRecordKey(level), value: level.size === 0n ? null : encodeLevelRecord(level) };
      }
}

/** Each price once: a market may have moved to bigints in between. */
const sorted = (ticks: ReadonlySet<Quantity>): bigint[] =>
  [...new Set([...ticks].map(BigInt))].sort((a, b) => (a < b ? -1 : 1));

const levelOf = ({ id, book, tickSize, lotSize }: Market, side: SideIndex, ticks: bigint): LevelRecord => ({
  marketId: id as MarketId,
  side: side === buySide ? 'buy' : 'sell',
  price: ticks * tickSize,
  size: BigInt(book.lotsAt(side, book.of(ticks))) * lotSize,
});

/** @throws InvariantError when stored levels are not what the stored orders add up to */
export function checkLevels(state: ClobState, stored: readonly LevelRecord[]): void {
  const { levels, markets } = state;
  assert(levels !== null || stored.length === 0, 'the state has levels, genesis does not say clob.levelProofs');
  if (levels === null) return;
  for (const level of stored) {
    const market = state.market(level.marketId);
    assert(market !== undefined, `a level is in unknown market ${level.marketId}`);
    const { size } = levelOf(market, level.side === 'buy' ? buySide : sellSide, level.price / market.tickSize);
    assert(
      size === level.size,
      `level ${level.price} of market ${level.marketId} is stored as ${level.size}, holds ${size}`,
    );
  }
  let count = 0;
  for (const { book } of markets) for (const side of [buySide, sellSide] as const) book.levels(side, () => ++count > 0);
  assert(count === stored.length, `${stored.length} levels are stored, the books have ${count}`);
}

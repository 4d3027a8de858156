import { sides } from '@prime/codec';
import type { OrderBookState, PriceLevel, Side } from '@prime/sdk';
import { areNeighbours, isBest, isOtherSideEmpty, isWorst, type ProvenLevel, type Way } from './completeness.ts';

/** A level as it was proven: its size after the block, 0 where nobody rested there. */
export interface LevelProof {
  readonly side: Side;
  readonly price: bigint;
  readonly size: bigint;
  readonly way: Way;
}

/** What is wrong with a book that was shown. */
export interface Lie {
  readonly side: Side;
  /** Of the level with another size, or of the one behind the gap; null for a side that is not shown at all. */
  readonly price: bigint | null;
  readonly what: 'size' | 'hidden';
  /** What the validators signed; null for what is hidden, of which only the place is known. */
  readonly signed: bigint | null;
}

/** What a comparison of a shown book with proven levels found. */
export interface Judgement {
  /** Levels whose size was compared. */
  readonly compared: number;
  /** Places between levels in which nothing is hidden. */
  readonly gaps: number;
  readonly lies: readonly Lie[];
}

/**
 * Compares a book with what was proven of its block. Levels that were not proven, because they came since they were asked for, say nothing.
 *
 * @param book as the node showed it after that block
 * @param levelsMax levels of each side that are meant
 */
export function judgeBook(
  marketId: number,
  book: Pick<OrderBookState, 'bids' | 'asks'>,
  proofs: readonly LevelProof[],
  levelsMax: number,
): Judgement {
  const shown = { buy: book.bids, sell: book.asks };
  const parts = sides.map((side) => {
    const own = proofs.filter((proof) => proof.side === side);
    const sizes = compareSizes(side, shown[side], own);
    const gaps = compareGaps({ marketId, side }, shown[side], own, levelsMax);
    return {
      compared: own.length,
      gaps: gaps.clear,
      lies: [...sizes, ...gaps.lies, ...absentSide(marketId, side, shown, proofs)],
    };
  });
  return {
    compared: parts.reduce((sum, { compared }) => sum + compared, 0),
    gaps: parts.reduce((sum, { gaps }) => sum + gaps, 0),
    lies: parts.flatMap(({ lies }) => lies),
  };
}

function compareSizes(side: Side, levels: readonly PriceLevel[], proofs: readonly LevelProof[]): Lie[] {
  const told = new Map(levels.map(({ price, size }) => [price, size]));
  return proofs
    .filter(({ price, size }) => (told.get(price) ?? 0n) !== size)
    .map(({ price, size }) => ({ side, price, what: 'size', signed: size }));
}

function compareGaps(
  of: { readonly marketId: number; readonly side: Side },
  levels: readonly PriceLevel[],
  proofs: readonly LevelProof[],
  levelsMax: number,
): { readonly clear: number; readonly lies: readonly Lie[] } {
  const proven = new Map(proofs.filter(({ size }) => size > 0n).map((proof) => [proof.price, proof]));
  const lies: Lie[] = [];
  let clear = 0;
  const note = (price: bigint, isClear: boolean): void => {
    if (isClear) clear++;
    else lies.push({ side: of.side, price, what: 'hidden', signed: null });
  };
  const meant = levels.slice(0, levelsMax);
  for (const [index, { price }] of meant.entries()) {
    const level: ProvenLevel | undefined = proven.get(price);
    if (level === undefined) continue;
    const better = index === 0 ? undefined : proven.get(meant[index - 1]!.price);
    if (index === 0) note(price, isBest(of, level));
    else if (better !== undefined) note(price, areNeighbours(of, better, level));
    if (index === levels.length - 1) note(price, isWorst(of, level));
  }
  return { clear, lies };
}

/** A side without a level is shown to be empty by any level of the other one. */
function absentSide(
  marketId: number,
  side: Side,
  shown: Readonly<Record<Side, readonly PriceLevel[]>>,
  proofs: readonly LevelProof[],
): Lie[] {
  const other: Side = side === 'buy' ? 'sell' : 'buy';
  const witness = proofs.find((proof) => proof.side === other && proof.size > 0n);
  if (shown[side].length > 0 || witness === undefined) return [];
  return isOtherSideEmpty({ marketId, side: other }, witness)
    ? []
    : [{ side, price: null, what: 'hidden', signed: null }];
}

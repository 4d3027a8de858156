import { levelRecordKey } from '@prime/codec';
import type { MarketId } from '@prime/primitives';
import type { OrdersProof, Side } from '@prime/sdk';

/**
 * Whether a node left a level out. Records are leaves of a tree in the order of their keys (docs/protocol/orders-root.md), and those of the levels of a side
 * are in the order of prices. A proof of one level lists the hashes of all children beside its way; where a level lies between two others, one of them is
 * not zero. So the proofs of two neighbours show also that nothing is between them.
 *
 * Everything here takes proofs that were verified under one state root.
 */

/** The way from the root of the tree to a leaf. */
export type Way = OrdersProof['steps'];

/** A level that was proven to be there. */
export interface ProvenLevel {
  readonly price: bigint;
  readonly way: Way;
}

/** The levels of a side. */
export interface SideOf {
  readonly marketId: number;
  readonly side: Side;
}

/** Steps of two bits that all levels of one side of a market share: kind, market and side are six bytes. */
const sideSteps = 24;

const isZero = (hash: string): boolean => /^0x0*$/.test(hash);
/** Step of a key: two bits, the most significant first. */
const digitAt = (key: Uint8Array, step: number): number => ((key[step >> 2] ?? 0) >> (6 - 2 * (step & 3))) & 3;
const keyOf = ({ marketId, side }: SideOf, price: bigint): Uint8Array =>
  levelRecordKey({ marketId: marketId as MarketId, side, price });

/** Whether all children of the nodes from a depth on are zero that lie on one side of the way of a key. */
function isClear(key: Uint8Array, way: Way, from: number, where: 'below' | 'above'): boolean {
  return way
    .filter(({ depth }) => depth >= from)
    .every(({ depth, children }) => {
      const own = digitAt(key, depth);
      return children.every((hash, digit) => (where === 'below' ? digit >= own : digit <= own) || isZero(hash));
    });
}

/** Whether nobody rests at a price between two levels. */
export function areNeighbours(side: SideOf, a: ProvenLevel, b: ProvenLevel): boolean {
  const [low, high] = a.price < b.price ? [a, b] : [b, a];
  const [lowKey, highKey] = [keyOf(side, low.price), keyOf(side, high.price)];
  const fork = low.way.find(({ depth }) => digitAt(lowKey, depth) !== digitAt(highKey, depth));
  // Two leaves part in a node that is on the way to both.
  if (fork === undefined || !high.way.some(({ depth }) => depth === fork.depth)) return false;
  const [from, to] = [digitAt(lowKey, fork.depth), digitAt(highKey, fork.depth)];
  const between = fork.children.every((hash, digit) => digit <= from || digit >= to || isZero(hash));
  const next = fork.depth + 1;
  return between && isClear(lowKey, low.way, next, 'above') && isClear(highKey, high.way, next, 'below');
}

/** Whether no level of the side has a better price: a lower one for asks, a higher one for bids. */
export const isBest = (side: SideOf, { price, way }: ProvenLevel): boolean =>
  isClear(keyOf(side, price), way, sideSteps, side.side === 'buy' ? 'above' : 'below');

/** Whether no level of the side has a worse price. */
export const isWorst = (side: SideOf, { price, way }: ProvenLevel): boolean =>
  isClear(keyOf(side, price), way, sideSteps, side.side === 'buy' ? 'below' : 'above');

/** Whether the other side of the market is empty, as a level of this side shows: the two part in the last step of the side. */
export function isOtherSideEmpty({ side }: SideOf, { way }: ProvenLevel): boolean {
  const node = way.find(({ depth }) => depth === sideSteps - 1);
  return node === undefined || isZero(node.children[side === 'buy' ? 1 : 0] ?? '0x');
}

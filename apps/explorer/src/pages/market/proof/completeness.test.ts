import { describe, expect, it } from '@jest/globals';
import { levelRecordKey } from '@prime/codec';
import type { MarketId } from '@prime/primitives';
import fc from 'fast-check';
import { areNeighbours, isBest, isOtherSideEmpty, isWorst, type Way } from './completeness.ts';

/** The tree as docs/protocol/orders-root.md says, without its hashes: a subtree is `0x00` where it is empty, else something that is not. */
const digit = (key: Uint8Array, step: number): number => ((key[step >> 2] ?? 0) >> (6 - 2 * (step & 3))) & 3;
const stepsMax = 88;

function wayTo(keys: readonly Uint8Array[], key: Uint8Array): Way {
  const way: { depth: number; children: `0x${string}`[] }[] = [];
  let left = keys;
  while (left.length > 1) {
    const depth = Array.from({ length: stepsMax }, (_, step) => step).find(
      (step) => new Set(left.map((one) => digit(one, step))).size > 1,
    )!;
    const sets = [0, 1, 2, 3].map((value) => left.filter((one) => digit(one, depth) === value));
    way.push({ depth, children: sets.map(({ length }) => (length === 0 ? '0x00' : '0x01')) });
    left = sets[digit(key, depth)]!;
  }
  return way;
}

const key = (side: 'buy' | 'sell', price: bigint, marketId = 2) =>
  levelRecordKey({ marketId: marketId as MarketId, side, price });
/** Records of other kinds and markets, around those that are asked about. */
const others = [
  Uint8Array.of(0),
  Uint8Array.of(1, 0, 0, 0, 2),
  Uint8Array.of(11, 7),
  key('buy', 5n, 1),
  key('sell', 9n, 3),
];

const prices = fc.uniqueArray(fc.bigInt({ min: 1n, max: 300n }), { minLength: 1, maxLength: 40 });

describe('what the proofs of levels show', () => {
  it('neighbours are those with nothing between them', () => {
    const property = fc.property(
      prices,
      prices,
      fc.constantFrom('buy' as const, 'sell' as const),
      (bids, asks, side) => {
        const keys = [...others, ...bids.map((price) => key('buy', price)), ...asks.map((price) => key('sell', price))];
        const own = (side === 'buy' ? bids : asks).toSorted((a, b) => (a < b ? -1 : 1));
        const level = (price: bigint) => ({ price, way: wayTo(keys, key(side, price)) });
        const of = { marketId: 2, side };
        for (const [at, price] of own.entries())
          for (const [to, other] of own.entries())
            if (at !== to) expect(areNeighbours(of, level(price), level(other))).toBe(Math.abs(at - to) === 1);
        for (const [at, price] of own.entries()) {
          expect(isBest(of, level(price))).toBe(at === (side === 'buy' ? own.length - 1 : 0));
          expect(isWorst(of, level(price))).toBe(at === (side === 'buy' ? 0 : own.length - 1));
          expect(isOtherSideEmpty(of, level(price))).toBe(false);
        }
      },
    );
    fc.assert(property, { numRuns: 60 });
  });

  it('a side that is empty is seen from the other one', () => {
    const property = fc.property(prices, fc.constantFrom('buy' as const, 'sell' as const), (own, side) => {
      const keys = [...others, ...own.map((price) => key(side, price))];
      for (const price of own)
        expect(isOtherSideEmpty({ marketId: 2, side }, { price, way: wayTo(keys, key(side, price)) })).toBe(true);
    });
    fc.assert(property, { numRuns: 60 });
  });
});

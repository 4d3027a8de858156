import { expect, it } from '@jest/globals';
import { depthOf } from './depth.ts';

const units = { formatPrice: (price: bigint) => price.toString(), formatSize: (size: bigint) => size.toString() };
const levels = (...pairs: readonly (readonly [bigint, bigint])[]) => pairs.map(([price, size]) => ({ price, size }));

it('adds up what rests from the middle outwards', () => {
  expect(depthOf({ bids: levels([99n, 5n], [98n, 2n]), asks: levels([101n, 3n], [103n, 4n]) }, units)).toEqual({
    prices: [98, 99, 101, 103],
    bids: [7, 5, null, null],
    asks: [null, null, 3, 7],
  });
});

it('of one side shows that side', () => {
  expect(depthOf({ bids: levels([99n, 5n]), asks: [] }, units)).toEqual({ prices: [99], bids: [5], asks: [null] });
});

it('leaves out what lies far behind the other side', () => {
  const curve = depthOf({ bids: levels([99n, 5n], [1n, 9n]), asks: levels([101n, 3n], [102n, 1n]) }, units);
  expect(curve.prices).toEqual([99, 101, 102]);
});

it('of nothing is nothing', () => {
  expect(depthOf({ bids: [], asks: [] }, units)).toEqual({ prices: [], bids: [], asks: [] });
});

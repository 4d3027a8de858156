import { describe, expect, it } from '@jest/globals';
import type { ValidatorSet } from '@prime/codec';
import type { Address, Height } from '@prime/primitives';
import { believedHead, type Claim, HeadWatch, oldestKept } from './headWatch.ts';

const height = (value: number): Height => value as Height;
const address = (index: number): Address => `0x${`0${index}`.repeat(20)}` as Address;
const claims = (...heads: readonly (readonly [index: number, head: number, base?: number])[]): Map<Address, Claim> =>
  new Map(heads.map(([index, head, base = 1]) => [address(index), { base: height(base), head: height(head) }]));

describe('HeadWatch', () => {
  const at = (watch: HeadWatch, head: number, believed: number | null, nowMs: number): boolean => {
    watch.look(height(head), believed === null ? null : height(believed), nowMs);
    return watch.standing().isCurrent;
  };

  it('a node that heard nothing is not current, one at height 0 of a new chain is, and one that is a block behind is not', () => {
    const watch = new HeadWatch();
    expect(at(watch, 0, null, 0)).toBe(false);
    expect(at(watch, 0, 0, 10)).toBe(true);
    expect(at(new HeadWatch(), 8, 9, 0)).toBe(false);
  });

  it('a follower at the head of a busy chain stays current, whichever of the two heads is looked at first', () => {
    const watch = new HeadWatch();
    at(watch, 1, 1, 0);
    for (let block = 1; block < 400; block++) {
      expect(at(watch, block, block + 3, block * 50)).toBe(true);
      expect(at(watch, block + 1, block + 3, block * 50 + 20)).toBe(true);
    }
  });

  it('a node is behind when it does not reach what peers had 3 s ago, and current again at their head, not before', () => {
    const watch = new HeadWatch();
    at(watch, 5, 5, 0);
    expect(at(watch, 5, 6, 1_000)).toBe(true);
    expect(at(watch, 5, 9, 3_999)).toBe(true);
    expect(at(watch, 5, 9, 4_000)).toBe(false);
    expect(watch.standing().behindFrom).toBe(5);
    expect(at(watch, 8, 9, 4_100)).toBe(false);
    expect(watch.standing().behindFrom).toBe(5);
    expect(at(watch, 9, 9, 4_200)).toBe(true);
    expect(watch.standing().behindFrom).toBeNull();
  });

  it('64 blocks are no reason to think so at once, 65 are', () => {
    const watch = new HeadWatch();
    at(watch, 5, 5, 0);
    expect(at(watch, 5, 69, 1)).toBe(true);
    expect(at(watch, 5, 70, 2)).toBe(false);
  });
});

describe('the head that is believed', () => {
  const by = (
    self: Address | null = null,
    isNamed: (peer: Address) => boolean = () => false,
    powers = [10n, 10n, 10n, 10n],
  ) => ({
    set: {
      validators: powers.map((power, index) => ({ address: address(index + 1), power })),
    } as unknown as ValidatorSet,
    self,
    isNamed,
  });

  it('is the one that more than a third of the power claims', () => {
    expect(believedHead(claims(), by())).toBeNull();
    expect(believedHead(claims([1, 9]), by())).toBeNull();
    expect(believedHead(claims([1, 900], [2, 9], [3, 8]), by())).toBe(9);
  });

  it('or the one of those with whom the own validator could decide a block; 0 where it needs nobody', () => {
    const powers = [65n, 10n, 25n];
    expect(believedHead(claims([2, 9]), by(null, undefined, powers))).toBeNull();
    expect(believedHead(claims([2, 9]), by(address(1), undefined, powers))).toBe(9);
    expect(believedHead(claims(), by(address(1), undefined, [10n]))).toBe(0);
    expect(believedHead(claims(), by(null, undefined, [10n]))).toBeNull();
  });

  it('or the one of a peer that the operator named; strangers say what they like', () => {
    expect(believedHead(claims([7, 900]), by())).toBeNull();
    expect(believedHead(claims([7, 900], [1, 9], [2, 9]), by())).toBe(9);
    expect(
      believedHead(
        claims([7, 12]),
        by(null, (peer) => peer === address(7)),
      ),
    ).toBe(12);
  });
});

describe('blocks that peers do not keep', () => {
  it('are told of where none of those ahead has the next one', () => {
    expect(oldestKept(claims([1, 100, 50], [2, 100, 60], [3, 5]), height(5))).toBe(50);
    expect(oldestKept(claims([1, 100, 7]), height(5))).toBe(7);
    expect(oldestKept(claims([1, 100, 6]), height(5))).toBeNull();
    expect(oldestKept(claims([1, 100, 50], [2, 6]), height(5))).toBeNull();
    expect(oldestKept(claims([1, 5, 3]), height(5))).toBeNull();
  });
});

import { describe, expect, it } from '@jest/globals';
import type { Header } from '@prime/codec';
import type { Height } from '@prime/primitives';
import { blocksBehind } from './blocksBehind.ts';

const header = { height: 7, timestampMs: 50_000 } as unknown as Header;
const behind = (highest: number, nowMs: number): number => blocksBehind(header, highest as Height, nowMs);

describe('how many blocks are missing after one that is applied', () => {
  it('as many as somebody is ahead, and none at the highest head', () => {
    expect([behind(9, 50_100), behind(8, 50_100), behind(7, 50_100)]).toEqual([2, 1, 0]);
  });
  it('a block of a while ago is not the newest one, whatever was heard', () => {
    expect([behind(7, 51_000), behind(7, 51_001), behind(6, 51_001), behind(12, 51_001)]).toEqual([0, 1, 1, 5]);
  });
  it('a head below the block, or a clock behind it, takes nothing away', () => {
    expect([behind(5, 50_000), behind(7, 40_000)]).toEqual([0, 0]);
  });
});

import type { Block } from '@prime/codec';
import type { Address } from '@prime/primitives';

/** Blocks of others that are looked at: a median of fewer says nothing. */
const blocksKept = 32;
const blocksMin = 8;
/** Proposers that have to be among them: one alone may be the one whose clock is off. */
const proposersMin = 2;
/** Median ages of blocks, ms, beyond which a clock is off: where clocks agree and blocks are decided in round 0, none is older, and none is from the future. */
const agesMs = { most: 2_000, least: -250 } as const;
/** Between two warnings, ms. */
const quietMs = 10 * 60_000;

/** Whether somebody should look after a clock. @param offsetMs as {@link ClockOffset} tells it */
export const isClockOff = (offsetMs: number): boolean => offsetMs > agesMs.most || offsetMs < agesMs.least;

/** How far the clock of this machine is off, as the blocks of others tell. */
export interface ClockOffset {
  /**
   * A block was decided here.
   *
   * @param nowMs the wall clock @param monotonicMs a clock that nobody sets
   * @returns ms that the own clock is ahead of those of the proposers, below 0 when it is behind; null while too little is known. `warn` where somebody should be told
   */
  committed(
    block: Pick<Block, 'header'>,
    round: number,
    at: { readonly nowMs: number; readonly monotonicMs: number },
  ): { readonly offsetMs: number; readonly warn: boolean } | null;
}

/**
 * The median age of blocks that others proposed, at the moment in which they are decided here. It includes the time that the decision took, some ten milliseconds, so that an
 * offset of less is none.
 *
 * @param self blocks of its own tell nothing about its clock
 */
export function createClockOffset(self: () => Address | null): ClockOffset {
  const ages: { readonly proposer: Address; readonly ageMs: number }[] = [];
  let warnedMs: number | null = null;
  return {
    committed({ header: { proposer, timestampMs } }, round, { nowMs, monotonicMs }) {
      // Later rounds decide what was proposed long before.
      if (round === 0 && proposer !== self()) {
        ages.push({ proposer, ageMs: nowMs - timestampMs });
        if (ages.length > blocksKept) ages.shift();
      }
      if (ages.length < blocksMin || new Set(ages.map((each) => each.proposer)).size < proposersMin) return null;
      const sorted = ages.map(({ ageMs }) => ageMs).toSorted((a, b) => a - b);
      const offsetMs = sorted[Math.floor(sorted.length / 2)]!;
      const warn = isClockOff(offsetMs) && (warnedMs === null || monotonicMs - warnedMs >= quietMs);
      if (warn) warnedMs = monotonicMs;
      return { offsetMs, warn };
    },
  };
}

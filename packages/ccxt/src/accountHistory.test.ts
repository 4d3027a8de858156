import { describe, expect, it } from '@jest/globals';
import type { HistoryPage } from '@prime/sdk';
import * as fc from 'fast-check';
import { findEntries, type PageQuery } from './accountHistory.ts';
import type { Desk } from './desk.ts';

/** An entry of a history, with its number in it. */
interface Entry {
  readonly number: number;
  readonly timeMs: number;
}

const headMs = 10_000_000;
const historyEntries = 3_000;

/** A node whose pages hold what it likes, from the newest entry backwards. @param times of the entries, ascending */
function nodeOf(
  times: readonly number[],
  { pageMax, oldestMs }: { readonly pageMax: number; readonly oldestMs: number },
) {
  const entries = times.map((timeMs, number): Entry => ({ number, timeMs })).filter(({ timeMs }) => timeMs >= oldestMs);
  const asked: PageQuery[] = [];
  const read = async (query: PageQuery): Promise<HistoryPage<Entry>> => {
    asked.push(query);
    const { fromTimeMs = 0, toTimeMs = headMs, limit, cursor } = query;
    const before = cursor === null ? Number.POSITIVE_INFINITY : Number(cursor);
    const of = entries
      .filter(({ timeMs, number }) => timeMs >= fromTimeMs && timeMs <= toTimeMs && number < before)
      .toReversed();
    const page = of.slice(0, Math.min(limit, pageMax));
    return {
      entries: page,
      next: page.length === of.length ? null : `0x${page.at(-1)!.number.toString(16)}`,
      oldestBlock: 1n,
      oldestMs,
    };
  };
  const reader = { getNativeBlock: async () => ({ timestampMs: headMs }) };
  const desk = { reader, address: () => '0x01', exchange: { options: { historyEntries } } } as unknown as Desk;
  return { desk, read, entries, asked };
}

const time = fc.integer({ min: 0, max: headMs });

describe('entries of the history of an account', () => {
  it('are those that a look at all of them finds, oldest first', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(time, { maxLength: 60 }),
        fc.record({ pageMax: fc.integer({ min: 1, max: 20 }), oldestMs: fc.oneof(fc.constant(0), time) }),
        fc.record({
          since: fc.option(time, { nil: undefined }),
          until: fc.option(time, { nil: undefined }),
          limit: fc.integer({ min: 1, max: 30 }),
          every: fc.integer({ min: 1, max: 3 }),
        }),
        async (times, node, { since, until, limit, every }) => {
          const { desk, read, entries } = nodeOf(
            times.toSorted((a, b) => a - b),
            node,
          );
          const isWanted = ({ number }: Entry): boolean => number % every === 0;
          const all = entries
            .filter(isWanted)
            .filter(({ timeMs }) => timeMs >= (since ?? 0) && timeMs <= (until ?? headMs));
          const wanted = since === undefined ? all.slice(-limit) : all.slice(0, limit);
          const params = until === undefined ? {} : { until };
          expect(await findEntries(desk, read, { since, limit, params }, isWanted)).toEqual(wanted);
        },
      ),
    );
  });

  it('of which one answer holds all are one question', async () => {
    const { desk, read, asked } = nodeOf([1, 2, 3], { pageMax: 1000, oldestMs: 0 });
    expect(await findEntries(desk, read, { since: 2, limit: 1 })).toEqual([{ number: 1, timeMs: 2 }]);
    expect(await findEntries(desk, read, { since: undefined, limit: 2 })).toHaveLength(2);
    expect(asked).toHaveLength(2);
  });

  it('of long ago are found without reading all that came since', async () => {
    const times = Array.from({ length: 100_000 }, (_, index) => index * 100);
    const { desk, read, asked } = nodeOf(times, { pageMax: 1000, oldestMs: 0 });
    const found = await findEntries(desk, read, { since: 1_000_000, limit: 100 });
    expect(found.map(({ number }) => number)).toEqual(Array.from({ length: 100 }, (_, index) => 10_000 + index));
    expect(asked.length).toBeLessThan(5);
  });

  it('that are rare are looked for no further back than the options say', async () => {
    const times = Array.from({ length: 10_000 }, (_, index) => index);
    const { desk, read, asked } = nodeOf(times, { pageMax: 1000, oldestMs: 0 });
    const isRare = ({ number }: Entry): boolean => number % 1_500 === 0;
    const found = await findEntries(desk, read, { since: undefined, limit: 5 }, isRare);
    expect([found.map(({ number }) => number), asked.length]).toEqual([[7_500, 9_000], 3]);
    // Who says since when reads all of it.
    expect(await findEntries(desk, read, { since: 0, limit: 7 }, isRare)).toHaveLength(7);
  });

  it('without a time are the newest hundred', async () => {
    const times = Array.from({ length: 300 }, (_, index) => index);
    const { desk, read } = nodeOf(times, { pageMax: 1000, oldestMs: 0 });
    const found = await findEntries(desk, read, { since: undefined, limit: undefined });
    expect([found.length, found[0]!.number, found.at(-1)!.number]).toEqual([100, 200, 299]);
  });
});

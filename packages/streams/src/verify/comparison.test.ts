import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { ChainRecord, StoredRecord } from '../record.ts';
import { busyRecords, emptyRecords } from '../testing/blocks.ts';
import { Comparison } from './comparison.ts';
import type { Finding } from './findings.ts';

const blocks = [busyRecords(1), emptyRecords(2), busyRecords(3)];
const all = blocks.flatMap(({ records }) => records);
const lastHeight = 3;

function compare(stored: readonly (ChainRecord | null)[]): string[] {
  const findings: Finding[] = [];
  const comparison = new Comparison((finding) => findings.push(finding));
  let next = 1;
  const enter = (height: number): void => {
    for (; next <= Math.min(height, lastHeight); next++) comparison.begin(next, blocks[next - 1]!.records);
  };
  for (const [at, record] of stored.entries()) {
    const { height, index } = record ?? { height: 0, index: 0 };
    if (record !== null) enter(height);
    comparison.take({ height, index, record, place: `line ${at + 1}` } satisfies StoredRecord);
  }
  enter(lastHeight);
  comparison.end();
  return findings.map(({ kind, words }) => `${kind}: ${words}`);
}

const without = (at: number): ChainRecord[] => all.filter((_, index) => index !== at);

describe('stored records held against the chain', () => {
  it('are clean where each is there once', () => {
    expect(compare(all)).toEqual([]);
  });

  it.each(all.map((record, at) => [`${record.height}:${record.index}`, at] as const))(
    'name %s where it was dropped',
    (id, at) => {
      const isWhole = all[at]!.height === 2;
      expect(compare(without(at))).toEqual([
        isWhole ? 'dropped: block 2 is missing with all of its 1 records' : expect.stringContaining(`dropped: ${id} (`),
      ]);
    },
  );

  it.each(all.map((record, at) => [`${record.height}:${record.index}`, at] as const))(
    'name %s where it was doubled, at its place or far behind it',
    (id, at) => {
      expect(compare([...all.slice(0, at + 1), ...all.slice(at)])).toEqual([
        expect.stringMatching(new RegExp(`^doubled: ${id} .* is there once more, line ${at + 2}$`)),
      ]);
      const [found, ...more] = compare([...all, all[at]!]);
      expect(found).toMatch(new RegExp(`^(doubled|misplaced): ${id} `));
      expect(more).toEqual([]);
    },
  );

  it('name what was altered, with what it was and should be', () => {
    const [event, ...rest] = all as [ChainRecord & { type: 'event' }, ...ChainRecord[]];
    const { size, ...data } = event.data;
    expect(size).toBe('4');
    expect(compare([{ ...event, data: { ...data, size: '5', more: 1 }, block_hash: '0x1' }, ...rest])).toEqual([
      expect.stringMatching(
        /^altered: 1:0 \(event orders\/trade\) was altered: block_hash is "0x1" and should be "0x[0-9a-f]{64}"; data\.size is "5" and should be "4"; data\.more is 1 and should be nothing, line 1$/,
      ),
    ]);
  });

  it('name a copy under another index, what the chain never had, and what is no record', () => {
    const copy = { ...all[0]!, index: 99 };
    expect(compare([...all.slice(0, 5), copy, ...all.slice(5)])).toEqual([
      'doubled: 1:99 (event orders/trade) is a copy of 1:0, line 6',
    ]);
    const later = { ...all.at(-1)!, height: 9 };
    expect(compare([...all, later])).toEqual(['foreign: 9:4 (block) is nothing that the chain has, line 12']);
    expect(compare([null, ...all])).toEqual(['unreadable: line 1 is no record']);
  });

  it('name records in another order', () => {
    const [first, second, ...rest] = all as [ChainRecord, ChainRecord, ...ChainRecord[]];
    expect(compare([second, first, ...rest])).toEqual([
      'misplaced: 1:0 (event orders/trade) stands behind 1:1, line 2',
    ]);
  });

  it('never pass for clean when anything was changed', () => {
    const change = fc.oneof(
      fc.record({ kind: fc.constant('drop' as const), at: fc.nat(all.length - 1) }),
      fc.record({ kind: fc.constant('double' as const), at: fc.nat(all.length - 1) }),
      fc.record({ kind: fc.constant('alter' as const), at: fc.nat(all.length - 1) }),
    );
    fc.assert(
      fc.property(change, ({ kind, at }) => {
        const record = all[at]!;
        const middle = { drop: [], double: [record, record], alter: [{ ...record, time_ms: record.time_ms + 1 }] }[
          kind
        ];
        const found = compare([...all.slice(0, at), ...middle, ...all.slice(at + 1)]);
        expect(found).toHaveLength(1);
      }),
    );
  });
});

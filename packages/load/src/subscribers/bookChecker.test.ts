import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { createPrng } from '@prime/primitives';
import { crc32 } from 'node:zlib';
import { BookChecker } from './bookChecker.ts';
import { compareQuantities } from './bookSide.ts';

type Levels = readonly (readonly [price: number, size: number])[];
const hex = (value: number): string => `0x${value.toString(16)}`;
const levels = (of: Levels) => of.map(([price, size]) => ({ price: hex(price), size: hex(size) }));

/** The text of docs/protocol/streams.md, from both sides best first. */
function checksumOf(bids: Levels, asks: Levels): string {
  const words: string[] = [];
  for (let place = 0; place < 25; place++)
    for (const level of [bids[place], asks[place]])
      if (level !== undefined) words.push(`${hex(level[0])}:${hex(level[1])}`);
  return hex(crc32(words.join(':')));
}

const snapshot = (height: number, bids: Levels, asks: Levels, more = {}) => ({
  type: 'snapshot',
  market_id: 1,
  block_number: hex(height),
  sequence: height,
  bids: levels(bids),
  asks: levels(asks),
  checksum: checksumOf(bids.toReversed(), asks),
  part: 1,
  parts: 1,
  ...more,
});
const update = (height: number, after: number, bids: Levels, asks: Levels, checksum: string) => ({
  type: 'update',
  market_id: 1,
  block_number: hex(height),
  sequence: height,
  previous_sequence: after,
  bids: levels(bids),
  asks: levels(asks),
  checksum,
});
/** Bids 0x64 and 0x65, asks 0x66, at block 16. */
const first = snapshot(
  16,
  [
    [100, 10],
    [101, 3],
  ],
  [[102, 5]],
);
const afterBidGoes = checksumOf([[100, 10]], [[102, 5]]);
const started = (): BookChecker => {
  const checker = new BookChecker(1);
  expect(checker.take(first)).toEqual([]);
  return checker;
};

describe('BookChecker', () => {
  it('has the checksums that are published', () => {
    const path = new URL('../../../gateway/testdata/bookChecksum.json', import.meta.url);
    const vectors = JSON.parse(readFileSync(path, 'utf8')) as {
      name: string;
      bids: unknown;
      asks: unknown;
      checksum: string;
    }[];
    expect(vectors.length).toBeGreaterThan(3);
    for (const { name, bids, asks, checksum } of vectors) {
      const checker = new BookChecker(1);
      expect([name, checker.take({ ...first, bids, asks, checksum })]).toEqual([name, []]);
      expect([name, checker.checksum()]).toEqual([name, checksum]);
    }
  });

  it('keeps the book that snapshot and updates tell', () => {
    const checker = started();
    expect(checker.take(update(18, 16, [[101, 0]], [], afterBidGoes))).toEqual([]);
    expect(
      checker.take(
        update(
          19,
          18,
          [[99, 1]],
          [[103, 2]],
          checksumOf(
            [
              [100, 10],
              [99, 1],
            ],
            [
              [102, 5],
              [103, 2],
            ],
          ),
        ),
      ),
    ).toEqual([]);
    expect(checker.book()).toEqual({
      bids: levels([
        [99, 1],
        [100, 10],
      ]),
      asks: levels([
        [102, 5],
        [103, 2],
      ]),
    });
    expect(checker.take(snapshot(20, [], []))).toEqual([]);
    expect(checker.book()).toEqual({ bids: [], asks: [] });
    expect(checker.isLost).toBe(false);
  });

  it('names a message that is missing, comes twice, or too early', () => {
    const skipped = started();
    expect(skipped.take(update(19, 18, [], [], afterBidGoes))).toEqual([
      'book 1 at block 19: follows sequence 18, the last one was 16',
    ]);
    expect(skipped.isLost).toBe(true);
    expect(skipped.take(update(20, 19, [], [], afterBidGoes))).toEqual([]);
    expect(skipped.take(snapshot(21, [], []))).toEqual([]);
    expect(skipped.isLost).toBe(false);

    const doubled = started();
    const message = update(18, 16, [[101, 0]], [], afterBidGoes);
    doubled.take(message);
    expect(doubled.take(message)).toEqual([
      'book 1 at block 18: came after block 18',
      'book 1 at block 18: follows sequence 16, the last one was 18',
    ]);

    const early = new BookChecker(1);
    expect(early.take(message)).toEqual(['book 1 at block 18: an update before the first snapshot']);
    expect(early.isLost).toBe(true);
  });

  it('names a wrong checksum, and that the book is lost', () => {
    const checker = started();
    expect(checker.take(update(18, 16, [[101, 0]], [], '0x1'))).toEqual([
      `book 1 at block 18: has checksum 0x1, its levels have ${afterBidGoes}`,
    ]);
    expect(checker.isLost).toBe(true);
  });

  it('names a book in which a bid meets an ask', () => {
    const crossed = snapshot(
      17,
      [
        [100, 1],
        [102, 1],
      ],
      [[102, 5]],
    );
    expect(started().take(crossed)).toEqual([
      'book 1 at block 17: is crossed, the best bid 0x66 meets the best ask 0x66',
    ]);
  });

  it('names messages of a form that there is none of', () => {
    const level = (price: unknown, size: unknown) => ({ ...first, block_number: '0x11', bids: [{ price, size }] });
    const cases: [object, string][] = [
      [{ ...first, type: 'delta' }, 'book 1 at block 16: a message of type delta'],
      [{ ...first, market_id: 2 }, 'book 1 at block 16: is of market 2'],
      [{ ...first, sequence: 17 }, 'book 1 at block 16: sequence 17 is higher than the block'],
      [{ ...first, sequence: '0x10' }, 'book 1 at block 16: sequence 0x10 at block 0x10'],
      [{ ...first, block_number: '0xf', sequence: 15 }, 'book 1 at block 15: came after block 16'],
      [{ ...first, asks: null }, 'book 1 at block 16: asks is no list'],
      [level('0x0', '0x1'), 'book 1 at block 17: a level 0x0 of 0x1'],
      [level('0x01', '0x1'), 'book 1 at block 17: a level 0x01 of 0x1'],
      [level('0xA', '0x1'), 'book 1 at block 17: a level 0xA of 0x1'],
      [level(5, '0x1'), 'book 1 at block 17: a level 5 of 0x1'],
      [level('0x1', '0x0'), 'book 1 at block 17: bids take away 0x1, which is not there'],
      [
        snapshot(
          17,
          [
            [100, 1],
            [100, 2],
          ],
          [],
        ),
        'book 1 at block 17: bids do not ascend at 0x64',
      ],
      [update(17, 16, [[5, 0]], [], '0x0'), 'book 1 at block 17: bids take away 0x5, which is not there'],
    ];
    for (const [message, words] of cases) expect(started().take(message as Record<string, unknown>)[0]).toBe(words);
  });

  it('finds nothing wrong with a book of any size that is told right, and any level that is told wrong', () => {
    const random = createPrng(7);
    const sides = [new Map<number, number>(), new Map<number, number>()] as const;
    const checker = new BookChecker(1);
    const sorted = (side: ReadonlyMap<number, number>, isBids: boolean) =>
      [...side].sort(([a], [b]) => (isBids ? b - a : a - b));
    let wrongs = 0;
    expect(checker.take(snapshot(1, [], []))).toEqual([]);
    for (let height = 2; height < 600; height++) {
      const changes = sides.map((side, index) => {
        const changed = new Map<number, number>();
        for (let change = 0; change < 3; change++) {
          // Prices around 16^2 and 16^3, where the texts get longer.
          const price = index === 0 ? 200 + random.below(100) : 4050 + random.below(100);
          const size = side.has(price) && !changed.has(price) && random.chance(2, 5) ? 0 : 1 + random.below(300);
          if (size === 0) side.delete(price);
          else side.set(price, size);
          changed.set(price, size);
        }
        return [...changed].sort(([a], [b]) => a - b);
      });
      const [bids, asks] = [sorted(sides[0], true), sorted(sides[1], false)];
      const message = update(height, height - 1, changes[0]!, changes[1]!, checksumOf(bids, asks));
      expect([height, checker.take(message)]).toEqual([height, []]);
      if (height % 20 !== 0) continue;
      const copy = new BookChecker(1);
      const at = random.below(25);
      const wrong = bids.map(([price, size], place): [number, number] => [price, place === at ? size + 1 : size]);
      const told = { ...snapshot(height, wrong.toReversed(), asks), checksum: checksumOf(bids, asks) };
      if (at < bids.length) wrongs++;
      expect([height, copy.take(told).length]).toEqual([height, at < bids.length ? 1 : 0]);
    }
    expect(Math.min(sides[0].size, sides[1].size)).toBeGreaterThan(25);
    expect(wrongs).toBeGreaterThan(10);
  });
});

describe('compareQuantities', () => {
  it('is the order of the numbers', () => {
    const values = [0, 1, 9, 10, 15, 16, 255, 256, 4095, 4096];
    for (const a of values)
      for (const b of values)
        expect([a, b, Math.sign(compareQuantities(hex(a), hex(b)))]).toEqual([a, b, Math.sign(a - b)]);
  });
});

import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { BlockSequencer, type Verdict } from './sequencer.ts';

interface Block {
  readonly blockNumber: bigint;
  readonly name: string;
}
const block = (height: number): Block => ({ blockNumber: BigInt(height), name: `block ${height}` });
const between = (from: bigint, to: bigint, hasItems: (height: bigint) => boolean): Block[] => {
  const blocks: Block[] = [];
  for (let height = from; height <= to; height++) if (hasItems(height)) blocks.push(block(Number(height)));
  return blocks;
};

/** What happens to a reader, as a property draws it. */
type Happening =
  | { readonly kind: 'blocks'; readonly count: number }
  /** Blocks that come while there is no connection; then one to a node that is so many blocks behind. */
  | { readonly kind: 'reconnect'; readonly missed: number; readonly behind: number; readonly during: number }
  | { readonly kind: 'repeat'; readonly back: number }
  /** Comes in the middle of fetching: the connection breaks there. */
  | { readonly kind: 'breakWhileFetching'; readonly missed: number; readonly fetched: number };

const happening: fc.Arbitrary<Happening> = fc.oneof(
  fc.record({ kind: fc.constant('blocks' as const), count: fc.integer({ min: 1, max: 5 }) }),
  fc.record({
    kind: fc.constant('reconnect' as const),
    missed: fc.nat(6),
    behind: fc.nat(4),
    during: fc.nat(6),
  }),
  fc.record({ kind: fc.constant('repeat' as const), back: fc.nat(8) }),
  fc.record({ kind: fc.constant('breakWhileFetching' as const), missed: fc.nat(6), fetched: fc.nat(6) }),
);

/** A reader of a chain in which some blocks have nothing for it. */
class Reader {
  readonly delivered: Block[] = [];
  readonly verdicts: Verdict[] = [];
  readonly #has: (height: bigint) => boolean;
  readonly #sequencer: BlockSequencer<Block>;
  head: bigint;

  constructor(start: bigint, waitingMax: number, has: (height: bigint) => boolean) {
    this.#has = has;
    this.head = start;
    this.#sequencer = new BlockSequencer<Block>(start, waitingMax);
  }

  /** The chain grows, and the stream tells of it where there is one. */
  grow(count: number): void {
    for (let step = 0; step < count; step++) {
      this.head++;
      this.stream(this.head);
    }
  }

  stream(height: bigint): void {
    if (this.#has(height)) this.#take(block(Number(height)));
    this.#sequencer.head(height);
  }

  /** A block with something in it that was streamed before. */
  repeat(height: bigint): void {
    if (height >= 0n && this.#has(height)) this.#take(block(Number(height)));
  }

  disconnect(): void {
    this.#sequencer.stop();
  }

  /** @param upTo where the node that answers stands @param during blocks of that node while history is fetched @param breaksAfter blocks that are fetched before it breaks */
  catchUp(upTo: bigint, during: number, breaksAfter = Number.POSITIVE_INFINITY): void {
    let node = upTo;
    for (let attempt = 0; ; attempt++) {
      this.#sequencer.catchUp();
      const range = this.#sequencer.missing(node);
      for (let step = 0; attempt === 0 && step < during; step++) {
        node++;
        this.head = node > this.head ? node : this.head;
        this.stream(node);
      }
      if (range !== null) {
        const last = range.from + BigInt(Math.min(Number(range.to - range.from), breaksAfter));
        for (let height = range.from; height <= last; height++)
          this.delivered.push(...this.#sequencer.fetched(between(height, height, this.#has), height));
        if (last < range.to) return;
      }
      const waiting = this.#sequencer.goLive();
      if (waiting === null) continue;
      for (const held of waiting) this.#take(held);
      // What the node had not reached is streamed by it now.
      while (node < this.head) this.stream(++node);
      return;
    }
  }

  #take(taken: Block): void {
    const verdict = this.#sequencer.take(taken);
    this.verdicts.push(verdict);
    if (verdict === 'deliver') this.delivered.push(taken);
  }
}

describe('a sequencer of blocks', () => {
  it('delivers each block once and in order, whatever happens to the connection', () => {
    const property = fc.property(
      fc.nat(20),
      fc.integer({ min: 1, max: 5 }),
      fc.array(fc.boolean(), { minLength: 1, maxLength: 12 }),
      fc.array(happening, { maxLength: 25 }),
      (start, waitingMax, pattern, happenings) => {
        const has = (height: bigint): boolean => pattern[Number(height) % pattern.length]!;
        const reader = new Reader(BigInt(start), waitingMax, has);
        reader.catchUp(reader.head, 0);
        for (const step of happenings)
          if (step.kind === 'blocks') reader.grow(step.count);
          else if (step.kind === 'repeat') reader.repeat(reader.head - BigInt(step.back));
          else if (step.kind === 'reconnect') {
            reader.disconnect();
            reader.grow(step.missed);
            const behind = BigInt(Math.min(step.behind, Number(reader.head)));
            reader.catchUp(reader.head - behind, step.during);
          } else {
            reader.disconnect();
            reader.grow(step.missed);
            reader.catchUp(reader.head, 0, step.fetched);
            reader.disconnect();
            reader.catchUp(reader.head, 0);
          }
        expect(reader.delivered).toEqual(between(BigInt(start) + 1n, reader.head, has));
        expect(reader.verdicts).not.toContain('disorder');
      },
    );
    fc.assert(property, { numRuns: 2_000 });
  });

  it('tells a block that comes behind later ones from one that comes again', () => {
    const sequencer = new BlockSequencer<Block>(0n, 10);
    sequencer.catchUp();
    expect(sequencer.goLive()).toEqual([]);
    const verdicts = [3, 3, 2, 5, 3, 4, 6].map((height) => sequencer.take(block(height)));
    expect(verdicts).toEqual(['deliver', 'duplicate', 'disorder', 'deliver', 'duplicate', 'disorder', 'deliver']);
  });

  it('knows by a head that the blocks before it have nothing more', () => {
    const sequencer = new BlockSequencer<Block>(0n, 10);
    sequencer.catchUp();
    sequencer.goLive();
    sequencer.head(5n);
    expect(sequencer.cursor).toBe(4n);
    expect(sequencer.take(block(5))).toBe('deliver');
    expect([sequencer.cursor, sequencer.take(block(4))]).toEqual([5n, 'disorder']);
    sequencer.stop();
    sequencer.head(9n);
    expect([sequencer.cursor, sequencer.missing(9n)]).toEqual([5n, { from: 6n, to: 9n }]);
  });

  it.each([
    ['as many as may', 3, [1, 2, 3]],
    ['one more', 4, null],
  ])('keeps blocks that wait, %s', (_, count, kept) => {
    const sequencer = new BlockSequencer<Block>(0n, 3);
    sequencer.catchUp();
    for (let height = 1; height <= count; height++) expect(sequencer.take(block(height))).toBe('wait');
    expect(sequencer.goLive()?.map(({ blockNumber }) => Number(blockNumber)) ?? null).toEqual(kept);
    expect(sequencer.isLive).toBe(kept !== null);
  });

  it('does not begin before it is told where', () => {
    expect(() => new BlockSequencer<Block>(null, 1).missing(1n)).toThrow('nobody said where to begin');
  });
});

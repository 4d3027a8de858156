import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { bookText, type LevelChanges, TestChain } from '../../testing/node/testChain.ts';
import type { OrderBookState } from '../types.ts';
import { readBookMessage } from '../wire/states.ts';
import { stepBook } from './keeper.ts';

const level = fc.tuple(fc.bigInt({ min: 1n, max: 12n }), fc.bigInt({ min: 0n, max: 9n }));
const changes: fc.Arbitrary<LevelChanges> = fc.record({
  bids: fc.uniqueArray(level, { selector: ([price]) => price, maxLength: 5 }),
  asks: fc.uniqueArray(
    level.map(([price, size]): [bigint, bigint] => [price + 20n, size]),
    { selector: ([price]) => price, maxLength: 5 },
  ),
});

/** What a test chain has at a height, best first. */
function bookOf(chain: TestChain, height: number): Pick<OrderBookState, 'bids' | 'asks'> {
  const { bids, asks } = chain.blocks[height]!.book;
  const list = (side: ReadonlyMap<bigint, bigint>) => [...side].map(([price, size]) => ({ price, size }));
  return {
    bids: list(bids).toSorted((a, b) => (a.price > b.price ? -1 : 1)),
    asks: list(asks).toSorted((a, b) => (a.price < b.price ? -1 : 1)),
  };
}

const messageOf = (chain: TestChain, height: number, type: 'snapshot' | 'update') =>
  readBookMessage(
    JSON.parse(JSON.stringify(bookText(chain.blocks[height]!, type, chain.blocks[height - 1]?.book.sequence ?? null))),
  );

const chainOf = (blocks: readonly LevelChanges[]): TestChain => {
  const chain = new TestChain();
  for (const change of blocks) chain.add([], change);
  return chain;
};

describe('a book', () => {
  it('after a snapshot and any updates is the book of the chain', () => {
    const property = fc.property(fc.array(changes, { maxLength: 30 }), fc.nat(30), (blocks, start) => {
      const chain = chainOf(blocks);
      const first = Math.min(start, chain.height);
      let step = stepBook(null, messageOf(chain, first, 'snapshot'), 1);
      for (let height = first; ; height++) {
        if (step.kind === 'broken') throw step.error;
        expect(step.state).toMatchObject(bookOf(chain, height));
        if (height === chain.height) break;
        step = stepBook(step.state, messageOf(chain, height + 1, 'update'), 1);
      }
    });
    fc.assert(property);
    expect.hasAssertions();
  });

  it('is never shown when it is not the book of the chain: messages lost, repeated, in another order, with other levels', () => {
    let [shown, broken] = [0, 0];
    const twist = fc.record({
      height: fc.nat(20),
      type: fc.constantFrom('snapshot' as const, 'update' as const),
      spoils: fc.option(fc.record({ price: fc.bigInt({ min: 1n, max: 12n }), size: fc.bigInt({ min: 1n, max: 9n }) }), {
        freq: 4,
      }),
    });
    const property = fc.property(
      fc.array(changes, { minLength: 1, maxLength: 20 }),
      fc.array(twist, { maxLength: 40 }),
      (blocks, twists) => {
        const chain = chainOf(blocks);
        let book: OrderBookState | null = null;
        for (const { height, type, spoils } of twists) {
          const at = height % (chain.height + 1);
          const message = messageOf(chain, at, at === 0 ? 'snapshot' : type);
          const others = message.bids.filter(({ price }) => price !== spoils?.price);
          const bids =
            spoils === null ? message.bids : [...others, spoils].toSorted((a, b) => (a.price < b.price ? -1 : 1));
          const step = stepBook(book, { ...message, bids }, 1);
          // Behind a break only a snapshot helps, which is what a watcher asks for.
          book = step.kind === 'state' ? step.state : null;
          if (step.kind === 'state') {
            shown++;
            expect(step.state).toMatchObject(bookOf(chain, Number(step.state.blockNumber)));
          } else broken++;
        }
      },
    );
    fc.assert(property, { numRuns: 500 });
    expect(shown).toBeGreaterThan(100);
    expect(broken).toBeGreaterThan(100);
  });

  it('keeps deep sides in order, and tells what changed best first', () => {
    const asks = Array.from({ length: 3_000 }, (_, index): [bigint, bigint] => [BigInt(3_000 + index), 1n]);
    const chain = chainOf([
      {
        asks,
        bids: [
          [5n, 1n],
          [7n, 2n],
        ],
      },
      {
        asks: [
          [4_500n, 0n],
          [9_000n, 4n],
        ],
        bids: [
          [6n, 3n],
          [8n, 4n],
        ],
      },
    ]);
    const first = stepBook(null, messageOf(chain, 1, 'snapshot'), 1);
    const second = stepBook(first.kind === 'state' ? first.state : null, messageOf(chain, 2, 'update'), 1);
    if (second.kind === 'broken') throw second.error;
    expect(second.state).toMatchObject(bookOf(chain, 2));
    expect(second.change).toEqual({
      bids: [
        { price: 8n, size: 4n },
        { price: 6n, size: 3n },
      ],
      asks: [
        { price: 4_500n, size: 0n },
        { price: 9_000n, size: 4n },
      ],
    });
  });

  it.each([
    ['an update without a book before it', { type: 'update', previousSequence: 0 }, 'a snapshot'],
    ['of another market', { marketId: 2 }, 'market 1'],
    ['a snapshot with an empty level', { bids: [{ price: 1n, size: 0n }] }, 'levels with a size'],
  ])('refuses %s', (_, change, expected) => {
    const chain = chainOf([{ bids: [[1n, 1n]] }]);
    const step = stepBook(null, { ...messageOf(chain, 1, 'snapshot'), ...(change as object) }, 1);
    expect(step).toMatchObject({ kind: 'broken', error: { detail: { code: 'STREAM_SEQUENCE_BROKEN', expected } } });
  });

  it.each([
    ['of a state that is not the one that is there', 0, 3],
    ['that does not go on', 1, 1],
  ])('refuses an update %s', (_, previousSequence, sequence) => {
    const chain = chainOf([{ bids: [[1n, 1n]] }, { bids: [[1n, 2n]] }]);
    const first = stepBook(null, messageOf(chain, 1, 'snapshot'), 1);
    const book = first.kind === 'state' ? first.state : null;
    const step = stepBook(book, { ...messageOf(chain, 2, 'update'), previousSequence, sequence }, 1);
    expect(step).toMatchObject({ kind: 'broken', error: { code: 'STREAM_SEQUENCE_BROKEN' } });
  });

  it('says which checksum it should have had', () => {
    const chain = chainOf([{ bids: [[1n, 1n]] }]);
    const message = messageOf(chain, 1, 'snapshot');
    const step = stepBook(null, { ...message, checksum: '0x1' }, 1);
    expect(step).toMatchObject({
      error: {
        detail: {
          code: 'STREAM_CHECKSUM_WRONG',
          marketId: 1,
          blockNumber: 1n,
          expected: '0x1',
          actual: message.checksum,
        },
      },
    });
  });
});

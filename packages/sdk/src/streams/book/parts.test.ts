import { describe, expect, it } from '@jest/globals';
import type { OrderBookState } from '../types.ts';
import { bookChecksum } from './checksum.ts';
import { stepBook } from './keeper.ts';
import { inParts } from './parts.ts';
import type { BookMessage } from '../wire/states.ts';

const level = (price: number) => ({ price: BigInt(price), size: 5n });
/** A book of 3 bids and 2 asks, in three parts. */
const sides = [
  { bids: [1, 2], asks: [] },
  { bids: [3], asks: [4] },
  { bids: [], asks: [5] },
];
const checksum = bookChecksum([level(3), level(2), level(1)], [level(4), level(5)]);
const part = (at: number, sequence = 7, count = 3): BookMessage => ({
  blockNumber: 7n,
  blockHash: '0x07',
  timeMs: 7_000,
  type: 'snapshot',
  marketId: 1,
  sequence,
  previousSequence: null,
  part: { at, count },
  bids: sides[at - 1]!.bids.map(level),
  asks: sides[at - 1]!.asks.map(level),
  checksum,
});
const update: BookMessage = {
  ...part(3, 8),
  type: 'update',
  previousSequence: 7,
  part: null,
  bids: [],
  asks: [level(5)],
};

const reader = () => inParts((kept: OrderBookState | null, message: BookMessage) => stepBook(kept, message, 1));

/** What messages lead to, one after the other. */
function after(...messages: readonly BookMessage[]) {
  const step = reader();
  let kept: OrderBookState | null = null;
  return messages.map((message) => {
    const made = step(kept, message);
    if (made.kind === 'state') kept = made.state;
    return made;
  });
}

describe('a snapshot in parts', () => {
  it('is a book with its last part, and goes on with updates', () => {
    const steps = after(part(1), part(2), part(3), update);
    expect(steps.map(({ kind }) => kind)).toEqual(['more', 'more', 'state', 'state']);
    expect(steps[2]).toMatchObject({
      state: { sequence: 7, bids: [level(3), level(2), level(1)], asks: [level(4), level(5)] },
      change: null,
    });
  });

  it('that begins anew is that of the new beginning', () => {
    expect(after(part(1), part(2), part(1), part(2), part(3)).at(-1)).toMatchObject({ kind: 'state' });
  });

  it.each([
    ['a part is missing', [part(1), part(3)]],
    ['the first part is missing', [part(2)]],
    ['a part comes twice', [part(1), part(2), part(2)]],
    ['an update comes between', [part(1), update]],
    ['a part is of another sequence', [part(1), part(2, 8)]],
  ])('is broken where %s', (_, messages) => {
    expect(after(...messages).at(-1)).toMatchObject({ kind: 'broken', error: { code: 'STREAM_SEQUENCE_BROKEN' } });
  });
});

import { describe, expect, it } from '@jest/globals';
import type { PlannedItem } from '../execution/planQuotes.ts';
import type { Side } from '../market.ts';
import { PaperBook } from './paperBook.ts';

const quote = (side: Side, price: bigint, size = 10n, expiresAtSeconds = 0): PlannedItem => ({
  type: 'quote',
  side,
  price,
  size,
  clientId: `0x${'11'.repeat(16)}`,
  expiresAtSeconds,
});
const book = { bids: [{ price: 99n, size: 30n }], asks: [{ price: 101n, size: 40n }] };
function paperWith(...items: PlannedItem[]): PaperBook {
  const paper = new PaperBook();
  paper.onBook(book, 1n);
  expect(paper.carryOut(items, 1n).refusals).toEqual([]);
  return paper;
}
const sizes = (fills: readonly { readonly size: bigint }[]): bigint[] => fills.map(({ size }) => size);

describe('an order on paper', () => {
  it('waits behind what was there before it', () => {
    const paper = paperWith(quote('buy', 99n));
    expect(sizes(paper.onTrade({ price: 99n, size: 29n, side: 'sell' }, 2n))).toEqual([]);
    expect(sizes(paper.onTrade({ price: 99n, size: 5n, side: 'sell' }, 2n))).toEqual([4n]);
    expect(sizes(paper.onTrade({ price: 99n, size: 50n, side: 'sell' }, 3n))).toEqual([6n]);
    expect(paper.view(3n)).toMatchObject({ position: 10n, collateral: -990n, orders: [] });
  });

  it('moves up when those before it leave', () => {
    const paper = paperWith(quote('buy', 99n));
    paper.onBook({ ...book, bids: [{ price: 99n, size: 3n }] }, 2n);
    expect(sizes(paper.onTrade({ price: 99n, size: 5n, side: 'sell' }, 2n))).toEqual([2n]);
  });

  it('is filled by trades beyond its price, and by a book that crosses it', () => {
    const paper = paperWith(quote('buy', 99n, 5n), quote('sell', 101n, 7n));
    expect(sizes(paper.onTrade({ price: 98n, size: 3n, side: 'sell' }, 2n))).toEqual([3n]);
    expect(sizes(paper.onBook({ bids: [{ price: 101n, size: 1n }], asks: [] }, 3n))).toEqual([7n]);
    expect(paper.view(3n).position).toBe(-4n);
  });

  it('is not filled by trades of its own side or at worse prices', () => {
    const paper = paperWith(quote('buy', 98n));
    expect(paper.onTrade({ price: 98n, size: 99n, side: 'buy' }, 2n)).toEqual([]);
    expect(paper.onTrade({ price: 99n, size: 99n, side: 'sell' }, 2n)).toEqual([]);
  });

  it('that would cross is refused, and one that is modified so stays as it was', () => {
    const paper = paperWith(quote('buy', 98n));
    const { orderId } = paper.view(1n).orders[0]!;
    const modify = (price: bigint, size: bigint): PlannedItem => ({ type: 'modify', orderId, price, size });
    expect(paper.carryOut([quote('buy', 101n), modify(101n, 10n)], 1n).refusals).toEqual(['post_only', 'post_only']);
    expect(paper.view(1n).orders).toMatchObject([{ price: 98n, size: 10n }]);
    expect(paper.carryOut([modify(98n, 4n)], 1n).refusals).toEqual([]);
    expect(paper.view(1n).orders).toMatchObject([{ orderId, size: 4n }]);
    expect(
      paper.carryOut(
        [
          { type: 'cancel', orderId },
          { type: 'cancel', orderId },
        ],
        1n,
      ).refusals,
    ).toEqual(['unknown_order']);
  });

  it('that trades at once takes what is displayed up to its price', () => {
    const paper = new PaperBook();
    paper.onBook(
      {
        bids: [],
        asks: [
          { price: 101n, size: 4n },
          { price: 102n, size: 4n },
          { price: 103n, size: 4n },
        ],
      },
      1n,
    );
    const take = { type: 'take', side: 'buy', price: 102n, size: 20n, clientId: `0x${'22'.repeat(16)}` } as const;
    expect(paper.carryOut([take], 1n).fills).toMatchObject([
      { size: 4n, value: 404n, liquidity: 'taker' },
      { size: 4n, value: 408n, liquidity: 'taker' },
    ]);
  });

  it('ends with its time: it lives through its last second', () => {
    const paper = paperWith(quote('buy', 98n, 10n, 50));
    paper.onTime(50);
    expect(paper.view(1n).openOrders).toBe(1);
    paper.onTime(51);
    expect(paper.view(1n).openOrders).toBe(0);
  });
});

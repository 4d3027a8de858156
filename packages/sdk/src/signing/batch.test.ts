import { describe, expect, it } from '@jest/globals';
import { BatchSizeError, InvalidActionError } from '../errors/own.ts';
import { createBatch, splitIntoBatches } from './batch.ts';
import { createClientId, toClientId } from './clientId.ts';
import { checkAction } from './checkAction.ts';
import { toPayload } from './payload.ts';

const order = { market: 1, side: 'buy', price: 100n, size: 10n } as const;

describe('a batch', () => {
  it('has its items in the order in which they were added', () => {
    const clientId = toClientId('maker-7');
    const { items } = createBatch()
      .cancel(7)
      .cancelByClientId(1, clientId)
      .cancelAll()
      .cancelAll({ marketId: 2 })
      .modify(8, { price: 5n, size: 6n })
      .order(order);
    expect(toPayload({ type: 'batch', items })).toMatchObject({
      items: [
        { type: 'cancel', orderId: 7 },
        { type: 'cancelByClientId', marketId: 1, clientId },
        { type: 'cancelAll', marketId: null },
        { type: 'cancelAll', marketId: 2 },
        { type: 'modify', orderId: 8, price: 5n, size: 6n },
        { type: 'order', marketId: 1, tif: 'gtc', selfTrade: 'cancel_maker', clientId: null },
      ],
    });
  });

  it('holds 1 to 100: 99 and 100 are good, 101 and none are not', () => {
    const filled = (count: number) => {
      const batch = createBatch();
      for (let index = 0; index < count; index++) batch.cancel(index + 1);
      return batch;
    };
    for (const count of [1, 99, 100])
      expect(() => checkAction({ type: 'batch', items: filled(count).items })).not.toThrow();
    expect(() => filled(101)).toThrow(BatchSizeError);
    expect(() => checkAction({ type: 'batch', items: [] })).toThrow(BatchSizeError);
    const tooMany = Array.from({ length: 101 }, () => ({ type: 'cancel', orderId: 1 }) as const);
    expect(() => checkAction({ type: 'batch', items: tooMany })).toThrow(new BatchSizeError(101, 100).shortMessage);
    expect(splitIntoBatches(tooMany).map(({ length }) => length)).toEqual([100, 1]);
    expect(splitIntoBatches([])).toEqual([]);
  });

  it('takes nothing but orders, cancels and modifies', () => {
    const deposit = { type: 'deposit', amount: 1n } as never;
    expect(() => checkAction({ type: 'batch', items: [deposit] })).toThrow(InvalidActionError);
  });
});

describe('client ids', () => {
  it('a text of 1 to 16 bytes stands at the beginning', () => {
    expect(toClientId('a')).toBe(`0x61${'00'.repeat(15)}`);
    expect(toClientId('0123456789abcdef')).toBe('0x30313233343536373839616263646566');
    for (const text of ['', '0123456789abcdefg', 'ä'.repeat(9)])
      expect(() => toClientId(text)).toThrow(InvalidActionError);
  });

  it('random ones have 16 bytes and differ', () => {
    const made = Array.from({ length: 100 }, createClientId);
    expect(new Set(made).size).toBe(100);
    expect(made.every((id) => /^0x[0-9a-f]{32}$/.test(id))).toBe(true);
  });
});

import { describe, expect, it } from '@jest/globals';
import { accepted, alice, cancelled, trade } from '../../testing/node/events.ts';
import { TestChain, type TestEvent } from '../../testing/node/testChain.ts';
import type { OpenOrder } from '../../types/order.ts';
import { readEvents } from '../wire/events.ts';
import { eventsMessage } from '@prime/rpc';
import { type OrdersStep, stepOrders } from './orders.ts';

/** Long random runs against the engine are in test/conformance/sdk/accounts.test.ts. */

const resting = (orderId: number, more: Partial<OpenOrder> = {}): OpenOrder => ({
  orderId,
  marketId: 1,
  owner: alice,
  side: 'sell',
  price: 100n,
  size: 10n,
  filled: 0n,
  remaining: 10n,
  tif: 'gtc',
  clientId: null,
  createdBlock: 1n,
  expiresAtSeconds: 0,
  ...more,
});

function step(open: readonly OpenOrder[], events: readonly TestEvent[]): OrdersStep {
  const block = new TestChain().add(events);
  const read = events.length === 0 ? [] : readEvents(eventsMessage(block.record, block.events)['events']);
  const position = { blockNumber: 7n, blockHash: '0x07' as const, timeMs: 7_000 };
  return stepOrders(new Map(open.map((order) => [order.orderId, order])), read, alice, position);
}
const reduced = (orderId: number, by: 'modify' | 'decrement', amount: bigint, remaining: bigint): TestEvent => ({
  kind: 'order_reduced',
  data: { order_id: orderId, market_id: 1, owner: alice, by, amount, remaining },
});

describe('the orders of an account', () => {
  it('that came to rest, traded and shrank in one block are one update', () => {
    const { open, updates, unknown } = step(
      [],
      [
        accepted(4),
        trade(1, { maker_order_id: 4, size: 3n }),
        reduced(4, 'modify', 2n, 5n),
        reduced(4, 'decrement', 1n, 4n),
      ],
    );
    expect(updates).toEqual([
      {
        blockNumber: 7n,
        blockHash: '0x07',
        timeMs: 7_000,
        orderId: 4,
        marketId: 1,
        owner: alice,
        side: 'sell',
        price: 100n,
        tif: 'gtc',
        clientId: null,
        size: 7n,
        filled: 3n,
        remaining: 4n,
        reduced: 2n,
        decremented: 1n,
        status: 'open',
        reason: null,
        kind: 'order',
      },
    ]);
    expect(open.get(4)).toEqual(resting(4, { size: 7n, filled: 3n, remaining: 4n, createdBlock: 7n }));
    expect(unknown).toEqual([]);
  });

  it('that are filled or cancelled are gone, with what they were filled of all blocks', () => {
    const before = [resting(1, { filled: 4n, remaining: 6n }), resting(2), resting(3)];
    const { open, updates } = step(before, [trade(1, { maker_order_id: 1, size: 6n }), cancelled(2, 10n, 'expired')]);
    expect(updates).toMatchObject([
      { orderId: 1, size: 10n, filled: 10n, remaining: 0n, status: 'filled', reason: null },
      { orderId: 2, size: 10n, filled: 0n, remaining: 10n, status: 'cancelled', reason: 'expired' },
    ]);
    expect([...open.keys()]).toEqual([3]);
  });

  it.each([
    ['that rested: what was decremented is off its size', [resting(1)], 7n],
    ['that came and went: what was decremented is in its size', [], 10n],
  ])('%s', (_, before, size) => {
    const arrival = before.length === 0 ? [accepted(1)] : [];
    const { updates } = step(before, [...arrival, reduced(1, 'decrement', 3n, 7n), cancelled(1, 7n, 'self_trade')]);
    expect(updates).toMatchObject([{ size, filled: 0n, remaining: 7n, decremented: 3n, status: 'cancelled' }]);
  });

  it('of nobody that is known are named', () => {
    expect(step([], [cancelled(9, 1n)])).toMatchObject({ updates: [], unknown: [9] });
  });

  it('without a change are the same map', () => {
    const open = new Map([[1, resting(1)]]);
    expect(stepOrders(open, [], alice, { blockNumber: 1n, blockHash: '0x', timeMs: 1_000 }).open).toBe(open);
  });

  it('do not hold the taker of a liquidation, which is told by itself', () => {
    const liquidation = { address: alice, order_id: 5, market_id: 1, size: 12n, fee: 0n, insurance_paid: 0n };
    const closed = {
      address: alice,
      order_id: 5,
      counterparty: `0x${'cc'.repeat(20)}`,
      market_id: 1,
      size: 4n,
      value: 9n,
    };
    const { updates, unknown } = step(
      [],
      [
        trade(1, { taker_order_id: 5, taker: alice, maker: `0x${'cc'.repeat(20)}`, side: 'sell', size: 8n }),
        { kind: 'liquidation', data: liquidation },
        { kind: 'deleveraged', data: closed },
      ],
    );
    expect(unknown).toEqual([]);
    expect(updates).toMatchObject([
      {
        kind: 'liquidation',
        orderId: 5,
        side: 'sell',
        size: 12n,
        filled: 8n,
        remaining: 4n,
        status: 'cancelled',
        reason: 'deleveraged',
      },
      {
        kind: 'deleveraging',
        orderId: 5,
        side: 'sell',
        size: 4n,
        filled: 4n,
        status: 'filled',
        price: null,
        tif: null,
      },
    ]);
  });
});

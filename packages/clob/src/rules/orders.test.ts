import { describe, expect, it } from '@jest/globals';
import { clobRecordKind, decodeEventFrames } from '@prime/codec';
import type { Address } from '@prime/primitives';
import {
  alice,
  bob,
  carol,
  createHarness,
  type Harness,
  marketId,
  order,
  orderId,
  orderValue,
  wordsOf,
} from '../testing/harness.ts';

const rich = 1_000_000n;
/** How the keys of records of closed orders begin, as text. */
const closedOrders = `${clobRecordKind.closedOrders},`;

/** Alice, Bob and Carol with enough collateral for anything here. */
function exchange(options: Parameters<typeof createHarness>[0] = {}): Harness {
  const harness = createHarness(options);
  for (const account of [alice, bob, carol]) harness.deposit(account, rich);
  return harness;
}

/** What rests, best first: id, remaining lots. */
const resting = ({ state }: Harness, side: 0 | 1): [number, number][] => {
  const { book } = state.markets[1]!;
  return [...book.orders(side)].map((handle) => [state.orders.id[handle]!, Number(book.columns.remaining[handle])]);
};

const reasons = (harness: Harness): unknown[] =>
  harness
    .events()
    .flatMap(({ kind, data }) =>
      kind === 'order_cancelled' ? [[data['order_id'], data['reason'], data['remaining']]] : [],
    );

const clientId = `0x${'ab'.repeat(16)}`;

describe('price and time', () => {
  it('a taker gets the best price first, then the oldest order, each at the maker price', () => {
    const harness = exchange();
    harness.act(alice, order('sell', 102n, 5n));
    harness.act(bob, order('sell', 101n, 5n));
    harness.act(alice, order('sell', 101n, 5n));
    const value = orderValue(harness.act(carol, order('buy', 102n, 12n)));
    expect(value.trades.map(({ makerOrderId, price, size }) => [makerOrderId, price, size])).toEqual([
      [2, 101n, 5n],
      [3, 101n, 5n],
      [1, 102n, 2n],
    ]);
    expect(value).toMatchObject({ orderId: 4, filled: 12n, remaining: 0n, status: 'filled' });
    expect(resting(harness, 1)).toEqual([[1, 3]]);
  });

  it('a partly filled maker keeps its place', () => {
    const harness = exchange();
    harness.act(alice, order('buy', 100n, 10n));
    harness.act(bob, order('buy', 100n, 10n));
    harness.act(carol, order('sell', 100n, 4n));
    expect(resting(harness, 0)).toEqual([
      [1, 6],
      [2, 10],
    ]);
  });

  it('cancels of a block run before the orders that were proposed ahead of them', () => {
    const harness = exchange();
    harness.act(alice, order('sell', 100n, 5n));
    const { results } = harness.block([
      { account: bob, payload: order('buy', 100n, 5n) },
      { account: alice, payload: { type: 'cancel', orderId: orderId(1) } },
    ]);
    expect(orderValue(results[0]!)).toMatchObject({ status: 'open', filled: 0n });
    expect(results[1]).toEqual({ ok: true, value: { type: 'cancel', orderId: 1, remaining: 5n } });
  });

  it('with cancelFirst off a block runs in proposed order', () => {
    const harness = exchange({ params: { cancelFirst: false } });
    harness.act(alice, order('sell', 100n, 5n));
    const { results } = harness.block([
      { account: bob, payload: order('buy', 100n, 5n) },
      { account: alice, payload: { type: 'cancel', orderId: orderId(1) } },
    ]);
    expect(orderValue(results[0]!).status).toBe('filled');
    expect(wordsOf(results[1]!)).toBe('order 0x1 is already filled');
  });
});

describe('time in force', () => {
  it('gtc rests what it can not fill', () => {
    const harness = exchange();
    harness.act(alice, order('sell', 100n, 5n));
    expect(orderValue(harness.act(bob, order('buy', 100n, 8n)))).toMatchObject({
      filled: 5n,
      remaining: 3n,
      status: 'partially_filled',
    });
    expect(resting(harness, 0)).toEqual([[2, 3]]);
  });

  it('ioc drops what it can not fill', () => {
    const harness = exchange();
    harness.act(alice, order('sell', 100n, 5n));
    expect(orderValue(harness.act(bob, order('buy', 100n, 8n, { tif: 'ioc' })))).toMatchObject({
      filled: 5n,
      remaining: 3n,
      status: 'cancelled',
    });
    expect(reasons(harness)).toEqual([[2, 'ioc', 3n]]);
    expect(resting(harness, 0)).toEqual([]);
  });

  it('fok fills completely or is killed, and uses up its id either way', () => {
    const harness = exchange();
    harness.act(alice, order('sell', 100n, 5n));
    expect(orderValue(harness.act(bob, order('buy', 100n, 6n, { tif: 'fok' })))).toEqual({
      type: 'order',
      orderId: 2,
      marketId: 2,
      filled: 0n,
      remaining: 6n,
      trades: [],
      status: 'killed',
      decremented: 0n,
      reason: 'fok',
    });
    expect(reasons(harness)).toEqual([[2, 'fok', 6n]]);
    expect(orderValue(harness.act(bob, order('buy', 100n, 5n, { tif: 'fok' })))).toMatchObject({
      orderId: 3,
      filled: 5n,
      status: 'filled',
    });
  });

  it('a killed fok leaves its own orders and makers without margin where they are', () => {
    const harness = exchange();
    harness.act(bob, order('sell', 100n, 5n));
    harness.act(alice, order('sell', 101n, 5n));
    const kept = (): string[] => [...harness.records.keys()].filter((key) => !key.startsWith(closedOrders));
    const records = kept();
    const value = orderValue(harness.act(bob, order('buy', 101n, 10n, { tif: 'fok' })));
    expect(value.status).toBe('killed');
    expect(resting(harness, 1)).toEqual([
      [1, 5],
      [2, 5],
    ]);
    expect(kept()).toEqual(records);
  });
});

describe('self-trade', () => {
  const scene = (): Harness => {
    const harness = exchange();
    harness.act(alice, order('sell', 100n, 5n));
    harness.act(bob, order('sell', 100n, 5n));
    return harness;
  };

  it('cancel_maker takes the own resting order out and goes on', () => {
    const harness = scene();
    expect(orderValue(harness.act(alice, order('buy', 100n, 8n)))).toMatchObject({ filled: 5n, remaining: 3n });
    expect(reasons(harness)).toEqual([[1, 'self_trade', 5n]]);
  });

  it('cancel_taker stops the taker and leaves the own resting order', () => {
    const harness = scene();
    const value = orderValue(harness.act(alice, order('buy', 100n, 8n, { selfTrade: 'cancel_taker' })));
    expect(value).toMatchObject({ filled: 0n, remaining: 8n, status: 'cancelled' });
    expect(reasons(harness)).toEqual([[3, 'self_trade', 8n]]);
    expect(resting(harness, 1).length).toBe(2);
  });

  it('cancel_both takes both out', () => {
    const harness = scene();
    expect(orderValue(harness.act(alice, order('buy', 100n, 8n, { selfTrade: 'cancel_both' }))).status).toBe(
      'cancelled',
    );
    expect(reasons(harness)).toEqual([
      [1, 'self_trade', 5n],
      [3, 'self_trade', 8n],
    ]);
  });

  it('decrement takes the smaller size off both and goes on', () => {
    const harness = scene();
    const value = orderValue(harness.act(alice, order('buy', 100n, 8n, { selfTrade: 'decrement' })));
    expect(value).toMatchObject({ filled: 3n, remaining: 0n, status: 'cancelled' });
    expect(resting(harness, 1)).toEqual([[2, 2]]);
  });

  it('decrement makes a larger resting order smaller, with its place', () => {
    const harness = scene();
    const value = orderValue(harness.act(alice, order('buy', 100n, 2n, { selfTrade: 'decrement' })));
    expect(value).toMatchObject({ filled: 0n, remaining: 0n, status: 'cancelled' });
    expect(resting(harness, 1)).toEqual([
      [1, 3],
      [2, 5],
    ]);
  });
});

describe('options of orders', () => {
  it('a post-only order that does not cross rests', () => {
    const harness = exchange();
    harness.act(alice, order('sell', 101n, 5n));
    expect(orderValue(harness.act(bob, order('buy', 100n, 5n, { postOnly: true }))).status).toBe('open');
  });

  it('a reduce-only order is cut to the position', () => {
    const harness = exchange();
    harness.act(alice, order('sell', 100n, 5n));
    harness.act(bob, order('buy', 100n, 5n));
    harness.act(carol, order('buy', 100n, 20n));
    const value = orderValue(harness.act(bob, order('sell', 100n, 9n, { tif: 'ioc', reduceOnly: true })));
    expect(value).toMatchObject({ filled: 5n, remaining: 4n, status: 'cancelled' });
    expect(reasons(harness)).toEqual([[4, 'reduce_only', 4n]]);
  });

  it('a client id is free again when its order is gone', () => {
    const harness = exchange();
    harness.act(alice, order('buy', 90n, 5n, { clientId }));
    expect(wordsOf(harness.act(alice, order('buy', 91n, 5n, { clientId })))).toBe('duplicate client id');
    expect(harness.act(alice, { type: 'cancelByClientId', marketId: marketId(2), clientId })).toEqual({
      ok: true,
      value: { type: 'cancel', orderId: 1, remaining: 5n },
    });
    expect(orderValue(harness.act(alice, order('buy', 91n, 5n, { clientId }))).status).toBe('open');
  });

  it('an order lives through the second that it names and is gone in the next', () => {
    const harness = exchange();
    const second = Math.floor(harness.now() / 1000) + 10;
    harness.act(alice, order('buy', 90n, 5n, { expiresAt: second }));
    harness.block([], second * 1000 + 999);
    expect(resting(harness, 0)).toEqual([[1, 5]]);
    const { events } = harness.block([], (second + 1) * 1000);
    expect(decodeEventFrames(events)).toMatchObject([
      { kind: 'order_cancelled', actionIndex: null, data: { order_id: 1, reason: 'expired' } },
    ]);
    expect(resting(harness, 0)).toEqual([]);
  });
});

describe('cancelAll, modify and batch', () => {
  it('cancelAll takes out the orders of one market or of all, by id', () => {
    const harness = exchange();
    for (const id of [1, 2, 1]) harness.act(alice, order('buy', 50n, 10n, { marketId: marketId(id) }));
    expect(harness.act(alice, { type: 'cancelAll', marketId: marketId(1) })).toMatchObject({
      value: { orderIds: [1, 3] },
    });
    expect(harness.act(alice, { type: 'cancelAll', marketId: null })).toMatchObject({ value: { orderIds: [2] } });
  });

  it('modify to less at the same price keeps id and place, any other is a new order behind the others', () => {
    const harness = exchange();
    const modify = (account: Address, id: number, price: bigint, size: bigint) =>
      orderValue(harness.act(account, { type: 'modify', orderId: orderId(id), price, size }));
    harness.act(alice, order('buy', 90n, 5n));
    harness.act(bob, order('buy', 90n, 5n));
    expect(modify(alice, 1, 90n, 3n)).toMatchObject({ orderId: 1, remaining: 3n, status: 'open' });
    expect(resting(harness, 0)[0]).toEqual([1, 3]);
    expect(modify(alice, 1, 90n, 4n)).toMatchObject({ orderId: 3, remaining: 4n });
    expect(resting(harness, 0)).toEqual([
      [2, 5],
      [3, 4],
    ]);
  });

  it('a refused modify leaves the old order', () => {
    const harness = exchange();
    harness.act(alice, order('buy', 90n, 5n));
    const result = harness.act(alice, { type: 'modify', orderId: orderId(1), price: 90n, size: rich });
    expect(wordsOf(result)).toMatch(/^insufficient margin: required 0x[0-9a-f]+, free 0x[0-9a-f]+$/);
    expect(resting(harness, 0)).toEqual([[1, 5]]);
  });

  it('each item of a batch has its own result', () => {
    const harness = exchange();
    const items = [order('buy', 90n, 5n), order('buy', 0n, 5n), { type: 'noop' } as const, order('buy', 91n, 5n)];
    const result = harness.act(alice, { type: 'batch', items });
    expect(result).toMatchObject({
      value: {
        results: [
          { ok: true },
          { error: { code: 'CLOB_BAD_PRICE' } },
          { error: { code: 'CLOB_NOT_AVAILABLE' } },
          { ok: true },
        ],
      },
    });
    expect(resting(harness, 0)).toEqual([
      [2, 5],
      [1, 5],
    ]);
  });
});

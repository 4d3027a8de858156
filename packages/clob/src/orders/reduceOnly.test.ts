import { describe, expect, it } from '@jest/globals';
import { brokenInvariants } from '../testing/invariants.ts';
import { alice, bob, carol, createHarness, type Harness, order, orderId, orderValue } from '../testing/harness.ts';

/** Bob is long by 10 of market 2, and Alice short; Carol trades with them. The mark is 100. */
function held(options: Parameters<typeof createHarness>[0] = {}): Harness {
  const harness = createHarness(options);
  for (const account of [alice, bob, carol]) harness.deposit(account, 1_000_000n);
  harness.act(alice, order('sell', 100n, 10n));
  harness.act(bob, order('buy', 100n, 10n));
  return harness;
}

/** Open orders of market 2: id and what is left. */
const resting = ({ state }: Harness): [number, bigint][] =>
  Array.from(state.orders.byId.ids(), (id) => [id, state.remainingOf(state.orders.byId.get(id)!)]);

/** What happened to orders, in order. */
const told = (harness: Harness): unknown[] =>
  harness.events().flatMap(({ kind, data }) => {
    if (kind === 'order_reduced') return [[data['order_id'], data['by'], data['amount'], data['remaining']]];
    if (kind === 'order_cancelled') return [[data['order_id'], data['reason'], data['remaining']]];
    return kind === 'trade' ? [['trade', data['maker_order_id'], data['size']]] : [];
  });

const reducing = (price: bigint, size: bigint) => order('sell', price, size, { reduceOnly: true });

describe('a reduce-only order that comes to rest', () => {
  it.each([
    [9n, 9n, []],
    [10n, 10n, []],
    [11n, 10n, [[3, 'reduce_only', 1n, 10n]]],
  ])('of %s against a position of 10 rests with %s', (size, rests, events) => {
    const harness = held();
    const value = orderValue(harness.act(bob, reducing(110n, size)));
    expect(value).toMatchObject({ status: 'open', filled: 0n, remaining: rests, reason: null });
    expect(resting(harness)).toEqual([[3, rests]]);
    expect(told(harness)).toEqual(events);
  });

  it('is cut to what older ones leave, and ends where they leave nothing', () => {
    const harness = held();
    harness.act(bob, reducing(110n, 7n));
    expect(orderValue(harness.act(bob, reducing(111n, 7n)))).toMatchObject({ status: 'open', remaining: 3n });
    expect(orderValue(harness.act(bob, reducing(112n, 7n)))).toMatchObject({
      status: 'cancelled',
      reason: 'reduce_only',
      remaining: 7n,
    });
    expect(resting(harness)).toEqual([
      [3, 7n],
      [4, 3n],
    ]);
  });

  it('trades first, and rests with what is left of the position then', () => {
    const harness = held();
    harness.act(bob, reducing(120n, 10n));
    harness.act(carol, order('buy', 110n, 4n));
    const value = orderValue(harness.act(bob, reducing(110n, 10n)));
    expect(value).toMatchObject({ status: 'cancelled', reason: 'reduce_only', filled: 4n, remaining: 6n });
    expect(told(harness)).toEqual([
      ['trade', 4, 4n],
      [3, 'position', 4n, 6n],
      [5, 'reduce_only', 6n],
    ]);
  });

  it('needs no margin, also of an account that has none left', () => {
    const harness = createHarness();
    for (const [account, wei] of [
      [alice, 1_000_000n],
      [bob, 100n],
    ] as const)
      harness.deposit(account, wei);
    harness.act(alice, order('sell', 100n, 10n));
    harness.act(bob, order('buy', 100n, 10n));
    expect(harness.act(bob, order('sell', 110n, 40n)).ok).toBe(false);
    expect(orderValue(harness.act(bob, reducing(110n, 20n)))).toMatchObject({ status: 'open', remaining: 10n });
  });

  it('is refused without a position on the other side', () => {
    const harness = held();
    for (const [account, side] of [
      [carol, 'sell'],
      [bob, 'buy'],
      [alice, 'sell'],
    ] as const)
      expect(harness.act(account, order(side, 100n, 1n, { reduceOnly: true }))).toMatchObject({
        error: { code: 'CLOB_REDUCE_ONLY_WOULD_INCREASE' },
      });
  });
});

describe('when the position becomes smaller', () => {
  it('the youngest are cut first, right behind the trade', () => {
    const harness = held();
    harness.act(bob, reducing(110n, 6n));
    harness.act(bob, reducing(111n, 4n));
    harness.act(carol, order('buy', 100n, 5n));
    harness.act(bob, order('sell', 100n, 5n, { tif: 'ioc' }));
    expect(told(harness)).toEqual([
      ['trade', 5, 5n],
      [4, 'reduce_only', 4n],
      [3, 'position', 1n, 5n],
    ]);
    expect(brokenInvariants(harness.state)).toEqual([]);
  });

  it('a taker that meets an order of the same account before meets only what is left', () => {
    const harness = held();
    harness.act(bob, order('sell', 105n, 7n));
    harness.act(bob, reducing(106n, 10n));
    const value = orderValue(harness.act(carol, order('buy', 106n, 20n, { tif: 'ioc' })));
    expect(value).toMatchObject({ filled: 10n, remaining: 10n });
    expect(told(harness)).toEqual([
      ['trade', 3, 7n],
      [4, 'position', 7n, 3n],
      ['trade', 4, 3n],
      [5, 'ioc', 10n],
    ]);
    expect(resting(harness)).toEqual([]);
  });

  it('all of them end when it changes sides, in one fill', () => {
    const harness = held();
    harness.act(bob, reducing(110n, 6n));
    harness.act(bob, order('sell', 105n, 15n));
    harness.act(carol, order('buy', 105n, 15n));
    expect(told(harness)).toEqual([
      ['trade', 4, 15n],
      [3, 'reduce_only', 6n],
    ]);
  });

  it('a fok that is killed gives back what it cut', () => {
    const harness = held();
    harness.act(bob, order('sell', 105n, 7n));
    harness.act(bob, reducing(106n, 10n));
    // Enough seems to rest, until the first trade cuts the second order.
    const value = orderValue(harness.act(carol, order('buy', 106n, 17n, { tif: 'fok' })));
    expect(value).toMatchObject({ status: 'killed', filled: 0n });
    expect(resting(harness)).toEqual([
      [3, 7n],
      [4, 10n],
    ]);
    expect(brokenInvariants(harness.state)).toEqual([]);
  });

  it('an engine that starts from the records cuts them as well', () => {
    const harness = held();
    harness.act(bob, reducing(110n, 6n));
    harness.act(bob, reducing(111n, 4n));
    harness.restart();
    harness.act(carol, order('buy', 100n, 5n));
    harness.act(bob, order('sell', 100n, 5n, { tif: 'ioc' }));
    expect(resting(harness)).toEqual([[3, 5n]]);
  });
});

describe('modify', () => {
  it('keeps an order reduce-only, and cuts it like a new one', () => {
    const harness = held();
    harness.act(bob, reducing(110n, 6n));
    const moved = orderValue(harness.act(bob, { type: 'modify', orderId: orderId(3), price: 111n, size: 30n }));
    expect(moved).toMatchObject({ orderId: 4, status: 'open', remaining: 10n });
    harness.act(carol, order('buy', 100n, 10n));
    harness.act(bob, order('sell', 100n, 10n, { tif: 'ioc' }));
    expect(resting(harness)).toEqual([]);
  });
});

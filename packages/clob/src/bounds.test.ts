import { describe, expect, it } from '@jest/globals';
import { type ActionPayload, defaultMarketDecimals } from '@prime/codec';
import { alice, bob, createHarness, type Harness, marketId, order, type Step, wordsOf } from './testing/harness.ts';

/** Each bound at its last value that is allowed and the first that is not; what is said then is in refusals.test.ts. */

describe('margin parameters', () => {
  const set = (initialMarginBps: number, maintenanceMarginBps: number): boolean => {
    const payload: ActionPayload = { type: 'setMargin', marketId: null, initialMarginBps, maintenanceMarginBps };
    return createHarness().act(alice, payload).ok;
  };

  it('are from one basis point to everything, and the initial one is the larger', () => {
    expect([set(10_000, 1), set(10_000, 10_000), set(1, 1), set(2, 1)]).toEqual([true, true, true, true]);
    expect([set(10_001, 1), set(10_001, 10_001), set(1, 0), set(1, 2)]).toEqual([false, false, false, false]);
  });
});

it('an action may be in a block of the very millisecond in which it expires, and not one later', () => {
  const at = (offset: number): string => {
    const harness = createHarness();
    const timeMs = harness.now() + 1000;
    const step: Step = { account: alice, payload: { type: 'noop' }, expiresAt: timeMs + offset };
    return wordsOf(harness.block([step], timeMs).results[0]!);
  };
  expect([at(1), at(0), at(-1)]).toEqual(['', '', 'action is expired']);
});

it.each([999, 1000, 1001])('a dequeue of %d transfers takes at most 1000', (count) => {
  const harness = createHarness();
  harness.deposit(alice, 10_000n);
  harness.block(
    Array.from({ length: count }, () => ({
      account: alice,
      payload: { type: 'withdraw', amount: 1n, to: bob } as const,
    })),
  );
  const [result] = harness.block([
    { account: bob, payload: { type: 'bridgeDequeue', direction: 'orders_to_evm', max: 5000 } },
  ]).results;
  expect(result).toMatchObject({
    ok: true,
    value: { processed: { length: Math.min(count, 1000) }, pending: Math.max(0, count - 1000) },
  });
});

describe('what an account may be exposed to', () => {
  const inMarket = { marketId: marketId(1) };
  const markets = [{ symbol: 'A/USD', tickSize: 1n, lotSize: 1n, ...defaultMarketDecimals }];
  const tooLarge = 'position would be too large';
  const rich = 1n << 254n;

  it('is less than 2^127 units', () => {
    const place = (size: bigint): string => {
      const harness = createHarness({ markets });
      harness.deposit(alice, rich);
      return wordsOf(harness.act(alice, order('buy', 1n, size, inMarket)));
    };
    expect([place((1n << 127n) - 1n), place(1n << 127n)]).toEqual(['', tooLarge]);
  });

  it('is less than 2^255 wei, of its position and the orders of one side', () => {
    const place = (size: bigint): string => {
      const harness = createHarness({ markets });
      for (const owner of [alice, bob]) harness.deposit(owner, rich);
      harness.act(bob, order('sell', 1n << 127n, 1n << 126n, inMarket));
      // 2^253 wei.
      harness.act(alice, order('buy', 1n << 127n, 1n << 126n, inMarket));
      return wordsOf(harness.act(alice, order('sell', 3n << 126n, size, inMarket)));
    };
    // Three times as much besides.
    expect([place((1n << 127n) - 1n), place(1n << 127n)]).toEqual(['', tooLarge]);
  });
});

it('a side that holds exactly the notional of a mark counts, and one that holds a wei less does not', () => {
  const markOf = (impactNotional: bigint): bigint | null => {
    const mark = { impactNotional, emaWeight: 0, maxMoveBps: 0, minTrades: 0 };
    const harness: Harness = createHarness({ params: { mark } });
    harness.deposit(alice, 1_000_000n);
    // One level a side, 900 wei each.
    harness.act(alice, order('buy', 90n, 10n));
    harness.act(alice, order('sell', 100n, 9n));
    return harness.state.markets[1]!.markPrice;
  };
  expect([markOf(899n), markOf(900n), markOf(901n)]).toEqual([95n, 95n, null]);
});

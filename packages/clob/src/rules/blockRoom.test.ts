import { describe, expect, it } from '@jest/globals';
import { createPrng, type Prng } from '@prime/primitives';
import { runAgainstModel } from '../testing/againstModel.ts';
import {
  addressOf,
  alice,
  bob,
  carol,
  createHarness,
  type Harness,
  order,
  orderValue,
  startMs,
  type Step,
  wordsOf,
} from '../testing/harness.ts';
import { brokenInvariants } from '../testing/invariants.ts';
import { randomBlock } from '../testing/streams.ts';

const full = 'the block is full of changes of orders, try again';

/** Ten sells of one lot at 100, of alice, and collateral for all. */
function scene(orderChangesPerBlock: number): Harness {
  const harness = createHarness({ params: { orderChangesPerBlock } });
  for (const account of [alice, bob, carol]) harness.deposit(account, 1_000_000n);
  for (let count = 0; count < 10; count++) harness.act(alice, order('sell', 100n, 1n));
  return harness;
}

const takes = (account: Step['account'], size: bigint, tif: 'gtc' | 'ioc' | 'fok' = 'ioc'): Step => ({
  account,
  payload: order('buy', 100n, size, { tif }),
});

describe('the changes of orders in a block', () => {
  it.each(['gtc', 'ioc'] as const)('a %s order stops at the limit, and what is left of it is dropped', (tif) => {
    const harness = scene(4);
    const value = orderValue(harness.block([takes(bob, 9n, tif)]).results[0]!);
    expect(value).toMatchObject({ filled: 4n, remaining: 5n, status: 'cancelled' });
    expect(harness.events().at(-1)).toMatchObject({ kind: 'order_cancelled', data: { reason: 'ioc', remaining: 5n } });
    expect(brokenInvariants(harness.state)).toEqual([]);
  });

  it('a fok order that would need more is killed and leaves no trace but what it cost', () => {
    const harness = scene(4);
    const [killed, next] = harness.block([takes(bob, 9n, 'fok'), takes(carol, 1n)]).results;
    expect(orderValue(killed!)).toMatchObject({ filled: 0n, status: 'killed' });
    // What is undone counts: else a block could be kept at work without end.
    expect(wordsOf(next!)).toBe(full);
    expect(orderValue(harness.block([takes(bob, 4n, 'fok')]).results[0]!)).toMatchObject({ status: 'filled' });
  });

  it('when the block is full, orders wait for the next one; a cancel never does', () => {
    const harness = scene(4);
    const mine = orderValue(harness.act(carol, order('buy', 50n, 1n))).orderId;
    // The cancel comes first in the block and is one change, the order's four fills are the others.
    const steps: Step[] = [
      takes(bob, 6n),
      takes(carol, 1n),
      { account: alice, payload: { type: 'cancelAll', marketId: null } },
      { account: carol, payload: { type: 'batch', items: [order('buy', 40n, 1n), { type: 'cancel', orderId: mine }] } },
    ];
    const [taker, refused, cancelled, batch] = harness.block([...steps.slice(0, 2), steps[3]!]).results.concat();
    expect(orderValue(taker!)).toMatchObject({ filled: 4n });
    expect(wordsOf(refused!)).toBe(full);
    if (!cancelled!.ok || cancelled!.value.type !== 'batch') throw new Error('not a batch');
    expect(cancelled!.value.results.map((result) => result.ok)).toEqual([false, true]);
    expect(batch).toBeUndefined();
    expect(harness.block([takes(carol, 1n)]).results[0]!.ok).toBe(true);
    const [all, late] = harness.block([steps[2]!, steps[2]!]).results;
    // It takes out what is there, whatever that is: at most what one account may have.
    expect(all).toMatchObject({ ok: true, value: { orderIds: { length: 5 } } });
    expect(wordsOf(late!)).toBe(full);
  });

  it('a block that was taken back leaves room to the next one', () => {
    const harness = scene(4);
    harness.drop([takes(bob, 4n)]);
    expect(orderValue(harness.block([takes(bob, 4n)]).results[0]!)).toMatchObject({ filled: 4n });
  });

  it.each([
    { seed: 61, orderChangesPerBlock: 1 },
    { seed: 62, orderChangesPerBlock: 3 },
    { seed: 63, orderChangesPerBlock: 6 },
  ])('over random streams it is as in the model: seed $seed', ({ seed, orderChangesPerBlock }) => {
    const { counts } = runAgainstModel({
      seed,
      operations: 2500,
      params: { orderChangesPerBlock, autoLiquidatePerBlock: 1 },
      priceStep: 20,
    });
    expect(counts['CLOB_BLOCK_FULL']).toBeGreaterThan(20);
    expect(counts['trade']).toBeGreaterThan(20);
  });

  it('a sure order stops where any other does', () => {
    const random: Prng = createPrng(7);
    const params = { orderChangesPerBlock: 5, maxOpenOrders: 40 };
    const [narrow, wide] = [createHarness({ params }), createHarness({ params, wideBooks: true })];
    let refused = 0;
    const both = (steps: readonly Step[], timeMs: number): void => {
      const [a, b] = [narrow.block(steps, timeMs), wide.block(steps, timeMs)];
      expect(b.results).toEqual(a.results);
      expect(b.ordersRoot).toBe(a.ordersRoot);
      refused += a.results.filter((result) => wordsOf(result) === full).length;
    };
    const rich = [1, 2, 3, 4, 5].map((index) => ({
      account: addressOf(index),
      payload: { type: 'deposit', amount: 10n ** 24n } as const,
    }));
    both(rich, startMs + 1);
    for (let block = 1; block <= 100; block++) {
      const timeMs = startMs + block * 700;
      both(randomBlock(random, 8, { nowSeconds: Math.floor(timeMs / 1000) }), timeMs);
    }
    expect(refused).toBeGreaterThan(60);
  });
});

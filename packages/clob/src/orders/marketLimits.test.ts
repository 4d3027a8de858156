import { describe, expect, it } from '@jest/globals';
import { type ActionResult, defaultMarketDecimals, type MarketLimits, noMarketLimits } from '@prime/codec';
import type { Address } from '@prime/primitives';
import { alice, bob, carol, createHarness, type Harness, order, orderId, orderValue } from '../testing/harness.ts';
import { brokenInvariants } from '../testing/invariants.ts';

/** Of market 2, whose tick and lot are 1; everybody has plenty. */
function trading(limits: Partial<MarketLimits>, wideBooks = false): Harness {
  const harness = createHarness({ wideBooks, params: { limits: { ...noMarketLimits, ...limits } } });
  for (const owner of [alice, bob, carol]) harness.deposit(owner, 10n ** 9n);
  return harness;
}

/** An order of 1 on each side, so that the mark is 100. */
function withMark(harness: Harness): Harness {
  harness.act(carol, order('buy', 90n, 1n));
  harness.act(carol, order('sell', 110n, 1n));
  expect(harness.state.market(2)!.markPrice).toBe(100n);
  return harness;
}

/** The buyer is long from now on, the seller short. */
function trade({ act }: Harness, buyer: Address, seller: Address, size: bigint, price = 100n): void {
  expect(orderValue(act(seller, order('sell', price, size))).status).toBe('open');
  expect(orderValue(act(buyer, order('buy', price, size))).status).toBe('filled');
}

const kindOf = (result: ActionResult): string => (result.ok ? 'taken' : String(result.error.data['kind']));
const sizeOf = ({ state }: Harness, owner: Address): bigint =>
  state.accountOf.get(owner)!.exposures.find(({ marketId }) => marketId === 2)?.size ?? 0n;

describe.each([false, true])('limits of a market, wide books: %s', (wideBooks) => {
  const limited = (limits: Partial<MarketLimits>): Harness => trading(limits, wideBooks);

  it('orderNotionalMax: price times size of an order, n - 1, n and n + 1', () => {
    const { act } = limited({ orderNotionalMax: 1000n });
    expect(kindOf(act(alice, order('buy', 27n, 37n)))).toBe('taken');
    expect(kindOf(act(alice, order('buy', 100n, 10n)))).toBe('taken');
    const refused = act(alice, order('buy', 7n, 143n));
    expect(refused).toMatchObject({
      ok: false,
      error: { data: { kind: 'order_notional', notional: '0x3e9', order_notional_max: '0x3e8' } },
    });
  });

  it.each([
    ['buy', 110n, 'taken'],
    ['buy', 111n, 'price_band'],
    ['buy', 1n, 'taken'],
    ['sell', 90n, 'taken'],
    ['sell', 89n, 'price_band'],
    ['sell', 1_000_000n, 'taken'],
  ] as const)('priceBandBps: a %s at %s is %s', (side, price, kind) => {
    const harness = withMark(limited({ priceBandBps: 1000 }));
    expect(kindOf(harness.act(alice, order(side, price, 1n, { tif: 'ioc' })))).toBe(kind);
  });

  it('priceBandBps: is told, rounded to what is inside, and holds only where there is a mark', () => {
    const harness = limited({ priceBandBps: 55 });
    expect(kindOf(harness.act(alice, order('buy', 10n ** 5n, 1n, { tif: 'ioc' })))).toBe('taken');
    withMark(harness);
    // 100.55 and 99.45.
    expect(harness.act(alice, order('buy', 101n, 1n))).toMatchObject({
      error: { data: { price: '0x65', mark_price: '0x64', lowest: null, highest: '0x64' } },
    });
    expect(harness.act(alice, order('sell', 99n, 1n))).toMatchObject({
      error: { data: { price: '0x63', mark_price: '0x64', lowest: '0x64', highest: null } },
    });
  });

  it('positionMax: a position and the open orders of its side, n - 1, n and n + 1', () => {
    const harness = limited({ positionMax: 10n });
    const { act } = harness;
    trade(harness, alice, bob, 4n);
    expect(kindOf(act(alice, order('buy', 50n, 5n)))).toBe('taken');
    expect(kindOf(act(alice, order('buy', 50n, 1n)))).toBe('taken');
    expect(act(alice, order('buy', 50n, 1n))).toMatchObject({
      error: { data: { kind: 'position_limit', possible: '0xb', position_max: '0xa' } },
    });
    // The other side is counted by itself.
    expect(kindOf(act(alice, order('sell', 200n, 10n)))).toBe('taken');
    expect(kindOf(act(alice, order('sell', 200n, 1n)))).toBe('position_limit');
    // Cancelled ones do not count.
    act(alice, { type: 'cancelAll', marketId: null });
    expect(kindOf(act(alice, order('buy', 50n, 6n)))).toBe('taken');
    expect(brokenInvariants(harness.state)).toEqual([]);
  });

  it('positionMax: nobody gets beyond it, not by a reduce-only order beside open ones either', () => {
    const harness = limited({ positionMax: 10n });
    const { act } = harness;
    trade(harness, bob, alice, 10n);
    // Alice is short by 10. Buys of 10 only reduce; with one more she could be long by 1 at most, if nothing else reduced.
    expect(kindOf(act(alice, order('buy', 50n, 10n)))).toBe('taken');
    expect(kindOf(act(alice, order('buy', 50n, 1n)))).toBe('position_limit');
    act(carol, order('sell', 100n, 10n));
    expect(orderValue(act(alice, order('buy', 100n, 10n, { tif: 'ioc', reduceOnly: true }))).status).toBe('filled');
    expect(sizeOf(harness, alice)).toBe(0n);
    act(carol, { type: 'cancelAll', marketId: null });
    expect(orderValue(act(bob, order('sell', 50n, 10n, { tif: 'ioc' }))).filled).toBe(10n);
    expect(sizeOf(harness, alice)).toBe(10n);
    expect(brokenInvariants(harness.state)).toEqual([]);
  });

  it('openInterestMax: what an order opens beside what longs hold, n - 1, n and n + 1', () => {
    const harness = limited({ openInterestMax: 10n });
    const { act, state } = harness;
    trade(harness, alice, bob, 4n);
    expect(state.market(2)!.openInterest.size).toBe(4n);
    expect(kindOf(act(carol, order('buy', 50n, 5n)))).toBe('taken');
    expect(kindOf(act(carol, order('buy', 50n, 6n)))).toBe('taken');
    expect(act(carol, order('sell', 150n, 7n))).toMatchObject({
      error: { data: { kind: 'open_interest', open_interest: '0x4', opened: '0x7', open_interest_max: '0xa' } },
    });
    // Who is long sells that without opening anything, and 6 more.
    expect(kindOf(act(alice, order('sell', 150n, 10n)))).toBe('taken');
    expect(kindOf(act(alice, order('sell', 150n, 11n)))).toBe('open_interest');
    expect(brokenInvariants(harness.state)).toEqual([]);
  });

  it('openInterestMax: orders that came before it was reached trade with whoever closes, and with nobody who opens', () => {
    const harness = limited({ openInterestMax: 10n });
    const { act, state } = harness;
    act(carol, order('buy', 100n, 10n));
    trade(harness, alice, bob, 10n, 101n);
    expect(kindOf(act(bob, order('sell', 100n, 1n, { tif: 'ioc' })))).toBe('open_interest');
    expect(orderValue(act(alice, order('sell', 100n, 3n, { tif: 'ioc' }))).filled).toBe(3n);
    expect(state.market(2)!.openInterest.size).toBe(10n);
    // Both close.
    act(bob, order('buy', 101n, 2n));
    expect(orderValue(act(alice, order('sell', 101n, 2n, { tif: 'ioc' }))).filled).toBe(2n);
    expect(state.market(2)!.openInterest.size).toBe(8n);
    harness.restart();
    expect(harness.state.market(2)!.openInterest.size).toBe(8n);
    expect(brokenInvariants(harness.state)).toEqual([]);
  });

  it('none of them refuses what only reduces', () => {
    const harness = withMark(
      limited({ openInterestMax: 100n, positionMax: 100n, priceBandBps: 1000, orderNotionalMax: 10_000n }),
    );
    const { act, state } = harness;
    trade(harness, alice, bob, 100n);
    // As a market would stand whose limits came later.
    Object.assign(state.market(2)!, {
      limits: { openInterestMax: 1n, positionMax: 1n, priceBandBps: 1, orderNotionalMax: 1n },
    });
    for (const [owner, side, price] of [
      [alice, 'sell', 80n],
      [bob, 'buy', 120n],
    ] as const) {
      expect(kindOf(act(owner, order(side, price, 101n)))).toBe('order_notional');
      const placed = act(owner, order(side, price, 60n, { tif: 'ioc' }));
      expect(kindOf(placed)).toBe('taken');
      // The reduce-only one is cut to the position.
      expect(kindOf(act(owner, order(side, price, 1000n, { tif: 'ioc', reduceOnly: true })))).toBe('taken');
    }
    expect(kindOf(act(alice, order('sell', 95n, 90n)))).toBe('taken');
    // Together with the open ones it could turn the position around.
    expect(kindOf(act(alice, order('sell', 95n, 20n)))).toBe('order_notional');
  });

  it('a changed order is asked without the one that it replaces, which stays when it is refused', () => {
    const harness = limited({ positionMax: 10n });
    const { act } = harness;
    const { orderId: id } = orderValue(act(alice, order('buy', 50n, 10n)));
    expect(kindOf(act(alice, { type: 'modify', orderId: id, price: 60n, size: 11n }))).toBe('position_limit');
    const moved = orderValue(act(alice, { type: 'modify', orderId: id, price: 60n, size: 10n }));
    expect(kindOf(act(alice, { type: 'modify', orderId: moved.orderId, price: 60n, size: 9n }))).toBe('taken');
    expect(kindOf(act(alice, { type: 'modify', orderId: orderId(99), price: 1n, size: 1n }))).toBe('unknown_order');
  });

  it('each item of a batch is asked with those before it', () => {
    const harness = limited({ positionMax: 10n });
    const items = [order('buy', 50n, 6n), order('buy', 50n, 5n), order('buy', 50n, 4n)];
    const [result] = harness.block([{ account: alice, payload: { type: 'batch', items } }]).results;
    if (!result?.ok || result.value.type !== 'batch') throw new Error('not the result of a batch');
    expect(result.value.results.map(kindOf)).toEqual(['taken', 'position_limit', 'taken']);
  });
});

describe('limits of markets', () => {
  it('are those of the entry in genesis, else those of all, and are kept by the records', () => {
    const own = { ...noMarketLimits, positionMax: 5n };
    const grid = { tickSize: 1n, lotSize: 1n, ...defaultMarketDecimals };
    const harness = createHarness({
      params: { limits: { ...noMarketLimits, priceBandBps: 7 } },
      markets: [
        { symbol: 'A/USD', ...grid },
        { symbol: 'B/USD', ...grid, limits: own },
      ],
    });
    harness.act(alice, { type: 'addMarket', symbol: 'C/USD', ...grid });
    const bandOnly = { ...noMarketLimits, priceBandBps: 7 };
    const limitsOf = (): unknown[] => harness.state.markets.map(({ limits }) => limits);
    expect(limitsOf()).toEqual([bandOnly, own, bandOnly]);
    harness.restart();
    expect(harness.engine.ordersRoot()).toBeDefined();
    expect(limitsOf()).toEqual([bandOnly, own, bandOnly]);
  });

  it('hold for what contracts ask for', () => {
    const harness = trading({ positionMax: 10n });
    const write = (ticket: number, size: bigint) => ({
      ticket,
      transactionHash: `0x${'00'.repeat(32)}` as never,
      account: alice,
      payload: { ...order('buy', 50n, size), type: 'order' } as never,
    });
    harness.block([], undefined, [write(1, 11n), write(2, 10n)]);
    expect(harness.events().map(({ kind, data }) => [kind, data['reason']])).toEqual([
      ['action_rejected', 'position_limit'],
      ['order_accepted', undefined],
    ]);
  });
});

import { describe, expect, it } from '@jest/globals';
import { createPrng } from '@prime/primitives';
import { ensureAccount, reprice } from '../state/changes.ts';
import { fillPosition } from './fills.ts';
import { countWorth } from './ledger.ts';
import { isLiquidatable, marginState } from './margin.ts';
import { isMarketSymbol } from '../state/markets.ts';
import { nextMarkPrice, rawMarkPrice } from './marks.ts';
import {
  addressOf,
  alice,
  bob,
  carol,
  createHarness,
  type Harness,
  marketId,
  order,
  orderValue,
  wordsOf,
} from '../testing/harness.ts';
import { engineFree } from '../testing/invariants.ts';

describe('fills', () => {
  it('closing releases the entry rounded down', () => {
    // Bought 3 for 10 in all; selling 1 at 5 releases floor(10/3) = 3.
    expect(fillPosition(3n, 10n, -1n, 5n)).toEqual({ size: 2n, entry: 7n, realized: 2n });
  });

  it('turning a position around realizes the old one and opens the rest', () => {
    expect(fillPosition(2n, 200n, -5n, 110n)).toEqual({ size: -3n, entry: 330n, realized: 20n });
    expect(fillPosition(-2n, 200n, 5n, 110n)).toEqual({ size: 3n, entry: 330n, realized: -20n });
  });

  it('move no value: collateral less signed entry changes by what was paid, for any sequence', () => {
    const random = createPrng(5);
    let position = { size: 0n, entry: 0n };
    let collateral = 0n;
    let paid = 0n;
    for (let step = 0; step < 2000; step++) {
      const quantity = BigInt(random.below(2001) - 1000);
      if (quantity === 0n) continue;
      const price = BigInt(1 + random.below(1000));
      const { realized, ...next } = fillPosition(position.size, position.entry, quantity, price);
      position = next;
      collateral += realized;
      paid += quantity * price;
      const signedEntry = position.size < 0n ? -position.entry : position.entry;
      expect(collateral - signedEntry).toBe(-paid);
      expect(position.entry >= 0n && (position.size !== 0n || position.entry === 0n)).toBe(true);
    }
  });
});

describe('an order that only reduces', () => {
  const holder = (): Harness => {
    const harness = createHarness();
    harness.deposit(alice, 1000n);
    harness.deposit(bob, 1_000_000n);
    harness.act(bob, order('sell', 100n, 100n));
    harness.act(alice, order('buy', 100n, 100n));
    return harness;
  };

  it('may not give the position away: a taker needs equity for what it loses against the mark', () => {
    const harness = holder();
    harness.act(bob, order('buy', 1n, 100n));
    expect(wordsOf(harness.act(alice, order('sell', 1n, 100n)))).toMatch(/^insufficient margin/);
    // 10 a unit is what there is.
    expect(wordsOf(harness.act(alice, order('sell', 89n, 100n, { tif: 'ioc' })))).toMatch(/^insufficient margin/);
    expect(harness.act(alice, order('sell', 90n, 100n, { tif: 'ioc' })).ok).toBe(true);
    expect(ensureAccount(harness.state, alice).collateral).toBe(1000n);
  });

  it('nor does a maker whose price the mark has left behind', () => {
    const harness = holder();
    const [first, second] = [addressOf(0x41), addressOf(0x42)];
    for (const account of [first, second]) harness.deposit(account, 1_000_000n);
    expect(harness.act(alice, order('sell', 104n, 50n)).ok).toBe(true);
    harness.state.markets[1]!.markPrice = 130n;
    reprice(harness.state);
    const { results } = harness.block([{ account: first, payload: order('buy', 104n, 50n) }]);
    // The long gained 30 a unit since: selling 26 below the mark is its own affair.
    expect(orderValue(results[0]!).filled).toBe(50n);
    harness.state.markets[1]!.markPrice = 100n;
    reprice(harness.state);
    expect(harness.act(alice, order('sell', 95n, 50n)).ok).toBe(true);
    // At 95 she would give away 105 a unit; elsewhere she lost what that would have been.
    harness.state.markets[1]!.markPrice = 200n;
    reprice(harness.state);
    ensureAccount(harness.state, alice).collateral -= 6100n;
    ensureAccount(harness.state, bob).collateral += 6100n;
    countWorth(harness.state, harness.state.accounts);
    const late = harness.block([{ account: second, payload: order('buy', 95n, 50n, { tif: 'ioc' }) }]);
    expect(orderValue(late.results[0]!).filled).toBe(0n);
    expect(harness.events().map(({ data }) => data['reason'])).toContain('margin');
  });
});

describe('an order that crosses the mark', () => {
  it.each([
    { side: 'buy', deep: 1n, crossing: 200n },
    { side: 'sell', deep: 1000n, crossing: 20n },
  ] as const)('needs its own loss, whatever a deep order of its side would gain: $side', ({ side, deep, crossing }) => {
    const harness = createHarness();
    for (const account of [bob, carol]) harness.deposit(account, 1_000_000n);
    harness.act(bob, order('sell', 100n, 1n));
    harness.act(carol, order('buy', 100n, 1n));
    harness.deposit(alice, 1000n);
    // 50 deep units need 500 of margin and would gain thousands; 20 more need 200.
    expect(harness.act(alice, order(side, deep, 50n)).ok).toBe(true);
    expect(wordsOf(harness.act(alice, order(side, crossing, 20n)))).toMatch(/^insufficient margin/);
    // 300 are left: 15 away from the mark for 20 units.
    const affordable = side === 'buy' ? 115n : 85n;
    expect(harness.act(alice, order(side, affordable, 20n)).ok).toBe(true);
  });
});

describe('a hardened mark price', () => {
  const off = { impactNotional: 0n, emaWeight: 0, maxMoveBps: 0, minTrades: 0 };

  it.each([
    // A quarter of the way, rounded down: 100 + floor(10 * 64 / 256), 100 + floor(-10 * 64 / 256).
    { mark: 100n, raw: 110n, change: { emaWeight: 64 }, next: 102n },
    { mark: 100n, raw: 90n, change: { emaWeight: 64 }, next: 97n },
    { mark: 100n, raw: 110n, change: { emaWeight: 256 }, next: 110n },
    // At most ceil(150 / 100) in either direction.
    { mark: 100n, raw: 110n, change: { maxMoveBps: 150 }, next: 102n },
    { mark: 100n, raw: 90n, change: { maxMoveBps: 150 }, next: 98n },
    { mark: 100n, raw: 101n, change: { maxMoveBps: 150 }, next: 101n },
    { mark: null, raw: 90n, change: { emaWeight: 1, maxMoveBps: 1 }, next: 90n },
  ])('goes from $mark towards $raw with $change to $next', ({ mark, raw, change, next }) => {
    expect(nextMarkPrice(mark, raw, { ...off, ...change })).toBe(next);
  });

  it('goes on in blocks without orders until it is there', () => {
    const harness = createHarness({ params: { mark: { ...off, maxMoveBps: 1000 } } });
    for (const account of [alice, bob]) harness.deposit(account, 1_000_000n);
    const trade = (price: bigint) => [
      { account: alice, payload: order('sell', price, 1n) },
      { account: bob, payload: order('buy', price, 1n) },
    ];
    harness.block(trade(100n));
    harness.block(trade(130n));
    const marks = [0, 1, 2, 3].map(() => {
      const mark = harness.state.markets[1]!.markPrice;
      harness.restart();
      harness.block([]);
      return mark;
    });
    expect(marks).toEqual([110n, 121n, 130n, 130n]);
  });

  it('counts a side with the average price for the impact notional, and only when it holds as much', () => {
    const harness = createHarness({ params: { mark: { ...off, impactNotional: 1000n } } });
    harness.deposit(alice, 1_000_000n);
    harness.act(alice, order('buy', 100n, 1n));
    harness.act(alice, order('buy', 90n, 100n));
    harness.act(alice, order('sell', 110n, 9n));
    // 100 for one unit and 900 for ten: 1000 / 11 down is 90. The asks hold 990 only.
    expect(harness.state.markets[1]!.markPrice).toBe(null);
    harness.act(alice, order('sell', 120n, 1n));
    // 990 for nine units, 10 for 1/12: 1000 * 120 / (9 * 120 + 10) up is 111; (90 + 111) / 2.
    expect(harness.state.markets[1]!.markPrice).toBe(100n);
  });

  it('a market liquidates nobody before it traded in so many blocks', () => {
    const harness = createHarness({ params: { mark: { ...off, minTrades: 3 } } });
    for (const account of [bob, carol]) harness.deposit(account, 1_000_000n);
    harness.deposit(alice, 1000n);
    harness.act(bob, order('sell', 100n, 100n));
    harness.act(alice, order('buy', 100n, 100n));
    const trade = [
      { account: bob, payload: order('sell', 90n, 1n) },
      { account: carol, payload: order('buy', 90n, 1n) },
    ];
    harness.block(trade);
    const liquidate = (): string => wordsOf(harness.act(bob, { type: 'liquidate', address: alice }));
    expect(liquidate()).toMatch(/not liquidatable/);
    harness.restart();
    harness.block(trade);
    expect(liquidate()).toBe('');
  });
});

describe('mark price', () => {
  it.each([
    { bid: 90n, ask: 110n, last: 100n, mark: 100n },
    { bid: 90n, ask: 110n, last: 80n, mark: 90n },
    { bid: 90n, ask: 110n, last: 120n, mark: 110n },
    { bid: 90n, ask: 111n, last: null, mark: 100n },
    { bid: 90n, ask: null, last: null, mark: null },
    { bid: null, ask: 90n, last: null, mark: null },
    { bid: 90n, ask: null, last: 80n, mark: 90n },
    { bid: null, ask: 90n, last: 100n, mark: 90n },
    { bid: null, ask: null, last: 100n, mark: 100n },
    { bid: null, ask: null, last: null, mark: null },
  ])('of bid $bid, ask $ask, last $last is $mark', ({ bid, ask, last, mark }) => {
    expect(rawMarkPrice(bid, ask, last)).toBe(mark);
  });

  it('stays through a block, whatever trades in it', () => {
    const harness = createHarness();
    for (const account of [alice, bob]) harness.deposit(account, 1_000_000n);
    harness.block([
      { account: alice, payload: order('sell', 100n, 10n) },
      { account: bob, payload: order('buy', 100n, 10n) },
    ]);
    const market = harness.state.markets[1]!;
    expect(market.markPrice).toBe(100n);
    harness.propose([
      { account: alice, payload: order('sell', 300n, 1n) },
      { account: bob, payload: order('buy', 300n, 1n) },
      { account: alice, payload: order('sell', 200n, 1n) },
    ]);
    // Only at the end does it move: no bid, so the lower of last trade and ask.
    expect(market.markPrice).toBe(200n);
    harness.engine.rollback();
    expect([market.markPrice, market.lastPrice]).toEqual([100n, 100n]);
  });
});

describe('symbols', () => {
  it('are BASE/QUOTE of 32 characters at most', () => {
    for (const symbol of ['ETH/USD', 'BTC-PERP/USDC', 'a/b'])
      expect([symbol, isMarketSymbol(symbol)]).toEqual([symbol, true]);
    for (const symbol of ['', 'ETH', '/', 'ETH/', '/USD', 'A/B/C', 'A B/C', `${'A'.repeat(31)}/B`, 'Ä/B'])
      expect([symbol, isMarketSymbol(symbol)]).toEqual([symbol, false]);
  });
});

/** Alice sold 10 to Bob at 100; the mark is 100. */
function positions(collateral: bigint): Harness {
  const harness = createHarness();
  for (const account of [alice, bob]) harness.deposit(account, collateral);
  harness.deposit(carol, 1_000_000n);
  harness.act(alice, order('sell', 100n, 10n));
  orderValue(harness.act(bob, order('buy', 100n, 10n)));
  return harness;
}

describe('margin', () => {
  it('an account without collateral gets no order', () => {
    const harness = createHarness();
    expect(wordsOf(harness.act(alice, order('buy', 10n, 10n)))).toBe('insufficient margin: required 0xa, free 0x0');
    expect(harness.state.accountOf.has(alice)).toBe(false);
  });

  it('an order needs the initial margin of what it could become, rounded up', () => {
    const harness = createHarness();
    harness.deposit(alice, 10n);
    // 10 % of 101 is 10.1.
    expect(wordsOf(harness.act(alice, order('buy', 101n, 1n)))).toBe('insufficient margin: required 0xb, free 0xa');
    expect(orderValue(harness.act(alice, order('buy', 100n, 1n))).status).toBe('open');
    expect(engineFree(harness.state, alice)).toBe(0n);
  });

  it('buys and sells of one market share the larger margin', () => {
    const harness = createHarness();
    harness.deposit(alice, 100n);
    harness.act(alice, order('buy', 90n, 10n));
    expect(orderValue(harness.act(alice, order('sell', 100n, 10n))).status).toBe('open');
    expect(wordsOf(harness.act(alice, order('sell', 100n, 1n)))).not.toBe('');
  });

  it('an order that can only reduce is taken without any free collateral', () => {
    const harness = positions(100n);
    harness.act(carol, order('sell', 130n, 1n));
    expect(engineFree(harness.state, bob)).toBe(0n);
    expect(wordsOf(harness.act(bob, order('buy', 100n, 1n)))).not.toBe('');
    expect(orderValue(harness.act(bob, order('sell', 200n, 10n))).status).toBe('open');
    // With a second one it could become a short of 11, which needs more than the long of 10.
    expect(wordsOf(harness.act(bob, order('sell', 200n, 11n)))).not.toBe('');
  });

  it('a maker whose margin is gone is cancelled when it is met, and the taker goes on', () => {
    const harness = createHarness();
    harness.deposit(alice, 100n);
    for (const account of [bob, carol]) harness.deposit(account, 1_000_000n);
    harness.act(alice, order('sell', 100n, 10n));
    // Alice's second order is in the other market; filling it there uses the collateral that both counted on.
    harness.act(alice, { type: 'setMargin', marketId: null, initialMarginBps: 2000, maintenanceMarginBps: 500 });
    harness.act(carol, order('sell', 101n, 10n));
    const value = orderValue(harness.act(bob, order('buy', 101n, 10n)));
    expect(value.trades.map(({ maker, price }) => [maker, price])).toEqual([[carol, 101n]]);
    const cancelled = harness.events().find(({ kind }) => kind === 'order_cancelled');
    expect(cancelled?.data).toMatchObject({ owner: alice, reason: 'margin', remaining: 10n });
  });

  it('a market of its own parameters does not follow the default', () => {
    const harness = createHarness();
    harness.deposit(alice, 100n);
    harness.act(alice, {
      type: 'setMargin',
      marketId: marketId(2),
      initialMarginBps: 10_000,
      maintenanceMarginBps: 500,
    });
    harness.act(alice, { type: 'setMargin', marketId: null, initialMarginBps: 100, maintenanceMarginBps: 50 });
    expect(wordsOf(harness.act(alice, order('buy', 101n, 1n)))).toBe('insufficient margin: required 0x65, free 0x64');
    expect(orderValue(harness.act(alice, order('buy', 1000n, 10n, { marketId: marketId(1) }))).status).toBe('open');
  });

  it('an account is liquidatable when equity falls below maintenance margin, not before', () => {
    const harness = positions(100n);
    const check = (): boolean =>
      isLiquidatable(marginState(harness.state.accountOf.get(bob)!, harness.state.marginMarket));
    const marks: [bigint, boolean][] = [];
    for (const ask of [95n, 94n]) {
      // An ask below the last price, and no bid, is the next mark.
      harness.act(carol, order('sell', ask, 1n));
      marks.push([harness.state.markets[1]!.markPrice!, check()]);
    }
    // At 95: equity 50, maintenance 47.5 rounded up; at 94: equity 40, maintenance 47.
    expect(marks).toEqual([
      [95n, false],
      [94n, true],
    ]);
  });
});

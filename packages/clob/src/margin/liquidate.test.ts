import { describe, expect, it } from '@jest/globals';
import type { ActionResult, ClobParams, LiquidationValue } from '@prime/codec';
import type { Address } from '@prime/primitives';
import { ensureAccount } from '../state/changes.ts';
import { countWorth } from './ledger.ts';
import { isLiquidatable, liquidationState } from './margin.ts';
import {
  addressOf,
  alice,
  bob,
  carol,
  createHarness,
  type Harness,
  marketId,
  order,
  wordsOf,
} from '../testing/harness.ts';

const dave = addressOf(0xda7e);
const makers = [addressOf(0x31), addressOf(0x32)] as const;
const rich = 10n ** 9n;

function value(result: ActionResult): LiquidationValue {
  if (!result.ok || result.value.type !== 'liquidate') throw new Error(`no liquidation: ${wordsOf(result)}`);
  return result.value;
}

const liquidatable = ({ state }: Harness, address: Address): boolean =>
  isLiquidatable(liquidationState(ensureAccount(state, address), state.marginMarket));
const liquidate = (harness: Harness, address: Address): LiquidationValue =>
  value(harness.act(dave, { type: 'liquidate', address }));
const kinds = (harness: Harness): string[] => harness.events().map(({ kind }) => kind);

/**
 * Alice holds 100 units of market 2 from 100 (Bob the other side) with the given collateral; then two rich makers move the mark to
 * a price by trading 1 unit at it, and leave an empty book.
 */
function scene(
  { long, collateral, mark }: { readonly long: boolean; readonly collateral: bigint; readonly mark: bigint },
  params: Partial<ClobParams> = {},
): Harness {
  const harness = createHarness({ params });
  harness.deposit(alice, collateral);
  for (const address of [bob, carol, ...makers]) harness.deposit(address, rich);
  harness.act(bob, order(long ? 'sell' : 'buy', 100n, 100n));
  harness.act(alice, order(long ? 'buy' : 'sell', 100n, 100n));
  moveMark(harness, mark);
  return harness;
}

function moveMark(harness: Harness, price: bigint): void {
  harness.act(makers[0], order('buy', price, 1n));
  harness.act(makers[1], order('sell', price, 1n));
  expect(harness.state.markets[1]!.markPrice).toBe(price);
}

describe('liquidation', () => {
  // Long 100 from 100 with 1000: at mark 94 equity is 400, maintenance 5 % of 9400 = 470.
  const breached = { long: true, collateral: 1000n, mark: 94n } as const;

  it('an account at its maintenance margin is left alone', () => {
    // At 95 equity is 500 and maintenance 475.
    const harness = scene({ ...breached, mark: 95n });
    expect(liquidatable(harness, alice)).toBe(false);
    expect(wordsOf(harness.act(dave, { type: 'liquidate', address: alice }))).toBe(
      `account ${alice} is not liquidatable`,
    );
  });

  it('sells into the book, the fund earns a fee, and the rest of the equity stays with the account', () => {
    const harness = scene(breached);
    harness.act(carol, order('buy', 93n, 200n));
    const result = liquidate(harness, alice);
    // Share 400 * 470 / 470 = 400, target 9400 - 400 = 9000. 100 at 93 bring 9300: gain 300, fee 1 % of 9300 = 93.
    expect(result.positions).toMatchObject([
      { marketId: 2, size: 100n, closed: 100n, fee: 93n, insurancePaid: 0n, adl: [], remaining: 0n },
    ]);
    expect(result.positions[0]!.trades).toMatchObject([{ price: 93n, size: 100n, fee: 93n, side: 'sell' }]);
    // 1000 - (10000 - 9300) - 93
    expect(result).toMatchObject({ collateral: 207n, badDebt: 0n });
    expect(harness.state.globals.insurance).toBe(93n);
    expect(kinds(harness)).toEqual(['trade', 'liquidation', 'insurance_changed']);
  });

  it('the fee is never more than what the trade brings above the target', () => {
    const harness = scene(breached);
    harness.act(carol, order('buy', 90n, 50n));
    harness.act(carol, order('buy', 91n, 50n));
    // Target 9000: base(50) = 4500, at 91 gain 50 = fee max 45; then base 4500, at 90 gain 0.
    const result = liquidate(harness, alice);
    expect(result.positions[0]!.trades.map(({ fee }) => fee)).toEqual([45n, 0n]);
    // 1000 - (10000 - 9050) - 45
    expect(result.collateral).toBe(5n);
    expect(liquidatable(harness, alice)).toBe(false);
  });

  it('the fund pays for what is worse than the target, as far as it goes in whole lots; the rest is deleveraged', () => {
    const harness = scene(breached);
    // Somebody else's liquidation filled the fund before.
    fillFund(harness, 25n);
    harness.act(carol, order('buy', 88n, 100n));
    const result = liquidate(harness, alice);
    // Target 9000, at 88 each unit loses 2: 25 pay for 12 units; 88 are left for Bob, at 90.
    expect(result.positions).toMatchObject([
      { fee: 0n, insurancePaid: 24n, adl: [{ address: bob, size: 88n, value: 7920n }], remaining: 0n },
    ]);
    expect(result.positions[0]!.trades).toMatchObject([{ price: 88n, size: 12n, fee: 0n }]);
    expect(result.collateral).toBe(0n);
    expect(harness.state.globals.insurance).toBe(1n);
    expect(kinds(harness)).toEqual(['trade', 'liquidation', 'insurance_changed', 'deleveraged']);
  });

  it('without a book, opposite positions are closed at the bankruptcy price, the most profitable first, ties by address', () => {
    const harness = createHarness();
    harness.deposit(alice, 1000n);
    const others = [addressOf(0x20), addressOf(0x21), addressOf(0x22)] as const;
    for (const address of [...others, ...makers]) harness.deposit(address, rich);
    // 0x20 sold lower than the other two, so it has less profit; 0x21 and 0x22 are equal.
    for (const [address, price] of [
      [others[0], 98n],
      [others[2], 102n],
      [others[1], 102n],
    ] as const) {
      harness.act(address, order('sell', price, 30n));
      harness.act(alice, order('buy', price, 30n));
    }
    moveMark(harness, 90n);
    // Entry 9060, value 8100, equity 1000 - 960 = 40: target 8100 - 40 = 8060 for 90.
    const result = liquidate(harness, alice);
    expect(result.positions[0]!.adl).toEqual([
      { address: others[1], size: 30n, value: 2687n },
      { address: others[2], size: 30n, value: 2687n },
      { address: others[0], size: 30n, value: 2686n },
    ]);
    expect(result).toMatchObject({ collateral: 0n, badDebt: 0n });
  });

  it('a short whose loss is beyond all counterparties could pay ends as bad debt, and gates withdrawals', () => {
    // Short 100 from 100 with 1000; at 220 it would cost 22000: equity -11000, target 22000 - 11000 = 11000.
    const harness = scene({ long: false, collateral: 1000n, mark: 220n });
    expect(wordsOf(harness.act(bob, { type: 'withdraw', to: bob, amount: 1n }))).toBe('withdrawals are gated');
    const result = liquidate(harness, alice);
    // Bob's long is closed at 110, so that Alice's debt is exactly covered by what he does not get.
    expect(result.positions[0]!.adl).toEqual([{ address: bob, size: 100n, value: 11_000n }]);
    expect(result).toMatchObject({ collateral: 0n, badDebt: 0n });
    expect(harness.act(bob, { type: 'withdraw', to: bob, amount: 1n }).ok).toBe(true);
  });

  it('what not even a price of zero can pay is covered by the fund, and then bad debt', () => {
    const harness = createHarness();
    for (const address of [alice, bob, carol, ...makers]) harness.deposit(address, rich);
    // Short 10 of market 2 from 1, and a loss in market 1 that takes everything else.
    harness.act(bob, order('buy', 100n, 10n));
    harness.act(alice, order('sell', 100n, 10n));
    fillFund(harness, 7n);
    const { state } = harness;
    // Alice lost all but her position to Bob, and 2000 more than the position is worth.
    shift(harness, alice, bob, ensureAccount(state, alice).collateral + 2000n);
    const before = ensureAccount(state, bob).collateral;
    const result = liquidate(harness, alice);
    // Target 1000 - 2000 < 0: closed for nothing, which is 1000 better for her; 1000 are missing, the fund has 7.
    expect(result.positions[0]!.adl).toEqual([{ address: bob, size: 10n, value: 0n }]);
    expect(result).toMatchObject({ collateral: -993n, badDebt: 993n });
    expect(ensureAccount(state, bob).collateral).toBe(before - 1000n);
    expect(state.globals.insurance).toBe(0n);
    expect(kinds(harness)).toEqual(['liquidation', 'deleveraged', 'debt_covered', 'insurance_changed', 'bad_debt']);
  });

  it('the fund does not pay for prices far from the mark: who is liquidated against himself does not get it', () => {
    const paid = [undefined, 500].map((insuranceSlippageBps) => {
      const bounded = insuranceSlippageBps === undefined ? {} : { insuranceSlippageBps };
      const harness = scene(breached, bounded);
      fillFund(harness, 4150n);
      // Alice and Bob are one, and the book is theirs: 94 is the mark, 90 what Alice can pay for.
      harness.act(bob, order('buy', 40n, 100n));
      const { insurancePaid, adl } = liquidate(harness, alice).positions[0]!;
      return [insurancePaid, adl];
    });
    expect(paid).toEqual([
      [4150n, [{ address: bob, size: 17n, value: 1530n }]],
      [0n, [{ address: bob, size: 100n, value: 9000n }]],
    ]);
  });

  it('within the bound the fund pays as ever', () => {
    const harness = scene(breached, { insuranceSlippageBps: 500 });
    fillFund(harness, 25n);
    harness.act(carol, order('buy', 90n, 50n));
    harness.act(carol, order('buy', 89n, 100n));
    // 5 % below 94 are 89.3: 50 at 90 cost nothing, at 89 the fund would have to pay.
    expect(liquidate(harness, alice).positions).toMatchObject([
      { insurancePaid: 0n, adl: [{ size: 50n, value: 4500n }] },
    ]);
  });

  it.each([
    // At 99 000 the equity is gone. 1 % and one basis point of it are 999.9: at a distance of 1000 the fund does not pay.
    { insuranceSlippageBps: 101, bid: 98_000n, insurancePaid: 0n, left: 1n },
    // 10 % are 9900, which is not too far.
    { insuranceSlippageBps: 1000, bid: 89_100n, insurancePaid: 9900n, left: 0n },
    { insuranceSlippageBps: 1000, bid: 89_099n, insurancePaid: 0n, left: 1n },
  ])('the fund pays at $bid with a bound of $insuranceSlippageBps basis points: $insurancePaid', (expected) => {
    const { insuranceSlippageBps, bid, insurancePaid, left } = expected;
    const harness = createHarness({ params: { insuranceSlippageBps } });
    harness.deposit(alice, 11_000n);
    for (const address of [bob, carol, ...makers]) harness.deposit(address, rich);
    harness.act(bob, order('sell', 110_000n, 1n));
    harness.act(alice, order('buy', 110_000n, 1n));
    moveMark(harness, 99_000n);
    fillFund(harness, 20_000n);
    harness.act(carol, order('buy', bid, 1n));
    const [position] = liquidate(harness, alice).positions;
    const deleveraged = position!.adl.reduce((sum, { size }) => sum + size, 0n);
    expect([position!.insurancePaid, deleveraged]).toEqual([insurancePaid, left]);
  });

  it('who has less than nothing can not sell most of his position first and leave the loss to whoever is closed against the rest', () => {
    const harness = createHarness();
    harness.deposit(alice, 1000n);
    for (const address of [bob, dave, ...makers]) harness.deposit(address, rich);
    harness.deposit(carol, 50n);
    // Alice and Bob are one; Carol is short 1 with the most leverage, and comes first when somebody is deleveraged.
    harness.act(bob, order('sell', 100n, 100n));
    harness.act(alice, order('buy', 100n, 100n));
    harness.act(dave, order('buy', 100n, 1n));
    harness.act(carol, order('sell', 100n, 1n));
    moveMark(harness, 1n);
    harness.act(bob, order('buy', 1n, 99n));
    expect(wordsOf(harness.act(alice, order('sell', 1n, 99n, { tif: 'ioc', reduceOnly: true })))).toMatch(
      /^insufficient margin/,
    );
    harness.act(bob, { type: 'cancelAll', marketId: null });
    // Nor as a maker.
    harness.act(alice, order('sell', 2n, 99n));
    harness.act(bob, order('buy', 2n, 99n));
    expect(ensureAccount(harness.state, alice).exposures.find(({ marketId: id }) => id === 2)!.size).toBe(100n);
    harness.act(bob, { type: 'cancelAll', marketId: null });
    expect(liquidate(harness, alice).positions[0]!.adl).toEqual([
      { address: carol, size: 1n, value: 90n },
      { address: bob, size: 99n, value: 8910n },
    ]);
    expect(ensureAccount(harness.state, carol).collateral).toBe(60n);
  });

  it('cancels the open orders first, by id', () => {
    const harness = scene(breached);
    const ids = [400n, 300n].map((price) => {
      const result = harness.act(alice, order('sell', price, 10n));
      return result.ok && result.value.type === 'order' ? result.value.orderId : null;
    });
    expect(ids).not.toContain(null);
    expect(liquidate(harness, alice).cancelledOrders).toEqual(ids);
    expect(harness.state.orders.byId.size).toBe(0);
    expect(wordsOf(harness.act(alice, { type: 'cancel', orderId: ids[0]! as never }))).toMatch(/is already cancelled$/);
  });

  it('closes the position with the largest margin first and stops as soon as the account is healthy', () => {
    const harness = scene({ ...breached, mark: 100n });
    // A small second position in market 1 (tick 5, lot 10), not worth much.
    harness.act(bob, order('sell', 5n, 10n, { marketId: marketId(1) }));
    expect(harness.act(alice, order('buy', 5n, 10n, { marketId: marketId(1), tif: 'ioc' })).ok).toBe(false);
    harness.deposit(alice, 10n);
    expect(harness.act(alice, order('buy', 5n, 10n, { marketId: marketId(1), tif: 'ioc' })).ok).toBe(true);
    moveMark(harness, 94n);
    harness.act(carol, order('buy', 94n, 100n));
    const result = liquidate(harness, alice);
    expect(result.positions.map(({ marketId: id }) => id)).toEqual([2]);
    expect(ensureAccount(harness.state, alice).exposures.find(({ marketId: id }) => id === 1)!.size).toBe(10n);
    expect(liquidatable(harness, alice)).toBe(false);
  });

  it('a maker without margin and one that is expired are not traded with', () => {
    const harness = scene(breached);
    const poor = addressOf(0x99);
    harness.deposit(poor, 930n);
    const now = Math.floor(harness.now() / 1000);
    harness.act(carol, order('buy', 93n, 50n, { expiresAt: now }));
    harness.act(poor, order('buy', 93n, 100n));
    harness.act(carol, order('buy', 92n, 100n));
    // What the maker had is gone by the time it is met.
    shift(harness, poor, carol, 900n);
    const { results } = harness.block(
      [{ account: dave, payload: { type: 'liquidate', address: alice } }],
      (now + 1) * 1000,
    );
    expect(value(results[0]!).positions[0]!.trades).toMatchObject([{ price: 92n, maker: carol }]);
  });
});

/** Moves collateral as trades elsewhere would have. */
function shift({ state }: Harness, from: Address, to: Address, amount: bigint): void {
  ensureAccount(state, from).collateral -= amount;
  ensureAccount(state, to).collateral += amount;
  countWorth(state, state.accounts);
}

/** Puts wei into the fund that Carol had. */
function fillFund({ state }: Harness, amount: bigint): void {
  ensureAccount(state, carol).collateral -= amount;
  state.globals.insurance += amount;
  countWorth(state, state.accounts);
}

describe('automatic liquidation', () => {
  const setup = (autoLiquidatePerBlock: number): Harness => {
    const harness = createHarness({ params: { autoLiquidatePerBlock } });
    harness.deposit(alice, 1000n);
    harness.deposit(dave, 1100n);
    for (const address of [bob, carol, ...makers]) harness.deposit(address, rich);
    for (const address of [alice, dave]) {
      harness.act(bob, order('sell', 100n, 100n));
      harness.act(address, order('buy', 100n, 100n));
    }
    return harness;
  };
  const liquidated = (harness: Harness): unknown[] =>
    harness
      .events()
      .flatMap(({ kind, data, actionIndex }) => (kind === 'liquidation' ? [[data['address'], actionIndex]] : []));

  it('takes the riskiest accounts of a block, the others in the next one', () => {
    const harness = setup(1);
    moveMark(harness, 92n);
    harness.block([]);
    expect(liquidated(harness)).toEqual([[alice, null]]);
    harness.block([]);
    expect(liquidated(harness)).toEqual([[dave, null]]);
    harness.block([]);
    expect(liquidated(harness)).toEqual([]);
  });

  it('a deposit in the same block saves an account', () => {
    const harness = setup(5);
    moveMark(harness, 94n);
    expect(liquidatable(harness, alice)).toBe(true);
    harness.block([{ account: alice, payload: { type: 'deposit', amount: 500n } }]);
    expect(liquidated(harness)).toEqual([]);
  });

  it('is off by default', () => {
    const harness = setup(0);
    moveMark(harness, 92n);
    harness.block([]);
    expect(liquidated(harness)).toEqual([]);
  });
});

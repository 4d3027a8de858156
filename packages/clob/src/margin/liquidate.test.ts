import { describe, expect, it } from '@jest/globals';
import type { ActionResult, ClobParams, LiquidationValue } from '@prime/codec';
import { type Address, zeroAddress } from '@prime/primitives';
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

  it('the fee is never more than the account has left', () => {
    const harness = scene(breached);
    harness.act(carol, order('buy', 90n, 50n));
    harness.act(carol, order('buy', 91n, 50n));
    // 400 - 3 * 50 leave 250 and pay 45; 205 - 4 * 50 leave 5.
    const result = liquidate(harness, alice);
    expect(result.positions[0]!.trades.map(({ fee }) => fee)).toEqual([45n, 5n]);
    expect(result.collateral).toBe(0n);
    expect(liquidatable(harness, alice)).toBe(false);
  });

  it('closes slices until the account is healthy, and no more', () => {
    const slices = { sliceBps: 2000, sliceNotionalMin: 0n, bandBps: 500, rewardBps: 0 };
    const closed = [slices, { ...slices, sliceNotionalMin: 2345n }, { ...slices, sliceBps: 10_000 }].map(
      (liquidation) => {
        const harness = scene(breached, { liquidation, liquidationFeeBps: 0 });
        harness.act(carol, order('buy', 94n, 100n));
        const [position] = liquidate(harness, alice).positions;
        expect(liquidatable(harness, alice)).toBe(false);
        return [position!.closed, position!.remaining];
      },
    );
    // 400 are enough for 80 units: 376. 2345 / 94 are 25 units, rounded up.
    expect(closed).toEqual([
      [20n, 80n],
      [25n, 75n],
      [100n, 0n],
    ]);
  });

  it.each([
    // 5 % below 94 are 89.3.
    { bid: 90n, closed: 100n },
    { bid: 89n, closed: 0n },
  ])('sells within the band only: at $bid $closed', ({ bid, closed }) => {
    const liquidation = { sliceBps: 0, sliceNotionalMin: 0n, bandBps: 500, rewardBps: 0 };
    const harness = scene(breached, { liquidation });
    harness.act(carol, order('buy', bid, 100n));
    const positions = liquidate(harness, alice).positions.map((position) => position.closed);
    expect(positions).toEqual(closed === 0n ? [] : [closed]);
  });

  it.each([
    { bid: 47n, bandBps: 5000, closed: [8n] },
    { bid: 78n, bandBps: 1703, closed: [25n] },
    // 16 of 94 are 17.0213 %.
    { bid: 78n, bandBps: 1702, closed: [] },
  ])('takes prices up to its band and none beyond: $bid below 94 with $bandBps', ({ bid, bandBps, closed }) => {
    const liquidation = { sliceBps: 0, sliceNotionalMin: 0n, bandBps, rewardBps: 0 };
    const harness = scene(breached, { liquidation });
    harness.act(carol, order('buy', bid, 100n));
    expect(liquidate(harness, alice).positions.map((position) => position.closed)).toEqual(closed);
  });

  it('what the book does not take of a solvent account waits; nobody is deleveraged, and nothing is told', () => {
    const harness = scene(breached);
    const bob100 = ensureAccount(harness.state, bob).collateral;
    expect(liquidate(harness, alice)).toMatchObject({ positions: [], collateral: 1000n, badDebt: 0n });
    expect(kinds(harness)).toEqual([]);
    expect(ensureAccount(harness.state, bob).collateral).toBe(bob100);
    harness.act(carol, order('buy', 93n, 30n));
    expect(liquidate(harness, alice).positions).toMatchObject([{ closed: 30n, remaining: 70n, adl: [] }]);
  });

  it('never sells so far from the mark that less than nothing is left', () => {
    const harness = scene(breached);
    harness.act(carol, order('buy', 80n, 100n));
    // 14 lost with each unit: 400 are enough for 28.
    expect(liquidate(harness, alice).positions).toMatchObject([{ closed: 28n, fee: 8n, remaining: 72n }]);
  });

  it('a part of the fee goes to the sender, who has to sign', () => {
    const liquidation = { sliceBps: 0, sliceNotionalMin: 0n, bandBps: 0, rewardBps: 1000 };
    const run = (sender: Address): [bigint, bigint] => {
      const harness = scene(breached, { liquidation });
      harness.act(carol, order('buy', 93n, 100n));
      const { reward } = value(harness.act(sender, { type: 'liquidate', address: alice }));
      return [reward, harness.state.globals.insurance];
    };
    expect(run(dave)).toEqual([9n, 84n]);
    expect(run(zeroAddress)).toEqual([0n, 93n]);
  });

  // At mark 88 equity is -200.
  const sunk = { long: true, collateral: 1000n, mark: 88n } as const;

  it('of who has less than nothing the fund pays what is missing, and what the book is worse than the mark', () => {
    const harness = scene(sunk);
    fillFund(harness, 300n);
    harness.act(carol, order('buy', 86n, 100n));
    const result = liquidate(harness, alice);
    // 200 are missing. The other 100 pay for 50 units at 2 each; the others are closed at the mark.
    expect(result.positions).toMatchObject([
      { fee: 0n, insurancePaid: 100n, closed: 100n, adl: [{ address: bob, size: 50n, value: 4400n }], remaining: 0n },
    ]);
    expect(result).toMatchObject({ collateral: 0n, badDebt: 0n });
    expect(harness.state.globals.insurance).toBe(0n);
    const told = ['trade', 'liquidation', 'insurance_changed', 'debt_covered', 'insurance_changed', 'deleveraged'];
    expect(kinds(harness)).toEqual(told);
  });

  it.each([
    { insuranceSlippageBps: undefined, paid: 800n },
    // 1 % below 88 are 87.12.
    { insuranceSlippageBps: 100, paid: 0n },
  ])(
    'the fund does not pay for prices far from the mark: bound $insuranceSlippageBps',
    ({ insuranceSlippageBps, paid }) => {
      const harness = scene(sunk, insuranceSlippageBps === undefined ? {} : { insuranceSlippageBps });
      fillFund(harness, 5000n);
      // Alice and Bob are one, and the book is theirs.
      harness.act(bob, order('buy', 80n, 100n));
      expect(liquidate(harness, alice).positions[0]!.insurancePaid).toBe(paid);
      expect(harness.state.globals.insurance).toBe(4800n - paid);
    },
  );

  it('profits on the other side pay what is missing, the highest score first; the others are closed at the mark', () => {
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
    moveMark(harness, 85n);
    // Entry 9060, value 7650: 410 are missing, which is less than the profit of 510.
    const result = liquidate(harness, alice);
    expect(result.positions[0]!.adl).toEqual([
      { address: others[1], size: 30n, value: 2960n },
      { address: others[2], size: 30n, value: 2550n },
      { address: others[0], size: 30n, value: 2550n },
    ]);
    expect(result).toMatchObject({ collateral: 0n, badDebt: 0n });
  });

  it('a short that lost more than it had is paid by the long that won it, who keeps his own', () => {
    // Short 100 from 100 with 1000; at 220 it would cost 22000: 11000 are missing of the 12000 that Bob won.
    const harness = scene({ long: false, collateral: 1000n, mark: 220n });
    expect(harness.act(bob, { type: 'withdraw', to: bob, amount: 1n }).ok).toBe(true);
    const result = liquidate(harness, alice);
    expect(result.positions[0]!.adl).toEqual([{ address: bob, size: 100n, value: 11_000n }]);
    expect(result).toMatchObject({ collateral: 0n, badDebt: 0n });
    expect(ensureAccount(harness.state, bob).collateral).toBe(rich - 1n + 1000n);
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
    // 8900 are missing: she pays all of her profit, and Bob the rest. She has what she came with.
    expect(liquidate(harness, alice).positions[0]!.adl).toEqual([
      { address: carol, size: 1n, value: 100n },
      { address: bob, size: 99n, value: 8900n },
    ]);
    expect(ensureAccount(harness.state, carol).collateral).toBe(50n);
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
    harness.act(carol, order('buy', 91n, 200n));
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

import { type ActionPayload, ordersAddress, type TransferDirection } from '@prime/codec';
import { describe, expect, it } from '@jest/globals';
import { ensureAccount } from '../state/changes.ts';
import { alice, bob, carol, createHarness, type Harness, order, wordsOf } from '../testing/harness.ts';

const withdraw = (amount: bigint, to = alice): ActionPayload => ({ type: 'withdraw', amount, to });
const bringIn = (amount: bigint, to = alice): ActionPayload => ({ type: 'enqueueEvmToOrders', amount, to });
const dequeue = (direction: TransferDirection, max = 1000): ActionPayload => ({
  type: 'bridgeDequeue',
  direction,
  max,
});
const kinds = (harness: Harness): string[] => harness.events().map(({ kind }) => kind);
const collateral = ({ state }: Harness, address: typeof alice): bigint => ensureAccount(state, address).collateral;

describe('a transfer to the EVM', () => {
  it('leaves collateral at once and escrow when its turn comes', () => {
    const harness = createHarness();
    harness.deposit(alice, 1000n);
    expect(harness.act(alice, withdraw(300n, bob))).toEqual({
      ok: true,
      value: { type: 'transferQueued', transferId: 1, direction: 'orders_to_evm', from: alice, to: bob, amount: 300n },
    });
    expect(kinds(harness)).toEqual(['collateral_withdrawn', 'transfer_queued']);
    expect(collateral(harness, alice)).toBe(700n);
    const outcome = harness.block([{ account: carol, payload: dequeue('orders_to_evm') }]);
    expect(outcome.results[0]).toEqual({
      ok: true,
      value: {
        type: 'dequeued',
        direction: 'orders_to_evm',
        processed: [{ transferId: 1, from: alice, to: bob, amount: 300n, status: 'completed', reason: null }],
        pending: 0,
      },
    });
    expect(outcome).toMatchObject({ credits: [{ to: bob, amount: 300n }], escrow: 700n, escrowChange: -300n });
    expect(kinds(harness)).toEqual(['transfer_completed']);
  });

  it('to the escrow account fails and gives the collateral back', () => {
    const harness = createHarness();
    harness.deposit(alice, 1000n);
    harness.act(alice, withdraw(300n, ordersAddress));
    const outcome = harness.block([{ account: carol, payload: dequeue('orders_to_evm') }]);
    expect(outcome.results[0]).toMatchObject({ value: { processed: [{ status: 'failed' }] } });
    expect(outcome).toMatchObject({ credits: [], escrow: 1000n, escrowChange: 0n });
    expect(collateral(harness, alice)).toBe(1000n);
    expect(kinds(harness)).toEqual(['collateral_deposited', 'transfer_failed']);
  });

  it('never takes unrealized profit, nor what open orders need', () => {
    const harness = createHarness();
    for (const address of [alice, bob]) harness.deposit(address, 10_000n);
    harness.act(bob, order('sell', 100n, 100n));
    harness.act(alice, order('buy', 100n, 100n));
    harness.act(carol, { type: 'deposit', amount: 10_000n });
    // A bid above moves the mark to 150: a profit of 5000 for Alice, initial margin 1500.
    harness.act(carol, order('buy', 150n, 10n));
    expect(harness.state.markets[1]!.markPrice).toBe(150n);
    expect(wordsOf(harness.act(alice, withdraw(8501n)))).toBe('insufficient collateral');
    expect(harness.act(alice, withdraw(8500n)).ok).toBe(true);
    // Bob's loss of 5000 counts: 10000 - 5000 - 1500.
    expect(wordsOf(harness.act(bob, withdraw(3501n)))).toBe('insufficient collateral');
    expect(harness.act(bob, withdraw(3500n)).ok).toBe(true);
  });
});

describe('a transfer from the EVM', () => {
  it('is in escrow at once and in collateral when its turn comes', () => {
    const harness = createHarness();
    const queued = harness.block([{ account: alice, payload: bringIn(300n, bob) }]);
    expect(queued).toMatchObject({ escrow: 300n, escrowChange: 300n, credits: [] });
    expect(collateral(harness, bob)).toBe(0n);
    const outcome = harness.block([{ account: carol, payload: dequeue('evm_to_orders') }]);
    expect(outcome).toMatchObject({ escrow: 300n, escrowChange: 0n, credits: [] });
    expect(collateral(harness, bob)).toBe(300n);
    expect(kinds(harness)).toEqual(['collateral_deposited', 'transfer_completed']);
  });

  it('to the escrow account fails and is paid back to the sender', () => {
    const harness = createHarness();
    harness.act(alice, bringIn(300n, ordersAddress));
    const outcome = harness.block([{ account: carol, payload: dequeue('evm_to_orders') }]);
    expect(outcome).toMatchObject({ credits: [{ to: alice, amount: 300n }], escrow: 0n, escrowChange: -300n });
  });
});

describe('the queues', () => {
  it('are first in, first out, each for itself, and keep their order over a restart', () => {
    const harness = createHarness();
    harness.deposit(alice, 1000n);
    harness.block([
      { account: alice, payload: withdraw(1n) },
      { account: alice, payload: bringIn(2n) },
      { account: alice, payload: withdraw(3n, bob) },
      { account: alice, payload: withdraw(4n) },
    ]);
    const processed = (max: number): unknown =>
      harness.block([{ account: bob, payload: dequeue('orders_to_evm', max) }]).results[0];
    expect(processed(1)).toMatchObject({ value: { processed: [{ transferId: 1, amount: 1n }], pending: 2 } });
    harness.restart();
    expect(processed(5)).toMatchObject({ value: { processed: [{ transferId: 3 }, { transferId: 4 }], pending: 0 } });
    expect(processed(5)).toMatchObject({ value: { processed: [], pending: 0 } });
    expect(harness.act(alice, withdraw(1n))).toMatchObject({ value: { transferId: 5 } });
  });

  it('a rolled back block leaves them as they were', () => {
    const harness = createHarness();
    harness.deposit(alice, 1000n);
    harness.act(alice, withdraw(10n));
    const before = harness.engine.ordersRoot();
    harness.drop([
      { account: bob, payload: dequeue('orders_to_evm') },
      { account: alice, payload: withdraw(20n) },
      { account: bob, payload: dequeue('orders_to_evm') },
    ]);
    expect(harness.engine.ordersRoot()).toBe(before);
    expect(harness.block([{ account: bob, payload: dequeue('orders_to_evm') }]).credits).toEqual([
      { to: alice, amount: 10n },
    ]);
  });

  it('with autoDequeue the next block carries out what waits, in both directions', () => {
    const harness = createHarness({ params: { autoDequeue: true } });
    harness.deposit(alice, 1000n);
    const queued = harness.block([
      { account: alice, payload: withdraw(100n) },
      { account: alice, payload: bringIn(7n, bob) },
    ]);
    expect(queued.credits).toEqual([]);
    expect(harness.block([]).credits).toEqual([{ to: alice, amount: 100n }]);
    expect(collateral(harness, bob)).toBe(7n);
  });
});

describe('collateral to another account', () => {
  it('moves inside of the order book', () => {
    const harness = createHarness();
    harness.deposit(alice, 1000n);
    expect(harness.act(alice, { type: 'transfer', to: bob, amount: 400n })).toMatchObject({
      value: { type: 'transfer', from: alice, to: bob, amount: 400n, collateral: 600n },
    });
    expect([collateral(harness, alice), collateral(harness, bob)]).toEqual([600n, 400n]);
    expect(kinds(harness)).toEqual(['collateral_transferred']);
  });
});

describe('conservation', () => {
  it('money that appears in an account stops the block, and nothing of it stays', () => {
    const harness = createHarness();
    harness.deposit(alice, 1000n);
    const before = harness.engine.ordersRoot();
    const bribe = { account: bob, payload: { type: 'deposit', amount: 5n } } as const;
    ensureAccount(harness.state, bob).collateral = 1n;
    expect(() => harness.propose([bribe])).toThrow(/holds 1006 wei, 1005 came in/);
    expect(harness.engine.ordersRoot()).toBe(before);
  });
});

describe('the memory of orders', () => {
  it('lasts so many blocks, over a restart too, and then the order is unknown', () => {
    const harness = createHarness({ params: { orderMemoryBlocks: 3 } });
    harness.deposit(alice, 1000n);
    harness.act(alice, order('buy', 10n, 10n));
    harness.act(alice, { type: 'cancel', orderId: 1 as never });
    const words = (): string => wordsOf(harness.act(alice, { type: 'cancel', orderId: 1 as never }));
    expect(words()).toBe('order 0x1 is already cancelled');
    harness.restart();
    expect([words(), words(), words()]).toEqual([
      'order 0x1 is already cancelled',
      'order 0x1 is already cancelled',
      'unknown order 0x1',
    ]);
  });

  it('can be switched off', () => {
    const harness = createHarness({ params: { orderMemoryBlocks: 0 } });
    harness.deposit(alice, 1000n);
    harness.act(alice, order('buy', 10n, 10n, { tif: 'ioc' }));
    expect(wordsOf(harness.act(alice, { type: 'cancel', orderId: 1 as never }))).toBe('unknown order 0x1');
  });
});

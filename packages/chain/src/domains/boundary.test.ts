import { describe, expect, it } from '@jest/globals';
import {
  type ActionResult,
  decodeResultFrames,
  encodeResultFrames,
  noResults,
  ordersAddress,
  type VerifiedAction,
} from '@prime/codec';
import type { EvmBlock } from '@prime/evm';
import type { Address } from '@prime/primitives';
import { Boundary } from './boundary.ts';
import { action, alice, bob, createTestChain, faucet, testGenesis } from '../testing/chain.ts';

/** Balances without an EVM. */
function ledger(balances: Record<string, bigint>) {
  const balance = (address: Address): bigint => balances[address] ?? 0n;
  const evm = {
    balance,
    transfer: async (from: Address, to: Address, amount: bigint) => {
      if (balance(from) < amount) return false;
      balances[from] = balance(from) - amount;
      balances[to] = balance(to) + amount;
      return true;
    },
  } as unknown as EvmBlock;
  return { balances, evm };
}

const done: ActionResult = { ok: true, value: { type: 'done' } };
const refused: ActionResult = { ok: false, error: { code: 'X', message: 'x', data: {} } };
const bringIn = (from: Address, amount: bigint): VerifiedAction =>
  action(from, { type: 'enqueueEvmToOrders', to: bob, amount });

const noContracts = { made: 0n, credited: 0n };

describe('the boundary', () => {
  it('takes a transfer from the sender only, never from the faucet', async () => {
    const { balances, evm } = ledger({ [alice]: 5n, [faucet]: 100n });
    const debits = await new Boundary(evm, faucet).debit([bringIn(alice, 6n), bringIn(alice, 4n)]);
    expect(debits.map(({ funded }) => funded)).toEqual([false, true]);
    expect(balances).toEqual({ [alice]: 1n, [faucet]: 100n, [ordersAddress]: 4n });
  });

  it('lets the faucet pay what a depositor lacks, when it has that, and gives it back what was refused', async () => {
    const deposit = action(alice, { type: 'deposit', amount: 8n });
    const debitWith = async (faucetBalance: bigint) => {
      const { balances, evm } = ledger({ [alice]: 5n, [faucet]: faucetBalance });
      const boundary = new Boundary(evm, faucet);
      return { balances, boundary, debits: await boundary.debit([deposit]) };
    };
    expect((await debitWith(2n)).debits).toMatchObject([{ funded: false, faucetAmount: 0n }]);
    const { balances, boundary, debits } = await debitWith(3n);
    expect(debits).toMatchObject([{ funded: true, faucetAmount: 3n }]);
    expect(balances).toEqual({ [alice]: 0n, [faucet]: 0n, [ordersAddress]: 8n });
    const nothing = { results: encodeResultFrames([refused]), credits: [], escrow: 0n, escrowChange: 0n };
    await boundary.settle(debits, nothing, noContracts);
    expect(balances).toEqual({ [alice]: 5n, [faucet]: 3n, [ordersAddress]: 0n });
  });

  it.each(['deposit', 'enqueueEvmToOrders'] as const)('escrow can not pay into itself: %s', async (type) => {
    const { balances, evm } = ledger({ [ordersAddress]: 50n, [faucet]: 100n });
    const debits = await new Boundary(evm, faucet).debit([
      action(ordersAddress, { type, to: bob, amount: 6n } as never),
    ]);
    expect(debits).toMatchObject([{ funded: false }]);
    expect(balances[ordersAddress]).toBe(50n);
  });

  it('pays credits, gives back what was refused, and agrees with the order book', async () => {
    const { balances, evm } = ledger({ [alice]: 10n, [ordersAddress]: 50n });
    const boundary = new Boundary(evm, null);
    const debits = await boundary.debit([bringIn(alice, 7n), bringIn(alice, 3n)]);
    const credits = [{ to: bob, amount: 20n }];
    await boundary.settle(
      debits,
      { results: encodeResultFrames([done, refused]), credits, escrow: 37n, escrowChange: -13n },
      { made: 0n, credited: 0n },
    );
    expect(balances).toEqual({ [alice]: 3n, [bob]: 20n, [ordersAddress]: 37n });
  });

  it('wei that somebody sends to escrow belong to nobody and disturb nothing', async () => {
    const { balances, evm } = ledger({ [ordersAddress]: 50n });
    const boundary = new Boundary(evm, null);
    const debits = await boundary.debit([]);
    balances[ordersAddress]! += 1n;
    await boundary.settle(debits, { results: noResults, credits: [], escrow: 50n, escrowChange: 0n }, noContracts);
    expect(balances[ordersAddress]).toBe(51n);
  });

  it.each([
    ['the order book counts other wei than moved', { escrow: 50n, escrowChange: 1n }, 0n, /escrow moved by 0 wei/],
    ['escrow is less than what the order book owes', { escrow: 51n, escrowChange: 0n }, 0n, /needs 51/],
    ['the EVM took from escrow', { escrow: 50n, escrowChange: 0n }, 2n, /took 2 wei/],
  ])('%s: the block stops', async (_name, outcome, taken, words) => {
    const { balances, evm } = ledger({ [ordersAddress]: 50n });
    const boundary = new Boundary(evm, null);
    const debits = await boundary.debit([]);
    balances[ordersAddress]! -= taken;
    const settled = boundary.settle(debits, { results: noResults, credits: [], ...outcome }, noContracts);
    await expect(settled).rejects.toThrow(words);
  });

  it("contracts' deposits come in one block before they are credited, and escrow covers them in between", async () => {
    const { balances, evm } = ledger({ [ordersAddress]: 50n });
    const boundary = new Boundary(evm, null);
    const debits = await boundary.debit([]);
    balances[ordersAddress]! += 7n;
    // 5 of the 50 were deposited in the block before.
    const outcome = { results: noResults, credits: [], escrow: 50n, escrowChange: 5n };
    await boundary.settle(debits, outcome, { made: 7n, credited: 5n });
    expect(balances[ordersAddress]).toBe(57n);
  });

  it.each([
    ['a deposit without its wei', 6n, { made: 7n, credited: 0n }, /deposited 7 wei, escrow gained 6/],
    ['wei that were queued for somebody are gone', 7n, { made: 7n, credited: 1n }, /order book by -1/],
  ])('%s: the block stops', async (_name, gained, contracts, words) => {
    const { balances, evm } = ledger({ [ordersAddress]: 50n });
    const boundary = new Boundary(evm, null);
    const debits = await boundary.debit([]);
    balances[ordersAddress]! += gained;
    const outcome = { results: noResults, credits: [], escrow: 50n, escrowChange: 0n };
    await expect(boundary.settle(debits, outcome, contracts)).rejects.toThrow(words);
  });
});

describe('transfers through blocks', () => {
  it('both ways: every wei is in one place, before and after a restart', async () => {
    const genesis = testGenesis();
    let chain = await createTestChain(genesis);
    const supply = (): bigint => [alice, bob, faucet, ordersAddress].reduce((sum, of) => sum + chain.balance(of), 0n);
    const before = supply();
    await chain.run({ actions: [action(bob, { type: 'enqueueEvmToOrders', to: alice, amount: 600n })] });
    expect([chain.balance(bob), chain.balance(ordersAddress)]).toEqual([400n, 600n]);
    chain = await createTestChain(genesis, chain.database);
    const dequeue = (direction: 'evm_to_orders' | 'orders_to_evm') =>
      action(bob, { type: 'bridgeDequeue', direction, max: 10 });
    await chain.run({
      actions: [dequeue('evm_to_orders'), action(alice, { type: 'withdraw', to: bob, amount: 250n })],
    });
    expect([chain.balance(bob), chain.balance(ordersAddress)]).toEqual([400n, 600n]);
    chain = await createTestChain(genesis, chain.database);
    const delta = await chain.run({ actions: [dequeue('orders_to_evm')] });
    expect(decodeResultFrames(delta.actionResults)).toMatchObject([
      { ok: true, value: { processed: [{ status: 'completed' }] } },
    ]);
    expect([chain.balance(bob), chain.balance(ordersAddress)]).toEqual([650n, 350n]);
    expect(delta.accounts.map(({ address }) => address)).toContain(bob);
    expect(supply()).toBe(before);
  });

  it('a discarded block leaves queues and balances as they were', async () => {
    const [plain, tried] = await Promise.all([createTestChain(testGenesis()), createTestChain(testGenesis())]);
    const content = { actions: [action(bob, { type: 'enqueueEvmToOrders', to: alice, amount: 600n })] };
    const other = tried.block({
      actions: [
        action(bob, { type: 'deposit', amount: 500n }),
        action(bob, { type: 'withdraw', to: alice, amount: 500n }),
        action(bob, { type: 'bridgeDequeue', direction: 'orders_to_evm', max: 10 }),
      ],
    });
    expect((await tried.pipeline.check(other)).ok).toBe(true);
    await tried.pipeline.execute(other.hash);
    const [a, b] = [await plain.run(content), await tried.run(content)];
    expect(b.roots).toEqual(a.roots);
    expect(tried.database.dump()).toEqual(plain.database.dump());
  });
});

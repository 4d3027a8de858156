import { describe, expect, it } from '@jest/globals';
import type { ActionPayload } from '@prime/codec';
import { EvmLedger } from './ledger.ts';
import { actionOf, addressOf, blockOf, done, eventOf, gwei, refusal, transactionOf } from '../testing/blocks.ts';

const [alice, bob, faucet] = ['a1', 'b2', 'fa'].map(addressOf) as [
  ReturnType<typeof addressOf>,
  ReturnType<typeof addressOf>,
  ReturnType<typeof addressOf>,
];
const rich = 10n ** 18n;
const fee = 21_000n * 3n * gwei;
const ledgerOf = (balance = rich): EvmLedger =>
  new EvmLedger(
    [alice, bob].map((address) => ({ address, balance, nonce: 0 })),
    faucet,
  );
const shown = (ledger: EvmLedger) =>
  [alice, bob].map((address) => {
    const { balance, nonce } = ledger.accounts.get(address)!;
    return [balance, nonce];
  });
const deposit = (amount: bigint): ActionPayload => ({ type: 'deposit', amount });

describe('a ledger of balances', () => {
  it('value goes from one to the other, the fee to nobody it follows, and the nonce goes up', () => {
    const ledger = ledgerOf();
    ledger.add(blockOf(1, { transactions: [transactionOf(alice, { to: bob, value: 5n })] }));
    expect(shown(ledger)).toEqual([
      [rich - 5n - fee, 1],
      [rich + 5n, 0],
    ]);
    expect(ledger.faults).toEqual([]);
    expect(ledger.transactions).toBe(1);
  });

  it('a failed transaction costs its fee and nothing else', () => {
    const ledger = ledgerOf();
    ledger.add(blockOf(1, { transactions: [transactionOf(alice, { to: bob, value: 5n, status: 0 })] }));
    expect(shown(ledger)).toEqual([
      [rich - fee, 1],
      [rich, 0],
    ]);
  });

  it('to oneself, and making a contract', () => {
    const ledger = ledgerOf();
    const transactions = [
      transactionOf(alice, { to: alice, value: 5n }),
      transactionOf(bob, { to: null, value: 7n, contractAddress: addressOf('c0') }),
    ];
    ledger.add(blockOf(1, { transactions }));
    expect(shown(ledger)).toEqual([
      [rich - fee, 1],
      [rich - fee - 7n, 1],
    ]);
  });

  it('a proposer gets what is paid above the base fee', () => {
    const ledger = ledgerOf();
    ledger.add(blockOf(1, { proposer: bob, transactions: [transactionOf(alice)] }));
    expect(shown(ledger)).toEqual([
      [rich - fee, 1],
      [rich + 21_000n * 2n * gwei, 0],
    ]);
  });

  it('deposits leave the account, less what the faucet lent; refused ones do not', () => {
    const ledger = new EvmLedger(
      [alice, bob, faucet].map((address) => ({ address, balance: 100n, nonce: 0 })),
      faucet,
    );
    ledger.add(
      blockOf(1, {
        actions: [actionOf(alice, deposit(120n)), actionOf(bob, deposit(30n)), actionOf(bob, deposit(40n))],
        results: [done, done, refusal('CLOB_NONCE')],
        events: [eventOf('faucet_used', { address: alice, amount: 20n }, 0)],
      }),
    );
    expect(shown(ledger)).toEqual([
      [0n, 0],
      [70n, 0],
    ]);
    expect(ledger.accounts.get(faucet)!.balance).toBe(80n);
    expect(ledger.faults).toEqual([]);
  });

  it.each<[string, string, 'orders_to_evm' | 'evm_to_orders', bigint, bigint]>([
    ['one to the EVM is paid', 'transfer_completed', 'orders_to_evm', 0n, 9n],
    ['one to the EVM that failed went back into the book', 'transfer_failed', 'orders_to_evm', 0n, 0n],
    ['one into the book that failed comes back', 'transfer_failed', 'evm_to_orders', 9n, 0n],
    ['one into the book was paid when it was queued', 'transfer_completed', 'evm_to_orders', 0n, 0n],
  ])('transfers: %s', (_name, kind, direction, toAlice, toBob) => {
    const ledger = ledgerOf();
    const data = { transfer_id: 1, direction, from: alice, to: bob, amount: 9n };
    ledger.add(blockOf(1, { events: [eventOf(kind, kind.endsWith('failed') ? { ...data, reason: '' } : data)] }));
    expect(shown(ledger)).toEqual([
      [rich + toAlice, 0],
      [rich + toBob, 0],
    ]);
  });

  it('tells a nonce that is not the next one, once', () => {
    const ledger = ledgerOf();
    const sent = [0, 2, 3].map((nonce) => transactionOf(alice, { nonce }));
    ledger.add(blockOf(1, { transactions: sent }));
    expect(ledger.faults).toHaveLength(1);
    expect(ledger.faults[0]).toMatch(/block 1: .* has nonce 2, next was 1/);
  });

  it('tells an account that pays more than it has, once', () => {
    const ledger = ledgerOf(4n);
    ledger.add(blockOf(1, { actions: [actionOf(alice, deposit(5n))], results: [done] }));
    ledger.add(blockOf(2, { actions: [actionOf(alice, deposit(5n))], results: [done] }));
    expect(ledger.faults).toEqual([`block 1: ${alice} paid more than it had, by 1 wei`]);
  });

  it('tells a deposit that is refused for lack of wei that are there, and not one wei more', () => {
    const ledger = ledgerOf(100n);
    const refused = [100n, 101n].map((amount) => actionOf(alice, deposit(amount)));
    const results = refused.map(() => refusal('CLOB_INSUFFICIENT_FUNDS'));
    ledger.add(blockOf(1, { actions: refused, results }));
    expect(ledger.faults).toHaveLength(1);
    expect(ledger.faults[0]).toContain('deposit of 100 wei');
    // Another one holds the wei until the block is over.
    const held = ledgerOf(100n);
    const actions = [actionOf(alice, deposit(60n)), actionOf(alice, deposit(60n))];
    held.add(blockOf(1, { actions, results: [refusal('CLOB_NONCE'), refusal('CLOB_INSUFFICIENT_FUNDS')] }));
    expect(held.faults).toEqual([]);
  });

  it('does not know accounts any more that stake, or run code of their own', () => {
    const ledger = ledgerOf();
    const bond = actionOf(alice, { type: 'validatorBond', amount: 5n } as ActionPayload);
    ledger.add(blockOf(3, { actions: [bond], results: [done], transactions: [transactionOf(bob, { type: 4 })] }));
    expect(ledger.accounts.get(alice)!.unknown).toBe('it staked or unstaked in block 3');
    expect(ledger.accounts.get(bob)!.unknown).toBe('it sent an EIP-7702 transaction in block 3');
  });
});

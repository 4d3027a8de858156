import { describe, expect, it } from '@jest/globals';
import {
  accountRecordKey,
  type ActionPayload,
  type ActionResult,
  agentPermission,
  decodeAccountRecord,
  subAccountAddress,
} from '@prime/codec';
import {
  addressOf,
  alice,
  bob,
  carol,
  createHarness,
  type Harness,
  order,
  type Step,
  wordsOf,
} from '../testing/harness.ts';

const own: Partial<Step> = { signatureKind: 'raw' };
const [first, second] = [subAccountAddress(alice, 1), subAccountAddress(alice, 2)];
const create = (index: number): ActionPayload => ({ type: 'createSubAccount', index });
const noop: ActionPayload = { type: 'noop' };
const transfer = (to: typeof alice, amount: bigint): ActionPayload => ({ type: 'transfer', to, amount });
const code = (result: ActionResult): string | null => (result.ok ? null : result.error.code);
const by = (signer: typeof alice): Partial<Step> => ({ signatureKind: 'raw', signer });

/** Alice has 1000 wei and her first sub-account. */
function scene(params: { readonly subAccountsMax?: number } = { subAccountsMax: 2 }): Harness {
  const harness = createHarness({ params });
  harness.deposit(alice, 1000n);
  harness.act(alice, create(1), own);
  return harness;
}
const collateralOf = ({ state }: Harness, address: typeof alice): bigint =>
  state.accountOf.get(address)?.collateral ?? 0n;

describe('a sub-account', () => {
  it('is told with its owner and number, which its record keeps', () => {
    const harness = scene();
    const result = harness.act(alice, create(7), own);
    const address = subAccountAddress(alice, 7);
    const made = { address, owner: alice, index: 7 };
    expect(result).toEqual({ ok: true, value: { type: 'createSubAccount', ...made } });
    const data = { owner: alice, address, sub_account_index: 7 };
    expect(harness.events()).toEqual([expect.objectContaining({ kind: 'sub_account_created', data })]);
    const [, value] = harness.records.get(String(accountRecordKey(address)))!;
    const record = { address, collateral: 0n, locked: true, positions: [], subAccount: { owner: alice, index: 7 } };
    expect(decodeAccountRecord(value)).toEqual(record);
  });

  it.each([1, 2, 3])('can be made as often as genesis says, here %d times', (subAccountsMax) => {
    const harness = createHarness({ params: { subAccountsMax } });
    const answers = Array.from({ length: subAccountsMax + 1 }, (_, place) =>
      harness.act(alice, create(9 - place), own),
    );
    expect(answers.map(code)).toEqual([...Array<null>(subAccountsMax).fill(null), 'CLOB_TOO_MANY_SUB_ACCOUNTS']);
    expect(answers.at(-1)).toMatchObject({ error: { data: { kind: 'too_many_sub_accounts', limit: subAccountsMax } } });
    // Each owner has so many; who has one is told that it is there, and not that there are too many.
    expect(code(harness.act(bob, create(9), own))).toBeNull();
    expect(code(harness.act(alice, create(9), own))).toBe('CLOB_SUB_ACCOUNT_EXISTS');
    harness.restart();
    expect(code(harness.act(alice, create(1), own))).toBe('CLOB_TOO_MANY_SUB_ACCOUNTS');
  });

  it('is none where genesis does not name a number', () => {
    expect(wordsOf(createHarness().act(alice, create(1), own))).toBe('too many sub-accounts');
  });

  it('that was taken back with its block does not count', () => {
    const harness = createHarness({ params: { subAccountsMax: 1 } });
    harness.drop([{ account: alice, payload: create(1), ...own }]);
    expect(code(harness.act(alice, create(2), own))).toBeNull();
    expect(harness.state.accountOf.get(first)?.subAccount ?? null).toBeNull();
  });

  it('keeps what came to its address before it was made', () => {
    const harness = createHarness({ params: { subAccountsMax: 1 } });
    harness.deposit(bob, 10n);
    harness.act(bob, transfer(first, 10n), own);
    expect(code(harness.act(first, transfer(alice, 10n), by(alice)))).toBe('CLOB_UNAUTHORIZED');
    harness.act(alice, create(1), own);
    expect(code(harness.act(first, transfer(alice, 10n), by(alice)))).toBeNull();
    expect(collateralOf(harness, alice)).toBe(10n);
  });
});

describe('who acts for a sub-account', () => {
  it('its owner, whose nonces are one sequence for all of them', () => {
    const harness = scene();
    const nonce = harness.now();
    expect(code(harness.act(first, noop, { ...by(alice), nonce }))).toBeNull();
    expect(wordsOf(harness.act(alice, noop, { ...own, nonce }))).toBe('nonce used');
    expect(code(harness.act(second, noop, by(alice)))).toBe('CLOB_UNAUTHORIZED');
  });

  it('nobody else: not itself, not another owner, and nobody without a signature', () => {
    const harness = scene();
    for (const signer of [first, bob, carol])
      expect(code(harness.act(first, noop, by(signer)))).toBe('CLOB_UNAUTHORIZED');
    expect(code(harness.act(first, noop))).toBe('CLOB_UNAUTHORIZED');
    harness.restart();
    expect(code(harness.act(first, noop, by(first)))).toBe('CLOB_UNAUTHORIZED');
    expect(code(harness.act(first, noop))).toBe('CLOB_UNAUTHORIZED');
    expect(code(harness.act(first, noop, by(alice)))).toBeNull();
  });

  it('agents of its owner with permission 8, as far as they may for the owner', () => {
    const { trade, cancel, sub_accounts: subAccounts } = agentPermission;
    for (const permissions of [trade, trade | subAccounts, cancel | subAccounts, subAccounts]) {
      const harness = scene();
      harness.act(alice, transfer(first, 500n), own);
      harness.act(alice, { type: 'approveAgent', agent: bob, expiry: 0, permissions, name: '' }, own);
      const results = [
        order('buy', 10n, 10n),
        { type: 'cancelAll', marketId: null } as const,
        noop,
        transfer(alice, 1n),
      ].map((payload) => code(harness.act(first, payload, by(bob))) === null);
      const may = (bits: number): boolean => (permissions & bits) === bits;
      expect(results).toEqual([may(trade | subAccounts), may(cancel | subAccounts), may(subAccounts), false]);
      harness.act(alice, { type: 'revokeAgent', agent: bob }, own);
      expect(code(harness.act(first, noop, by(bob)))).toBe('CLOB_UNAUTHORIZED');
    }
  });

  it('no agent that the address had before it was a sub-account', () => {
    const harness = createHarness({ params: { subAccountsMax: 1 } });
    // Where unsigned actions are taken at their word, anybody may say so of an address that has not signed.
    harness.act(first, { type: 'approveAgent', agent: bob, expiry: 0, permissions: 15, name: '' });
    harness.act(alice, create(1), own);
    expect(code(harness.act(first, noop, by(bob)))).toBe('CLOB_UNAUTHORIZED');
  });

  it.each<ActionPayload>([
    create(1),
    { type: 'withdraw', to: alice, amount: 1n },
    { type: 'approveAgent', agent: bob, expiry: 0, permissions: 1, name: '' },
    { type: 'revokeAgent', agent: bob },
    { type: 'validatorUnjail' },
    { type: 'validatorBond', amount: 1n },
  ])('not with $type, which is for the account of the owner', (payload) => {
    const harness = scene();
    harness.act(alice, transfer(first, 500n), own);
    const result = harness.act(first, payload, by(alice));
    expect(result).toMatchObject({ error: { code: 'CLOB_SUB_ACCOUNT', data: { kind: 'sub_account', owner: alice } } });
    expect(collateralOf(harness, first)).toBe(500n);
  });

  it('an owner without wei of his own, also where signers have to own something', () => {
    const harness = createHarness({ params: { subAccountsMax: 1, ownersOnly: true } });
    harness.deposit(alice, 1000n);
    harness.act(alice, create(1), own);
    harness.act(alice, transfer(first, 1000n), own);
    expect(code(harness.act(first, noop, { ...by(alice), outsider: true }))).toBeNull();
    harness.act(alice, { type: 'approveAgent', agent: bob, expiry: 0, permissions: 15, name: '' }, own);
    expect(code(harness.act(first, noop, { ...by(bob), outsider: true }))).toBeNull();
    expect(code(harness.act(first, noop, { ...by(carol), outsider: true }))).toBe('CLOB_OWNS_NOTHING');
  });
});

describe('the money of a sub-account', () => {
  it('moves between it and its owner as far as it is withdrawable: n - 1, n, n + 1', () => {
    const harness = scene();
    harness.act(alice, transfer(first, 1000n), own);
    harness.act(first, order('buy', 100n, 10n), by(alice));
    // Margin of the order: ceil(100 * 10 * 10 %).
    expect(harness.act(first, transfer(alice, 901n), by(alice))).toMatchObject({
      error: { code: 'CLOB_INSUFFICIENT_COLLATERAL', data: { withdrawable: '0x384' } },
    });
    expect(code(harness.act(first, transfer(alice, 899n), by(alice)))).toBeNull();
    expect(code(harness.act(first, transfer(alice, 1n), by(alice)))).toBeNull();
    expect(code(harness.act(first, transfer(alice, 1n), by(alice)))).toBe('CLOB_INSUFFICIENT_COLLATERAL');
    expect([collateralOf(harness, alice), collateralOf(harness, first)]).toEqual([900n, 100n]);
  });

  it('is its own: a sub-account is liquidated alone, and its owner trades with it like with anybody', () => {
    const harness = scene({ subAccountsMax: 2 });
    harness.deposit(carol, 100_000n);
    harness.act(alice, transfer(first, 100n), own);
    harness.act(alice, order('buy', 100n, 9n), own);
    harness.act(first, order('sell', 100n, 9n), by(alice));
    expect(harness.events().find(({ kind }) => kind === 'trade')?.data).toMatchObject({ maker: alice, taker: first });
    // The price goes up: the short of the sub-account is under water, the long of the owner is not.
    harness.act(carol, order('buy', 120n, 1n), own);
    harness.deposit(bob, 100_000n);
    harness.act(bob, order('sell', 120n, 1n));
    harness.act(carol, order('buy', 119n, 20n), own);
    harness.act(bob, order('sell', 121n, 20n));
    const before = collateralOf(harness, alice);
    expect(harness.act(carol, { type: 'liquidate', address: first }, own)).toMatchObject({ ok: true });
    expect(collateralOf(harness, alice)).toBeGreaterThanOrEqual(before);
    expect(code(harness.act(carol, { type: 'liquidate', address: alice }, own))).toBe('CLOB_NOT_LIQUIDATABLE');
  });

  it('comes in by deposits for it, of anybody', () => {
    const harness = scene();
    const { results } = harness.block([
      { account: first, payload: { type: 'deposit', amount: 5n }, ...by(alice) },
      { account: bob, payload: { type: 'enqueueEvmToOrders', to: first, amount: 6n } },
      { account: carol, payload: { type: 'bridgeDequeue', direction: 'evm_to_orders', max: 1 } },
    ]);
    expect(results.map(code)).toEqual([null, null, null]);
    expect(collateralOf(harness, first)).toBe(11n);
  });

  it('of a contract is in its own account, which has no sub-accounts', () => {
    const harness = scene();
    const contract = addressOf(0xc0de);
    const deposit = { type: 'deposit', to: first, amount: 5n } as const;
    const hash = `0x${'11'.repeat(32)}` as never;
    harness.block([], undefined, [{ ticket: 1, transactionHash: hash, account: contract, payload: deposit }]);
    expect(collateralOf(harness, first)).toBe(5n);
  });
});

import { describe, expect, it } from '@jest/globals';
import type { ActionPayload } from '@prime/codec';
import { addressOf, alice, createHarness, type Harness, order, type Step, wordsOf } from '../testing/harness.ts';

const [fresh, agent] = [addressOf(0xf4e5), addressOf(0xa6e27)];
const noop: ActionPayload = { type: 'noop' };
/** Signed by a key without wei. */
const unsecured: Partial<Step> = { signatureKind: 'raw', outsider: true };
const refusedWords = (signer = fresh): string => `signer ${signer} has nothing on this chain yet`;
const approval: ActionPayload = { type: 'approveAgent', agent, expiry: 0, permissions: 7, name: 'bot' };

/** Keys and values of everything that the order book holds. */
const contentOf = ({ records }: Harness): readonly string[] =>
  [...records.values()].map((record) => String(record)).sort();

describe('a signer who has nothing on the chain', () => {
  it.each<ActionPayload>([
    noop,
    { type: 'cancelAll', marketId: null },
    { type: 'lockAccount' },
    { type: 'batch', items: [{ type: 'cancelAll', marketId: null }] },
    { type: 'bridgeDequeue', direction: 'orders_to_evm', max: 1 },
    { type: 'validatorUnjail' },
    order('buy', 1n, 1n),
    approval,
  ])('is refused and leaves nothing behind: $type', (payload) => {
    const harness = createHarness();
    const root = harness.engine.ordersRoot();
    const content = contentOf(harness);
    const result = harness.act(fresh, payload, unsecured);
    expect(result).toMatchObject({ ok: false, error: { code: 'CLOB_OWNS_NOTHING', data: { kind: 'owns_nothing' } } });
    expect(wordsOf(result)).toBe(refusedWords());
    expect(harness.events().map(({ kind }) => kind)).toEqual(['action_rejected']);
    expect(contentOf(harness)).toEqual(content);
    expect(harness.engine.ordersRoot()).toBe(root);
  });

  it('is refused for the account of another, too', () => {
    const harness = createHarness();
    harness.deposit(alice, 100n);
    const content = contentOf(harness);
    // The gateway's nonce is the one record that a refusal for `unauthorized` would have left as well.
    expect(wordsOf(harness.act(alice, noop, { ...unsecured, signer: fresh }))).toBe(refusedWords());
    expect(contentOf(harness)).toEqual(content);
  });

  it('may send the same again once there is something', () => {
    const harness = createHarness();
    const step = { ...unsecured, nonce: harness.now() };
    expect(wordsOf(harness.act(fresh, noop, step))).toBe(refusedWords());
    harness.deposit(fresh, 1n);
    expect(wordsOf(harness.act(fresh, noop, step))).toBe('');
    expect(wordsOf(harness.act(fresh, noop, step))).toBe('nonce used');
  });

  it('is judged by the state before the block: a deposit of the same block comes too late', () => {
    const harness = createHarness();
    const deposit: Step = {
      account: fresh,
      payload: { type: 'deposit', amount: 5n },
      ...unsecured,
      nonce: harness.now(),
    };
    const act: Step = { account: fresh, payload: noop, ...unsecured, nonce: harness.now() + 1 };
    expect(harness.block([deposit, act]).results.map(wordsOf)).toEqual(['', refusedWords()]);
    expect(wordsOf(harness.act(fresh, noop, { ...unsecured, nonce: act.nonce! }))).toBe('');
  });
});

describe('who may act without wei', () => {
  it('a deposit that somebody paid for', () => {
    const harness = createHarness();
    expect(wordsOf(harness.act(fresh, { type: 'deposit', amount: 5n }, { ...unsecured, faucetAmount: 5n }))).toBe('');
  });

  it('not a deposit that nobody paid for', () => {
    const harness = createHarness();
    const content = contentOf(harness);
    const step = { ...unsecured, funded: false };
    expect(wordsOf(harness.act(fresh, { type: 'deposit', amount: 5n }, step))).toBe(refusedWords());
    expect(contentOf(harness)).toEqual(content);
  });

  it('whoever has collateral, and whoever took it all out again after signing', () => {
    const harness = createHarness();
    harness.deposit(fresh, 5n);
    expect(wordsOf(harness.act(fresh, { type: 'withdraw', amount: 5n, to: fresh }, unsecured))).toBe('');
    expect(wordsOf(harness.act(fresh, noop, unsecured))).toBe('');
  });

  it('not whoever had collateral and left no record: also an engine that remembers the account says so', () => {
    const harness = createHarness();
    harness.deposit(fresh, 5n);
    expect(wordsOf(harness.act(fresh, { type: 'withdraw', amount: 5n, to: fresh }))).toBe('');
    expect(harness.state.accountOf.has(fresh)).toBe(true);
    expect(wordsOf(harness.act(fresh, noop, unsecured))).toBe(refusedWords());
    harness.restart();
    expect(wordsOf(harness.act(fresh, noop, unsecured))).toBe(refusedWords());
  });

  it('an agent, and a revoked one is told that it is none', () => {
    const harness = createHarness();
    harness.deposit(alice, 100n);
    const byAgent = { ...unsecured, signer: agent };
    expect(wordsOf(harness.act(alice, noop, byAgent))).toBe(refusedWords(agent));
    expect(wordsOf(harness.act(alice, approval, { signatureKind: 'raw' }))).toBe('');
    expect(wordsOf(harness.act(alice, noop, byAgent))).toBe('');
    expect(wordsOf(harness.act(alice, { type: 'revokeAgent', agent }, { signatureKind: 'raw' }))).toBe('');
    expect(wordsOf(harness.act(alice, noop, byAgent))).toBe(`signer ${agent} may not act for ${alice}`);
  });
});

import { describe, expect, it } from '@jest/globals';
import { type ActionPayload, type ActionResult, defaultClobParams, defaultMarketDecimals } from '@prime/codec';
import { Audit } from './audit.ts';
import { bookOf } from './book.ts';
import { factsAsAnswered } from './modelAction.ts';
import { actionOf, addressOf, blockOf, eventOf, refusal } from './testing/blocks.ts';
import { fakeGenesis } from './testing/fakeNode.ts';

const genesis = {
  ...fakeGenesis,
  clob: defaultClobParams,
  markets: [{ symbol: 'A/USD', tickSize: 1n, lotSize: 1n, ...defaultMarketDecimals }],
};
const alice = addressOf('a1');
const deposit: ActionPayload = { type: 'deposit', amount: 100n };
const deposited: ActionResult = {
  ok: true,
  value: { type: 'deposit', address: alice, amount: 100n, collateral: 100n },
};

describe('an audit', () => {
  it('finds nothing in what the model makes too', () => {
    const audit = new Audit(genesis);
    const action = actionOf(alice, deposit);
    const { actions } = audit.replay([blockOf(1, { actions: [action], results: [deposited] })]);
    expect(audit.faults).toEqual([]);
    expect(actions.get(action.hash)).toMatchObject({ height: 1, account: alice, type: 'deposit', words: null });
    expect([audit.next, audit.model.state.escrow]).toEqual([2, 100n]);
    expect(bookOf(audit.model, 1)).toEqual({ bids: [], asks: [] });
  });

  it('tells a result that is another one, one that is missing, and an event too many', () => {
    const audit = new Audit(genesis);
    const actions = [actionOf(alice, deposit)];
    audit.replay([
      blockOf(1, { actions, results: [refusal('CLOB_NONCE')] }),
      blockOf(2, { actions: [actionOf(alice, deposit)], results: [] }),
      blockOf(3, { events: [eventOf('bad_debt', { address: alice, amount: 7n })] }),
    ]);
    expect(audit.faults).toEqual([
      `block 1, action 0 (deposit of ${alice}): result: validator "CLOB_NONCE", model {"collateral":"100n","type":"deposit"}`,
      'block 2: 0 results of 1 actions',
      `block 3, event 0 of 1 (model: 0): validator bad debt ${alice} 7, model undefined`,
    ]);
  });

  it('takes blocks from the first one on, each once', () => {
    const audit = new Audit(genesis);
    for (const height of [0, 2])
      expect(() => audit.replay([blockOf(height)])).toThrow(
        expect.objectContaining({
          code: 'AUDIT_BLOCK_OUT_OF_ORDER',
          detail: expect.objectContaining({ height, expected: 1 }),
        }),
      );
    audit.replay([blockOf(1)]);
    expect(() => audit.replay([blockOf(1)])).toThrow(expect.objectContaining({ code: 'AUDIT_BLOCK_OUT_OF_ORDER' }));
  });
});

describe('what the order book can not know', () => {
  const facts = (payload: ActionPayload, result: ActionResult) => factsAsAnswered(actionOf(alice, payload), result);

  it('is believed where the answer says so', () => {
    expect(facts(deposit, deposited)).toEqual({ funded: true, outsider: false });
    expect(facts(deposit, refusal('CLOB_INSUFFICIENT_FUNDS'))).toEqual({ funded: false, outsider: false });
    expect(facts(deposit, refusal('CLOB_OWNS_NOTHING'))).toEqual({ funded: false, outsider: true });
    expect(facts(deposit, refusal('CLOB_NONCE'))).toEqual({ funded: true, outsider: false });
    expect(facts({ type: 'noop' }, refusal('CLOB_INSUFFICIENT_FUNDS'))).toEqual({ funded: true, outsider: false });
  });
});

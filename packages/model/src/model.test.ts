import { describe, expect, it } from '@jest/globals';
import { type ActionPayload, defaultClobParams, defaultMarketDecimals, type OrderFields } from '@prime/codec';
import type { Address, MarketId, OrderId } from '@prime/primitives';
import { Model } from './model.ts';
import type { ModelAction } from './state.ts';
import { modelAccounts, openOrders, textOf } from './view.ts';

/** Results that were worked out by hand: the model has to be right by itself, not only like the engine. */

const [alice, bob] = ['a1', 'b2'].map((digits) => `0x${digits.padStart(40, '0')}`) as [Address, Address];
const markets = [{ symbol: 'A/USD', tickSize: 5n, lotSize: 10n, ...defaultMarketDecimals }];
const startMs = 1_700_000_000_000;

const limit = (side: 'buy' | 'sell', price: bigint, size: bigint, more: Partial<OrderFields> = {}): ActionPayload => ({
  type: 'order',
  marketId: 1 as MarketId,
  side,
  price,
  size,
  tif: 'gtc',
  postOnly: false,
  reduceOnly: false,
  selfTrade: 'cancel_maker',
  clientId: null,
  expiresAt: 0,
  ...more,
});
const by = (account: Address, payload: ActionPayload): ModelAction => ({ account, payload });

function started(): { readonly model: Model; readonly run: (...actions: readonly ModelAction[]) => unknown[] } {
  const model = new Model(defaultClobParams, markets);
  let height = 0;
  return { model, run: (...actions) => model.block(actions, startMs + ++height * 1000) };
}

describe('the model', () => {
  it('two orders that meet trade at the price of the one that rested', () => {
    const { model, run } = started();
    run(by(alice, { type: 'deposit', amount: 1_000_000n }), by(bob, { type: 'deposit', amount: 1_000_000n }));
    const [rested, taken] = run(by(alice, limit('sell', 100n, 30n)), by(bob, limit('buy', 105n, 20n)));
    expect(rested).toMatchObject({ id: 1, filled: 0n, remaining: 30n, status: 'open' });
    expect(taken).toMatchObject({ id: 2, filled: 20n, remaining: 0n, status: 'filled' });
    expect(model.events).toEqual(['accepted 1', 'accepted 2', `trade 1 20@100 1/${alice} 2/${bob} buy 0`]);
    expect(openOrders(model).map(({ id, remaining }) => [id, remaining])).toEqual([[1, 10n]]);
    expect(model.account(bob).positions[1]).toMatchObject({ size: 20n, entry: 2000n });
    expect(model.account(alice).positions[1]).toMatchObject({ size: -20n, entry: 2000n });
    expect(model.state.markets[0]).toMatchObject({ last: 100n });
  });

  it('a batch carries trading out and nothing else', () => {
    const { model, run } = started();
    run(by(alice, { type: 'deposit', amount: 1_000_000n }));
    const others: readonly ActionPayload[] = [
      { type: 'noop' },
      { type: 'lockAccount' },
      { type: 'deposit', amount: 1n },
      { type: 'withdraw', to: bob, amount: 1n },
      { type: 'batch', items: [] },
    ];
    const items = [...others, limit('buy', 100n, 10n)];
    const [result] = run(by(alice, { type: 'batch', items })) as [{ readonly results: readonly unknown[] }];
    expect(result.results.slice(0, -1)).toEqual(others.map(() => 'CLOB_NOT_AVAILABLE'));
    expect(openOrders(model).map(({ id }) => id)).toEqual([1]);
    expect(model.account(alice).collateral).toBe(1_000_000n);
  });

  it.each<[string, ActionPayload, string]>([
    ['price off the grid', limit('buy', 101n, 10n), 'CLOB_PRICE_OFF_TICK'],
    ['size off the grid', limit('buy', 100n, 11n), 'CLOB_SIZE_OFF_LOT'],
    ['more than it can pay for', limit('buy', 100n, 10n ** 9n), 'CLOB_INSUFFICIENT_MARGIN'],
    ['cancel of what is not there', { type: 'cancel', orderId: 9 as OrderId }, 'CLOB_UNKNOWN_ORDER'],
    ['withdrawal of too much', { type: 'withdraw', to: bob, amount: 10n ** 9n }, 'CLOB_INSUFFICIENT_COLLATERAL'],
  ])('%s: refused, and nothing is left behind but the refusal', (_name, payload, code) => {
    const { model, run } = started();
    run(by(alice, { type: 'deposit', amount: 1_000_000n }), by(alice, limit('sell', 100n, 10n)));
    const before = textOf([modelAccounts(model), openOrders(model), model.state.nextOrder, [...model.state.ends]]);
    expect(run(by(alice, payload))).toEqual([code]);
    expect(model.events).toEqual(['rejected']);
    expect(textOf([modelAccounts(model), openOrders(model), model.state.nextOrder, [...model.state.ends]])).toBe(
      before,
    );
  });

  it('fill or kill that finds too little: the makers are as they were, and the number is used', () => {
    const { model, run } = started();
    run(by(alice, { type: 'deposit', amount: 1_000_000n }), by(bob, { type: 'deposit', amount: 1_000_000n }));
    run(by(alice, limit('sell', 100n, 30n)));
    const [killed] = run(by(bob, limit('buy', 100n, 40n, { tif: 'fok' })));
    expect(killed).toMatchObject({ id: 2, status: 'killed', filled: 0n, remaining: 40n, reason: 'fok' });
    expect(openOrders(model).map(({ id, remaining }) => [id, remaining])).toEqual([[1, 30n]]);
    expect(model.state.nextOrder).toBe(3);
    expect(model.account(bob)).toEqual({ collateral: 1_000_000n, positions: {}, claims: {} });
  });

  it('items of a batch: one that is refused does not take back the others', () => {
    const { model, run } = started();
    run(by(alice, { type: 'deposit', amount: 1_000_000n }));
    const items = [limit('buy', 100n, 10n), limit('buy', 101n, 10n), limit('buy', 95n, 10n)];
    const [result] = run(by(alice, { type: 'batch', items } as ActionPayload));
    expect((result as { results: unknown[] }).results.map((each) => typeof each)).toEqual([
      'object',
      'string',
      'object',
    ]);
    expect(openOrders(model).map(({ id, price }) => [id, price])).toEqual([
      [1, 100n],
      [2, 95n],
    ]);
  });
});

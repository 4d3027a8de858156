import { describe, expect, it } from '@jest/globals';
import type { BracketFields } from '@prime/codec';
import { alice, bob, carol, type Harness, marketId, order, orderId, orderValue, startMs } from '../testing/harness.ts';
import { brokenInvariants } from '../testing/invariants.ts';
import { bracket, fewTriggers, stop } from '../testing/triggers.ts';
import { changeTrigger } from './changeTrigger.ts';
import { codeOf, dave, erin, moveTo, place, scene, told, waiting } from '../testing/triggerScene.ts';

/** Carol's orders with a stop at 90 and a take-profit at 110; the market is at 100. */

const clientId = `0x${'cd'.repeat(16)}`;
const leg = (triggerPrice: bigint, limitPrice = 0n) => ({ triggerPrice, limitPrice });

/** Sells so much into what rests at 100. */
const sell = (harness: Harness, size: bigint, price = 100n): void => void harness.act(dave, order('sell', price, size));
const sizes = ({ state }: Harness): bigint[] =>
  [...state.triggers.byId.values()].sort((a, b) => a.id - b.id).map(({ size }) => size);
const held = ({ state }: Harness, account = carol): bigint =>
  state.accountOf.get(account)!.exposures.find((exposure) => exposure.marketId === 2)?.size ?? 0n;
const openOf = ({ state }: Harness, account = carol): number => state.accountOf.get(account)!.openOrders;

/** A bid of ten at 100 that rests alone there, with its two triggers. */
function resting(more: Partial<BracketFields> = {}, params: Parameters<typeof scene>[0] = {}): [Harness, number] {
  const harness = scene(params);
  const id = place(harness, carol, bracket({ size: 10n, ...more }));
  return [harness, id];
}

describe('what is attached to an order', () => {
  it('sleeps until it fills, wakes with the first fill and grows with each', () => {
    const [harness, id] = resting();
    expect(waiting(harness)).toEqual([id + 1, id + 2]);
    expect(harness.events().filter(({ kind }) => kind === 'trigger_placed')).toMatchObject([
      { data: { trigger: 'stop', side: 'sell', size: 0n, reduce_only: true, parent_order_id: id } },
      { data: { trigger: 'take_profit', trigger_price: 110n, size: 0n, parent_order_id: id } },
    ]);
    for (const [filled, all] of [
      [3n, 3n],
      [4n, 7n],
      [3n, 10n],
    ] as const) {
      sell(harness, filled);
      expect(sizes(harness)).toEqual([all, all]);
      expect(harness.events().filter(({ kind }) => kind === 'trigger_changed')).toMatchObject([
        { data: { order_id: id + 1, size: all, parent_order_id: id } },
        { data: { order_id: id + 2, size: all } },
      ]);
      expect(brokenInvariants(harness.state)).toEqual([]);
      harness.restart();
    }
    expect(openOf(harness)).toBe(0);
  });

  it('does not fire while it sleeps, whatever the mark does', () => {
    const harness = scene();
    place(harness, carol, bracket({ price: 60n, stop: leg(95n), takeProfit: leg(200n) }));
    moveTo(harness, 93n);
    harness.block([]);
    expect(told(harness)).toEqual([]);
    // The fill wakes it, and it fires behind the next mark.
    harness.act(erin, { type: 'cancelAll', marketId: marketId(2) });
    sell(harness, 1n, 60n);
    harness.block([]);
    expect(told(harness)).toEqual([
      ['fired', expect.any(Number), expect.any(Number)],
      ['ended', expect.any(Number), 'group'],
    ]);
  });

  it('has the size of an order that fills as it comes, and goes with the position from then on', () => {
    const harness = scene();
    harness.act(alice, order('sell', 101n, 4n));
    const id = place(harness, carol, bracket({ price: 101n, size: 4n, tif: 'ioc' }));
    expect(sizes(harness)).toEqual([4n, 4n]);
    harness.act(alice, order('buy', 99n, 4n));
    harness.act(carol, order('sell', 99n, 4n));
    expect(told(harness)).toEqual([
      ['ended', id + 1, 'position'],
      ['ended', id + 2, 'position'],
    ]);
  });

  it('ends at once where its order only closed a position', () => {
    const harness = scene();
    harness.act(alice, order('buy', 99n, 4n));
    const id = place(
      harness,
      bob,
      bracket({ side: 'sell', price: 99n, size: 4n, stop: leg(110n), takeProfit: leg(90n) }),
    );
    expect(told(harness)).toEqual([
      ['ended', id + 1, 'position'],
      ['ended', id + 2, 'position'],
    ]);
  });

  it.each(['ioc', 'fok'] as const)('is not placed with an %s that trades nothing', (tif) => {
    const harness = scene();
    place(harness, carol, bracket({ price: 99n, tif }));
    expect(waiting(harness)).toEqual([]);
    expect(harness.events().map(({ kind }) => kind)).toEqual(['order_accepted', 'order_cancelled']);
  });

  it('is for one side of the price each, or one of both', () => {
    const harness = scene();
    expect(codeOf(harness, carol, bracket({ stop: null }))).toBe('taken');
    expect(codeOf(harness, carol, bracket({ takeProfit: null }))).toBe('taken');
    expect(waiting(harness).length).toBe(2);
    expect(codeOf(harness, carol, bracket({ stop: leg(110n) }))).toBe('CLOB_BAD_FLAGS');
    expect(codeOf(harness, carol, bracket({ stop: leg(109n) }))).toBe('taken');
    const [harness1] = [scene({ markets: [] })];
    expect(codeOf(harness1, carol, bracket())).toBe('CLOB_UNKNOWN_MARKET');
  });
});

describe('when a trigger of a bracket fires', () => {
  it('closes what the order filled, and the other one and the rest of the order end', () => {
    const [harness, id] = resting();
    sell(harness, 6n);
    moveTo(harness, 111n);
    harness.block([]);
    expect(told(harness)).toEqual([
      ['fired', id + 2, expect.any(Number)],
      ['ended', id + 1, 'group'],
    ]);
    expect(harness.events()).toContainEqual(
      expect.objectContaining({
        kind: 'order_cancelled',
        data: expect.objectContaining({ order_id: id, reason: 'group' }),
      }),
    );
    expect([held(harness), openOf(harness), waiting(harness)]).toEqual([0n, 0, []]);
  });

  it('with a limit it rests, reduce-only', () => {
    const [harness, id] = resting({ takeProfit: leg(110n, 120n) });
    sell(harness, 10n);
    moveTo(harness, 111n);
    harness.block([]);
    const { placed_order_id: placed } = harness.events().find(({ kind }) => kind === 'trigger_fired')!.data;
    const handle = harness.state.orders.byId.get(placed as number)!;
    expect([harness.state.remainingOf(handle), harness.state.orders.isReduceOnly(handle)]).toEqual([10n, true]);
    expect(told(harness)).toContainEqual(['ended', id + 1, 'group']);
  });

  it('a refused order ends it alone', () => {
    const [harness, id] = resting();
    sell(harness, 6n);
    // All of it is closed by hand while the rest of the entry waits.
    harness.act(carol, order('sell', 101n, 6n));
    harness.act(alice, order('buy', 101n, 6n));
    expect([told(harness), held(harness)]).toEqual([[], 0n]);
    moveTo(harness, 111n);
    harness.block([]);
    expect(told(harness)).toEqual([['ended', id + 2, 'reduce_only']]);
    expect([openOf(harness), waiting(harness)]).toEqual([1, [id + 1]]);
  });
});

describe('when the order of a bracket ends', () => {
  const cancel = (harness: Harness, id: number) => harness.act(carol, { type: 'cancel', orderId: orderId(id) });

  it('without a fill, what is attached ends with it', () => {
    const [harness, id] = resting();
    cancel(harness, id);
    expect(told(harness)).toEqual([
      ['ended', id + 1, 'parent'],
      ['ended', id + 2, 'parent'],
    ]);
    expect(codeOf(harness, carol, { type: 'cancel', orderId: orderId(id + 1) })).toBe('CLOB_ORDER_CANCELLED');
  });

  it('after a fill, it waits on', () => {
    const [harness, id] = resting();
    sell(harness, 6n);
    cancel(harness, id);
    harness.restart();
    expect([waiting(harness), sizes(harness)]).toEqual([
      [id + 1, id + 2],
      [6n, 6n],
    ]);
    moveTo(harness, 89n);
    harness.block([]);
    expect(told(harness)).toEqual([
      ['fired', id + 1, expect.any(Number)],
      ['ended', id + 2, 'group'],
    ]);
    expect(held(harness)).toBe(0n);
  });

  it('by all the ways in which orders do', () => {
    const seconds = Math.floor(startMs / 1000);
    const [harness] = resting({ expiresAt: seconds + 50 });
    harness.block([], startMs + 51_000);
    expect(told(harness).map((entry) => (entry as unknown[])[2])).toEqual(['parent', 'parent']);
    const next = place(harness, carol, bracket());
    harness.act(carol, { type: 'scheduleCancel', atMs: startMs + 60_000 });
    harness.block([], startMs + 60_000);
    expect(told(harness)).toEqual([
      ['ended', next + 1, 'parent'],
      ['ended', next + 2, 'parent'],
    ]);
    const last = place(harness, carol, bracket());
    expect(harness.act(carol, { type: 'cancelAll', marketId: null })).toMatchObject({ value: { orderIds: [last] } });
    expect(waiting(harness)).toEqual([]);
  });

  it('by a cancel of its client id that came before it in the block', () => {
    const harness = scene();
    const { results } = harness.block([
      { account: carol, payload: bracket({ clientId }) },
      { account: carol, payload: { type: 'cancelByClientId', marketId: marketId(2), clientId } },
    ]);
    expect(results.map(({ ok }) => ok)).toEqual([true, true]);
    expect([openOf(harness), waiting(harness)]).toEqual([0, []]);
  });

  it('by self-trade prevention, before the trigger of another one comes', () => {
    const [harness] = resting();
    harness.act(carol, order('sell', 100n, 10n, { selfTrade: 'decrement' }));
    expect(told(harness).length).toBe(2);
  });
});

describe('modify', () => {
  const modify = (id: number, price: bigint, size: bigint) =>
    ({ type: 'modify', orderId: orderId(id), price, size }) as const;

  it('of the order takes along what is attached to it, with what it filled', () => {
    const [harness, id] = resting();
    sell(harness, 2n);
    const moved = orderValue(harness.act(carol, modify(id, 98n, 5n))).orderId;
    expect(moved).not.toBe(id);
    expect(told(harness)).toEqual([]);
    expect(sizes(harness)).toEqual([2n, 2n]);
    harness.restart();
    sell(harness, 5n, 98n);
    expect(sizes(harness)).toEqual([7n, 7n]);
    expect(brokenInvariants(harness.state)).toEqual([]);
  });

  it('to a price at which it trades, to less, and in vain', () => {
    const [harness, id] = resting();
    harness.act(alice, order('sell', 105n, 3n));
    expect(codeOf(harness, carol, modify(id, 101n, 10_000_000n))).toBe('CLOB_INSUFFICIENT_MARGIN');
    expect(orderValue(harness.act(carol, modify(id, 100n, 4n))).orderId).toBe(id);
    expect(sizes(harness)).toEqual([0n, 0n]);
    const taken = orderValue(harness.act(carol, modify(id, 105n, 3n)));
    expect([taken.status, sizes(harness)]).toEqual(['filled', [3n, 3n]]);
    expect(brokenInvariants(harness.state)).toEqual([]);
  });

  it('of a trigger keeps its size with 0; another one only when its order has ended', () => {
    const [harness, id] = resting();
    expect(codeOf(harness, carol, modify(id + 1, 85n, 1n))).toBe('CLOB_BAD_FLAGS');
    expect(codeOf(harness, carol, modify(id + 1, 85n, 0n))).toBe('taken');
    sell(harness, 10n);
    expect(harness.state.triggers.byId.get(orderId(id + 1))).toMatchObject({ triggerPrice: 85n, size: 10n });
    expect(codeOf(harness, carol, modify(id + 1, 86n, 0n))).toBe('taken');
    expect(codeOf(harness, carol, modify(id + 1, 86n, 4n))).toBe('taken');
    expect(sizes(harness)).toEqual([4n, 10n]);
  });

  it('again and again does not let it grow beyond any position', () => {
    const harness = scene();
    const id = place(harness, carol, bracket({ stop: null }));
    const trigger = harness.state.triggers.byId.get(orderId(id + 1))!;
    const most = (1n << 127n) - 1n;
    // What thousands of changes would have filled.
    changeTrigger(harness.state, trigger, { ...trigger, size: most });
    harness.propose([{ account: dave, payload: order('sell', 100n, 1n) }]);
    expect(sizes(harness)).toEqual([1n << 127n]);
  });
});

describe('how many there may be', () => {
  it.each([
    ['of an account', { perAccountMax: 4, perMarketMax: 9 }],
    ['in a market', { perAccountMax: 9, perMarketMax: 4 }],
  ])('%s: those that sleep count, and a bracket comes whole or not at all', (_, most) => {
    const harness = scene({ params: { trigger: { ...fewTriggers, ...most } } });
    expect(codeOf(harness, carol, stop(90n))).toBe('taken');
    expect(codeOf(harness, carol, bracket())).toBe('taken');
    const orders = openOf(harness);
    expect(codeOf(harness, carol, bracket())).toBe('CLOB_TOO_MANY_TRIGGERS');
    expect([openOf(harness), waiting(harness).length]).toEqual([orders, 3]);
    expect(codeOf(harness, carol, bracket({ stop: null }))).toBe('taken');
    harness.restart();
    for (const payload of [bracket({ stop: null }), stop(90n)])
      expect(codeOf(harness, carol, payload)).toBe('CLOB_TOO_MANY_TRIGGERS');
  });
});

describe('a bracket in a block that is taken back, or is full', () => {
  it('leaves no trace', () => {
    const [harness, id] = resting();
    sell(harness, 2n);
    const root = harness.engine.ordersRoot();
    harness.drop([
      { account: dave, payload: order('sell', 100n, 3n) },
      { account: carol, payload: { type: 'modify', orderId: orderId(id), price: 97n, size: 8n } },
      { account: carol, payload: bracket() },
      { account: carol, payload: { type: 'cancelAll', marketId: null } },
    ]);
    expect(harness.engine.ordersRoot()).toBe(root);
    expect([sizes(harness), brokenInvariants(harness.state)]).toEqual([[2n, 2n], []]);
    sell(harness, 8n);
    expect(sizes(harness)).toEqual([10n, 10n]);
  });

  it('is refused where the block takes no more orders', () => {
    const harness = scene({ params: { orderChangesPerBlock: 1 } });
    const { results } = harness.block([
      { account: alice, payload: order('buy', 40n, 1n) },
      { account: carol, payload: bracket() },
    ]);
    expect(results[1]).toMatchObject({ error: { code: 'CLOB_BLOCK_FULL' } });
  });
});

import { describe, expect, it } from '@jest/globals';
import type { TriggerFields } from '@prime/codec';
import { bob, carol, createHarness, marketId, order, orderId, startMs } from '../testing/harness.ts';
import { brokenInvariants } from '../testing/invariants.ts';
import { fewTriggers, stop } from '../testing/triggers.ts';
import { codeOf, dave, erin, moveTo, place, scene, told, waiting } from '../testing/triggerScene.ts';

const clientId = `0x${'ab'.repeat(16)}`;

describe('a trigger', () => {
  it.each<[string, Partial<TriggerFields>, bigint, bigint]>([
    ['a stop that sells', { side: 'sell', kind: 'stop' }, 98n, 97n],
    ['a stop that buys', { side: 'buy', kind: 'stop' }, 102n, 103n],
    ['a take-profit that sells', { side: 'sell', kind: 'take_profit' }, 102n, 103n],
    ['a take-profit that buys', { side: 'buy', kind: 'take_profit' }, 98n, 97n],
  ])('%s waits until the mark is at its price, and fires in the next block', (_, more, price, beyond) => {
    const harness = scene();
    const id = place(harness, bob, stop(price, more));
    harness.block([]);
    expect(waiting(harness)).toEqual([id]);
    moveTo(harness, beyond);
    expect(harness.state.markets[1]!.markPrice).toBe(beyond);
    expect(waiting(harness)).toEqual([id]);
    harness.block([]);
    expect(told(harness)).toEqual([['fired', id, harness.state.globals.nextOrderId - 1]]);
    expect(waiting(harness)).toEqual([]);
    harness.block([]);
    expect(told(harness)).toEqual([]);
  });

  it('fires at its very price, and although the mark has gone back', () => {
    const harness = scene();
    const id = place(harness, bob, stop(98n));
    moveTo(harness, 98n);
    harness.restart();
    harness.block([
      { account: erin, payload: { type: 'cancelAll', marketId: marketId(2) } },
      { account: erin, payload: order('buy', 99n, 5n) },
    ]);
    expect(told(harness)).toEqual([['fired', id, expect.any(Number)]]);
  });

  it('runs behind the cancels and before the orders of its block', () => {
    const harness = scene();
    place(harness, bob, stop(98n, { size: 4n }));
    moveTo(harness, 97n);
    harness.block([
      { account: dave, payload: order('sell', 96n, 100n) },
      { account: erin, payload: { type: 'cancelAll', marketId: marketId(2) } },
      { account: erin, payload: order('buy', 96n, 4n) },
    ]);
    // The bids of the block before are cancelled, and those of this block come later.
    const trades = harness
      .events()
      .flatMap(({ kind, data }) => (kind === 'trade' ? [[data['taker'], data['price']]] : []));
    expect(trades).toEqual([[erin, 96n]]);
    expect(
      harness.events().find(({ kind, data }) => kind === 'order_cancelled' && data['owner'] === bob),
    ).toMatchObject({
      data: { reason: 'ioc' },
    });
  });

  it('holds no margin, and is refused when it fires where there is none', () => {
    const harness = scene();
    const id = place(harness, carol, stop(98n, { size: 10_000_000n }));
    moveTo(harness, 97n);
    harness.block([]);
    expect(told(harness)).toEqual([['ended', id, 'insufficient_margin']]);
  });

  it('of a position closes all of it, and ends when the position is gone or has changed sides', () => {
    const harness = scene();
    const all = { position: true, size: 0n, group: 0 };
    const [first, second] = [place(harness, bob, stop(98n, all)), place(harness, bob, stop(90n, all))];
    moveTo(harness, 97n);
    harness.block([]);
    expect(told(harness)).toEqual([
      ['fired', first, expect.any(Number)],
      ['ended', second, 'position'],
    ]);
    expect(harness.state.accountOf.get(bob)!.exposures[0]!.size).toBe(0n);
    expect(codeOf(harness, bob, stop(98n, all))).toBe('CLOB_REDUCE_ONLY_WOULD_INCREASE');
  });

  it('with a limit rests where it does not trade, under the client id of the trigger', () => {
    const harness = scene();
    place(harness, bob, stop(98n, { limitPrice: 105n, tif: 'gtc', clientId, reduceOnly: true, size: 3n }));
    expect(codeOf(harness, bob, order('buy', 60n, 1n, { clientId }))).toBe('CLOB_DUPLICATE_CLIENT_ID');
    moveTo(harness, 97n);
    harness.block([]);
    const handle = harness.state.accountOf.get(bob)!.clientIds.get(clientId)!;
    expect(harness.state.remainingOf(handle)).toBe(3n);
  });

  it('of a group takes the others with it when it fires, but not when its order is refused', () => {
    const harness = scene();
    const group = { group: 7, reduceOnly: true };
    const lost = place(harness, bob, stop(98n, group));
    const taken = place(harness, bob, stop(103n, { ...group, kind: 'take_profit' }));
    const other = place(harness, carol, stop(50n, group));
    moveTo(harness, 97n);
    harness.block([]);
    expect(told(harness)).toEqual([
      ['fired', lost, expect.any(Number)],
      ['ended', taken, 'group'],
    ]);
    expect(waiting(harness)).toEqual([other]);
    const [bad, good] = [
      place(harness, dave, stop(95n, { group: 1, size: 10n ** 9n })),
      place(harness, dave, stop(80n, { group: 1 })),
    ];
    moveTo(harness, 94n);
    harness.block([]);
    expect(told(harness)).toEqual([['ended', bad, 'insufficient_margin']]);
    expect(waiting(harness)).toEqual([other, good].sort((a, b) => a - b));
  });
});

describe('the turn of triggers', () => {
  it.each([2, 3, 4])('the furthest passed go first, at most three a block: %d of them', (count) => {
    const harness = scene();
    const ids = Array.from({ length: count }, (_, at) => place(harness, bob, stop(96n + BigInt(at % 3))));
    // By distance, then by id.
    const inTurn = ids.toSorted((a, b) => (ids.indexOf(b) % 3) - (ids.indexOf(a) % 3) || a - b);
    moveTo(harness, 95n);
    const fired: unknown[] = [];
    for (let left = count; left > 0; left -= 3) {
      harness.block([]);
      const now = told(harness).map((entry) => (entry as unknown[])[1]);
      expect(now.length).toBe(Math.min(left, 3));
      fired.push(...now);
      harness.restart();
    }
    expect(fired).toEqual(inTurn);
  });
});

describe('ends of triggers', () => {
  it('by id, by client id, with all orders, at a time, and at its own', () => {
    const harness = scene();
    const ids = [0, 1, 2, 3, 4].map((at) =>
      place(
        harness,
        bob,
        stop(90n, {
          clientId: at === 1 ? clientId : null,
          expiresAt: at === 2 ? Math.floor(startMs / 1000) + 100 : 0,
        }),
      ),
    );
    harness.act(bob, { type: 'cancel', orderId: orderId(ids[0]!) });
    expect(told(harness)).toEqual([['ended', ids[0], 'user']]);
    expect(codeOf(harness, bob, { type: 'cancel', orderId: orderId(ids[0]!) })).toBe('CLOB_ORDER_CANCELLED');
    expect(codeOf(harness, carol, { type: 'cancel', orderId: orderId(ids[1]!) })).toBe('CLOB_NOT_OWNER');
    harness.act(bob, { type: 'cancelByClientId', marketId: marketId(2), clientId });
    expect(told(harness)).toEqual([['ended', ids[1], 'user']]);
    harness.act(bob, { type: 'scheduleCancel', atMs: startMs + 200_000 });
    harness.block([], startMs + 100_000);
    expect(told(harness)).toEqual([]);
    harness.block([], startMs + 101_000);
    expect(told(harness)).toEqual([['ended', ids[2], 'expired']]);
    harness.block([], startMs + 200_000);
    expect(told(harness)).toEqual([
      ['ended', ids[3], 'scheduled'],
      ['ended', ids[4], 'scheduled'],
    ]);
    const last = place(harness, bob, stop(90n));
    expect(harness.act(bob, { type: 'cancelAll', marketId: null })).toMatchObject({ value: { orderIds: [last] } });
    expect(harness.state.triggers.ofMarket.get(marketId(2))!.count).toBe(0);
  });

  it('a cancel by client id that comes before its trigger in a block takes it out', () => {
    const harness = scene();
    const { results } = harness.block([
      { account: bob, payload: stop(90n, { clientId }) },
      { account: bob, payload: { type: 'cancelByClientId', marketId: marketId(2), clientId } },
    ]);
    expect(results.map(({ ok }) => ok)).toEqual([true, true]);
    expect(waiting(harness)).toEqual([]);
  });
});

describe('modify', () => {
  it('changes price and size under the same id, also when the turn had come', () => {
    const harness = scene();
    const id = place(harness, bob, stop(98n));
    moveTo(harness, 97n);
    harness.block([{ account: bob, payload: { type: 'modify', orderId: orderId(id), price: 60n, size: 2n } }]);
    // It fired before: modifies run behind triggers.
    expect(told(harness)).toEqual([['fired', id, expect.any(Number)]]);
    const next = place(harness, bob, stop(60n));
    expect(harness.act(bob, { type: 'modify', orderId: orderId(next), price: 65n, size: 2n })).toMatchObject({
      value: { type: 'order', orderId: next, remaining: 2n, status: 'open' },
    });
    expect(codeOf(harness, bob, { type: 'modify', orderId: orderId(next), price: 65n, size: 0n })).toBe(
      'CLOB_BAD_SIZE',
    );
    expect(codeOf(harness, carol, { type: 'modify', orderId: orderId(next), price: 65n, size: 1n })).toBe(
      'CLOB_NOT_OWNER',
    );
    harness.restart();
    expect(harness.state.triggers.byId.get(orderId(next))).toMatchObject({ triggerPrice: 65n, size: 2n, queued: null });
  });
});

describe('how many there may be', () => {
  it.each([
    ['of an account', { perAccountMax: 3, perMarketMax: 9 }],
    ['in a market', { perAccountMax: 9, perMarketMax: 3 }],
  ])('%s: n − 1, n and n + 1', (_, most) => {
    const harness = scene({ params: { trigger: { ...fewTriggers, ...most } } });
    const answers = [1, 2, 3, 4].map(() => codeOf(harness, bob, stop(90n)));
    expect(answers).toEqual(['taken', 'taken', 'taken', 'CLOB_TOO_MANY_TRIGGERS']);
    harness.restart();
    expect(codeOf(harness, bob, stop(90n))).toBe('CLOB_TOO_MANY_TRIGGERS');
    harness.act(bob, { type: 'cancelAll', marketId: marketId(2) });
    expect(codeOf(harness, bob, stop(90n))).toBe('taken');
  });

  it('none where genesis says nothing', () => {
    const harness = createHarness();
    expect(harness.act(bob, stop(90n))).toMatchObject({ error: { data: { kind: 'too_many_triggers', limit: 0 } } });
  });
});

describe('a block that is taken back', () => {
  it('leaves triggers, their turns and what they did as they were', () => {
    const harness = scene();
    const id = place(harness, bob, stop(98n, { position: true, size: 0n }));
    moveTo(harness, 97n);
    const root = harness.engine.ordersRoot();
    harness.drop([{ account: bob, payload: stop(90n) }]);
    expect(harness.engine.ordersRoot()).toEqual(root);
    expect(brokenInvariants(harness.state)).toEqual([]);
    harness.block([]);
    expect(told(harness)).toEqual([['fired', id, expect.any(Number)]]);
  });
});

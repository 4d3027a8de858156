import { describe, expect, it } from '@jest/globals';
import type { ActionPayload, Change, MarketStatus } from '@prime/codec';
import { addressOf, alice, bob, carol, type Harness, marketId, order, orderId, startMs } from '../testing/harness.ts';
import { brokenInvariants } from '../testing/invariants.ts';
import { bracket, fewTriggers, stop } from '../testing/triggers.ts';
import { codeOf, dave, moveTo, place, scene, told, waiting } from '../testing/triggerScene.ts';

/** Triggers and brackets in markets that do not take all orders: clob.md, Life of a market. */

const admin = addressOf(0xad);
const clientId = `0x${'ab'.repeat(16)}`;
const trigger = { ...fewTriggers, perAccountMax: 9, perMarketMax: 20 };
const params = { admin, trigger };

function setStatus(harness: Harness, status: MarketStatus, price: bigint | null = null): void {
  const change: Change = { parameter: 'status', marketId: marketId(2), value: { status, price } as never };
  const answer = harness.act(
    admin,
    { type: 'change', change, atHeight: 0 },
    { signatureKind: 'raw', nonce: harness.now() + 1 },
  );
  expect(answer.ok).toBe(true);
}

/** What may be asked of a trigger, by name. @param id of one of Bob's */
const askedOf = (id: number): Readonly<Record<string, ActionPayload>> => ({
  place: stop(90n),
  bracket: bracket({ price: 60n }),
  postOnlyBracket: bracket({ price: 60n, postOnly: true }),
  modify: { type: 'modify', orderId: orderId(id), price: 97n, size: 1n },
  cancelByClientId: { type: 'cancelByClientId', marketId: marketId(2), clientId },
  cancelAll: { type: 'cancelAll', marketId: marketId(2) },
  cancel: { type: 'cancel', orderId: orderId(id) },
});

const shut = (code: string) => Object.fromEntries(Object.keys(askedOf(1)).map((name) => [name, code]));
const taken = shut('taken');

describe.each<[MarketStatus, Readonly<Record<string, string>>]>([
  ['trading', { ...taken, cancel: 'CLOB_ORDER_CANCELLED' }],
  ['post_only', { ...taken, bracket: 'CLOB_POST_ONLY_MARKET', cancel: 'CLOB_ORDER_CANCELLED' }],
  [
    'cancel_only',
    {
      ...shut('CLOB_CANCEL_ONLY_MARKET'),
      cancelByClientId: 'taken',
      cancelAll: 'taken',
      cancel: 'CLOB_ORDER_CANCELLED',
    },
  ],
  ['halted', shut('CLOB_MARKET_HALTED')],
])('in a market that is %s', (status, answers) => {
  it('takes and refuses by its state', () => {
    const harness = scene({ params });
    const id = place(harness, bob, stop(95n));
    place(harness, bob, stop(94n, { clientId }));
    setStatus(harness, status);
    const got = Object.entries(askedOf(id)).map(([name, payload]) => [name, codeOf(harness, bob, payload)]);
    expect(Object.fromEntries(got)).toEqual(answers);
    expect(brokenInvariants(harness.state)).toEqual([]);
  });
});

describe.each<MarketStatus>(['post_only', 'cancel_only', 'halted'])('while a market is %s', (status) => {
  it('a trigger keeps its turn, and fires when all orders are taken again', () => {
    const harness = scene({ params });
    const id = place(harness, bob, stop(98n));
    moveTo(harness, 97n);
    // In the block in which its turn would come: the change is made first.
    setStatus(harness, status);
    harness.block([]);
    harness.restart();
    harness.block([]);
    expect([told(harness), waiting(harness)]).toEqual([[], [id]]);
    // Changes come before what fires.
    setStatus(harness, 'trading');
    expect(told(harness)).toEqual([['fired', id, expect.any(Number)]]);
  });

  it('no trigger gets a turn, whatever the mark is', () => {
    // A mark that follows the price slowly goes on in every state.
    const mark = { impactNotional: 0n, emaWeight: 64, maxMoveBps: 0, minTrades: 0 };
    const harness = scene({ params: { ...params, mark } });
    const id = place(harness, bob, stop(80n));
    moveTo(harness, 60n);
    setStatus(harness, status);
    for (let blocks = 0; blocks < 5; blocks++) harness.block([]);
    expect(harness.state.market(2)!.markPrice).toBeLessThan(80n);
    expect(harness.state.triggers.byId.get(orderId(id))!.queued).toBeNull();
    setStatus(harness, 'trading');
    expect(harness.state.triggers.byId.get(orderId(id))!.queued).not.toBeNull();
  });

  it('triggers and brackets end at their time, and at that of a scheduled cancel', () => {
    const harness = scene({ params });
    const seconds = Math.floor(startMs / 1000);
    const first = place(harness, bob, stop(90n, { expiresAt: seconds + 50 }));
    const entry = place(harness, carol, bracket({ price: 60n, expiresAt: seconds + 50 }));
    const last = place(harness, bob, stop(91n));
    harness.act(bob, { type: 'scheduleCancel', atMs: startMs + 90_000 });
    setStatus(harness, status);
    harness.block([], startMs + 51_000);
    expect(told(harness)).toEqual([
      ['ended', entry + 1, 'parent'],
      ['ended', entry + 2, 'parent'],
      ['ended', first, 'expired'],
    ]);
    harness.block([], startMs + 90_000);
    expect(told(harness)).toEqual([['ended', last, 'scheduled']]);
  });

  it('a group loses its members in it to one that fires in another market', () => {
    const harness = scene({ params });
    const here = place(harness, bob, stop(90n, { group: 4 }));
    const there = place(
      harness,
      bob,
      stop(500n, { marketId: marketId(1), group: 4, side: 'buy', size: 10n, limitPrice: 510n }),
    );
    setStatus(harness, status);
    harness.act(alice, order('sell', 505n, 10n, { marketId: marketId(1) }));
    harness.act(dave, order('buy', 505n, 10n, { marketId: marketId(1) }));
    harness.block([]);
    expect(told(harness)).toEqual([
      ['fired', there, expect.any(Number)],
      ['ended', here, 'group'],
    ]);
  });
});

describe('in a market that is settled', () => {
  it('nothing fires, all triggers end behind the orders, and nobody places, changes or cancels one', () => {
    const harness = scene({ params });
    const due = place(harness, bob, stop(98n));
    const position = place(harness, bob, stop(50n, { position: true, size: 0n }));
    const entry = place(harness, carol, bracket({ price: 60n, size: 5n }));
    moveTo(harness, 97n);
    setStatus(harness, 'settling', 80n);
    expect(told(harness)).toEqual([]);
    const asked = Object.values(askedOf(due)).map((payload) => ({ account: bob, payload }));
    const { results } = harness.block(asked);
    expect(told(harness)).toEqual([
      ['ended', entry + 1, 'parent'],
      ['ended', entry + 2, 'parent'],
      ['ended', due, 'settlement'],
      ['ended', position, 'settlement'],
    ]);
    const codes = results.map((result) => (result.ok ? 'taken' : result.error.code));
    expect(codes.slice(0, 3)).toEqual(Array(3).fill('CLOB_MARKET_DELISTED'));
    expect(codes.slice(3)).not.toContain('taken');
    expect([waiting(harness), brokenInvariants(harness.state)]).toEqual([[], []]);
    expect(harness.state.market(2)!.status).toBe('delisted');
    harness.restart();
    for (const payload of [stop(90n), bracket()]) expect(codeOf(harness, bob, payload)).toBe('CLOB_MARKET_DELISTED');
  });

  it('triggers that are awake end with the settlement, and not with their position', () => {
    const harness = scene({ params });
    const entry = place(harness, carol, bracket({ price: 100n, size: 5n }));
    harness.act(dave, order('sell', 100n, 5n));
    setStatus(harness, 'settling', 80n);
    harness.block([]);
    expect(told(harness)).toEqual([
      ['ended', entry + 1, 'settlement'],
      ['ended', entry + 2, 'settlement'],
    ]);
  });

  it.each([999, 1000, 1001])('a block ends a thousand, orders and triggers together: %d triggers', (count) => {
    const harness = scene({
      params: { admin, trigger: { slippageBps: 0, perAccountMax: 2000, perMarketMax: 2000, perBlockMax: 1 } },
    });
    harness.block(Array.from({ length: count }, () => ({ account: bob, payload: stop(20n) })));
    harness.act(alice, { type: 'cancelAll', marketId: null });
    setStatus(harness, 'settling', 80n);
    harness.block([]);
    expect([told(harness).length, waiting(harness).length]).toEqual([Math.min(count, 1000), Math.max(0, count - 1000)]);
    harness.restart();
    for (let blocks = 0; blocks < 3; blocks++) harness.block([]);
    expect([waiting(harness), harness.state.market(2)!.status]).toEqual([[], 'delisted']);
  });
});

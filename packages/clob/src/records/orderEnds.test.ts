import { describe, expect, it } from '@jest/globals';
import {
  type ActionPayload,
  type ClosedOrder,
  decodeClosedOrdersRecord,
  decodeEventFrames,
  defaultMarketDecimals,
  recordKind,
} from '@prime/codec';
import type { Address } from '@prime/primitives';
import { ensureAccount } from '../state/changes.ts';
import {
  alice,
  bob,
  carol,
  createHarness,
  defaultMarkets,
  type Harness,
  marketId,
  order,
  orderId,
  orderValue,
  startMs,
  wordsOf,
} from '../testing/harness.ts';

/** What orders answer about their ends, and what keeps an order from being sent twice or a position from being closed. */

const scene = (params: Parameters<typeof createHarness>[0] = {}): Harness => {
  const harness = createHarness(params);
  for (const account of [alice, bob, carol]) harness.deposit(account, 1_000_000n);
  return harness;
};
const clientId = `0x${'ab'.repeat(16)}`;
/** What is remembered of an order. */
const endOf = ({ records }: Harness, id: number): ClosedOrder | undefined =>
  [...records.values()]
    .filter(([key]) => recordKind(key) === 'closedOrders')
    .flatMap(([, value]) => decodeClosedOrdersRecord(value).orders)
    .find(({ orderId: of }) => of === id);
const nobody = `0x${'0'.repeat(40)}` as Address;

describe('the answer to an order', () => {
  it('decrement: says what self-trade prevention took off', () => {
    const harness = scene();
    harness.act(alice, order('sell', 100n, 10n));
    const value = orderValue(harness.act(alice, order('buy', 100n, 4n, { selfTrade: 'decrement', tif: 'ioc' })));
    expect(value).toMatchObject({
      status: 'cancelled',
      reason: 'self_trade',
      filled: 0n,
      remaining: 0n,
      decremented: 4n,
    });
    const rests = orderValue(harness.act(alice, order('buy', 100n, 9n, { selfTrade: 'decrement' })));
    expect(rests).toMatchObject({ status: 'open', reason: null, filled: 0n, remaining: 3n, decremented: 6n });
  });

  it('modify that ends both orders says why', () => {
    const harness = scene();
    harness.act(alice, order('sell', 100n, 10n));
    harness.act(alice, order('buy', 90n, 5n, { selfTrade: 'cancel_both' }));
    const value = orderValue(harness.act(alice, { type: 'modify', orderId: orderId(2), price: 100n, size: 5n }));
    expect(value).toMatchObject({ orderId: 3, status: 'cancelled', reason: 'self_trade', remaining: 5n });
    expect(harness.state.orders.byId.size).toBe(0);
  });

  it.each([
    ['ioc', 'cancelled', 'ioc'],
    ['fok', 'killed', 'fok'],
  ] as const)('%s with nothing to meet: %s, and why', (tif, status, reason) => {
    for (const wideBooks of [false, true])
      expect(orderValue(scene({ wideBooks }).act(alice, order('buy', 100n, 5n, { tif })))).toMatchObject({
        status,
        reason,
        decremented: 0n,
      });
  });
});

describe('what is remembered of an order that ended', () => {
  const expiresAt = Math.floor(startMs / 1000) + 3600;

  it('that rested: all that its record had', () => {
    const harness = scene();
    harness.act(alice, order('buy', 100n, 9n, { clientId, expiresAt }));
    const createdBlock = harness.given()!.height;
    harness.act(bob, order('sell', 100n, 2n));
    harness.act(alice, { type: 'modify', orderId: orderId(1), price: 100n, size: 5n });
    harness.act(alice, { type: 'cancel', orderId: orderId(1) });
    expect(endOf(harness, 1)).toEqual({
      orderId: 1,
      marketId: 2,
      owner: alice,
      side: 'buy',
      price: 100n,
      size: 7n,
      tif: 'gtc',
      end: 'user',
      filled: 2n,
      remaining: 5n,
      clientId,
      createdBlock,
      expiresAt,
    });
  });

  it.each([
    ['ioc', 100n, 'ioc', 2n],
    ['fok', 100n, 'fok', 0n],
    ['ioc', 10n ** 30n, 'ioc', 2n],
  ] as const)('%s at %s that never rested: what it was sent with', (tif, price, end, filled) => {
    const harness = scene();
    harness.act(bob, order('sell', 100n, 2n));
    harness.deposit(alice, 10n ** 40n);
    harness.act(alice, order('buy', price, 5n, { tif, clientId, expiresAt }));
    const createdBlock = harness.given()!.height;
    expect(endOf(harness, 2)).toMatchObject({ side: 'buy', price, size: 5n, tif, end, filled, remaining: 5n - filled });
    expect(endOf(harness, 2)).toMatchObject({ createdBlock, expiresAt, clientId });
    expect(endOf(harness, 1)?.end).toBe(filled > 0n ? 'filled' : undefined);
  });

  it('that self-trade prevention made smaller: what it was sent with, if it never rested', () => {
    const harness = scene();
    harness.act(alice, order('sell', 100n, 10n));
    harness.act(alice, order('buy', 100n, 4n, { selfTrade: 'decrement', tif: 'ioc' }));
    expect(endOf(harness, 2)).toMatchObject({ size: 4n, filled: 0n, remaining: 0n, end: 'self_trade' });
    harness.act(bob, order('buy', 100n, 6n));
    expect(endOf(harness, 1)).toMatchObject({ size: 6n, filled: 6n, remaining: 0n, end: 'filled' });
  });
});

describe('a client id', () => {
  const again = { clientId, tif: 'ioc' } as const;

  it.each([0, 1])('of an ioc that traded: the retry is refused and names the order, restarts: %s', (restarts) => {
    const harness = scene({ params: { orderMemoryBlocks: 3 } });
    harness.act(bob, order('sell', 100n, 50n));
    harness.act(alice, order('buy', 100n, 5n, again));
    for (let count = 0; count < restarts; count++) harness.restart();
    for (let block = 0; block < 3; block++)
      expect(harness.act(alice, order('buy', 100n, 5n, again))).toMatchObject({
        ok: false,
        error: { code: 'CLOB_DUPLICATE_CLIENT_ID', data: { order_id: '0x2' } },
      });
    // Its end is forgotten: so is its client id.
    expect(harness.act(alice, order('buy', 100n, 5n, again))).toMatchObject({ ok: true });
  });

  it('of an order that traded nothing, or that its owner cancelled, is free at once', () => {
    const harness = scene();
    harness.act(alice, order('buy', 100n, 5n, again));
    harness.act(alice, order('buy', 100n, 5n, { clientId }));
    harness.act(bob, order('sell', 100n, 2n));
    expect(wordsOf(harness.act(alice, { type: 'cancelByClientId', marketId: marketId(2), clientId }))).toBe('');
    expect(wordsOf(harness.act(alice, order('buy', 90n, 5n, { clientId })))).toBe('');
  });

  it('of an order that modify replaces after a part of it traded goes on with the new one', () => {
    const harness = scene();
    harness.act(alice, order('buy', 100n, 5n, { clientId }));
    harness.act(bob, order('sell', 100n, 2n));
    const moved = harness.act(alice, { type: 'modify', orderId: orderId(1), price: 99n, size: 5n });
    expect(orderValue(moved)).toMatchObject({ status: 'open', remaining: 5n });
  });

  it('of a block that is taken back is free', () => {
    const harness = scene();
    harness.act(bob, order('sell', 100n, 50n));
    harness.drop([{ account: alice, payload: order('buy', 100n, 5n, again) }]);
    expect(wordsOf(harness.act(alice, order('buy', 100n, 5n, again)))).toBe('');
  });
});

describe('a reducing order with a limit that its account could not pay', () => {
  /** Alice holds 10 from 100 with a collateral of 100; the mark is 96, where bids are. */
  function longAt96(bids: readonly (readonly [price: bigint, size: bigint])[]): Harness {
    const harness = createHarness();
    for (const account of [bob, carol]) harness.deposit(account, 1_000_000n);
    harness.deposit(alice, 100n);
    harness.act(bob, order('sell', 100n, 10n));
    harness.act(alice, order('buy', 100n, 10n));
    for (const [price, size] of [[96n, 1n], ...bids] as const) harness.act(bob, order('buy', price, size));
    harness.act(carol, order('sell', 96n, 1n));
    expect(harness.state.market(2)!.markPrice).toBe(96n);
    return harness;
  }

  it('is judged by its fills: sell 10 limit 89 fills at 96', () => {
    const harness = longAt96([[96n, 10n]]);
    const value = orderValue(harness.act(alice, order('sell', 89n, 10n, { tif: 'ioc' })));
    expect(value).toMatchObject({ status: 'filled', filled: 10n });
    expect(ensureAccount(harness.state, alice).collateral).toBe(60n);
  });

  it('fills where exactly nothing is left: sell 10 limit 89 at 90', () => {
    const harness = longAt96([[90n, 10n]]);
    const value = orderValue(harness.act(alice, order('sell', 89n, 10n, { tif: 'ioc' })));
    expect(value).toMatchObject({ status: 'filled', filled: 10n });
    expect(ensureAccount(harness.state, alice).collateral).toBe(0n);
  });

  it('stops before a fill that would leave less than nothing, and says so', () => {
    // 60 of equity: 5 at 90 cost 30 of it, 5 more at 89 would cost 35.
    const harness = longAt96([
      [90n, 5n],
      [89n, 5n],
    ]);
    const mark = harness.state.market(2)!.markPrice!;
    expect(mark).toBe(96n);
    const value = orderValue(harness.act(alice, order('sell', 89n, 10n, { tif: 'ioc' })));
    expect(value).toMatchObject({ status: 'cancelled', reason: 'margin', filled: 5n, remaining: 5n });
  });

  it.each(['ioc', 'fok', 'gtc'] as const)('%s that could not trade at all is refused, and changes nothing', (tif) => {
    const harness = longAt96([[89n, 10n]]);
    const result = harness.act(alice, order('sell', 89n, 10n, { tif }));
    expect(result).toMatchObject({ ok: false, error: { code: 'CLOB_INSUFFICIENT_MARGIN' } });
    expect(harness.events().map(({ kind }) => kind)).toEqual(['action_rejected']);
  });
});

describe('minNotional', () => {
  const small = (size: bigint, tif: 'ioc' | 'gtc' = 'ioc'): ActionPayload => order('sell', 100n, size, { tif });

  it('a position can be closed at its exact size, and with less, whatever it is worth', () => {
    const harness = scene({ params: { minNotional: 500n } });
    harness.act(bob, order('sell', 100n, 8n));
    harness.act(alice, order('buy', 100n, 8n));
    harness.act(carol, order('buy', 100n, 100n));
    expect(wordsOf(harness.act(alice, small(4n)))).toBe('');
    expect(wordsOf(harness.act(alice, small(4n)))).toBe('');
    expect(wordsOf(harness.act(alice, small(4n)))).toBe('notional is below 0x1f4');
  });

  it('one unit more than the position is judged as ever', () => {
    const harness = scene({ params: { minNotional: 500n } });
    harness.act(bob, order('sell', 100n, 5n));
    harness.act(alice, order('buy', 100n, 5n));
    harness.act(carol, order('buy', 100n, 100n));
    harness.act(alice, small(2n));
    expect(wordsOf(harness.act(alice, small(4n)))).toBe('notional is below 0x1f4');
    expect(wordsOf(harness.act(alice, small(3n)))).toBe('');
  });
});

describe('what would be lost or mistaken', () => {
  it.each([
    ['withdraw', { type: 'withdraw', to: nobody, amount: 5n }],
    ['transfer', { type: 'transfer', to: nobody, amount: 5n }],
    ['enqueueEvmToOrders', { type: 'enqueueEvmToOrders', to: nobody, amount: 5n }],
  ] as const)('%s to address 0 is refused', (_, payload) => {
    const harness = scene();
    expect(harness.act(alice, payload)).toMatchObject({ ok: false, error: { code: 'CLOB_BAD_RECIPIENT' } });
    expect(ensureAccount(harness.state, alice).collateral).toBe(1_000_000n);
  });

  it('a symbol that differs from a market by the case of letters only is taken', () => {
    const { symbol } = defaultMarkets[0]!;
    for (const name of [symbol, symbol.toLowerCase(), 'eTh/uSd'])
      expect(
        wordsOf(
          scene().act(alice, { type: 'addMarket', symbol: name, tickSize: 1n, lotSize: 1n, ...defaultMarketDecimals }),
        ),
      ).toBe(`market ${symbol} exists`);
  });

  it('an order that would live until a time in milliseconds is refused', () => {
    const act = (expiresAt: number): string => wordsOf(scene().act(alice, order('buy', 1n, 1n, { expiresAt })));
    expect(act(100_000_000_000)).toBe('');
    expect(act(100_000_000_001)).toBe('expires_at is in seconds: 100000000001 is a time in milliseconds');
  });
});

describe('a batch', () => {
  it.each([
    ['of only cancels runs before the orders of its block', [], 0],
    ['with anything else in it runs in its place', [order('buy', 1n, 1n)], 1],
  ])('%s', (_, more, trades) => {
    const harness = scene();
    harness.act(alice, order('sell', 100n, 5n));
    const cancel: ActionPayload = { type: 'cancel', orderId: orderId(1) };
    const { events } = harness.block([
      { account: bob, payload: order('buy', 100n, 5n) },
      { account: alice, payload: { type: 'batch', items: [cancel, ...more] } },
    ]);
    expect(decodeEventFrames(events).filter(({ kind }) => kind === 'trade')).toHaveLength(trades);
  });
});

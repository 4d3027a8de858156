import { describe, expect, it } from '@jest/globals';
import type { ActionPayload } from '@prime/codec';
import { alice, bob, carol, createHarness, type Harness, marketId, order, orderId } from './testing/harness.ts';
import { bookkeeping, EventReader, readBookkeeping } from './testing/fromEvents.ts';

/** Events tell every change of an order and of an account. Random runs of all kinds are read so in engine.model.test.ts. */

const scene = (): Harness => {
  const harness = createHarness();
  for (const account of [alice, bob, carol]) harness.deposit(account, 1_000_000n);
  return harness;
};
const kinds = (harness: Harness): string[] => harness.events().map(({ kind }) => kind);
const modify = (id: number, price: bigint, size: bigint): ActionPayload => ({
  type: 'modify',
  orderId: orderId(id),
  price,
  size,
});

describe('an order that becomes smaller', () => {
  it('by its owner: tells by how much and to what', () => {
    const harness = scene();
    harness.act(alice, order('sell', 100n, 10n));
    harness.act(alice, modify(1, 100n, 6n));
    expect(harness.events()).toEqual([
      {
        domain: 'orders',
        kind: 'order_reduced',
        actionIndex: 0,
        data: { order_id: 1, market_id: marketId(2), owner: alice, by: 'modify', amount: 4n, remaining: 6n },
      },
    ]);
  });

  it('to what it is: tells nothing, because nothing changed', () => {
    const harness = scene();
    harness.act(alice, order('sell', 100n, 10n));
    harness.act(alice, modify(1, 100n, 10n));
    expect(harness.events()).toEqual([]);
  });

  it.each([
    ['a maker that keeps some', 4n, [6n, 0n]],
    ['a taker that keeps some', 14n, [0n, 4n]],
  ])('by self-trade prevention, %s: both orders are told of', (_, size, [makerLeft, takerLeft]) => {
    const harness = scene();
    harness.act(alice, order('sell', 100n, 10n));
    harness.act(alice, order('buy', 100n, size, { selfTrade: 'decrement' }));
    const reduced = harness.events().flatMap(({ kind, data }) => (kind === 'order_reduced' ? [data] : []));
    const ofTaker = { order_id: 2, by: 'decrement', amount: size - takerLeft!, remaining: takerLeft };
    if (makerLeft === 0n) {
      expect(kinds(harness)).toEqual(['order_accepted', 'order_cancelled', 'order_reduced']);
      expect(reduced).toMatchObject([ofTaker]);
    } else {
      expect(kinds(harness)).toEqual(['order_accepted', 'order_reduced', 'order_reduced', 'order_cancelled']);
      expect(reduced).toMatchObject([{ order_id: 1, by: 'decrement', amount: 4n, remaining: makerLeft }, ofTaker]);
    }
  });

  it('a killed fok that met an own order tells of nothing but its end', () => {
    const harness = scene();
    harness.act(alice, order('sell', 100n, 10n));
    harness.act(alice, order('buy', 100n, 4n, { selfTrade: 'decrement', tif: 'fok' }));
    expect(kinds(harness)).toEqual(['order_accepted', 'order_cancelled']);
  });
});

describe('who reads nothing but events', () => {
  it('has each order with all of its fields, at each block', () => {
    const harness = scene();
    const reader = new EventReader(null);
    const blocks: [typeof alice, ActionPayload][] = [
      [alice, { type: 'deposit', amount: 5n }],
      [alice, order('sell', 100n, 10n, { postOnly: true, selfTrade: 'decrement', clientId: `0x${'ab'.repeat(16)}` })],
      [bob, order('buy', 90n, 7n, { expiresAt: Math.floor(harness.now() / 1000) + 3600, selfTrade: 'cancel_both' })],
      [alice, modify(1, 100n, 8n)],
      [bob, order('buy', 100n, 3n)],
      [alice, order('buy', 100n, 2n, { selfTrade: 'decrement' })],
      [alice, modify(1, 101n, 9n)],
      [carol, order('buy', 101n, 20n)],
    ];
    for (const account of [alice, bob, carol])
      reader.block(0, [
        {
          domain: 'orders',
          kind: 'collateral_deposited',
          actionIndex: 0,
          data: { address: account, amount: 1_000_000n },
        },
      ]);
    for (const [account, payload] of blocks) {
      expect(harness.act(account, payload)).toMatchObject({ ok: true });
      reader.block(harness.given()!.height, harness.events());
      expect(readBookkeeping(reader)).toEqual(bookkeeping(harness.records.values()));
    }
    expect(reader.orders.size).toBe(2);
  });
});

import { describe, expect, it } from '@jest/globals';
import type { Order, OrderEndReason } from '../types/order.ts';
import { explainOrder } from './order.ts';

const owner = `0x${'11'.repeat(20)}` as const;
const hash = `0x${'ab'.repeat(32)}` as const;
const market = { symbol: 'ETH/USD', base: 'ETH', formatPrice: String, formatSize: String };
const order: Order = {
  orderId: 7,
  marketId: 1,
  owner,
  side: 'buy',
  price: 100n,
  size: 5n,
  filled: 3n,
  remaining: 2n,
  decremented: 0n,
  tif: 'gtc',
  clientId: null,
  createdBlock: 10n,
  expiresAtSeconds: 0,
  status: 'cancelled',
  reason: 'user',
  closedBlock: 12n,
};
const told = (more: Partial<Order>, facts: object = {}) =>
  explainOrder({ order: { ...order, ...more }, market, endedBy: null, marginBefore: null, ...facts });

describe('an order in words', () => {
  it('rests: since when, how much traded, until when', () => {
    const open = { status: 'partially_filled', reason: null, closedBlock: null, expiresAtSeconds: 60 } as const;
    expect(told(open)).toEqual({
      tone: 'good',
      title: 'Order 7 rests',
      text: 'The buy of 5 ETH at 100 is in the book since block 10: 3 ETH of 5 ETH traded, 2 ETH are left. It ends by itself after 1970-01-01 00:01:00.000 UTC.',
    });
  });

  it('is filled: since which block', () => {
    expect(told({ status: 'filled', reason: null }).text).toBe(
      'The buy of 5 ETH at 100 traded whole, the last of it in block 12.',
    );
  });

  const ends: { readonly [reason in OrderEndReason]: RegExp } = {
    user: /cancelled it \(0xab.*\)\.$/,
    ioc: /the book had no more at 100 or better: 2 ETH were dropped\.$/,
    fok: /the book did not hold 5 ETH at 100 or better\.$/,
    self_trade: /another order of its own owner/,
    margin: /had not the margin for it/,
    liquidation: /prime why liquidated 0x1111/,
    expired: /It was to rest until 1970-01-01 00:01:00.000 UTC\.$/,
    parent: /ended without a fill/,
    fired: /its order came/,
    group: /of its group or bracket fired/,
    position: /gone or on the other side/,
    refused: /order was refused/,
    scheduled: /did not set a later time/,
    settlement: /was settled/,
    reduce_only: /nothing of that position was left\.$/,
  };
  it.each(Object.entries(ends))('ended by %s: with the figures', (reason, words) => {
    const ended = { reason: reason as OrderEndReason, expiresAtSeconds: 60 };
    const { title, text } = told(ended, { endedBy: hash });
    expect(text).toMatch(/^Block 12 ended the buy of 5 ETH at 100; 3 ETH of 5 ETH traded\. /);
    expect(text).toMatch(words);
    expect(title).toMatch(/^Order 7 was cancelled: /);
    expect(text).not.toMatch(/undefined|null/);
  });

  it('for want of margin: what the account had', () => {
    const marginBefore = { collateral: 0n, equity: 10n ** 18n, initialMargin: 2n * 10n ** 18n, maintenanceMargin: 0n };
    expect(told({ reason: 'margin' }, { marginBefore }).text).toContain(
      'its equity was 1 PRIME, and positions and open orders held 2 PRIME',
    );
  });

  it('of a market that is not listed: raw units', () => {
    expect(told({}, { market: null }).text).toContain('5 units at 100');
  });
});

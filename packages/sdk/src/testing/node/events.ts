import type { TestEvent } from './testChain.ts';

/** Accounts and events of tests, in the node's working form. */
export const alice = `0x${'a1'.repeat(20)}` as const;
export const bob = `0x${'b0'.repeat(20)}` as const;
export const carol = `0x${'ca'.repeat(20)}` as const;

/** A trade of maker and taker; the id tells it from others. */
export const trade = (tradeId: number, more: Readonly<Record<string, unknown>> = {}): TestEvent => ({
  kind: 'trade',
  data: {
    trade_id: tradeId,
    market_id: 1,
    price: 100n,
    size: 5n,
    maker_order_id: 2 * tradeId,
    taker_order_id: 2 * tradeId + 1,
    maker: alice,
    taker: bob,
    side: 'buy',
    fees: 0n,
    ...more,
  },
});

export const accepted = (orderId: number, more: Readonly<Record<string, unknown>> = {}): TestEvent => ({
  kind: 'order_accepted',
  data: {
    order_id: orderId,
    market_id: 1,
    owner: alice,
    side: 'sell',
    price: 100n,
    size: 10n,
    tif: 'gtc',
    client_id: null,
    post_only: false,
    reduce_only: false,
    stp: 'cancel_maker',
    expires_at: 0,
    ...more,
  },
});

export const cancelled = (orderId: number, remaining: bigint, reason = 'user'): TestEvent => ({
  kind: 'order_cancelled',
  data: { order_id: orderId, market_id: 1, owner: alice, remaining, reason },
});

/** @param address whose position it is for */
export const fundingPaid = (amount: bigint, address: string = alice): TestEvent => ({
  kind: 'funding_paid',
  data: { address, market_id: 1, size: 10n, amount, index: 7n, insurance: 0n },
});

/** @param entry of the position afterwards */
export const lossSettled = (amount: bigint, entry: bigint): TestEvent => ({
  kind: 'loss_settled',
  data: { address: alice, market_id: 1, size: 10n, price: 7n, amount, entry },
});

export const deposited = (amount: bigint, collateral: bigint): TestEvent => ({
  kind: 'collateral_deposited',
  data: { address: alice, amount, collateral },
});

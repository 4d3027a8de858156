import { describe, expect, it } from '@jest/globals';
import { decodeOrderRecord, type DomainEvent, type RecordWrite } from '@prime/codec';
import type { Address, OrderId } from '@prime/primitives';
import { type EventEntry, fillsOf } from '@prime/rpc';
import type { OrderChange } from '../readModel/books/bookChanges.ts';
import { addressOf, hashOf } from '../testing/fakeNode.ts';
import { alice, order } from '../testing/streams.ts';
import { orderUpdates } from './orderUpdates.ts';

/** What `orders` and `fills` say of blocks in which more than one thing happened. */

const bob = addressOf('bob');
const entries = (...events: readonly (readonly [kind: string, data: DomainEvent['data']])[]): EventEntry[] =>
  events.map(([kind, data], index) => ({
    domain: 'orders',
    kind,
    data,
    actionIndex: null,
    height: 1 as EventEntry['height'],
    timestampMs: 1_000 as EventEntry['timestampMs'],
    blockHash: hashOf('b'),
    index,
    transactionHash: null,
  }));

const accepted = (id: number, owner: Address, side: string, size: bigint, tif = 'ioc') =>
  ['order_accepted', { order_id: id, market_id: 1, owner, side, price: 100n, size, tif, client_id: null }] as const;
const reduced = (id: number, by: string, amount: bigint, remaining: bigint) =>
  ['order_reduced', { order_id: id, market_id: 1, owner: alice, by, amount, remaining }] as const;
const cancelled = (id: number, remaining: bigint, reason: string) =>
  ['order_cancelled', { order_id: id, market_id: 1, owner: alice, remaining, reason }] as const;
const trade = (id: number, size: bigint, maker: readonly [number, Address], taker: readonly [number, Address]) =>
  [
    'trade',
    {
      trade_id: id,
      market_id: 1,
      price: 100n,
      size,
      maker_order_id: maker[0],
      taker_order_id: taker[0],
      maker: maker[1],
      taker: taker[1],
      side: 'buy',
      fees: 3n,
    },
  ] as const;

const read = ({ value }: RecordWrite) => decodeOrderRecord(value!);
/** An order of alice that sells at 100. */
const record = (id: number, size: bigint, remaining = size) => read(order(id, 'sell', 100n, size, remaining));
const changesOf = (...changes: readonly (readonly [number, OrderChange])[]) =>
  new Map(changes.map(([id, change]) => [id as OrderId, change]));

describe('the updates of orders', () => {
  it('decrement: what self-trade prevention took off a taker is not filled', () => {
    const changes = changesOf([1, { before: record(1, 10n), after: record(1, 6n) }]);
    const events = entries(
      accepted(2, alice, 'buy', 4n),
      reduced(1, 'decrement', 4n, 6n),
      reduced(2, 'decrement', 4n, 0n),
      cancelled(2, 0n, 'self_trade'),
    );
    expect(orderUpdates(events, changes)).toMatchObject([
      { orderId: 1, size: 6n, filled: 0n, remaining: 6n, decremented: 4n, reduced: 0n, status: 'open' },
      { orderId: 2, size: 4n, filled: 0n, remaining: 0n, decremented: 4n, status: 'cancelled', reason: 'self_trade' },
    ]);
  });

  it('modify and cancel in one block: what its owner took off is not filled', () => {
    const changes = changesOf([1, { before: record(1, 10n), after: null }]);
    const events = entries(reduced(1, 'modify', 4n, 6n), cancelled(1, 6n, 'user'));
    expect(orderUpdates(events, changes)).toMatchObject([
      { orderId: 1, size: 6n, filled: 0n, remaining: 6n, reduced: 4n, decremented: 0n, reason: 'user' },
    ]);
  });

  it('modify and a taker of the rest in one block: what is left of it is filled', () => {
    const changes = changesOf([1, { before: record(1, 10n), after: null }]);
    const events = entries(
      reduced(1, 'modify', 4n, 6n),
      accepted(2, bob, 'buy', 6n),
      trade(1, 6n, [1, alice], [2, bob]),
    );
    expect(orderUpdates(events, changes)).toMatchObject([
      { orderId: 1, size: 6n, filled: 6n, remaining: 0n, reduced: 4n, status: 'filled', reason: null },
      { orderId: 2, size: 6n, filled: 6n, remaining: 0n, reduced: 0n, status: 'filled' },
    ]);
  });

  it('what earlier blocks filled counts', () => {
    const changes = changesOf([1, { before: record(1, 10n, 7n), after: null }]);
    const events = entries(trade(1, 2n, [1, alice], [2, bob]), cancelled(1, 5n, 'user'));
    expect(orderUpdates(events, changes)).toMatchObject([{ orderId: 1, size: 10n, filled: 5n, remaining: 5n }]);
  });

  it('an order that came, was made smaller and left in one block', () => {
    const events = entries(
      accepted(1, alice, 'sell', 10n, 'gtc'),
      reduced(1, 'modify', 4n, 6n),
      cancelled(1, 6n, 'user'),
    );
    expect(orderUpdates(events, changesOf())).toMatchObject([{ size: 6n, filled: 0n, remaining: 6n, reduced: 4n }]);
  });
});

const liquidated = entries(
  trade(1, 3n, [7, bob], [9, alice]),
  [
    'trade_fees',
    { trade_id: 1, market_id: 1, taker: alice, taker_fee: 0n, maker: bob, maker_fee: -2n, insurance: 0n, treasury: 0n },
  ],
  ['liquidation', { address: alice, order_id: 9, market_id: 1, size: -10n, fee: 3n, insurance_paid: 0n }],
  ['deleveraged', { address: alice, order_id: 9, counterparty: bob, market_id: 1, size: -7n, value: 695n }],
);

describe('liquidation and deleveraging', () => {
  it('are in the orders of both accounts, with their kind', () => {
    const none = { price: null, tif: null, clientId: null, reduced: 0n, decremented: 0n };
    expect(orderUpdates(liquidated, changesOf())).toMatchObject([
      {
        ...none,
        kind: 'liquidation',
        orderId: 9,
        owner: alice,
        side: 'buy',
        size: 10n,
        filled: 3n,
        remaining: 7n,
        status: 'cancelled',
        reason: 'deleveraged',
      },
      { ...none, kind: 'deleveraging', orderId: 9, owner: alice, side: 'buy', size: 7n, filled: 7n, status: 'filled' },
      {
        ...none,
        kind: 'deleveraging',
        orderId: null,
        owner: bob,
        side: 'sell',
        size: 7n,
        filled: 7n,
        status: 'filled',
      },
    ]);
  });

  it('are in the fills of both accounts, with their kind and what each side paid', () => {
    const trades = {
      trade_id: '0x1',
      price: '0x64',
      size: '0x3',
      value: '0x12c',
      kind: 'liquidation',
      event_index: '0x0',
    };
    const closed = {
      event_index: '0x3',
      trade_id: null,
      price: null,
      size: '0x7',
      value: '0x2b7',
      fees: '0x0',
      liquidity: null,
    };
    expect(fillsOf(alice, liquidated)).toEqual([
      { ...trades, order_id: '0x9', market_id: 1, side: 'buy', fees: '0x3', liquidity: 'taker' },
      { ...closed, order_id: '0x9', market_id: 1, side: 'buy', kind: 'deleveraging' },
    ]);
    expect(fillsOf(bob, liquidated)).toEqual([
      { ...trades, order_id: '0x7', market_id: 1, side: 'sell', fees: '-0x2', liquidity: 'maker' },
      { ...closed, order_id: null, market_id: 1, side: 'sell', kind: 'deleveraging' },
    ]);
    expect(fillsOf(addressOf('carol'), liquidated)).toEqual([]);
  });
});

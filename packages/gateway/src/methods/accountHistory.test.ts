import { beforeEach, describe, expect, it } from '@jest/globals';
import type { AccountListQuery, BlockPlace, ClosedOrder, DomainEvent, ListedEvent } from '@prime/codec';
import type { Address, Hash, Height, MarketId, OrderId, TimestampMs } from '@prime/primitives';
import { addressOf, hashOf } from '../testing/fakeNode.ts';
import { market, marketId, useGateways } from '../testing/streams.ts';
import type { RunningGateway } from '../testing/testGateway.ts';
import { tradeEvent } from '../testing/tradeEvent.ts';

/** What the lists of an account's history ask for, show and refuse. */

const [alice, bob] = [addressOf('alice'), addressOf('bob')];
const cause: Hash = hashOf('cause');
const timeMs = 1_700_000_001_000;
const placed = { block_number: '0x1', time_ms: `0x${timeMs.toString(16)}` };
const caused = { transaction_hash: cause, event_index: '0x5', ...placed };

const listed = (event: DomainEvent, more: Partial<ListedEvent> = {}): ListedEvent => ({
  height: 1 as Height,
  index: 5,
  timestampMs: timeMs as TimestampMs,
  transactionHash: cause,
  event,
  makerFee: 0n,
  isLiquidation: false,
  ...more,
});
const eventOf = (kind: string, data: DomainEvent['data'], domain: DomainEvent['domain'] = 'orders'): DomainEvent => ({
  domain,
  kind,
  actionIndex: 0,
  data,
});

const { start } = useGateways();
let running: RunningGateway;
let asked: AccountListQuery[] = [];
/** What history has for whoever asks. */
let entries: readonly ListedEvent[] = [];
let next: BlockPlace | null = null;
const page = () => ({ next, oldest: 1 as Height, oldestMs: timeMs });

const lists = [
  ['primeorders_getFills', 'fills', 'fills'],
  ['primeorders_getOrderHistory', 'orders', 'orders'],
  ['primeorders_getFunding', 'funding', 'payments'],
  ['primeorders_getTransfers', 'transfers', 'transfers'],
  ['primeorders_getLiquidations', 'liquidations', 'liquidations'],
] as const;
const ask = (method: string, ...params: readonly unknown[]): Promise<Record<string, unknown>> =>
  running.call(method, ...params) as Promise<Record<string, unknown>>;

beforeEach(async () => {
  running = await start({ options: { records: [[market.key, market.value]] } });
  running.gateway.applyDelta(running.node.commit());
  asked = [];
  entries = [];
  next = null;
  running.node.lists = {
    accountEvents: async (query) => {
      asked.push(query);
      return { entries, ...page() };
    },
    accountOrders: async (query) => {
      asked.push(query);
      return { entries: [], ...page() };
    },
  };
});

describe.each(lists)('%s', (method, list, name) => {
  it('has an empty page for an account that nobody knows, and says from when on the node tells', async () => {
    expect(await ask(method, addressOf('nobody'))).toEqual({
      [name]: [],
      next: null,
      oldest_block: '0x1',
      oldest_ms: placed.time_ms,
    });
    expect(asked).toEqual([
      {
        list,
        address: addressOf('nobody'),
        marketId: null,
        fromMs: null,
        toMs: null,
        // The block behind the head: what is on disk may be ahead of it.
        before: { height: 2, index: 0 },
        count: 100,
      },
    ]);
  });

  it.each([
    [{ limit: 1 }, { count: 1 }],
    [{ limit: 2 }, { count: 2 }],
    [{ limit: 999 }, { count: 999 }],
    [{ limit: '0x3e8' }, { count: 1000 }],
    [
      { from_time_ms: 0, to_time_ms: 0 },
      { fromMs: 0, toMs: 0 },
    ],
    [
      { from_time_ms: timeMs, to_time_ms: timeMs },
      { fromMs: timeMs, toMs: timeMs },
    ],
    [
      { from_time_ms: '0x174876e800', to_time_ms: null },
      { fromMs: 100_000_000_000, toMs: null },
    ],
  ])('takes %j', async (asking, query) => {
    await ask(method, alice, asking);
    expect(asked).toEqual([expect.objectContaining({ list, address: alice, ...query })]);
  });

  it.each([
    ['a limit of 0', { limit: 0 }, /page\.limit must be from 1 to 1000/],
    ['a limit of 1001', { limit: 1001 }, /page\.limit must be from 1 to 1000/],
    ['a range that ends before it begins', { from_time_ms: timeMs + 1, to_time_ms: timeMs }, /from_time_ms is after/],
    ['a begin in seconds', { from_time_ms: 1_700_000_000 }, /page\.from_time_ms is in milliseconds/],
    ['an end in seconds', { to_time_ms: 99_999_999_999 }, /page\.to_time_ms is in milliseconds/],
    ['a cursor that is no text of its form', { cursor: '0x12' }, /cursor must be the `next` of the page before/],
    ['a cursor that was made up', { cursor: `0x${'12'.repeat(14)}` }, /page\.cursor is not the `next`/],
    ['a field that there is not', { from: 1 }, /page\.from is not a known field/],
  ])('refuses %s, and says what is allowed', async (_, asking, words) => {
    expect(await running.failure(method, alice, asking)).toMatchObject({
      code: -32602,
      message: expect.stringMatching(words),
    });
    expect(asked).toEqual([]);
  });

  it('goes on where the page before ended, and takes no other cursor', async () => {
    next = { height: (2 ** 33 + 5) as Height, index: 70_000 };
    const { next: cursor } = await ask(method, alice);
    next = { height: 1 as Height, index: 3 };
    const { next: second } = await ask(method, alice, { cursor, limit: 7 });
    await ask(method, alice, { cursor: second });
    expect(asked.map(({ before }) => before)).toEqual([
      { height: 2, index: 0 },
      // A node that is behind the one that gave it: as far as it is.
      { height: 2, index: 0 },
      { height: 1, index: 3 },
    ]);
    const flipped = `${(second as string).slice(0, -1)}${(second as string).endsWith('0') ? '1' : '0'}`;
    for (const [account, wrong] of [
      [bob, second],
      [alice, flipped],
    ])
      expect(await running.failure(method, account, { cursor: wrong })).toMatchObject({ code: -32602 });
    for (const [other] of lists)
      if (other !== method)
        expect(await running.failure(other, alice, { cursor: second })).toMatchObject({ code: -32602 });
  });

  it('is asked of history once a block', async () => {
    await ask(method, alice, { limit: 5 });
    await ask(method, alice, { limit: 5 });
    expect(asked).toHaveLength(1);
    running.gateway.applyDelta(running.node.commit());
    await ask(method, alice, { limit: 5 });
    expect(asked).toHaveLength(2);
  });

  it('takes a market that there is, where entries are of markets', async () => {
    if (list === 'transfers') {
      expect(await running.failure(method, alice, { market_id: 1 })).toMatchObject({ code: -32602 });
      return;
    }
    await ask(method, alice, { market_id: marketId });
    expect(asked[0]).toMatchObject({ marketId });
    expect(await running.failure(method, alice, { market_id: 77 })).toMatchObject({
      message: 'unknown market 77',
      data: { kind: 'unknown_market' },
    });
    expect(await running.failure(method, alice, { market_id: 0 })).toMatchObject({ code: -32602 });
  });
});

describe('entries', () => {
  const show = async (method: string, name: string, address: Address, ...events: readonly ListedEvent[]) => {
    entries = events;
    return (await ask(method, address))[name] as readonly Record<string, unknown>[];
  };

  it('a trade is told to each side as its own, with its own fee', async () => {
    const trade = tradeEvent({ marketId, tradeId: 9, price: 7n, size: 3n, maker: alice, taker: bob, side: 'sell' });
    const event = { ...trade, data: { ...trade.data, fees: 5n } };
    const both = {
      trade_id: '0x9',
      market_id: marketId,
      price: '0x7',
      size: '0x3',
      value: '0x15',
      ...caused,
    };
    const ofMaker = await show('primeorders_getFills', 'fills', alice, listed(event, { makerFee: -2n }));
    expect(ofMaker).toEqual([
      { ...both, order_id: '0x1', side: 'buy', fees: '-0x2', liquidity: 'maker', kind: 'trade' },
    ]);
    const ofTaker = await show('primeorders_getFills', 'fills', bob, listed(event, { isLiquidation: true }));
    expect(ofTaker).toEqual([
      { ...both, order_id: '0x2', side: 'sell', fees: '0x5', liquidity: 'taker', kind: 'liquidation' },
    ]);
  });

  it('deleveraging is a fill and a liquidation of both, each with its own sign', async () => {
    const data = { address: alice, order_id: 4, counterparty: bob, market_id: marketId, size: 6n, value: 60n };
    const event = listed(eventOf('deleveraged', data));
    const fill = {
      trade_id: null,
      market_id: marketId,
      price: null,
      size: '0x6',
      value: '0x3c',
      fees: '0x0',
      liquidity: null,
      kind: 'deleveraging',
      ...caused,
    };
    expect(await show('primeorders_getFills', 'fills', alice, event)).toEqual([
      { ...fill, order_id: '0x4', side: 'sell' },
    ]);
    expect(await show('primeorders_getFills', 'fills', bob, event)).toEqual([{ ...fill, order_id: null, side: 'buy' }]);
    const shown = {
      kind: 'deleveraging',
      market_id: marketId,
      value: '0x3c',
      fee: null,
      insurance_paid: null,
      amount: null,
      ...caused,
    };
    expect(await show('primeorders_getLiquidations', 'liquidations', alice, event)).toEqual([
      { ...shown, order_id: '0x4', size: '0x6', counterparty: bob },
    ]);
    expect(await show('primeorders_getLiquidations', 'liquidations', bob, event)).toEqual([
      { ...shown, order_id: null, size: '-0x6', counterparty: alice },
    ]);
  });

  it('a liquidation says what was closed, and debts what they were', async () => {
    const data = { address: alice, order_id: 4, market_id: marketId, size: -6n, fee: 2n, insurance_paid: 1n };
    const nothing = {
      market_id: null,
      order_id: null,
      size: null,
      value: null,
      fee: null,
      insurance_paid: null,
      counterparty: null,
      ...caused,
    };
    expect(
      await show(
        'primeorders_getLiquidations',
        'liquidations',
        alice,
        listed(eventOf('bad_debt', { address: alice, amount: 8n })),
        listed(eventOf('debt_covered', { address: alice, amount: 9n })),
        listed(eventOf('liquidation', data)),
        listed(
          eventOf('loss_settled', {
            address: alice,
            market_id: marketId,
            size: -6n,
            price: 9n,
            amount: 4n,
            entry: 50n,
          }),
        ),
      ),
    ).toEqual([
      { ...nothing, kind: 'bad_debt', amount: '0x8' },
      { ...nothing, kind: 'debt_covered', amount: '0x9' },
      {
        ...nothing,
        kind: 'liquidation',
        market_id: marketId,
        order_id: '0x4',
        size: '-0x6',
        fee: '0x2',
        insurance_paid: '0x1',
        amount: null,
      },
      {
        ...nothing,
        kind: 'loss_settled',
        market_id: marketId,
        order_id: null,
        size: '-0x6',
        value: '0x32',
        amount: '0x4',
      },
    ]);
  });

  it('a payment of funding says for which position, and up to where', async () => {
    const data = { address: alice, market_id: marketId, size: -6n, amount: -2n, index: -77n, insurance: 0n };
    expect(
      await show(
        'primeorders_getFunding',
        'payments',
        alice,
        listed(eventOf('funding_paid', data), { transactionHash: null }),
      ),
    ).toEqual([
      { market_id: marketId, size: '-0x6', amount: '-0x2', index: '-0x4d', ...caused, transaction_hash: null },
    ]);
  });

  it('the changes of transfers add up to what came to the collateral', async () => {
    const transfer = { transfer_id: 3, direction: 'evm_to_orders', from: bob, to: alice, amount: 5n };
    const shown = await show(
      'primeorders_getTransfers',
      'transfers',
      alice,
      listed(eventOf('collateral_transferred', { from: alice, to: alice, amount: 9n })),
      listed(eventOf('collateral_transferred', { from: alice, to: bob, amount: 2n })),
      listed(eventOf('collateral_transferred', { from: bob, to: alice, amount: 3n })),
      listed(eventOf('collateral_withdrawn', { address: alice, amount: 1n, collateral: -4n })),
      listed(eventOf('transfer_failed', { ...transfer, reason: 'no' }, 'bridge')),
      listed(eventOf('transfer_completed', transfer, 'bridge')),
      listed(eventOf('collateral_deposited', { address: alice, amount: 5n, collateral: 5n })),
      listed(eventOf('transfer_queued', transfer, 'bridge')),
    );
    expect(shown.map(({ kind, amount, change, collateral }) => [kind, amount, change, collateral])).toEqual([
      ['transfer', '0x9', '0x0', null],
      ['transfer', '0x2', '-0x2', null],
      ['transfer', '0x3', '0x3', null],
      ['withdrawal', '0x1', '-0x1', '-0x4'],
      ['failed', '0x5', '0x0', null],
      ['completed', '0x5', '0x0', null],
      ['deposit', '0x5', '0x5', '0x5'],
      ['queued', '0x5', '0x0', null],
    ]);
    expect(shown[4]).toMatchObject({
      transfer_id: '0x3',
      direction: 'evm_to_orders',
      from: bob,
      to: alice,
      reason: 'no',
    });
    expect(shown[6]).toMatchObject({ transfer_id: null, direction: null, from: null, to: null, reason: null });
  });

  it('an order that ended is told as primeorders_getOrder tells it, with the time of its end', async () => {
    const order: ClosedOrder = {
      orderId: 8 as OrderId,
      marketId: marketId as MarketId,
      owner: alice,
      side: 'sell',
      price: 7n,
      size: 9n,
      tif: 'gtc',
      end: 'user',
      filled: 2n,
      remaining: 6n,
      clientId: null,
      createdBlock: 1 as Height,
      expiresAt: 0,
    };
    const ended = { height: 1 as Height, timestampMs: timeMs as TimestampMs, order };
    running.node.lists = { ...running.node.lists, accountOrders: async () => ({ entries: [ended], ...page() }) };
    running.node.endedOrder = () => ({ ...order, closedHeight: 1 as Height });
    const { orders } = await ask('primeorders_getOrderHistory', alice);
    expect(orders).toEqual([
      {
        order_id: '0x8',
        market_id: marketId,
        owner: alice,
        side: 'sell',
        price: '0x7',
        size: '0x9',
        tif: 'gtc',
        remaining: '0x6',
        client_id: null,
        expires_at: '0x0',
        filled: '0x2',
        decremented: '0x1',
        status: 'cancelled',
        reason: 'user',
        created_block: '0x1',
        closed_block: '0x1',
        time_ms: placed.time_ms,
      },
    ]);
  });
});

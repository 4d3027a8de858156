import { afterEach, describe, expect, it } from '@jest/globals';
import {
  type ActionPayload,
  type ActionResult,
  type ActionValue,
  encodeGlobalRecord,
  globalRecordKey,
  type OrderKey,
} from '@prime/codec';
import type { Height, MarketId, OrderId } from '@prime/primitives';
import { orderNotKept } from '@prime/rpc';
import { addressOf, hashOf } from '../testing/fakeNode.ts';
import { type RunningGateway, startGateway } from '../testing/testGateway.ts';

/** What the methods of liquidation, bridge and batches send, and what they make of results. */

const [alice, bob] = ['alice', 'bob'].map(addressOf) as [ReturnType<typeof addressOf>, ReturnType<typeof addressOf>];
const nobody = `0x${'0'.repeat(40)}`;
let running: RunningGateway | null = null;
afterEach(() => running?.gateway.close());

/** A gateway on which every action is executed at once with that result. */
async function withResult(result: ActionResult): Promise<RunningGateway> {
  running = await startGateway();
  const { gateway, node } = running;
  const hash = hashOf('action');
  node.onAction = async () => {
    gateway.applyDelta(node.commit({ actions: [{ hash, result }] }));
    return hash;
  };
  return running;
}
const withValue = (value: ActionValue): Promise<RunningGateway> => withResult({ ok: true, value });
const sent = ({ node }: RunningGateway): [string, ActionPayload][] =>
  node.actions.map(({ account, payload }) => [account, payload]);

describe('bridge methods', () => {
  it.each([
    ['primebridge_enqueueOrdersToEvm', 'orders_to_evm', { type: 'withdraw', amount: 5n, to: bob }],
    ['primebridge_enqueueEvmToOrders', 'evm_to_orders', { type: 'enqueueEvmToOrders', to: bob, amount: 5n }],
  ] as const)('%s acts for the sender and shows the transfer', async (method, direction, payload) => {
    const gateway = await withValue({
      type: 'transferQueued',
      transferId: 9,
      direction,
      from: alice,
      to: bob,
      amount: 5n,
    });
    expect(await gateway.call(method, { from: alice, to: bob, amount: '0x5' })).toEqual({
      transfer_id: '0x9',
      direction,
      from: alice,
      to: bob,
      amount: '0x5',
      status: 'queued',
      block_number: '0x1',
    });
    expect(sent(gateway)).toEqual([[alice, payload]]);
  });

  it.each([
    ['primebridge_dequeueOrdersToEvm', 'orders_to_evm'],
    ['primebridge_dequeueEvmToOrders', 'evm_to_orders'],
  ] as const)('%s acts for nobody and tells what failed', async (method, direction) => {
    const transfer = { transferId: 9, from: alice, to: bob, amount: 5n };
    const processed = [{ ...transfer, status: 'failed', reason: 'why' }] as const;
    const gateway = await withValue({ type: 'dequeued', direction, processed, pending: 3 });
    expect(await gateway.call(method)).toEqual({
      processed: [{ transfer_id: '0x9', from: alice, to: bob, amount: '0x5', status: 'failed', reason: 'why' }],
      pending: '0x3',
      block_number: '0x1',
    });
    expect(sent(gateway)).toEqual([[nobody, { type: 'bridgeDequeue', direction, max: 1000 }]]);
  });

  it('a withdrawal of unpaid profit has its words and its kind', async () => {
    const error = {
      code: 'CLOB_PROFIT_UNPAID',
      message: 'market 2 has not paid 0x64 of the profit yet',
      data: { kind: 'profit_unpaid', market_id: 2, unpaid: '0x64', withdrawable: '0x0' },
    };
    const { failure } = await withResult({ ok: false, error });
    expect(await failure('primebridge_enqueueOrdersToEvm', { from: alice, to: bob, amount: '0x5' })).toMatchObject({
      code: -32029,
      message: 'market 2 has not paid 0x64 of the profit yet',
      data: { reason: 'profit_unpaid', market_id: 2, unpaid: '0x64', withdrawable: '0x0' },
    });
  });

  it.each([
    [{ from: alice, to: bob }, /amount/],
    [{ from: alice, to: bob, amount: 5 }, /amount/],
    [{ from: alice, to: bob, amount: '0x5', memo: 'x' }, /memo/],
    ['0x5', /from, to, amount/],
  ])('refuses %j', async (transfer, words) => {
    const { failure } = await withResult({ ok: false, error: { code: 'X', message: 'x', data: {} } });
    expect(await failure('primebridge_enqueueEvmToOrders', transfer)).toMatchObject({
      code: -32602,
      message: expect.stringMatching(words),
    });
  });
});

describe('liquidation methods', () => {
  it('a healthy account is refused with the number of the interface', async () => {
    const message = `account ${alice} is not liquidatable`;
    const error = { code: 'CLOB_NOT_LIQUIDATABLE', message, data: { kind: 'not_liquidatable', address: alice } };
    const gateway = await withResult({ ok: false, error });
    expect(await gateway.failure('primeorders_liquidate', alice)).toMatchObject({ code: -32025, message });
    expect(sent(gateway)).toEqual([[nobody, { type: 'liquidate', address: alice }]]);
    expect(await gateway.call('primeorders_isLiquidatable', alice)).toBe(false);
  });
});

describe('a batch', () => {
  it('gives each item its own result or error', async () => {
    const refused = {
      code: 'CLOB_ORDER_FILLED',
      message: 'order 0x2 is already filled',
      data: { kind: 'order_filled' },
    };
    const gateway = await withValue({
      type: 'batch',
      results: [
        { ok: true, value: { type: 'cancelAll', orderIds: [4 as OrderId] } },
        { ok: false, error: refused },
      ],
    });
    const items = [
      { type: 'cancel_all' },
      { type: 'cancel', order_id: '0x2' },
      { type: 'modify', order_id: '0x3', price: '0x5', size: '0x6' },
      { type: 'order', market_id: 1, side: 'sell', price: '0x7', size: '0x8', tif: 'ioc', reduce_only: true },
    ];
    expect(await gateway.call('primeorders_batch', alice, items)).toMatchObject({
      results: [{ cancelled_orders: ['0x4'] }, { error: { code: -32019, message: refused.message } }],
    });
    expect(sent(gateway)).toMatchObject([
      [
        alice,
        {
          type: 'batch',
          items: [
            { type: 'cancelAll', marketId: null },
            { type: 'cancel', orderId: 2 },
            { type: 'modify', orderId: 3, price: 5n, size: 6n },
            { type: 'order', selfTrade: 'cancel_maker', reduceOnly: true, clientId: null },
          ],
        },
      ],
    ]);
  });

  it.each([
    [[], /1 to 100/],
    [Array.from({ length: 101 }, () => ({ type: 'cancel', order_id: '0x1' })), /1 to 100/],
    [[{ type: 'withdraw', amount: '0x1' }], /must be/],
    [
      [{ type: 'order', market_id: 1, side: 'buy', price: '0x1', size: '0x1', tif: 'ioc', post_only: true }],
      /post_only/,
    ],
  ])('that is no batch is refused: case %#', async (items, words) => {
    const { failure, node } = await withResult({ ok: false, error: { code: 'X', message: 'x', data: {} } });
    expect(await failure('primeorders_batch', alice, items)).toMatchObject({
      code: -32602,
      message: expect.stringMatching(words),
    });
    expect(node.actions).toEqual([]);
  });
});

describe('units and ids of orders', () => {
  const wire = { owner: alice, side: 'buy', price: '0x1', size: '0x1', tif: 'gtc' } as const;
  const none = { ok: false, error: { code: 'CLOB_UNKNOWN_MARKET', message: 'x', data: {} } } as const;

  it.each([
    [100_000_000_000, 'accepted'],
    [100_000_000_001, 'refused'],
    ['0x18bcfe56800', 'refused'],
  ] as const)('expires_at of an order is in seconds: %s is %s', async (expires_at, expected) => {
    const { failure, node } = await withResult(none);
    const error = await failure('primeorders_submitOrder', { ...wire, market_id: 1, expires_at });
    expect(node.actions).toHaveLength(expected === 'accepted' ? 1 : 0);
    if (expected === 'refused')
      expect(error).toMatchObject({
        code: -32602,
        message: expect.stringMatching(/expires_at.*in seconds.*milliseconds/),
      });
  });

  it('expires_at of an authorization is in milliseconds: seconds are refused', async () => {
    const { failure, node } = await withResult(none);
    const signed = { nonce: 1_800_000_000_000, signature: `0x${'11'.repeat(64)}00`, expires_at: 1_800_000_000 };
    expect(await failure('primeorders_submitOrder', { ...wire, market_id: 1 }, signed)).toMatchObject({
      code: -32602,
      message: expect.stringMatching(/authorization\.expires_at.*in milliseconds.*seconds/),
    });
    expect(node.actions).toEqual([]);
  });

  it.each([[7], ['0x7']])('market_id is a number or a hex quantity: %s', async (market_id) => {
    const gateway = await withResult(none);
    await gateway.failure('primeorders_submitOrder', { ...wire, market_id });
    await gateway.failure('primeorders_setMarginParams', {
      initialMarginBps: 2,
      maintenanceMarginBps: 1,
      market_id,
    });
    const { owner, ...fields } = wire;
    const client_id = `0x${'ab'.repeat(16)}`;
    await gateway.failure('primeorders_batch', owner, [
      { type: 'order', ...fields, market_id },
      { type: 'cancel_all', market_id },
      { type: 'cancel_by_client_id', market_id, client_id },
    ]);
    expect(sent(gateway).map(([, payload]) => payload)).toMatchObject([
      { marketId: 7 },
      { marketId: 7 },
      { items: [{ marketId: 7 }, { marketId: 7 }, { marketId: 7 }] },
    ]);
  });

  it.each([[0], ['0x0'], [4_294_967_296]])('market_id %s is none', async (market_id) => {
    const { failure } = await withResult(none);
    expect(await failure('primeorders_submitOrder', { ...wire, market_id })).toMatchObject({ code: -32602 });
  });
});

describe('primeorders_getOrder', () => {
  const client_id = `0x${'ab'.repeat(16)}`;
  const ended = {
    orderId: 7 as OrderId,
    marketId: 2 as MarketId,
    owner: alice,
    side: 'buy',
    price: 100n,
    size: 9n,
    tif: 'ioc',
    end: 'self_trade',
    filled: 2n,
    remaining: 3n,
    clientId: client_id,
    createdBlock: 5,
    expiresAt: 77,
    closedHeight: 5 as Height,
  } as const;

  /** A gateway whose order book has given away ids up to 8, and whose history holds what is asked for. */
  async function withHistory(): Promise<RunningGateway & { readonly asked: OrderKey[] }> {
    running = await startGateway();
    const { gateway, node } = running;
    const asked: OrderKey[] = [];
    node.endedOrder = (key) => {
      asked.push(key);
      if ('orderId' in key ? key.orderId === ended.orderId : key.owner === alice) return ended;
      throw orderNotKept(4);
    };
    const value = encodeGlobalRecord({
      nextOrderId: 9 as OrderId,
      nextTradeId: 1,
      nextMarketId: 3 as MarketId,
      nextTransferId: 1,
      insurance: 0n,
      totalDeposits: 0n,
      totalWithdrawals: 0n,
      defaultMargin: { initialMarginBps: 2, maintenanceMarginBps: 1 },
    });
    gateway.applyDelta(node.commit({ records: [{ key: globalRecordKey(), value }] }));
    return { ...running, asked };
  }

  it('of one that the order book forgot: all of it, from history', async () => {
    const { call } = await withHistory();
    const answer = {
      order_id: '0x7',
      market_id: 2,
      owner: alice,
      side: 'buy',
      price: '0x64',
      size: '0x9',
      tif: 'ioc',
      filled: '0x2',
      remaining: '0x3',
      decremented: '0x4',
      client_id,
      status: 'cancelled',
      reason: 'self_trade',
      created_block: '0x5',
      closed_block: '0x5',
      expires_at: '0x4d',
    };
    expect(await call('primeorders_getOrder', '0x7')).toEqual(answer);
    expect(await call('primeorders_getOrder', { owner: alice, client_id })).toEqual(answer);
  });

  it('that history lacks: refused with the block since which it has any; one that never was is null', async () => {
    const { call, failure, asked } = await withHistory();
    const refused = { code: 4444, message: expect.stringMatching(/before block 4/), data: { oldest: '0x4' } };
    expect(await failure('primeorders_getOrder', '0x8')).toMatchObject(refused);
    expect(await failure('primeorders_getOrder', { owner: bob, client_id })).toMatchObject(refused);
    asked.length = 0;
    expect(await call('primeorders_getOrder', '0x9')).toBe(null);
    expect(asked).toEqual([]);
  });
});

describe('reads of the order book', () => {
  it('tell what is not there', async () => {
    running = await startGateway();
    const { call, failure } = running;
    expect(await call('primeorders_getOrder', '0x7')).toBe(null);
    expect(await call('primeorders_getOrder', { owner: alice, client_id: `0x${'AB'.repeat(16)}` })).toBe(null);
    expect(await call('primeorders_getMarkets')).toEqual([]);
    expect(await failure('primeorders_getTrades', '0x1')).toMatchObject({ code: -32010, message: 'unknown market 1' });
    expect(await failure('primeorders_getTrades', '0x1', 1001)).toMatchObject({ code: -32602 });
    expect(await call('primeorders_getAccount', alice)).toMatchObject({ collateral: '0x0', positions: [] });
  });
});

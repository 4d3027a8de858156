import { describe, expect, it } from '@jest/globals';
import { bytesToHex, hexToBytes, type MarketId } from '@prime/primitives';
import { privateKeyToAccount } from 'viem/accounts';
import { addressOf, hashOf } from '../testing/fakeNode.ts';
import {
  alice,
  commit,
  expectPending,
  gone,
  holdPoolStatus,
  log,
  market,
  order,
  token,
  transaction,
  useGateways,
} from '../testing/streams.ts';
import { tradeEvent } from '../testing/tradeEvent.ts';
import { devKey } from '../testing/testGateway.ts';

const { start, open } = useGateways();

describe('subscriptions', () => {
  it('are for connections only, and may be turned off', async () => {
    const unsupported = { code: -32601, message: 'notifications not supported' };
    const { failure } = await start();
    expect(await failure('eth_subscribe', 'newHeads')).toEqual(unsupported);
    expect(await failure('eth_unsubscribe', '0x1')).toEqual(unsupported);
    const off = await start({ options: { webSocket: { enabled: true, subscriptions: false } } });
    expect(await (await open(off.url)).failure('eth_subscribe', 'newHeads')).toEqual(unsupported);
  });

  it('refuse what there is not', async () => {
    const { url } = await start({ limits: { subscriptionsMax: 2 } });
    const { call, failure } = await open(url);
    expect(await failure('eth_subscribe', 'nothing')).toMatchObject({
      code: -32601,
      message: expect.stringMatching(/^no "nothing" subscription/) as never,
    });
    for (const params of [
      [],
      [1],
      ['logs', true],
      ['logs', { address: '0x1' }],
      ['newPendingTransactions', {}],
      ['orderBook'],
      ['orderBook', { market_id: -1 }],
      ['fills', {}],
      ['fills', { address: [alice] }],
    ])
      expect([params, await failure('eth_subscribe', ...params)]).toMatchObject([params, { code: -32602 }]);
    expect(await failure('eth_subscribe', 'orderBook', { market_id: 7 })).toMatchObject({
      code: -32010,
      data: { kind: 'unknown_market' },
    });
    const id = await call('eth_subscribe', 'newHeads');
    await call('eth_subscribe', 'logs');
    expect(await failure('eth_subscribe', 'newHeads')).toMatchObject({
      code: -32005,
      data: { limit: 'subscriptions', maximum: 2 },
    });
    expect(await call('eth_unsubscribe', id)).toBe(true);
    expect(await failure('eth_unsubscribe', id)).toEqual({ code: -32000, message: 'subscription not found' });
    expect(await call('prime_subscribe', 'commits')).toMatch(/^0x[89a-f][0-9a-f]{31}$/);
  });

  it('of another connection can not be ended', async () => {
    const running = await start();
    const [one, other] = [await open(running.url), await open(running.url)];
    const id = await one.call('eth_subscribe', 'newHeads');
    expect(await other.failure('eth_unsubscribe', id)).toMatchObject({ message: 'subscription not found' });
    const hash = commit(running);
    expect(await one.untilTold(id, 1)).toMatchObject([{ hash }]);
  });

  it('begin after the answer, also in a batch that takes long', async () => {
    const running = await start();
    const client = await open(running.url);
    const { asked, release } = holdPoolStatus(running.node);
    const request = (id: number, method: string, ...params: string[]) => ({ jsonrpc: '2.0', id, method, params });
    client.socket.send(JSON.stringify([request(1, 'eth_subscribe', 'newHeads'), request(2, 'txpool_status')]));
    await asked;
    commit(running);
    release({ pending: 0, queued: 0 });
    expect(await client.exchange('[]')).toHaveLength(2);
    const [{ result: id }] = client.messages[0] as [{ result: string }];
    const hash = commit(running);
    expect(await client.untilTold(id, 1)).toMatchObject([{ hash }]);
  });

  it('newHeads: each header once, when the block can be asked for everywhere', async () => {
    const running = await start();
    const client = await open(running.url);
    const id = await client.call('eth_subscribe', 'newHeads');
    const native = await client.call('prime_subscribe', 'newHeads');
    const hashes = [commit(running, { transactions: [transaction()] }), commit(running)];
    const heads = (await client.untilTold(id, 2)) as Record<string, unknown>[];
    expect(heads.map(({ hash }) => hash)).toEqual(hashes);
    const block = (await client.call('eth_getBlockByNumber', '0x1', false)) as Record<string, unknown>;
    const { transactions, uncles, size, domain_events, ...header } = block;
    expect(heads[0]).toEqual(header);
    expect([transactions, uncles, size, domain_events]).not.toContain(undefined);
    expect(await client.untilTold(native, 2)).toMatchObject([
      { hash: hashes[0], parent_hash: running.node.genesis.hash },
      { number: '0x2' },
    ]);
  });

  it('logs: those that match, one by one, in the range', async () => {
    const running = await start();
    const client = await open(running.url);
    const all = await client.call('eth_subscribe', 'logs', {});
    const some = await client.call('eth_subscribe', 'logs', { address: token, toBlock: '0x2' });
    commit(running, { transactions: [transaction(log('a'), log('b', alice))] });
    commit(running, { transactions: [transaction(log('c'))] });
    commit(running, { transactions: [transaction(log('d'))] });
    expect(await client.untilTold(all, 4)).toEqual(await client.call('eth_getLogs', { fromBlock: '0x1' }));
    expect(client.told(some)).toEqual(
      await client.call('eth_getLogs', { fromBlock: '0x1', toBlock: '0x2', address: token }),
    );
    expect(client.told(some)).toHaveLength(2);
  });

  it('newPendingTransactions: hashes, or whole transactions; the mempool tells only what somebody wants', async () => {
    const running = await start();
    const client = await open(running.url);
    const hashes = await client.call('eth_subscribe', 'newPendingTransactions');
    const full = await client.call('eth_subscribe', 'newPendingTransactions', true);
    const account = privateKeyToAccount(bytesToHex(devKey) as `0x${string}`);
    const raw = hexToBytes(
      await account.signTransaction({
        chainId: 7919,
        nonce: 3,
        gas: 21_000n,
        maxFeePerGas: 5n,
        to: alice as `0x${string}`,
      }),
    );
    const hash = hashOf('pending');
    const sender = account.address.toLowerCase() as never;
    running.gateway.applyPending({ missed: 0, transactions: [{ hash, transaction: { raw, sender } }] });
    expect(await client.untilTold(hashes, 1)).toEqual([hash]);
    expect(await client.untilTold(full, 1)).toMatchObject([
      { hash, from: sender, to: alice, nonce: '0x3', blockHash: null, blockNumber: null, transactionIndex: null },
    ]);
    await client.call('eth_unsubscribe', full);
    await client.call('eth_unsubscribe', hashes);
    expect(running.node.pendingDetails).toEqual(['hashes', 'full', 'hashes', 'none']);
    const again = await client.call('eth_subscribe', 'newPendingTransactions');
    running.gateway.applyPending({ missed: 3, transactions: [] });
    expect(await client.closed).toEqual([1013, '3 pending transactions were missed']);
    expect(client.told(again)).toEqual([]);
    await expectPending(running, 'none');
  });

  it('syncing: tells when the node falls behind and when it is there again', async () => {
    const running = await start();
    const client = await open(running.url);
    const progress = { startingBlock: 1, currentBlock: 2, highestBlock: 9 } as never;
    const status = await running.node.backends.consensus.networkStatus();
    const id = await client.call('eth_subscribe', 'syncing');
    commit(running);
    await client.call('eth_syncing');
    running.node.backends.consensus.networkStatus = async () => ({ ...status, syncing: progress });
    commit(running);
    commit(running);
    await client.untilTold(id, 1);
    running.node.backends.consensus.networkStatus = async () => status;
    commit(running);
    expect(await client.untilTold(id, 2)).toEqual([
      { syncing: true, status: { startingBlock: '0x1', currentBlock: '0x2', highestBlock: '0x9' } },
      false,
    ]);
  });
});

describe('order book streams', () => {
  const records = [market].map(({ key, value }) => [key, value] as const);
  const level = (price: number, size: number) => ({ price: `0x${price.toString(16)}`, size: `0x${size.toString(16)}` });

  it('orderBook: a snapshot, then what each block changed, chained by sequences', async () => {
    const running = await start({ options: { records } });
    commit(running, { records: [order(1, 'buy', 100n), order(2, 'sell', 110n)] });
    const client = await open(running.url);
    const id = await client.call('eth_subscribe', 'orderBook', { market_id: 1 });
    commit(running, { records: [order(1, 'buy', 100n, 10n, 4n), order(3, 'buy', 99n), gone(2)] });
    commit(running);
    commit(running, { records: [order(4, 'sell', 120n), gone(4)] });
    commit(running, { records: [gone(1)] });
    expect(await client.untilTold(id, 3)).toMatchObject([
      {
        type: 'snapshot',
        market_id: 1,
        sequence: 1,
        block_number: '0x1',
        bids: [level(100, 10)],
        asks: [level(110, 10)],
      },
      {
        type: 'update',
        previous_sequence: 1,
        sequence: 2,
        block_number: '0x2',
        bids: [level(99, 10), level(100, 4)],
        asks: [level(110, 0)],
      },
      { type: 'update', previous_sequence: 2, sequence: 5, bids: [level(100, 0)], asks: [] },
    ]);
  });

  it('trades, fills and orders: a list per block that has some', async () => {
    const running = await start({ options: { records } });
    const client = await open(running.url);
    const bob = addressOf('bob');
    const options = { address: alice };
    const [trades, fills, orders] = [
      await client.call('prime_subscribe', 'trades', { market_id: '0x1' }),
      await client.call('prime_subscribe', 'fills', options),
      await client.call('prime_subscribe', 'orders', options),
    ];
    const others = await client.call('prime_subscribe', 'fills', { address: token });
    const event = (kind: string, data: Record<string, string | number | bigint | boolean | null>) =>
      ({ domain: 'orders', kind, actionIndex: null, data }) as const;
    const accepted = (id: number, owner: string, side: string, size: bigint) =>
      event('order_accepted', {
        order_id: id,
        market_id: 1,
        owner,
        side,
        price: 100n,
        size,
        tif: 'gtc',
        client_id: null,
        post_only: false,
        reduce_only: false,
        stp: 'cancel_maker',
        expires_at: 0,
      });
    commit(running, { records: [order(1, 'buy', 100n)], events: [accepted(1, alice, 'buy', 10n)] });
    const price = { marketId: 1 as MarketId, price: 100n, size: 10n };
    const trade = tradeEvent({ ...price, maker: alice, taker: bob, side: 'sell' });
    commit(running, { records: [gone(1)], events: [accepted(2, bob, 'sell', 10n), trade] });
    const cancelled = event('order_cancelled', {
      order_id: 3,
      market_id: 1,
      owner: alice,
      remaining: 7n,
      reason: 'ioc',
    });
    commit(running, { events: [accepted(3, alice, 'buy', 7n), cancelled] });
    expect(await client.untilTold(orders, 3)).toMatchObject([
      { block_number: '0x1', orders: [{ order_id: '0x1', status: 'open', filled: '0x0', remaining: '0xa' }] },
      { block_number: '0x2', orders: [{ order_id: '0x1', status: 'filled', filled: '0xa', remaining: '0x0' }] },
      {
        orders: [{ order_id: '0x3', status: 'cancelled', reason: 'ioc', size: '0x7', filled: '0x0', remaining: '0x7' }],
      },
    ]);
    expect(client.told(trades)).toMatchObject([
      {
        market_id: 1,
        block_number: '0x2',
        trades: [{ trade_id: '0x1', price: '0x64', maker: alice, taker: bob, side: 'sell' }],
      },
    ]);
    expect(client.told(fills)).toMatchObject([
      { address: alice, fills: [{ trade_id: '0x1', order_id: '0x1', side: 'buy', size: '0xa', liquidity: 'maker' }] },
    ]);
    expect(client.told(others)).toEqual([]);
  });

  it('domainEvents by domain and kind; commits with their certificates', async () => {
    const running = await start();
    const client = await open(running.url);
    const events = await client.call('prime_subscribe', 'domainEvents', { domain: 'orders', kind: 'bad_debt' });
    const commits = await client.call('prime_subscribe', 'commits');
    const debt = {
      domain: 'orders',
      kind: 'bad_debt',
      actionIndex: null,
      data: { address: alice, amount: 7n },
    } as const;
    const insurance = {
      domain: 'orders',
      kind: 'insurance_changed',
      actionIndex: null,
      data: { amount: 1n, balance: 2n },
    } as const;
    commit(running, { events: [insurance] });
    const hash = commit(running, { events: [insurance, debt] });
    expect(await client.untilTold(commits, 2)).toMatchObject([
      { block_number: '0x1' },
      { block_number: '0x2', block_hash: hash, commit: { round: '0x0', signature_count: '0x1' } },
    ]);
    expect(client.told(events)).toMatchObject([
      { block_hash: hash, events: [{ kind: 'bad_debt', index: '0x1', data: { address: alice, amount: '0x7' } }] },
    ]);
  });
});

describe('after the privacy fork', () => {
  it('the public surface refuses what names accounts, ends what was open, and leaves accounts out', async () => {
    const running = await start({ info: { privacyForkBlock: 1 }, options: { records: [[market.key, market.value]] } });
    const [early, late, operator] = [await open(running.url), await open(running.url), await open(running.operatorUrl)];
    await early.call('eth_subscribe', 'logs');
    const trades = await late.call('eth_subscribe', 'trades', { market_id: 1 });
    const full = await operator.call('eth_subscribe', 'trades', { market_id: 1 });
    const logs = await operator.call('eth_subscribe', 'logs');
    commit(running, {
      transactions: [transaction(log('secret'))],
      events: [tradeEvent({ marketId: 1 as MarketId, maker: alice, taker: token })],
    });
    expect(await early.closed).toEqual([1008, 'logs is disabled on the public surface after the privacy fork']);
    const [told] = (await late.untilTold(trades, 1)) as [{ trades: [object] }];
    expect(Object.keys(told.trades[0])).not.toContain('maker');
    expect(await operator.untilTold(full, 1)).toMatchObject([{ trades: [{ maker: alice }] }]);
    expect(await operator.untilTold(logs, 1)).toHaveLength(1);
    for (const params of [['logs'], ['newPendingTransactions', true], ['orders', { address: alice }]])
      expect(await late.failure('eth_subscribe', ...params)).toMatchObject({ code: -32004 });
    expect(await late.call('eth_subscribe', 'newPendingTransactions')).toMatch(/^0x/);
  });
});

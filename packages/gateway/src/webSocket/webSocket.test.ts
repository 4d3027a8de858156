import { afterEach, describe, expect, it } from '@jest/globals';
import { encodeMarketRecord, encodeOrderRecord, type Log, marketRecordKey, orderRecordKey } from '@prime/codec';
import { bytesToHex, hexToBytes, type Hash, type MarketId, type OrderId, utf8ToBytes } from '@prime/primitives';
import { privateKeyToAccount } from 'viem/accounts';
import { addressOf, type FakeTransaction, hashOf } from '../testing/fakeNode.ts';
import { connect, refusedUpgrade, type SocketClient } from '../testing/socketClient.ts';
import { devKey, type RunningGateway, startGateway } from '../testing/testGateway.ts';

const started: RunningGateway[] = [];
const clients: SocketClient[] = [];
afterEach(async () => {
  for (const { socket } of clients.splice(0)) socket.terminate();
  for (const { gateway } of started.splice(0)) await gateway.close();
});
async function start(...settings: Parameters<typeof startGateway>): Promise<RunningGateway> {
  const running = await startGateway(...settings);
  started.push(running);
  return running;
}
async function open(url: string, options?: Parameters<typeof connect>[1]): Promise<SocketClient> {
  const client = await connect(url, options);
  clients.push(client);
  return client;
}

const alice = addressOf('alice');
const token = addressOf('token');
let counter = 0;
const transaction = (...logs: readonly Log[]): FakeTransaction => ({
  raw: utf8ToBytes(`transaction ${++counter}`),
  from: alice,
  to: token,
  type: 2,
  effectiveGasPrice: 1n,
  logs,
});
const log = (text: string, address = token): Log => ({ address, topics: [hashOf('t')], data: utf8ToBytes(text) });
const marketId = 1 as MarketId;
const market = {
  key: marketRecordKey(marketId),
  value: encodeMarketRecord({
    marketId,
    symbol: 'A/B',
    tickSize: 1n,
    lotSize: 1n,
    lastPrice: null,
    markPrice: null,
    tradeBlocks: 0,
    margin: null,
    status: 'open',
  }),
};
const order = (id: number, side: 'buy' | 'sell', price: bigint, size = 10n, remaining = size) => ({
  key: orderRecordKey(id as OrderId),
  value: encodeOrderRecord({
    orderId: id as OrderId,
    marketId,
    owner: alice,
    side,
    price,
    size,
    remaining,
    tif: 'gtc',
    postOnly: false,
    reduceOnly: false,
    selfTrade: 'cancel_maker',
    clientId: null,
    expiresAt: 0,
    createdBlock: 1,
  }),
});
const gone = (id: number) => ({ key: orderRecordKey(id as OrderId), value: null });

/** Commits and tells a block. */
function commit(
  { node, gateway }: RunningGateway,
  content: Parameters<RunningGateway['node']['commit']>[0] = {},
): Hash {
  const delta = node.commit(content);
  gateway.applyDelta(delta);
  return delta.hash;
}

describe('requests on a WebSocket', () => {
  it('are those of HTTP: single, batched, wrong', async () => {
    const { url } = await start();
    const client = await open(url);
    expect(await client.call('eth_chainId')).toBe('0x1eef');
    expect(await client.failure('eth_nothing')).toMatchObject({ code: -32601 });
    expect(await client.failure('eth_getBalance')).toMatchObject({ code: -32602 });
    const batch = [1, 2].map((id) => ({ jsonrpc: '2.0', id, method: 'eth_blockNumber' }));
    expect(await client.exchange(JSON.stringify(batch))).toEqual(
      [1, 2].map((id) => ({ jsonrpc: '2.0', id, result: '0x0' })),
    );
    expect(await client.exchange('{')).toMatchObject({ error: { code: -32700 }, id: null });
    expect(await client.exchange('null')).toMatchObject({ error: { code: -32600 } });
    expect(await client.exchange(`${'['.repeat(100)}${']'.repeat(100)}`)).toMatchObject({ error: { code: -32600 } });
    expect(await client.exchange(Uint8Array.of(0xff, 0xfe))).toMatchObject({ error: { code: -32700 } });
    // A notification has no answer: the next message is that of the next request.
    client.socket.send(JSON.stringify({ jsonrpc: '2.0', method: 'eth_chainId' }));
    expect(await client.exchange(JSON.stringify({ jsonrpc: '2.0', id: 'x', method: 'net_version' }))).toMatchObject({
      id: 'x',
    });
  });

  it('of one connection that are too many at once wait, and too much of them ends it', async () => {
    const { url, node } = await start({ limits: { socketRequestsMax: 1, socketWaitingMax: 2000 } });
    const client = await open(url);
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    let asked = 0;
    node.backends.consensus.poolStatus = async () => {
      asked++;
      await held;
      return { pending: 0, queued: 0 };
    };
    const first = client.call('txpool_status');
    const second = client.call('eth_chainId');
    const third = client.call('txpool_status');
    release();
    expect(await Promise.all([first, second, third])).toHaveLength(3);
    expect(asked).toBe(2);
    node.backends.consensus.poolStatus = () => new Promise(() => undefined);
    for (let count = 0; count < 100; count++)
      client.socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1000 + count, method: 'txpool_status' }));
    expect(await client.closed).toEqual([1013, 'more than 2000 bytes of requests wait']);
  });

  it('that are larger than a body may be end the connection', async () => {
    const { url } = await start({ limits: { bodyBytesMax: 1000 } });
    const client = await open(url);
    client.socket.send('x'.repeat(1001));
    expect([1006, 1009]).toContain((await client.closed)[0]);
  });
});

describe('an upgrade', () => {
  it('is refused in words where WebSockets are off', async () => {
    const { url } = await start({ options: { webSocket: { enabled: false, subscriptions: true } } });
    const { status, body } = await refusedUpgrade(url);
    expect(status).toBe(501);
    expect(JSON.parse(body)).toMatchObject({ error: { message: expect.stringContaining('ws.enabled') as never } });
    expect((await fetch(url)).status).toBe(405);
  });

  it('is refused for other paths, unknown keys and pages of other origins', async () => {
    const { url, operatorUrl } = await start({ options: { corsOrigins: ['https://a.example'] } });
    expect((await refusedUpgrade(`${url}other`)).status).toBe(404);
    expect((await refusedUpgrade(url, { headers: { 'x-api-key': 'nobody' } })).status).toBe(401);
    expect((await refusedUpgrade(url, { origin: 'https://b.example' })).status).toBe(403);
    expect((await refusedUpgrade(operatorUrl, { origin: 'https://a.example' })).status).toBe(403);
    expect(await (await open(url, { origin: 'https://a.example' })).call('net_version')).toBe('7919');
    expect(await (await open(operatorUrl)).call('net_version')).toBe('7919');
  });

  it('is refused beyond the connections of a client, and of all', async () => {
    const { url } = await start({ limits: { connectionsPerClientMax: 1 } });
    const only = await open(url);
    const { status, body } = await refusedUpgrade(url);
    expect([status, JSON.parse(body)]).toMatchObject([
      503,
      { error: { code: -32005, data: { limit: 'connectionsPerClient', maximum: 1 } } },
    ]);
    only.socket.close();
    await only.closed;
    await open(url);
    const all = await start({ limits: { connectionsMax: 0 } });
    expect(JSON.parse((await refusedUpgrade(all.url)).body)).toMatchObject({
      error: { data: { limit: 'connections' } },
    });
  });

  it('takes a subprotocol that the client offers', async () => {
    const { url } = await start();
    const client = await connect(url, {}, ['jsonrpc', 'other']);
    clients.push(client);
    expect(client.socket.protocol).toBe('jsonrpc');
    expect(await client.call('net_version')).toBe('7919');
  });
});

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
    let release: (status: { pending: number; queued: number }) => void = () => undefined;
    const asked = new Promise<void>((resolve) => {
      running.node.backends.consensus.poolStatus = () => {
        resolve();
        return new Promise((answer) => {
          release = answer;
        });
      };
    });
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

/** The last thing that the gateway asked for; closing a connection is noticed by an event of the socket. */
async function expectPending({ node }: RunningGateway, detail: string): Promise<void> {
  while (node.pendingDetails.at(-1) !== detail) await new Promise((resolve) => setImmediate(resolve));
}

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
    const event = (kind: string, data: Record<string, string | number | bigint | null>) =>
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
      });
    commit(running, { records: [order(1, 'buy', 100n)], events: [accepted(1, alice, 'buy', 10n)] });
    const trade = event('trade', {
      trade_id: 1,
      market_id: 1,
      price: 100n,
      size: 10n,
      maker_order_id: 1,
      taker_order_id: 2,
      maker: alice,
      taker: bob,
      side: 'sell',
      fees: 0n,
    });
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
    const data = {
      trade_id: 1,
      market_id: 1,
      price: 1n,
      size: 1n,
      maker_order_id: 1,
      taker_order_id: 2,
      maker: alice,
      taker: token,
      side: 'buy',
      fees: 0n,
    };
    commit(running, {
      transactions: [transaction(log('secret'))],
      events: [{ domain: 'orders', kind: 'trade', actionIndex: null, data }],
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

describe('slow readers', () => {
  it('are closed with a reason when they leave too much unread', async () => {
    const running = await start({ limits: { socketBufferedBytesMax: 100_000 } });
    const [slow, quick] = [await open(running.url), await open(running.url)];
    const ids = [await slow.call('eth_subscribe', 'newHeads'), await quick.call('eth_subscribe', 'newHeads')];
    await slow.call('eth_subscribe', 'logs');
    slow.socket.pause();
    let told = 0;
    const big = 'x'.repeat(20_000);
    while (running.gateway.connections > 1) {
      commit(running, { transactions: [transaction(...Array.from({ length: 20 }, () => log(big)))] });
      await quick.untilTold(ids[1], ++told);
    }
    slow.socket.resume();
    expect(await slow.closed).toEqual([1013, 'slow consumer: more than 100000 bytes are unread']);
    expect(quick.told(ids[1])).toHaveLength(told);
  });

  it('are closed when all of them together leave too much unread, and whoever reads is not', async () => {
    const running = await start({ limits: { socketsBufferedBytesMax: 300_000 } });
    const quick = await open(running.url);
    const id = await quick.call('eth_subscribe', 'newHeads');
    const slow = await Promise.all([1, 2, 3].map(() => open(running.url)));
    for (const client of slow) {
      await client.call('eth_subscribe', 'logs');
      client.socket.pause();
    }
    let told = 0;
    const big = 'x'.repeat(20_000);
    while (running.gateway.connections === 4) {
      commit(running, { transactions: [transaction(...Array.from({ length: 20 }, () => log(big)))] });
      await quick.untilTold(id, ++told);
    }
    for (const client of slow) client.socket.resume();
    const ended = await Promise.race(slow.map((client) => client.closed));
    expect(ended).toEqual([1013, 'slow consumer: all connections together left more than 300000 bytes']);
    expect(quick.socket.readyState).toBe(quick.socket.OPEN);
  });

  it('of an order book get a snapshot instead of what they missed', async () => {
    const many = 1500;
    const running = await start({
      limits: { socketBufferedBytesMax: 400_000 },
      options: { records: [[market.key, market.value]] },
    });
    const client = await open(running.url);
    const quick = await open(running.url);
    const id = await client.call('eth_subscribe', 'orderBook', { market_id: 1 });
    const other = await quick.call('eth_subscribe', 'orderBook', { market_id: 1 });
    client.socket.pause();
    const blocks = 100;
    const far = 1n << 127n;
    const versions = [1n, 2n].map((size) =>
      Array.from({ length: many }, (_, index) => order(index + 1, 'buy', far + BigInt(index), size)),
    );
    for (let block = 1; block <= blocks; block++) {
      commit(running, { records: versions[block % 2]! });
      await quick.untilTold(other, block + 1);
    }
    client.socket.resume();
    const last = running.node.height;
    const sequences = (): number[] => (client.told(id) as { sequence: number }[]).map(({ sequence }) => sequence);
    for (let count = 1; sequences().at(-1) !== last; count++) await client.untilTold(id, count);
    const told = client.told(id) as { type: string; sequence: number; previous_sequence?: number; bids: unknown[] }[];
    expect(told.length).toBeLessThan(blocks);
    const resync = told.findIndex(({ type }, index) => index > 0 && type === 'snapshot');
    expect(resync).toBeGreaterThan(0);
    expect(told[resync]!.bids).toHaveLength(many);
    for (const [index, message] of told.entries())
      if (message.type === 'update') expect(message.previous_sequence).toBe(told[index - 1]!.sequence);
    expect(client.socket.readyState).toBe(client.socket.OPEN);
  });
});

describe('the end', () => {
  it('of the gateway: connections are told that the node stops, after their answers', async () => {
    const running = await start();
    const [idle, busy] = [await open(running.url), await open(running.url)];
    let release: (status: { pending: number; queued: number }) => void = () => undefined;
    const asked = new Promise<void>((resolve) => {
      running.node.backends.consensus.poolStatus = () => {
        resolve();
        return new Promise((answer) => {
          release = answer;
        });
      };
    });
    const answer = busy.call('txpool_status');
    await asked;
    const closing = running.gateway.close();
    expect(await idle.closed).toEqual([1001, 'the node stops']);
    release({ pending: 1, queued: 0 });
    expect(await answer).toEqual({ pending: '0x1', queued: '0x0' });
    expect(await busy.closed).toEqual([1001, 'the node stops']);
    await closing;
  });

  it('of a connection frees what it had', async () => {
    const running = await start({ limits: { connectionsPerClientMax: 1 } });
    const client = await open(running.url);
    await client.call('eth_subscribe', 'newPendingTransactions');
    client.socket.terminate();
    await expectPending(running, 'none');
    expect(running.gateway.connections).toBe(0);
    const again = await open(running.url);
    expect(await again.call('eth_subscribe', 'newHeads')).toMatch(/^0x/);
  });

  it('is far with five hundred subscribers: all hear of each block', async () => {
    const running = await start();
    const pair = [await open(running.url), await open(running.url)];
    const ids = await Promise.all(
      pair.flatMap((client) =>
        Array.from({ length: 250 }, async () => ({ client, id: await client.call('eth_subscribe', 'newHeads') })),
      ),
    );
    const hashes = [commit(running), commit(running), commit(running)];
    for (const { client, id } of ids)
      expect((await client.untilTold(id, 3)).map((head) => (head as { hash: string }).hash)).toEqual(hashes);
  });
});

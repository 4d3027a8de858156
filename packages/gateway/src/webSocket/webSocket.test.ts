import { once } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { refusedUpgrade } from '../testing/socketClient.ts';
import {
  commit,
  expectPending,
  holdPoolStatus,
  log,
  market,
  order,
  transaction,
  useGateways,
} from '../testing/streams.ts';

const { start, open } = useGateways();

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

  it('that wait count also where they hold nothing, and are answered in their order', async () => {
    const { url, node } = await start({ limits: { socketRequestsMax: 1, socketWaitingMax: 64 * 3_000 } });
    const client = await open(url);
    let release: () => void = () => undefined;
    node.backends.consensus.poolStatus = async () => {
      await new Promise<void>((resolve) => {
        release = resolve;
      });
      return { pending: 0, queued: 0 };
    };
    const held = client.call('txpool_status');
    // More than are cut from the queue at once.
    for (let count = 0; count < 2_500; count++) client.socket.send('');
    const last = client.call('eth_chainId');
    // What was asked last was read last.
    client.socket.ping();
    await once(client.socket, 'pong');
    release();
    await Promise.all([held, last]);
    expect(client.messages.map((message) => (message as { id: unknown }).id)).toEqual([
      1,
      ...Array(2_500).fill(null),
      2,
    ]);
    const again = client.call('txpool_status').catch(() => null);
    for (let count = 0; count <= 3_000; count++) client.socket.send('');
    expect(await client.closed).toEqual([1013, `more than ${64 * 3_000} bytes of requests wait`]);
    await again;
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
    const client = await open(url, {}, ['jsonrpc', 'other']);
    expect(client.socket.protocol).toBe('jsonrpc');
    expect(await client.call('net_version')).toBe('7919');
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
    while (running.gateway.surfaces.connections > 1) {
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
    while (running.gateway.surfaces.connections === 4) {
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
    const newest = (): BookMessage | undefined => (client.told(id) as BookMessage[]).at(-1);
    const isThere = (): boolean => newest()?.sequence === last && newest()?.part === newest()?.parts;
    for (let count = 1; !isThere(); count++) await client.untilTold(id, count);
    const told = client.told(id) as BookMessage[];
    expect(told.length).toBeLessThan(blocks);
    const resync = told.findIndex(({ part }, index) => index > 2 && part === 1);
    expect(resync).toBeGreaterThan(0);
    expect(told.slice(resync, resync + 3).map(({ part, bids }) => [part, bids.length])).toEqual([
      [1, 500],
      [2, 500],
      [3, 500],
    ]);
    for (const [index, message] of told.entries())
      if (message.type === 'update') expect(message.previous_sequence).toBe(told[index - 1]!.sequence);
    expect(client.socket.readyState).toBe(client.socket.OPEN);
  });
});

interface BookMessage {
  readonly type: string;
  readonly sequence: number;
  readonly previous_sequence?: number;
  readonly part?: number;
  readonly parts?: number;
  readonly bids: readonly { readonly order_id: string; readonly size: string }[];
}

describe('a snapshot of many orders', () => {
  /** Characters of one part of 500 orders as they are here, and the bound on what a connection may leave unread. */
  const bufferedMax = 200_000;
  const ordersOf = (count: number, size = 1n) =>
    Array.from({ length: count }, (_, index) => order(index + 1, 'buy', 1_000_000n + BigInt(index % 7), size));
  const jsonLength = (count: number): number =>
    JSON.stringify(ordersOf(count).map(() => ({ order_id: '0xffff', price: '0xf4240', size: '0x1' }))).length;

  /** As many orders as make the snapshot as large as the bound. */
  const exact = Math.round((bufferedMax / jsonLength(1000)) * 1000);

  it.each([exact - 1, exact, exact + 1, 10 * exact])(
    'of %i orders reaches who reads late, with all that blocks changed meanwhile, on one connection',
    async (count) => {
      const running = await start({
        limits: { socketBufferedBytesMax: bufferedMax },
        options: { records: [[market.key, market.value]] },
      });
      commit(running, { records: ordersOf(count) });
      const client = await open(running.url);
      const heads = await client.call('eth_subscribe', 'newHeads');
      const id = await client.call('prime_subscribe', 'bookOrders', { market_id: 1 });
      client.socket.pause();
      const blocks = 40;
      for (let block = 1; block <= blocks; block++) {
        commit(running, { records: [order(block, 'buy', 1_000_000n + BigInt((block - 1) % 7), 2n)] });
        await new Promise((resolve) => setTimeout(resolve, 2));
      }
      client.socket.resume();
      await client.untilTold(heads, blocks);
      const book = new Map<string, string>();
      const last = running.node.height;
      for (let taken = 0, sequence = 0; sequence !== last; ) {
        const told = (await client.untilTold(id, taken + 1)) as BookMessage[];
        for (const message of told.slice(taken)) {
          if (message.type === 'update') expect(message.previous_sequence).toBe(sequence);
          if (message.part === 1) book.clear();
          for (const { order_id: orderId, size } of message.bids) book.set(orderId, size);
          sequence = message.part === message.parts ? message.sequence : 0;
        }
        taken = told.length;
      }
      expect(book.size).toBe(count);
      expect([...book.values()].filter((size) => size === '0x2')).toHaveLength(blocks);
      expect(client.socket.readyState).toBe(client.socket.OPEN);
    },
  );
});

describe('the end', () => {
  it('of the gateway: connections are told that the node stops, after their answers', async () => {
    const running = await start();
    const [idle, busy] = [await open(running.url), await open(running.url)];
    const { asked, release } = holdPoolStatus(running.node);
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
    expect(running.gateway.surfaces.connections).toBe(0);
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

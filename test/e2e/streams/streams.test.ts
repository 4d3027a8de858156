import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { compileContract } from '@prime/examples';
import { rpc } from '@prime/load/rpc';
import { createTestnet, type Testnet, until } from '@prime/testkit';
import {
  createPublicClient,
  createWalletClient,
  encodeDeployData,
  type Hash,
  type Hex,
  http,
  parseAbiItem,
  parseEther,
  webSocket,
} from 'viem';
import { mnemonicToAccount } from 'viem/accounts';

/** Filters and subscriptions through real processes, as the clients that people use ask for them. */

let testnet: Testnet;
beforeAll(async () => {
  testnet = await createTestnet({ validators: 4 });
  await testnet.startAll();
});
afterAll(() => testnet.destroy());

const chainId = 7919;
const account = (addressIndex: number) =>
  mnemonicToAccount('test test test test test test test test test test test junk', { addressIndex });
const transfer = parseAbiItem('event Transfer(address indexed from, address indexed to, uint256 value)');
const call = <Result>(node: number, method: string, ...params: unknown[]): Promise<Result> =>
  rpc(testnet.url(node), method, params);
/**
 * Reconnects and pings only where that is tested: viem opens another connection for a request that comes, or is tried again, after
 * the end, and its pings keep the process alive for ever.
 */
const socketClient = (
  node: number,
  options: Parameters<typeof webSocket>[1] = { reconnect: false, keepAlive: false, retryCount: 0 },
) => createPublicClient({ transport: webSocket(testnet.url(node).replace('http', 'ws'), options) });
type SocketClient = ReturnType<typeof socketClient>;
const closeAll = async (...clients: readonly SocketClient[]): Promise<void> => {
  for (const client of clients) (await client.transport.getRpcClient()).close();
};

/** Subscribes to any kind; what comes is put into the list. */
async function listen<Result>(client: SocketClient, ...params: readonly unknown[]): Promise<Result[]> {
  const told: Result[] = [];
  await client.transport.subscribe({
    params: params as ['newHeads'],
    onData: ({ result }) => told.push(result as Result),
    onError: () => undefined,
  });
  return told;
}

/** Sends one wei over plain HTTP. */
const pay = (node: number, from: number): Promise<Hash> =>
  createWalletClient({ account: account(from), transport: http(testnet.url(node)) }).sendTransaction({
    chain: null,
    chainId,
    to: account(9).address,
    value: 1n,
  } as never);

/** Stops two of four validators meanwhile: what is sent to the others waits, and they tell of it before it is in a block. */
async function withoutBlocks<Result>(stopped: readonly number[], work: () => Promise<Result>): Promise<Result> {
  for (const node of stopped) testnet.pause(node);
  try {
    return await work();
  } finally {
    for (const node of stopped) testnet.resume(node);
  }
}

describe('filters', () => {
  it('of every node tell blocks, logs and pending transactions of the whole network', async () => {
    const reader = createPublicClient({ transport: http(testnet.url(3)) });
    const [blocks, pending, logs] = await Promise.all([
      reader.createBlockFilter(),
      reader.createPendingTransactionFilter(),
      reader.createEventFilter({ event: transfer, fromBlock: 'earliest' }),
    ]);
    const { abi, bytecode } = compileContract('DemoToken.sol', 'DemoToken');
    const data = encodeDeployData({ abi, bytecode, args: [parseEther('5')] });
    const from = account(1).address.toLowerCase();
    const hash = await withoutBlocks([1, 2], async () => {
      const sent = await call<Hash>(0, 'eth_sendTransaction', { from, data });
      await until('told', async () => (await reader.getFilterChanges({ filter: pending })).includes(sent));
      return sent;
    });
    const receipt = await until('in a block on the other node', () =>
      call<{ blockHash: Hash } | null>(3, 'eth_getTransactionReceipt', hash),
    );
    expect(await reader.getFilterChanges({ filter: blocks })).toContain(receipt.blockHash);
    const told = await reader.getFilterChanges({ filter: logs });
    expect(told.map(({ transactionHash }) => transactionHash)).toEqual([hash]);
    expect(await reader.getFilterChanges({ filter: logs })).toEqual([]);
    expect(await reader.getFilterLogs({ filter: logs })).toEqual(told);
    expect(await reader.uninstallFilter({ filter: logs })).toBe(true);
    await expect(reader.getFilterChanges({ filter: logs })).rejects.toThrow('filter not found');
  });
});

describe('subscriptions', () => {
  it('tell each block once and in order, when all other methods of the node show it', async () => {
    const client = socketClient(2);
    const seen: { height: number; known: number }[] = [];
    const asked: Promise<unknown>[] = [];
    const stop = client.watchBlockNumber({
      onBlockNumber: (height) => {
        const answered = client.getBlock({ blockNumber: height }).then(({ number }) => {
          seen.push({ height: Number(height), known: Number(number) });
        });
        asked.push(answered);
      },
    });
    const heads = await listen<{ number: Hex }>(client, 'newHeads');
    await pay(0, 2);
    await until('five blocks', async () => (heads.length >= 5 ? true : null));
    stop();
    await Promise.all(asked);
    const numbers = heads.map(({ number }) => Number(number));
    expect(numbers).toEqual(numbers.map((_, index) => numbers[0]! + index));
    expect(seen.length).toBeGreaterThan(0);
    expect(seen.every(({ height, known }) => height === known)).toBe(true);
    await closeAll(client);
  });

  it('tell of transactions that another node gossiped, pending first and then with their logs', async () => {
    const client = socketClient(1);
    const hashes = await listen<Hash>(client, 'newPendingTransactions');
    const full = await listen<{ hash: Hash; from: Hex }>(client, 'newPendingTransactions', true);
    const sent = await withoutBlocks([0, 2], async () => {
      const hash = await pay(3, 3);
      await until('told', async () => hashes.includes(hash) && full.some((transaction) => transaction.hash === hash));
      return hash;
    });
    expect(full.find(({ hash }) => hash === sent)).toMatchObject({
      from: account(3).address.toLowerCase(),
      blockHash: null,
    });
    await closeAll(client);
  });

  it('of an order book, put together, are the book that the node answers, block by block', async () => {
    const marketId = await call<Hex>(0, 'primeorders_addMarket', 'STREAM/USD', '0x1', '0x1');
    const market = { market_id: Number(marketId) };
    const [maker, taker] = [account(4).address.toLowerCase(), account(5).address.toLowerCase()];
    for (const owner of [maker, taker]) await call(0, 'primeorders_depositCollateral', owner, '0xde0b6b3a7640000');
    await until('the market is on the other node', async () =>
      call(3, 'primeorders_getOrderBook', marketId).then(
        () => true,
        () => null,
      ),
    );
    const client = socketClient(3);
    interface Level {
      readonly price: Hex;
      readonly size: Hex;
    }
    interface Message {
      readonly type: string;
      readonly sequence: number;
      readonly previous_sequence?: number;
      readonly bids: readonly Level[];
      readonly asks: readonly Level[];
    }
    const messages = await listen<Message>(client, 'orderBook', market);
    const trades = await listen<{ trades: readonly { maker: Hex; taker: Hex; size: Hex }[] }>(client, 'trades', market);
    const fills = await listen<{ fills: readonly { size: Hex }[] }>(client, 'fills', { address: taker });
    const orders = await listen<{ orders: readonly { status: string }[] }>(client, 'orders', { address: maker });
    const submit = (owner: string, side: string, price: number, size: number): Promise<{ order_id: Hex }> =>
      call(0, 'primeorders_submitOrder', {
        ...market,
        owner,
        side,
        price: `0x${price.toString(16)}`,
        size: `0x${size.toString(16)}`,
        tif: 'gtc',
      });
    for (let round = 1; round <= 5; round++) {
      const [bid] = await Promise.all([
        submit(maker, 'buy', 100 - round, 10),
        submit(maker, 'sell', 110 + round, 10),
        submit(maker, 'sell', 110 + round, 7),
      ]);
      await submit(taker, 'buy', 110 + round, 12);
      if (round % 2 === 0) await call(0, 'primeorders_cancelOrder', bid.order_id);
    }
    const book = { bids: new Map<Hex, Hex>(), asks: new Map<Hex, Hex>() };
    let applied = 0;
    const shown = () => {
      for (; applied < messages.length; applied++) {
        const message = messages[applied]!;
        if (applied > 0) expect(message.previous_sequence).toBe(messages[applied - 1]!.sequence);
        for (const side of ['bids', 'asks'] as const)
          for (const { price, size } of message[side]) {
            if (size === '0x0') book[side].delete(price);
            else book[side].set(price, size);
          }
      }
      const levels = (side: Map<Hex, Hex>): Level[] =>
        [...side].map(([price, size]) => ({ price, size })).sort((a, b) => Number(a.price) - Number(b.price));
      return { bids: levels(book.bids), asks: levels(book.asks) };
    };
    const answered = await call<object>(0, 'primeorders_getOrderBook', marketId);
    await until('the stream is there', async () =>
      JSON.stringify(shown()) === JSON.stringify(answered) ? true : null,
    );
    expect(messages[0]).toMatchObject({ type: 'snapshot', bids: [], asks: [] });
    expect(messages.length).toBeGreaterThan(5);
    const listed = () => trades.flatMap((message) => message.trades);
    const sizeOf = (parts: readonly { readonly size: Hex }[]): number =>
      parts.reduce((sum, { size }) => sum + Number(size), 0);
    await until('all trades', async () => sizeOf(listed()) >= 5 * 12);
    expect(listed().every((trade) => trade.maker === maker && trade.taker === taker)).toBe(true);
    const filled = () => fills.flatMap((message) => message.fills);
    await until('their fills', async () => filled().length >= listed().length);
    expect([sizeOf(listed()), sizeOf(filled()), filled().length]).toEqual([60, 60, listed().length]);
    const statuses = () => new Set(orders.flatMap((message) => message.orders).map(({ status }) => status));
    await until('what became of the orders', async () => statuses().size >= 3);
    expect(statuses()).toEqual(new Set(['open', 'filled', 'cancelled']));
    await closeAll(client);
  });

  it('survive the end of their node: the client is told, connects to it again, and hears the next blocks', async () => {
    // viem prints each attempt that fails.
    const quiet = jest.spyOn(console, 'error').mockImplementation(() => undefined);
    // A connection that is refused is told by the next ping only.
    const client = socketClient(0, { reconnect: { attempts: 200, delay: 200 }, keepAlive: { interval: 500 } });
    const other = socketClient(1);
    const heads = await listen<{ number: Hex }>(client, 'newHeads');
    const others = await listen<{ number: Hex }>(other, 'newHeads');
    await until('told', async () => (heads.length > 0 ? true : null));
    await testnet.kill(0, 'SIGKILL');
    const before = others.length;
    await until('the others go on', async () => (others.length > before + 2 ? true : null));
    const heard = heads.length;
    await testnet.start(0);
    await until('told again', async () => (heads.length > heard + 1 ? true : null));
    const numbers = others.map(({ number }) => Number(number));
    expect(numbers).toEqual(numbers.map((_, index) => numbers[0]! + index));
    await closeAll(client, other);
    quiet.mockRestore();
  });
});

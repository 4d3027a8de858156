import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SocketCalls } from '@prime/load';
import { rpc } from '@prime/load/rpc';
import {
  type BestPrices,
  type BookOrdersState,
  createLocalAccountState,
  createStreams,
  type DomainEventOf,
  type Fill,
  type OrderBookState,
  type OrderUpdate,
  type StreamedCandle,
  type StreamedMargin,
  type StreamedTicker,
  type StreamedTrade,
  type StreamError,
  type Streams,
  watchBbo,
  watchBookOrders,
  watchCandles,
  watchDomainEvents,
  watchFills,
  watchMargin,
  watchOrderBook,
  watchOrders,
  watchTicker,
  watchTrades,
} from '@prime/sdk';
import { createTestnet, type Testnet, until } from '@prime/testkit';
import { addressOf, clientIdOf, Desk, hex, mainMarket } from '../trading/trading.ts';
import { meet, residentMb, toldHeights } from './stalledReader.ts';
import { StallingProxy } from './stallingProxy.ts';
import { signed, type Wire, wireFill, wireUpdate } from './wireForms.ts';

/** Streams of the SDK over two nodes of a real network, which are killed while orders flow. */

let testnet: Testnet;
let streams: Streams;
beforeAll(async () => {
  // The bound of a connection is as small as a test can fill behind the buffers of the system.
  testnet = await createTestnet({ validators: 4, environment: { PRIME_WS_BUFFERED_BYTES: '262144' } });
  await testnet.startAll();
});
afterAll(async () => {
  streams?.close();
  await testnet.destroy();
});

const [maker, taker] = [addressOf('maker'), addressOf('taker')];
const asAddress = (address: string): `0x${string}` => address as `0x${string}`;

/** What a node that is never killed tells by its own streams, over one connection that never ends. */
async function record(kind: 'orders' | 'fills', address: string): Promise<Wire[]> {
  const told: Wire[] = [];
  const calls = await SocketCalls.open({
    url: testnet.url(2).replace(/^http/, 'ws'),
    onNotification: (message) => {
      const { params } = JSON.parse(message.toString()) as { params: { result: Record<string, Wire[]> } };
      told.push(...params.result[kind]!);
    },
  });
  await calls.call('eth_subscribe', [kind, { address }]);
  return told;
}

/** One round of everything that can become of orders. */
async function trade(desk: Desk, round: number): Promise<void> {
  const price = 100 + (round % 5);
  const place = (side: 'buy' | 'sell', at: number, size: number, more: object = {}): Promise<{ order_id: string }> =>
    desk.place(maker, side, at, size, more);
  const [ask, bid] = await Promise.all([
    place('sell', price + 10, 10, { client_id: clientIdOf(`ask ${round}`) }),
    place('buy', price - 10, 8),
    place('sell', price + 11, 5),
  ]);
  await desk.place(taker, 'buy', price + 10, 4);
  await desk.batch(
    maker,
    { type: 'modify', order_id: ask.order_id, price: hex(price + 10), size: '0x3' },
    // Meets the maker's own bid, which shrinks by as much.
    {
      type: 'order',
      market_id: mainMarket,
      side: 'sell',
      price: hex(price - 10),
      size: '0x2',
      tif: 'ioc',
      stp: 'decrement',
    },
    {
      type: 'order',
      market_id: mainMarket,
      side: 'buy',
      price: hex(price + 50),
      size: hex(100_000),
      tif: 'fok',
      stp: 'cancel_taker',
    },
  );
  await Promise.all([
    desk.place(taker, 'sell', price - 10, 3, { tif: 'ioc' }),
    desk.place(taker, 'buy', price + 12, 6, { tif: 'ioc' }),
  ]);
  if (round % 2 === 0) await desk.call('primeorders_cancelOrder', bid.order_id).catch(() => null);
  if (round % 5 === 0) await desk.cancelAll(maker);
}

describe('streams over two nodes that are killed while orders flow', () => {
  const errors: StreamError[] = [];
  const onError = (error: StreamError): void => void errors.push(error);

  it('tell each fill, order, trade and event once and in order, books that are right, and accounts as the chain has them', async () => {
    const desk = new Desk(testnet, 2);
    for (const owner of [maker, taker]) await desk.deposit(owner, 10_000_000);
    await desk.place(maker, 'buy', 50, 1);
    const settled = await desk.height();
    for (const node of [0, 1])
      await until(`node ${node} is there`, async () =>
        Number(await rpc<string>(testnet.url(node), 'eth_blockNumber', [])) >= settled ? true : null,
      );
    const [wireFills, wireOrders] = [await record('fills', taker), await record('orders', maker)];

    streams = createStreams({ urls: [testnet.url(0), testnet.url(1)], backoffBaseMs: 50, backoffMaxMs: 500 });
    const fills: Fill[] = [];
    const updates: OrderUpdate[] = [];
    const trades: StreamedTrade[] = [];
    const events: DomainEventOf[] = [];
    const books: OrderBookState[] = [];
    const live = new Set<string>();
    const onStatus = (name: string) => (status: string) =>
      void (status === 'live' ? live.add(name) : live.delete(name));
    const fromBlock = BigInt(settled + 1);
    watchFills(streams, {
      address: asAddress(taker),
      onFills: (told) => void fills.push(...told),
      onError,
      onStatus: onStatus('fills'),
      fromBlock,
    });
    watchOrders(streams, {
      address: asAddress(maker),
      onOrders: (told) => void updates.push(...told),
      onError,
      onStatus: onStatus('orders'),
    });
    watchTrades(streams, {
      market: { marketId: mainMarket },
      onTrades: (told) => void trades.push(...told),
      onError,
      onStatus: onStatus('trades'),
      fromBlock,
    });
    watchDomainEvents(streams, {
      domain: 'orders',
      address: asAddress(maker),
      onEvents: (told) => void events.push(...told),
      onError,
      onStatus: onStatus('events'),
      fromBlock,
    });
    watchOrderBook(streams, {
      market: { marketId: mainMarket },
      onOrderBook: (book) => void books.push(book),
      onError,
      onStatus: onStatus('book'),
    });
    const states = [maker, taker].map((address) =>
      createLocalAccountState(streams, { address: asAddress(address), onError, reconcileBlocks: 10 }),
    );
    await Promise.all(states.map((state) => state.whenSure()));
    await until('all streams live', async () => (live.size === 5 ? true : null));

    const kills: (() => Promise<unknown>)[] = [
      () => testnet.kill(0, 'SIGKILL'),
      () => testnet.start(0),
      () => testnet.kill(1, 'SIGKILL'),
      () => testnet.start(1),
      () => testnet.kill(0, 'SIGKILL'),
      () => testnet.start(0),
    ];
    for (let round = 0; round < 24; round++) {
      const kill = round % 4 === 3 ? kills.shift() : undefined;
      await Promise.all([trade(desk, round), kill?.()]);
    }
    // Nothing happens any more: everything is told once the streams are as far as the chain.
    const end = await desk.height();
    const filter = { fromBlock: hex(settled + 1), toBlock: hex(end), domain: 'orders' };
    const chainEvents = (more: object): Promise<{ data: Wire; block_number: string; index: string }[]> =>
      desk.call('prime_getDomainEvents', { ...filter, ...more });
    const placed = (list: readonly { block_number: string; index: string }[]): string[] =>
      list.map(({ block_number, index }) => `${Number(block_number)} ${Number(index)}`);
    const expected = await chainEvents({ address: maker });
    await until('all events', async () => (events.length >= expected.length ? true : null));
    expect(events.map(({ blockNumber, index }) => `${blockNumber} ${index}`)).toEqual(placed(expected));

    const chainTrades = await chainEvents({ kind: 'trade' });
    await until('all trades', async () => (trades.length >= chainTrades.length ? true : null));
    expect(trades.map(({ tradeId }) => hex(tradeId))).toEqual(chainTrades.map(({ data }) => data['trade_id']));
    expect(chainTrades.length).toBeGreaterThan(40);

    await until('all fills and orders', async () =>
      wireFills.length >= chainTrades.length && fills.length >= wireFills.length && updates.length >= wireOrders.length
        ? true
        : null,
    );
    expect(fills.map(wireFill)).toEqual(wireFills);
    expect(updates.map(wireUpdate)).toEqual(wireOrders);
    const said = new Set(updates.map(({ status, reason }) => reason ?? status));
    expect([...said].toSorted()).toEqual(['filled', 'fok', 'open', 'self_trade', 'user'].toSorted());
    expect(updates.some(({ reduced }) => reduced > 0n) && updates.some(({ decremented }) => decremented > 0n)).toBe(
      true,
    );

    const book = await desk.call<{ bids: Wire[]; asks: Wire[] }>('primeorders_getOrderBook', hex(mainMarket));
    const level = ({ price, size }: { price: bigint; size: bigint }): Wire => ({
      price: signed(price),
      size: signed(size),
    });
    const newest = (): string => {
      const { bids = [], asks = [] } = books.at(-1) ?? {};
      return JSON.stringify({ bids: bids.map(level).toReversed(), asks: asks.map(level) });
    };
    await until('the book of the chain', async () => (newest() === JSON.stringify(book) ? true : null));
    const heights = books.map(({ blockNumber }) => blockNumber);
    expect(heights).toEqual(heights.toSorted((a, b) => (a < b ? -1 : 1)));

    for (const state of states) {
      await until('up to the end', async () => ((state.current.blockNumber ?? 0n) >= BigInt(end) ? true : null));
      const view = await state.whenSure();
      const account = await desk.call<{ collateral: string; positions: Wire[] }>(
        'primeorders_getAccount',
        state.address,
      );
      expect(signed(view.collateral)).toBe(account.collateral);
      expect(view.positions.map(({ marketId, size, entry }) => [marketId, signed(size), signed(entry)])).toEqual(
        account.positions.map(({ market_id, size, entry }) => [market_id, size, entry]),
      );
      const open = (await desk.open(state.address)) as { order_id: string; remaining: string; created_block: string }[];
      expect(
        view.openOrders.map(({ orderId, remaining, createdBlock }) => [
          hex(orderId),
          signed(remaining),
          signed(createdBlock),
        ]),
      ).toEqual(open.map(({ order_id, remaining, created_block }) => [order_id, remaining, created_block]));
      expect(view.fills.map(({ tradeId }) => tradeId)).toEqual(trades.map(({ tradeId }) => tradeId));
      expect(view.gaps).toEqual([]);
    }
    // Connections broke, at least once for each kill, and nothing else went wrong. A node that was just started may be behind.
    const codes = errors.map(({ code }) => code);
    const ofConnections = ['STREAM_DISCONNECTED', 'STREAM_NODE_BEHIND', 'STREAM_TIMEOUT'];
    expect(codes.filter((code) => !ofConnections.includes(code))).toEqual([]);
    expect(codes.length).toBeGreaterThanOrEqual(3);
  });
});

const pair = { seller: maker, buyer: taker };
/** Subscriptions to all events beside those that are looked at: what fills the line. */
const fillers = 20;
/** Until the buffers of the system are full, 4 MiB by tcp_wmem, and the node's bound is passed. */
const stalledRounds = 5;
const pairsOfRound = 8;

describe('a reader who stops reading all streams', () => {
  it('is closed with the reason, holds up nobody, costs no memory, and hears all of it afterwards', async () => {
    const desk = new Desk(testnet, 2);
    for (const owner of [maker, taker]) await desk.deposit(owner, 10_000_000);
    await desk.place(maker, 'buy', 60, 1);
    const proxy = await StallingProxy.open(testnet.url(0), 'slow consumer: more than 262144 bytes are unread');
    const slow = createStreams({ urls: [proxy.url], backoffBaseMs: 50, backoffMaxMs: 500 });
    const newest: {
      bbo?: BestPrices;
      ticker?: StreamedTicker;
      margin?: StreamedMargin;
      orders?: BookOrdersState;
      candle?: StreamedCandle;
    } = {};
    const events: DomainEventOf[] = [];
    const codes = new Set<string>();
    const live = new Set<string>();
    const watching = (name: string) => ({
      onError: ({ code }: StreamError) => void codes.add(code),
      onStatus: (status: string) => void (status === 'live' ? live.add(name) : live.delete(name)),
    });
    const market = { marketId: mainMarket };
    const settled = await desk.height();
    watchBbo(slow, { market, onBbo: (told) => void (newest.bbo = told), ...watching('bbo') });
    watchTicker(slow, { market, onTicker: (told) => void (newest.ticker = told), ...watching('ticker') });
    watchMargin(slow, {
      address: asAddress(maker),
      onMargin: (told) => void (newest.margin = told),
      ...watching('margin'),
    });
    watchBookOrders(slow, { market, onBookOrders: (told) => void (newest.orders = told), ...watching('orders') });
    watchCandles(slow, {
      market,
      interval: '1d',
      onCandle: (told) => void (newest.candle = told),
      ...watching('candles'),
    });
    const fromBlock = BigInt(settled + 1);
    watchDomainEvents(slow, {
      domain: 'orders',
      kind: 'trade',
      onEvents: (told) => void events.push(...told),
      fromBlock,
      ...watching('trades'),
    });
    for (let filler = 0; filler < fillers; filler++)
      watchDomainEvents(slow, { domain: 'orders', onEvents: () => undefined, ...watching(`events ${filler}`) });
    await until('all streams are live', async () => live.size === 6 + fillers);
    await meet(desk, { ...pair, pairs: 1, price: 300 });
    const [near, far] = [await toldHeights(testnet.url(0)), await toldHeights(testnet.url(1))];
    const before = residentMb(testnet.pid(0)!);

    proxy.stall();
    for (let round = 0; round < stalledRounds; round++) {
      await meet(desk, { ...pair, pairs: pairsOfRound, price: 301 + round });
      // Nothing more is sent until those who read have heard of it: a node that holds them up has no reason to go on.
      const height = BigInt(await desk.height());
      await until('others hear of the round', async () => near.has(height));
    }
    const after = residentMb(testnet.pid(0)!);
    const [first] = near;
    const told = [...far].filter((height) => height >= first!);
    expect(told.length).toBeGreaterThan(10);
    await until('others hear of all blocks', async () => told.every((height) => near.has(height)));
    expect(proxy.hasSeen).toBe(false);
    proxy.goOn();
    await until('the node said why', async () => proxy.hasSeen);
    await meet(desk, { ...pair, pairs: 1, price: 300 });
    await until('all streams are live again', async () => live.size === 6 + fillers);

    const end = await desk.height();
    const filter = { fromBlock: hex(settled + 1), toBlock: hex(end), domain: 'orders', kind: 'trade' };
    const expected = await desk.call<{ block_number: string; index: string }[]>('prime_getDomainEvents', filter);
    await until('all trades', async () => events.length >= expected.length);
    expect(events.map(({ blockNumber, index }) => [Number(blockNumber), index])).toEqual(
      expected.map(({ block_number: block, index }) => [Number(block), Number(index)]),
    );
    expect(expected.length).toBeGreaterThanOrEqual(20 * stalledRounds * pairsOfRound);
    const [ticker] = await desk.call<Wire[]>('primeorders_getTickers', mainMarket);
    const account = await desk.call<Wire>('primeorders_getAccount', maker);
    const candles = await desk.call<{ trades: string; mark: Wire }[]>('primeorders_getCandles', mainMarket, '1d');
    const open = (await Promise.all([maker, taker].map((owner) => desk.open(owner)))).flat() as { order_id: string }[];
    await until('what stands is as the chain has it', async () => {
      const { bbo, ticker: shown, margin, orders, candle } = newest;
      const ids = [...(orders?.bids ?? []), ...(orders?.asks ?? [])].map(({ orderId }) => hex(orderId));
      return (
        signed(bbo?.bid?.price ?? 0n) === (ticker!['best_bid'] as Wire)['price'] &&
        shown?.day.trades === Number((ticker!['day'] as Wire)['trades']) &&
        signed(margin?.collateral ?? -1n) === account['collateral'] &&
        candle?.trades === Number(candles.at(-1)!.trades) &&
        signed(candle?.mark?.close ?? 0n) === candles.at(-1)!.mark['close'] &&
        JSON.stringify(ids.toSorted()) === JSON.stringify(open.map(({ order_id: id }) => id).toSorted())
      );
    });
    expect([...codes].filter((code) => !['STREAM_DISCONNECTED', 'STREAM_TIMEOUT'].includes(code))).toEqual([]);
    slow.close();
    proxy.close();
    console.log(`memory: ${Math.round(before)} MiB, then ${Math.round(after)}`);
    expect(after - before).toBeLessThan(200);
  });
});

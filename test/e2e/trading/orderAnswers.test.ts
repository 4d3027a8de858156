import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestnet, type Testnet } from '@prime/testkit';
import { addressOf, Desk, fieldsOf, hex, inOneBlock, mainMarket, refusal, update, Updates } from './trading.ts';

/** What traders are told of their orders, to the last field, by a network of processes: answers, streams, events, and reads long afterwards. */

/** One for everything that leaves no price behind that matters; one where an account is closed, and one where an account is nearly. */
const [main, falling, near] = [mainMarket, 2, 3];
const nobody = `0x${'0'.repeat(40)}`;
let testnet: Testnet;
let desk: Desk;
let updates: Updates;

const names = ['own', 'changes', 'maker', 'taker', 'poor', 'rich', 'third', 'near'] as const;
const who = Object.fromEntries(names.map((name) => [name, addressOf(name)])) as Record<(typeof names)[number], string>;

beforeAll(async () => {
  testnet = await createTestnet({
    validators: 4,
    idlePace: 'still',
    genesis: (genesis) => {
      const market = (genesis['markets'] as object[])[0]!;
      genesis['markets'] = ['AAA/USD', 'BBB/USD', 'CCC/USD'].map((symbol) => ({ ...market, symbol }));
      // Who is liquidated here is asked for by a call, whose block is known.
      Object.assign(genesis['clob'] as object, { autoLiquidatePerBlock: 0 });
    },
  });
  await testnet.startAll();
  desk = new Desk(testnet);
  const [poor, near] = [desk.deposit(who.poor, 1000), desk.deposit(who.near, 100)];
  const rich = names.filter((name) => name !== 'poor' && name !== 'near');
  await Promise.all([poor, near, ...rich.map((name) => desk.deposit(who[name], 1_000_000))]);
  updates = await Updates.open(testnet.url(0), Object.values(who));
});
afterAll(async () => {
  updates?.close();
  await testnet.destroy();
});

describe('the stream of orders', () => {
  it('self-trade prevention fills nothing; the answer says what it took off', async () => {
    const { own } = who;
    const ask = await desk.place(own, 'sell', 100, 10);
    const bid = await desk.place(own, 'buy', 100, 4, { tif: 'ioc', stp: 'decrement' });
    expect(bid).toMatchObject({
      status: 'cancelled',
      reason: 'self_trade',
      filled: '0x0',
      remaining: '0x0',
      decremented: '0x4',
    });
    expect(await updates.of('orders', own, bid.block_number)).toEqual([
      update(own, ask, {
        side: 'sell',
        size: '0x6',
        filled: '0x0',
        remaining: '0x6',
        decremented: '0x4',
        status: 'open',
      }),
      update(own, bid, {
        side: 'buy',
        size: '0x4',
        filled: '0x0',
        remaining: '0x0',
        decremented: '0x4',
        tif: 'ioc',
        status: 'cancelled',
        reason: 'self_trade',
      }),
    ]);
    expect(await desk.reductions(own, bid.block_number)).toEqual([
      { order_id: ask.order_id, by: 'decrement', amount: '0x4', remaining: '0x6' },
      { order_id: bid.order_id, by: 'decrement', amount: '0x4', remaining: '0x0' },
    ]);
    await desk.cancelAll(own);
  });

  it('an order that is made smaller and cancelled in one batch: nothing was filled', async () => {
    const { own } = who;
    const ask = await desk.place(own, 'sell', 100, 10);
    const { block_number } = await desk.batch(
      own,
      { type: 'modify', order_id: ask.order_id, price: '0x64', size: '0x6' },
      { type: 'cancel', order_id: ask.order_id },
    );
    expect(await updates.of('orders', own, block_number)).toEqual([
      update(own, ask, {
        side: 'sell',
        size: '0x6',
        filled: '0x0',
        remaining: '0x6',
        reduced: '0x4',
        status: 'cancelled',
        reason: 'user',
      }),
    ]);
    expect(await desk.reductions(own, block_number)).toMatchObject([{ by: 'modify', amount: '0x4', remaining: '0x6' }]);
  });

  it('an order that is made smaller and filled in one block', async () => {
    const { changes, taker } = who;
    const { ask, block } = await inOneBlock(async () => {
      const resting = await desk.place(changes, 'sell', 100, 10);
      const smaller = { type: 'modify', order_id: resting.order_id, price: '0x64', size: '0x6' };
      const [, modified, bought] = await Promise.all([
        desk.busy(),
        desk.batch(changes, smaller),
        desk.place(taker, 'buy', 100, 6, { tif: 'ioc' }),
      ]);
      await desk.cancelAll(changes);
      const isSo = modified.block_number === bought.block_number && modified.results[0]!['remaining'] === '0x6';
      return isSo && bought.filled === '0x6' && modified.results[0]!['order_id'] === resting.order_id
        ? { ask: resting, block: bought.block_number }
        : null;
    });
    expect(await updates.of('orders', changes, block)).toEqual([
      update(changes, ask, {
        side: 'sell',
        size: '0x6',
        filled: '0x6',
        remaining: '0x0',
        reduced: '0x4',
        status: 'filled',
      }),
    ]);
  });

  it('a reduce-only order that is cut to the position says so', async () => {
    const { maker, taker } = who;
    await desk.place(maker, 'buy', 100, 40);
    const held = await desk.call<{
      readonly positions: readonly { readonly market_id: number; readonly size: string }[];
    }>('primeorders_getAccount', taker);
    const long = Number(held.positions.find(({ market_id }) => market_id === main)!.size);
    const cut = await desk.place(taker, 'sell', 100, long + 5, { tif: 'ioc', reduce_only: true });
    expect(cut).toMatchObject({
      filled: hex(long),
      remaining: '0x5',
      status: 'cancelled',
      reason: 'reduce_only',
      decremented: '0x0',
    });
    await desk.cancelAll(maker);
  });
});

describe('liquidation and deleveraging', () => {
  const at = { market_id: falling };
  const common = { market_id: falling, reduced: '0x0', decremented: '0x0', price: null, tif: null, client_id: null };

  it('of who has equity: the book takes a part, and the rest stays; fills say so to both sides', async () => {
    const { poor, rich, third, maker, taker } = who;
    await desk.place(rich, 'sell', 100, 100, at);
    await desk.place(poor, 'buy', 100, 100, at);
    await desk.place(maker, 'buy', 94, 1, at);
    await desk.place(taker, 'sell', 94, 1, at);
    const bid = await desk.place(third, 'buy', 93, 40, at);
    const { block_number: block } = await desk.call<{ readonly block_number: string }>('primeorders_liquidate', poor);
    const [closing, ...others] = (await updates.of('orders', poor, block)) as Record<string, unknown>[];
    const id = closing!['order_id'];
    expect([closing, ...others]).toEqual([
      {
        ...common,
        order_id: id,
        owner: poor,
        side: 'sell',
        size: hex(100),
        filled: hex(40),
        remaining: hex(60),
        status: 'cancelled',
        reason: 'ioc',
        kind: 'liquidation',
      },
    ]);
    const sold = { market_id: falling, size: hex(40), price: hex(93), value: hex(3720), kind: 'liquidation' };
    expect(await updates.of('fills', poor, block)).toMatchObject([
      { ...sold, order_id: id, side: 'sell', liquidity: 'taker', fees: hex(37) },
    ]);
    expect(await updates.of('fills', third, block)).toMatchObject([
      { ...sold, order_id: bid.order_id, side: 'buy', liquidity: 'maker', fees: '0x0' },
    ]);
    expect(await desk.call('primeorders_getAccount', poor)).toMatchObject({
      positions: [{ market_id: falling, size: hex(60) }],
    });
  });

  it('of who has less than nothing: what others gave up is in orders and fills of both, with its kind', async () => {
    const { poor, rich, maker, taker } = who;
    await desk.place(maker, 'buy', 85, 1, at);
    await desk.place(taker, 'sell', 85, 1, at);
    const { block_number: block } = await desk.call<{ readonly block_number: string }>('primeorders_liquidate', poor);
    const [closing, ...others] = (await updates.of('orders', poor, block)) as Record<string, unknown>[];
    const id = closing!['order_id'];
    expect(closing).toEqual({
      ...common,
      order_id: id,
      owner: poor,
      side: 'sell',
      size: hex(60),
      filled: '0x0',
      remaining: hex(60),
      status: 'cancelled',
      reason: 'deleveraged',
      kind: 'liquidation',
    });
    const closed = {
      ...common,
      size: hex(60),
      filled: hex(60),
      remaining: '0x0',
      status: 'filled',
      reason: null,
      kind: 'deleveraging',
    };
    expect(others).toEqual([{ ...closed, order_id: id, owner: poor, side: 'sell' }]);
    expect(await updates.of('orders', rich, block)).toEqual([{ ...closed, order_id: null, owner: rich, side: 'buy' }]);
    // At 85 it has 683 − 900: the fund pays its 37, and 180 come out of what the other side won.
    const rest = {
      trade_id: null,
      market_id: falling,
      price: null,
      size: hex(60),
      value: hex(60 * 85 + 180),
      fees: '0x0',
      liquidity: null,
      kind: 'deleveraging',
      event_index: expect.stringMatching(/^0x/),
    };
    expect(await updates.of('fills', poor, block)).toEqual([{ ...rest, order_id: id, side: 'sell' }]);
    expect(await updates.of('fills', rich, block)).toEqual([{ ...rest, order_id: null, side: 'buy' }]);
    expect(await desk.call('primeorders_getAccount', poor)).toMatchObject({ collateral: '0x0', positions: [] });
  });
});

describe('what is refused, and what is not', () => {
  it('times of the wrong unit, with a hint', async () => {
    const now = Date.now();
    const inMs = await refusal(desk.place(who.own, 'buy', 1, 1, { expires_at: now }));
    expect(inMs).toMatchObject({
      code: -32602,
      message: expect.stringMatching(/expires_at.*in seconds.*milliseconds/),
    });
    const authorization = { nonce: now, signature: `0x${'11'.repeat(64)}00`, expires_at: Math.floor(now / 1000) };
    const order = { owner: who.own, ...fieldsOf('buy', 1, 1) };
    expect(await refusal(desk.call('primeorders_submitOrder', order, authorization))).toMatchObject({
      code: -32602,
      message: expect.stringMatching(/authorization\.expires_at.*in milliseconds.*seconds/),
    });
  });

  it('a market is named by number or by hex', async () => {
    const placed = await desk.place(who.own, 'buy', 1, 1, { market_id: hex(near) });
    expect(await desk.order(placed.order_id)).toMatchObject({ market_id: near });
    for (const id of [near, hex(near)])
      expect(await desk.call('primeorders_getOrderBook', id)).toMatchObject({ bids: [{ price: '0x1', size: '0x1' }] });
    const { results } = await desk.batch(who.own, { type: 'cancel_all', market_id: hex(near) });
    expect(results).toEqual([{ cancelled_orders: [placed.order_id] }]);
  });

  it('a withdrawal to address 0', async () => {
    const before = await desk.call('primeorders_getAccount', who.own);
    const error = await refusal(
      desk.call('primebridge_enqueueOrdersToEvm', { from: who.own, to: nobody, amount: '0x1' }),
    );
    expect(error.message).toMatch(/^primebridge_enqueueOrdersToEvm: 0x0{40} is nobody's/);
    expect(await desk.call('primeorders_getAccount', who.own)).toEqual(before);
  });

  it('a reducing order is judged by its fills and not by its limit', async () => {
    const at = { market_id: near };
    await desk.place(who.maker, 'sell', 100, 10, at);
    await desk.place(who.near, 'buy', 100, 10, at);
    await desk.place(who.maker, 'buy', 96, 1, at);
    await desk.place(who.taker, 'sell', 96, 1, at);
    await desk.place(who.third, 'buy', 96, 10, at);
    expect(await desk.call<object[]>('primeorders_getMarkets')).toContainEqual(
      expect.objectContaining({ market_id: near, mark_price: hex(96) }),
    );
    const sold = await desk.place(who.near, 'sell', 89, 10, { ...at, tif: 'ioc' });
    expect(sold).toMatchObject({ status: 'filled', filled: '0xa', trades: [{ price: hex(96), size: '0xa' }] });
  });

  it('a genesis with symbols that differ by the case of letters only', async () => {
    const home = join(testnet.directory, 'twice');
    await cp(testnet.home(3), home, {
      recursive: true,
      filter: (path) => !/\/(?:state|blocks|wal|LOCK)/.test(path.slice(testnet.home(3).length)),
    });
    const genesis = JSON.parse(await readFile(join(home, 'genesis.json'), 'utf8')) as { markets: { symbol: string }[] };
    genesis.markets[1]!.symbol = genesis.markets[0]!.symbol.toLowerCase();
    await writeFile(join(home, 'genesis.json'), JSON.stringify(genesis));
    const { served, code, output } = await testnet.runToExit(home);
    expect({ served, code }).toEqual({ served: false, code: 64 });
    expect(output).toMatch(/markets.*AAA\/USD/);
  });
});

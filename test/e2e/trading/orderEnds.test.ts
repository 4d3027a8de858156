import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestnet, type Testnet, until } from '@prime/testkit';
import {
  addressOf,
  clientIdOf,
  Desk,
  hex,
  inOneBlock,
  mainMarket as main,
  refusal,
  update,
  Updates,
} from './trading.ts';

/** How orders ended, told by a network of processes to the last field: in their block, and long after the order book forgot them. */

const all = [0, 1, 2, 3];
/** Blocks for which the order book itself remembers how an order ended. */
const remembered = 8;
let testnet: Testnet;
let desk: Desk;
let updates: Updates;

const names = ['early', 'taker', 'past', 'retry', 'maker'] as const;
const who = Object.fromEntries(names.map((name) => [name, addressOf(name)])) as Record<(typeof names)[number], string>;

beforeAll(async () => {
  testnet = await createTestnet({
    validators: 4,
    idlePace: 'still',
    genesis: (genesis) => void Object.assign(genesis['clob'] as object, { orderMemoryBlocks: remembered }),
  });
  await testnet.startAll();
  desk = new Desk(testnet);
  await Promise.all(names.map((name) => desk.deposit(who[name], 1_000_000)));
  updates = await Updates.open(testnet.url(0), [who.early]);
});
afterAll(async () => {
  updates?.close();
  await testnet.destroy();
});

describe('cancels in the block of an order', () => {
  it('a batch of only cancels goes before the orders of its block', async () => {
    const { early, taker } = who;
    const bought = await inOneBlock(async () => {
      const ask = await desk.place(early, 'sell', 100, 5);
      const [, order, cancels] = await Promise.all([
        desk.busy(),
        desk.place(taker, 'buy', 100, 5, { tif: 'ioc' }),
        desk.batch(early, { type: 'cancel', order_id: ask.order_id }),
      ]);
      return order.block_number === cancels.block_number ? order : null;
    });
    expect(bought).toMatchObject({ filled: '0x0', status: 'cancelled', reason: 'ioc' });
  });

  it('one by client id takes out its order, whichever came first', async () => {
    const { early } = who;
    let count = 0;
    const { order, cancels, client_id } = await inOneBlock(async () => {
      const named = { client_id: clientIdOf(`early${count++}`) };
      const [, placed, cancelled] = await Promise.all([
        desk.busy(),
        desk.place(early, 'sell', 100, 5, named),
        desk.batch(early, { type: 'cancel_by_client_id', market_id: main, ...named }),
      ]);
      if (placed.block_number === cancelled.block_number) return { order: placed, cancels: cancelled, ...named };
      await desk.cancelAll(early);
      return null;
    });
    expect(order).toMatchObject({ status: 'open', remaining: '0x5' });
    expect(cancels.results).toEqual([{ order_id: order.order_id, remaining: '0x5' }]);
    expect(await desk.open(early)).toEqual([]);
    const block = order.block_number;
    expect(await updates.of('orders', early, block)).toEqual([
      update(early, order, {
        side: 'sell',
        size: '0x5',
        filled: '0x0',
        remaining: '0x5',
        client_id,
        status: 'cancelled',
        reason: 'user',
      }),
    ]);
    expect(await desk.order({ owner: early, client_id })).toMatchObject({ created_block: block, closed_block: block });
  });
});

describe('how orders ended', () => {
  /** What is known of each of the orders that ended here, by what it is asked for with. */
  const ended: (readonly [key: unknown, order: object])[] = [];

  it('a modify that ends both orders says why', async () => {
    const { past } = who;
    const ask = await desk.place(past, 'sell', 100, 10);
    const bid = await desk.place(past, 'buy', 90, 5, { stp: 'cancel_both' });
    const { results, block_number } = await desk.batch(past, {
      type: 'modify',
      order_id: bid.order_id,
      price: '0x64',
      size: '0x5',
    });
    expect(results).toMatchObject([{ status: 'cancelled', reason: 'self_trade', filled: '0x0', remaining: '0x5' }]);
    expect(await desk.open(past)).toEqual([]);
    const common = {
      market_id: main,
      owner: past,
      filled: '0x0',
      decremented: '0x0',
      client_id: null,
      expires_at: '0x0',
    };
    const dropped = { ...common, status: 'cancelled', closed_block: block_number, tif: 'gtc' };
    const buy = { ...dropped, side: 'buy', size: '0x5', remaining: '0x5' };
    ended.push(
      [
        ask.order_id,
        {
          ...dropped,
          order_id: ask.order_id,
          side: 'sell',
          price: '0x64',
          size: '0xa',
          remaining: '0xa',
          reason: 'self_trade',
          created_block: ask.block_number,
        },
      ],
      [
        bid.order_id,
        { ...buy, order_id: bid.order_id, price: '0x5a', reason: 'user', created_block: bid.block_number },
      ],
      [
        results[0]!['order_id'],
        { ...buy, order_id: results[0]!['order_id'], price: '0x64', reason: 'self_trade', created_block: block_number },
      ],
    );
  });

  it('the retry of an ioc that was filled is no second order', async () => {
    const { retry, maker } = who;
    await desk.place(maker, 'sell', 100, 20);
    const client_id = clientIdOf('retry');
    const ioc = { tif: 'ioc', client_id } as const;
    const bought = await desk.place(retry, 'buy', 100, 5, ioc);
    expect(bought).toMatchObject({ status: 'filled', filled: '0x5' });
    const error = await refusal(desk.place(retry, 'buy', 100, 5, ioc));
    expect(error).toMatchObject({ code: -32021, data: { order_id: bought.order_id } });
    expect(await desk.call('primeorders_getAccount', retry)).toMatchObject({ positions: [{ size: '0x5' }] });
    const order = {
      order_id: bought.order_id,
      market_id: main,
      owner: retry,
      side: 'buy',
      price: '0x64',
      size: '0x5',
      tif: 'ioc',
      filled: '0x5',
      remaining: '0x0',
      decremented: '0x0',
      client_id,
      status: 'filled',
      reason: null,
      created_block: bought.block_number,
      closed_block: bought.block_number,
      expires_at: '0x0',
    };
    ended.push([bought.order_id, order], [{ owner: retry, client_id }, order]);
  });

  it('all of it is told, at once and long after the order book forgot it, by each validator', async () => {
    for (const [key, order] of ended) expect(await desk.order(key)).toEqual(order);
    const last = ended.at(-1)![1] as { readonly order_id: string; readonly closed_block: string };
    const beyond = Number(last.closed_block) + remembered;
    while ((await desk.height()) <= beyond) await desk.busy();
    expect((await refusal(desk.call('primeorders_cancelOrder', last.order_id))).message).toMatch(/unknown order/);
    for (const node of all) {
      await until(`node ${node} is there`, async () => (await new Desk(testnet, node).height()) > beyond);
      for (const [key, order] of ended) expect(await new Desk(testnet, node).order(key)).toEqual(order);
    }
  });

  it('also after a kill and a restart; of a client id that was used again the latest is told', async () => {
    await testnet.kill(3, 'SIGKILL');
    const again = await desk.place(who.retry, 'buy', 99, 7, { tif: 'ioc', client_id: clientIdOf('retry') });
    await testnet.start(3);
    await until('it is level', async () => (await new Desk(testnet, 3).height()) >= Number(again.block_number));
    const [, latest] = ended.pop()!;
    for (const [key, order] of ended) expect(await new Desk(testnet, 3).order(key)).toEqual(order);
    expect(await new Desk(testnet, 3).order({ owner: who.retry, client_id: clientIdOf('retry') })).toEqual({
      ...latest,
      order_id: again.order_id,
      price: hex(99),
      size: '0x7',
      filled: '0x0',
      remaining: '0x7',
      status: 'cancelled',
      reason: 'ioc',
      created_block: again.block_number,
      closed_block: again.block_number,
    });
    expect(await new Desk(testnet, 3).order(hex(Number(again.order_id) + 1))).toBe(null);
  });
});

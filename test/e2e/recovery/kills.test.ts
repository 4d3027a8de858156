import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { toHex as hex } from '@prime/load/rpc';
import { createPrng } from '@prime/primitives';
import { createTestnet, type Testnet, until } from '@prime/testkit';
import { nodesOf } from '../nodes.ts';

/** `KILL_SEED=` and `KILL_ROUNDS=` take others; the nightly run does, because CI has time for a few. */
const seed = Number(process.env['KILL_SEED'] ?? 1);
const rounds = Number(process.env['KILL_ROUNDS'] ?? 12);
const all = [0, 1, 2, 3];
const prng = createPrng(seed);
const kills = Array.from({ length: rounds }, (_, index) => ({
  round: index + 1,
  victims: index % 4 === 3 ? all : [prng.below(4)],
  /** ms */
  moment: prng.below(300),
}));

let testnet: Testnet;
let markets: Markets;
let load: Load | null = null;
beforeAll(async () => {
  testnet = await createTestnet({ validators: 4 });
  await testnet.startAll();
  const add = async (symbol: string): Promise<number> =>
    Number(await call<string>(0, 'primeorders_addMarket', [symbol, '0x1', '0x1']));
  markets = { book: await add('KILL/USD'), prices: await add('PRICE/USD') };
  for (const owner of [trader, taker]) await call(0, 'primeorders_depositCollateral', [owner, hex(10 ** 12)]);
  load = runLoad(markets);
});
afterAll(async () => {
  await load?.stop();
  await testnet.destroy();
});

const { call, heightOf } = nodesOf(() => testnet);

/** Writes that were acknowledged: a receipt or an order result came back. */
interface Acknowledged {
  readonly transfers: { readonly to: string; readonly value: number; readonly hash: string }[];
  readonly orders: { readonly id: string; readonly price: number }[];
}

interface Load {
  readonly acknowledged: Acknowledged;
  stop(): Promise<void>;
}

const trader = '0x00000000000000000000000000000000000000f1';
const taker = '0x00000000000000000000000000000000000000f2';

interface Markets {
  /** Orders rest in it. */
  readonly book: number;
  /** Orders trade in it, at ever other prices. */
  readonly prices: number;
}

/** Sends transfers and orders one after the other to whichever nodes are up, until it is stopped. */
function runLoad({ book, prices }: Markets): Load {
  const acknowledged: Acknowledged = { transfers: [], orders: [] };
  let stopped = false;
  let counter = 0;
  const alive = (offset: number): number | undefined => {
    const up = all.filter((index) => testnet.running(index));
    return up[offset % Math.max(1, up.length)];
  };
  const breathe = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 10));

  const transfer = async (account: number): Promise<void> => {
    const value = ++counter;
    const node = alive(value);
    if (node === undefined) return breathe();
    const to = `0x${(0xaa0000 + value).toString(16).padStart(40, '0')}`;
    try {
      const from = (await call<string[]>(node, 'eth_accounts'))[account];
      const hash = await call<string>(node, 'eth_sendTransaction', [{ from, to, value: hex(value) }]);
      const end = Date.now() + 5_000;
      while (!stopped && Date.now() < end && testnet.running(node)) {
        const receipt = await call<{ status: string } | null>(node, 'eth_getTransactionReceipt', [hash]);
        if (receipt !== null) {
          expect(receipt.status).toBe('0x1');
          acknowledged.transfers.push({ to, value, hash });
          return;
        }
        await breathe();
      }
    } catch (error) {
      if (error instanceof Error && error.name === 'JestAssertionError') throw error;
      await breathe();
    }
  };
  const order = async (): Promise<void> => {
    const price = ++counter;
    const node = alive(price);
    if (node === undefined) return breathe();
    const fields = { owner: trader, market_id: book, side: 'buy', price: hex(price), size: '0x1', tif: 'gtc' };
    try {
      const { order_id: id } = await call<{ order_id: string }>(node, 'primeorders_submitOrder', [fields]);
      acknowledged.orders.push({ id, price });
    } catch {
      await breathe();
    }
  };
  const trade = async (): Promise<void> => {
    const at = ++counter;
    const node = alive(at);
    if (node === undefined) return breathe();
    const fields = { market_id: prices, price: hex(100 + (at % 10)), size: '0x1' };
    try {
      await call(node, 'primeorders_submitOrder', [{ ...fields, owner: trader, side: 'buy', tif: 'gtc' }]);
      await call(node, 'primeorders_submitOrder', [{ ...fields, owner: taker, side: 'sell', tif: 'ioc' }]);
    } catch {
      await breathe();
    }
  };
  const loop = async (work: () => Promise<void>): Promise<void> => {
    while (!stopped) await work();
  };
  const loops = [loop(() => transfer(1)), loop(() => transfer(2)), loop(order), loop(order), loop(trade)];
  return {
    acknowledged,
    async stop() {
      stopped = true;
      await Promise.all(loops);
    },
  };
}

interface Block {
  readonly hash: string;
  readonly stateRoot: string;
}

/** Every height has one block and one state root on all nodes. */
async function expectOneChain(head: number): Promise<void> {
  for (let height = 1; height <= head; height++) {
    const blocks = await Promise.all(
      all.map((index) => call<Block>(index, 'eth_getBlockByNumber', [hex(height), false])),
    );
    for (const block of blocks)
      expect({ height, hash: block.hash, stateRoot: block.stateRoot }).toEqual({
        height,
        hash: blocks[0]!.hash,
        stateRoot: blocks[0]!.stateRoot,
      });
  }
}

/** Trades, marks and indexes by time, which each node wrote for itself between its ends. */
async function expectSameCandles(marketId: number): Promise<void> {
  for (const interval of ['1s', '1m', '15m', '1d']) {
    // What was sent last may be in a block of one node and not yet of another.
    const told = await until(`all have the same candles of ${interval}`, async () => {
      const asked = all.map((index) => call<Candle[]>(index, 'primeorders_getCandles', [marketId, interval]));
      const [first, ...others] = await Promise.all(asked);
      return others.every((candles) => isDeepStrictEqual(candles, first)) ? first! : null;
    });
    expect(told.some(({ trades, mark }) => trades !== '0x0' && mark !== null)).toBe(true);
  }
}

interface OpenOrder {
  readonly order_id: string;
  readonly market_id: number;
  readonly price: string;
}

interface Candle {
  readonly trades: string;
  readonly mark: unknown;
}

describe(`validators killed at random moments (seed ${seed})`, () => {
  it.each(kills)('round $round: the others go on, and who was killed starts', async ({ round, victims, moment }) => {
    await new Promise((resolve) => setTimeout(resolve, moment));
    await Promise.all(victims.map((index) => testnet.kill(index, 'SIGKILL')));
    if (victims.length === 1) {
      const survivor = all.find((index) => index !== victims[0])!;
      const before = await heightOf(survivor);
      await until(`round ${round}: the others go on`, async () => (await heightOf(survivor)) >= before + 1).catch(
        async (cause: unknown) => {
          throw new Error(`${String(cause)}\n${await testnet.standing()}`, { cause });
        },
      );
    }
    await Promise.all(victims.map((index) => testnet.start(index)));
    expect(all.filter((index) => testnet.running(index))).toEqual(all);
  });

  it(`${rounds} rounds: one chain, equal state roots, every acknowledged write there exactly once`, async () => {
    const { acknowledged, stop } = load!;
    const least = Math.max(rounds, acknowledged.orders.length) + 1;
    await until(
      'enough writes were acknowledged, some of them after the last kill',
      async () => acknowledged.orders.length >= least && acknowledged.transfers.length > rounds,
    );
    await stop();

    const head = Math.max(...(await Promise.all(all.map(heightOf))));
    for (const index of all)
      await until(`validator${index} reaches ${head}`, async () => (await heightOf(index)) >= head);
    await expectOneChain(head);
    await expectSameCandles(markets.prices);
    for (const { to, value, hash } of acknowledged.transfers) {
      const balances = await Promise.all(all.map((index) => call<string>(index, 'eth_getBalance', [to, 'latest'])));
      expect({ hash, balances: balances.map(Number) }).toEqual({ hash, balances: all.map(() => value) });
    }
    for (const index of all) {
      const open = (await call<OpenOrder[]>(index, 'primeorders_getOpenOrders', [trader])).filter(
        ({ market_id: id }) => id === markets.book,
      );
      for (const { id, price } of acknowledged.orders) {
        const matching = open.filter((order) => Number(order.price) === price);
        expect({ index, price, ids: matching.map((order) => order.order_id) }).toEqual({ index, price, ids: [id] });
      }
    }
    console.log(
      `seed ${seed}: ${head} blocks, ${acknowledged.transfers.length} transfers and ${acknowledged.orders.length} orders acknowledged`,
    );
  });
});

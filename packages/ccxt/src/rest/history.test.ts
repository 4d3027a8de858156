import { describe, expect, it } from '@jest/globals';
import { hex, historyNode, placeOf, type WireEntry } from '../testing/fakeHistory.ts';
import { fakePrime, other, owner, timeOfBlock } from '../testing/fakeNode.ts';

const lot = 10n ** 16n;

const fill = (id: number, block: number, side: string, market = 1): WireEntry => ({
  trade_id: hex(id),
  order_id: hex(100 + id),
  market_id: market,
  side,
  price: hex(300_000),
  size: hex(lot),
  value: hex(300_000n * lot),
  fees: '0x0',
  liquidity: side === 'buy' ? 'taker' : 'maker',
  kind: 'trade',
  ...placeOf(block, id),
});

const deleveraging = (block: number, index: number, side: string, order: string | null): WireEntry => ({
  ...fill(0, block, side),
  ...placeOf(block, index),
  trade_id: null,
  order_id: order,
  price: null,
  liquidity: null,
  kind: 'deleveraging',
});

const fills = [fill(1, 10, 'sell'), fill(2, 20, 'buy'), fill(3, 30, 'sell', 2), fill(4, 40, 'buy')];
const withFills = (entries: readonly WireEntry[], pageMax?: number) =>
  fakePrime(historyNode({ primeorders_getFills: ['fills', entries] }, pageMax));

describe('trades of an account', () => {
  it('have times of their blocks, sides and markets, and no block is asked for', async () => {
    const { exchange, asked } = withFills(fills);
    const trades = await exchange.fetchMyTrades();
    expect(trades.map(({ id, side, symbol, timestamp }) => [id, side, symbol, timestamp])).toEqual([
      ['1', 'sell', 'ETH/USD:USD', timeOfBlock(10)],
      ['2', 'buy', 'ETH/USD:USD', timeOfBlock(20)],
      ['3', 'sell', 'BTC/USD:USD', timeOfBlock(30)],
      ['4', 'buy', 'ETH/USD:USD', timeOfBlock(40)],
    ]);
    expect(trades[0]).toMatchObject({ price: '3000', amount: '1', cost: '3000' });
    expect(asked.map(({ method }) => method).filter((method) => !/Markets|Parameters/.test(method))).toEqual([
      'primeorders_getFills',
    ]);
  });

  it('what the protocol closed is a trade with its place in the chain as its id, of whichever side', async () => {
    const { exchange } = withFills([
      deleveraging(7, 3, 'sell', '0x9'),
      deleveraging(7, 4, 'buy', null),
      deleveraging(7, 5, 'buy', '0x9'),
    ]);
    const trades = await exchange.fetchMyTrades();
    expect(trades.map(({ id, order, side, takerOrMaker }) => [id, order, side, takerOrMaker])).toEqual([
      ['7-3', '9', 'sell', undefined],
      ['7-4', undefined, 'buy', undefined],
      ['7-5', '9', 'buy', undefined],
    ]);
  });

  it.each([1, 2, 1000])('of one market, the newest, or between two times, in pages of %p', async (pageMax) => {
    const { exchange } = withFills(fills, pageMax);
    const idsOf = async (...parameters: Parameters<typeof exchange.fetchMyTrades>) =>
      (await exchange.fetchMyTrades(...parameters)).map(({ id }) => id);
    expect(await idsOf('ETH/USD:USD')).toEqual(['1', '2', '4']);
    expect(await idsOf(undefined, undefined, 2)).toEqual(['3', '4']);
    expect(await idsOf(undefined, timeOfBlock(20), 2)).toEqual(['2', '3']);
    expect(await idsOf(undefined, timeOfBlock(20), 9, { until: timeOfBlock(30) })).toEqual(['2', '3']);
    await expect(exchange.fetchMyTrades(undefined, undefined, 2, { until: 'now' })).rejects.toThrow('params.until');
  });
});

const order = (id: number, block: number, fields: object = {}) => ({
  order_id: hex(id),
  market_id: 1,
  owner,
  side: 'buy',
  price: hex(300_000),
  size: hex(lot),
  tif: 'gtc',
  remaining: hex(lot),
  client_id: null,
  expires_at: '0x0',
  filled: '0x0',
  created_block: hex(block),
  ...fields,
});

const ended = (id: number, [placed, closed]: readonly [number, number], status = 'cancelled'): WireEntry => ({
  ...order(id, placed),
  ...(status === 'filled' ? { filled: hex(lot), remaining: '0x0' } : {}),
  decremented: '0x0',
  status,
  reason: status === 'filled' ? null : 'user',
  closed_block: hex(closed),
  time_ms: hex(timeOfBlock(closed)),
});

describe('orders of an account', () => {
  // By when they ended, which is not by when they were placed.
  const history = [
    ended(2, [12, 20], 'filled'),
    ended(3, [14, 30]),
    ended(1, [10, 40], 'filled'),
    ended(5, [50, 50]),
    ended(4, [45, 60], 'filled'),
  ];
  const exchangeOf = (pageMax: number) => {
    const lists = historyNode({ primeorders_getOrderHistory: ['orders', history] }, pageMax);
    return fakePrime((method, params) => {
      if (method === 'primeorders_getOpenOrders') return [order(6, 55), order(0, 5)];
      return method === 'primeorders_getTriggers' ? [] : lists(method, params);
    }).exchange;
  };
  const idsOf = (orders: readonly object[]) => orders.map((each) => Number((each as { readonly id: string }).id));

  it.each([1, 2, 1000])('that ended come by when they did, in pages of %p', async (pageMax) => {
    const exchange = exchangeOf(pageMax);
    expect(idsOf(await exchange.fetchClosedOrders())).toEqual([2, 1, 4]);
    expect(idsOf(await exchange.fetchCanceledOrders())).toEqual([3, 5]);
    expect(idsOf(await exchange.fetchCanceledAndClosedOrders('ETH/USD:USD', timeOfBlock(30), 3))).toEqual([3, 1, 5]);
    expect(idsOf(await exchange.fetchClosedOrders(undefined, undefined, 1))).toEqual([4]);
    const [first] = await exchange.fetchClosedOrders(undefined, undefined, 3);
    expect(first).toMatchObject({
      status: 'closed',
      timestamp: timeOfBlock(12),
      lastUpdateTimestamp: timeOfBlock(20),
    });
  });

  it.each([1, 2, 1000])('of any kind come by when they were placed, in pages of %p', async (pageMax) => {
    const exchange = exchangeOf(pageMax);
    expect(idsOf(await exchange.fetchOrders())).toEqual([0, 1, 2, 3, 4, 5, 6]);
    for (let limit = 1; limit <= 7; limit++)
      expect(idsOf(await exchange.fetchOrders(undefined, undefined, limit))).toEqual(
        [0, 1, 2, 3, 4, 5, 6].slice(-limit),
      );
    expect(idsOf(await exchange.fetchOrders(undefined, timeOfBlock(12), 3))).toEqual([2, 3, 4]);
    expect(idsOf(await exchange.fetchOrders(undefined, timeOfBlock(46), 9))).toEqual([5, 6]);
    expect(idsOf(await exchange.fetchOrders(undefined, timeOfBlock(12), 9, { until: timeOfBlock(45) }))).toEqual([
      2, 3, 4,
    ]);
  });

  it('reads no further back than the newest need', async () => {
    const many = Array.from({ length: 50 }, (_, index) => ended(index, [2 * index + 1, 2 * index + 1]));
    const lists = historyNode({ primeorders_getOrderHistory: ['orders', many] }, 10);
    const { exchange, asked } = fakePrime((method, params) =>
      /OpenOrders|Triggers/.test(method) ? [] : lists(method, params),
    );
    expect(idsOf(await exchange.fetchOrders(undefined, undefined, 5))).toEqual([45, 46, 47, 48, 49]);
    expect(asked.filter(({ method }) => method === 'primeorders_getOrderHistory')).toHaveLength(1);
  });
});

describe('the trades of an order', () => {
  const filled = { ...ended(104, [35, 50], 'filled') };
  const exchangeOf = (entries: readonly WireEntry[]) => {
    const lists = historyNode({ primeorders_getFills: ['fills', entries] });
    return fakePrime((method, params) => (method === 'primeorders_getOrder' ? filled : lists(method, params)));
  };

  it('are found among those of its market and its time', async () => {
    const { exchange, asked } = exchangeOf(fills);
    expect((await exchange.fetchOrderTrades('104')).map(({ id }) => id)).toEqual(['4']);
    expect(asked.find(({ method }) => method === 'primeorders_getFills')!.params[1]).toMatchObject({
      from_time_ms: timeOfBlock(35),
      to_time_ms: timeOfBlock(50),
      market_id: 1,
    });
    expect(await exchange.fetchOrder('104')).toMatchObject({ trades: [{ id: '4' }] });
  });

  it('that are not all kept are not told', async () => {
    const { exchange } = exchangeOf(fills.slice(0, 3));
    await expect(exchange.fetchOrderTrades('104')).rejects.toThrow('does not keep all trades of order 104');
    expect(await exchange.fetchOrder('104')).not.toHaveProperty('trades');
  });
});

describe('what else happened to an account', () => {
  const transfer = (kind: string, fields: object, [block, index]: readonly [number, number]): WireEntry => ({
    kind,
    amount: hex(3n * 10n ** 18n),
    change: '0x0',
    collateral: null,
    from: null,
    to: null,
    transfer_id: null,
    direction: null,
    reason: null,
    ...placeOf(block, index),
    ...fields,
  });
  const change = hex(3n * 10n ** 18n);
  const transfers = [
    transfer('deposit', { change, collateral: hex(5n * 10n ** 18n) }, [10, 0]),
    transfer('transfer', { change: `-${change}`, from: owner, to: other }, [20, 1]),
    transfer('withdrawal', { change: `-${change}`, collateral: '0x0' }, [30, 0]),
    transfer('queued', { from: owner, to: owner, transfer_id: '0x1', direction: 'orders_to_evm' }, [30, 1]),
    transfer('transfer', { change, from: other, to: owner }, [40, 2]),
  ];
  const exchangeOf = () => fakePrime(historyNode({ primeorders_getTransfers: ['transfers', transfers] })).exchange;

  it('is a ledger of what moved collateral, with what there was before and after', async () => {
    const ledger = await exchangeOf().fetchLedger('USD');
    expect(
      ledger.map(({ id, direction, type, amount, before, after, referenceAccount }) => [
        id,
        direction,
        type,
        amount,
        before,
        after,
        referenceAccount,
      ]),
    ).toEqual([
      ['10-0', 'in', 'transaction', '3', '2', '5', 'wallet'],
      ['20-1', 'out', 'transfer', '3', undefined, undefined, other],
      ['30-0', 'out', 'transaction', '3', '3', '0', 'wallet'],
      ['40-2', 'in', 'transfer', '3', undefined, undefined, other],
    ]);
    await expect(exchangeOf().fetchLedger('ETH')).rejects.toThrow('has a ledger of USD only, not of ETH');
  });

  it('is transfers between its places, and with others', async () => {
    const found = await exchangeOf().fetchTransfers(undefined, timeOfBlock(20), 2);
    expect(found.map(({ fromAccount, toAccount, amount }) => [fromAccount, toAccount, amount])).toEqual([
      ['margin', other, 3],
      ['margin', 'wallet', 3],
    ]);
    expect((await exchangeOf().fetchTransfers())[0]).toMatchObject({ fromAccount: 'wallet', toAccount: 'margin' });
  });

  it('is liquidations, at the price of their fills', async () => {
    const nothing = { value: null, counterparty: null, amount: null };
    const liquidation = (kind: string, orderId: string | null): WireEntry => ({
      ...nothing,
      kind,
      market_id: 1,
      order_id: orderId,
      size: hex(-2n * lot),
      fee: '0x0',
      insurance_paid: '0x0',
      ...placeOf(40, 7),
    });
    const closed = [fill(4, 40, 'buy'), { ...fill(4, 40, 'buy'), value: hex(300_100n * lot) }];
    const { exchange } = fakePrime(
      historyNode({
        primeorders_getLiquidations: [
          'liquidations',
          [liquidation('deleveraging', null), liquidation('liquidation', hex(104))],
        ],
        primeorders_getFills: ['fills', [...fills.slice(0, 3), ...closed]],
      }),
    );
    expect(await exchange.fetchMyLiquidations('ETH/USD:USD')).toMatchObject([
      { id: '40-7', symbol: 'ETH/USD:USD', side: 'buy', contracts: '2', price: '3000.5', quoteValue: '6001' },
    ]);
  });

  it('is funding that was paid or got', async () => {
    const payment = { market_id: 1, size: hex(-lot), amount: `-${change}`, index: '0x1', ...placeOf(40, 7) };
    const lists = historyNode({ primeorders_getFunding: ['payments', [payment]] });
    const { exchange } = fakePrime((method, params) =>
      method === 'prime_getParameters'
        ? {
            block_number: '0x1',
            chain_id: 7919,
            consensus: {},
            evm: {},
            clob: { funding: { intervalSeconds: 3600 } },
            markets: [],
          }
        : lists(method, params),
    );
    expect(await exchange.fetchFundingHistory()).toMatchObject([
      { id: '40-7', symbol: 'ETH/USD:USD', code: 'USD', amount: -3, timestamp: timeOfBlock(40) },
    ]);
    const { exchange: without } = fakePrime();
    await expect(without.fetchFundingHistory()).rejects.toThrow('has no funding on this network');
  });
});

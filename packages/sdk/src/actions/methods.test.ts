import { describe, expect, it } from '@jest/globals';
import { definitions, sample } from '@prime/rpc';
import type { RpcMethodName } from '../generated/methods.ts';
import { stubNode } from '../testing/stubNode.ts';
import type { Address, Hash } from '../types/primitives.ts';

/** Every method of the node that is not Ethereum's has an action, which takes apart what the registry's own examples answer. */

type Client = ReturnType<typeof stubNode>['client'];
interface Covered {
  readonly call: (client: Client) => Promise<unknown>;
  /** What is asked; without: the parameters of the example. */
  readonly params?: readonly unknown[];
}

type EthereumMethod = Extract<RpcMethodName, `${'eth' | 'net' | 'web3' | 'txpool' | 'debug'}_${string}`>;
/** The same answers as Ethereum's methods of the same name, and streams: viem's own actions are for them. */
type Alias =
  | 'prime_chainId'
  | 'prime_blockNumber'
  | 'prime_getBalance'
  | 'prime_gasPrice'
  | 'prime_getCode'
  | 'prime_getStorageAt'
  | 'prime_getTransactionCount'
  | 'prime_call'
  | 'prime_getTransactionReceipt'
  | 'prime_getTransactionByHash'
  | 'prime_sendTransaction'
  | 'prime_getLogs'
  | 'prime_subscribe'
  | 'prime_unsubscribe';
type OwnMethod = Exclude<RpcMethodName, EthereumMethod | Alias>;

const address = sample.address as Address;
const other = sample.otherAddress as Address;
const indebted = sample.indebted as Address;
const height = BigInt(sample.height);
const order = { market: 1, side: 'buy', price: 100n, size: 10n } as const;
const thousand = { from: address, to: other, amount: 1000n } as const;

/** A method of the registry without a row, or a row without a method, does not compile. */
const covered: { readonly [method in OwnMethod]: Covered } = {
  prime_getBlockByNumber: { call: (client) => client.getNativeBlock({ block: height }) },
  prime_validators: { call: (client) => client.getValidators() },
  prime_registeredValidators: { call: (client) => client.getRegisteredValidators() },
  prime_getDomainEvents: {
    call: (client) =>
      client.getDomainEvents({ fromBlock: 1n, toBlock: 'latest', domain: 'orders', kind: 'collateral_deposited' }),
  },
  prime_getCommit: { call: (client) => client.getCommit({ block: height }) },
  prime_getCommits: { call: (client) => client.getCommits({ from: height, count: 1 }) },
  prime_consensusStatus: { call: (client) => client.getConsensusStatus() },
  prime_network: { call: (client) => client.getNetwork() },
  prime_getAccountTransactions: { call: (client) => client.getAccountTransactions({ address, limit: 10 }) },
  prime_getBlockActions: { call: (client) => client.getBlockActions({ block: height }) },
  prime_getGenesis: { call: (client) => client.getGenesis() },
  primeorders_addMarket: {
    call: (client) => client.callAddMarket({ symbol: 'PRIME/USD', tickSize: 5n, lotSize: 10n }),
    params: ['PRIME/USD', '0x5', '0xa', { base_decimals: 0, quote_decimals: 18 }],
  },
  primeorders_depositCollateral: {
    call: (client) => client.callDepositCollateral({ address, amount: 10n ** 18n }),
  },
  primeorders_setMarginParams: {
    call: (client) => client.callSetMarginParams({ initialMarginBps: 1000, maintenanceMarginBps: 500 }),
    params: [{ initialMarginBps: 1000, maintenanceMarginBps: 500, market_id: null }],
  },
  primeorders_submitOrder: { call: (client) => client.callSubmitOrder({ owner: address, ...order }) },
  primeorders_getOrderBook: { call: (client) => client.getOrderBook({ market: 1 }) },
  primeorders_getOpenOrders: { call: (client) => client.getOpenOrders({ address }) },
  primeorders_getProof: { call: (client) => client.getOrdersProof({ global: true }) },
  primeorders_cancelOrder: { call: (client) => client.callCancelOrder({ orderId: 1 }) },
  primeorders_isLiquidatable: { call: (client) => client.isLiquidatable({ address }) },
  primeorders_liquidate: { call: (client) => client.callLiquidate({ address: indebted }) },
  primeorders_getMarkets: { call: (client) => client.getMarkets() },
  primeorders_getAccount: { call: (client) => client.getAccount({ address }) },
  primeorders_getAgents: { call: (client) => client.getAgents({ address: other }) },
  primeorders_getInsolvent: { call: (client) => client.getInsolvent() },
  primeorders_getMarketDebts: { call: (client) => client.getMarketDebts() },
  primeorders_getSubAccounts: { call: (client) => client.getSubAccounts({ owner: other }) },
  primeorders_getOrder: { call: (client) => client.getOrder({ orderId: 1 }) },
  primeorders_getMids: { call: (client) => client.getMids() },
  primeorders_getTickers: { call: (client) => client.getTickers({ market: 1 }), params: [1] },
  primeorders_getCandles: {
    call: (client) => client.getCandles({ market: 1, interval: '1m', limit: 60 }),
    params: [1, '1m', { limit: 60 }],
  },
  prime_getParameters: { call: (client) => client.getParameters({ block: height }) },
  prime_getProposals: { call: (client) => client.getProposals({ block: height }) },
  primeorders_getFills: { call: (client) => client.getFills({ address, limit: 10 }) },
  primeorders_getOrderHistory: {
    call: (client) => client.getOrderHistory({ address, market: 1 }),
    params: [address, { market_id: 1 }],
  },
  primeorders_getFunding: { call: (client) => client.getFunding({ address }), params: [address, {}] },
  primeorders_getTransfers: {
    call: (client) => client.getTransfers({ address, fromTimeMs: 0x19378d2b000 }),
    params: [address, { from_time_ms: 0x19378d2b000 }],
  },
  primeorders_getLiquidations: { call: (client) => client.getLiquidations({ address }), params: [address, {}] },
  primeorders_getTrades: { call: (client) => client.getTrades({ market: 1, limit: 1 }), params: [1, 1] },
  primeorders_cancelAll: { call: (client) => client.callCancelAll({ owner: other, market: 1 }), params: [other, 1] },
  primeorders_placeTrigger: {
    call: (client) =>
      client.callPlaceTrigger({
        owner: other,
        market: 1,
        side: 'sell',
        kind: 'stop',
        triggerPrice: 90n,
        size: 'position',
      }),
    params: [{ owner: other, market_id: 1, side: 'sell', kind: 'stop', trigger_price: '0x5a', position: true }],
  },
  primeorders_scheduleCancel: {
    call: (client) => client.callScheduleCancel({ owner: other, atMs: 1_800_000_000_000 }),
    params: [other, 1_800_000_000_000],
  },
  primeorders_batch: {
    call: (client) =>
      client.callBatch({
        owner: address,
        items: [
          { type: 'order', ...order, price: 1n },
          { type: 'cancelAll', market: 1 },
        ],
      }),
  },
  primebridge_enqueueOrdersToEvm: { call: (client) => client.callEnqueueOrdersToEvm(thousand) },
  primebridge_dequeueOrdersToEvm: { call: (client) => client.callDequeueOrdersToEvm() },
  primebridge_enqueueEvmToOrders: { call: (client) => client.callEnqueueEvmToOrders(thousand) },
  primebridge_dequeueEvmToOrders: { call: (client) => client.callDequeueEvmToOrders() },
  'rpc.discover': { call: (client) => client.getOpenRpc() },
};
const rows = Object.entries(covered).map(([method, row]) => ({ method, ...row }));
const examplesOf = (method: string) => definitions.find(({ name }) => name === method)!.examples;

/** Bytes that stay bytes, however short they are in examples. */
const bytes = /\/(header|raw|output|key|value)$/;

/** Paths of what is still as the wire has it: quantities as hex, words with an underscore, nothing at all. */
function undecoded(value: unknown, path = ''): string[] {
  if (value === undefined) return [path];
  if (bytes.test(path)) return [];
  if (typeof value === 'string') return /^-?0x(0|[1-9a-f][0-9a-f]{0,15})$/.test(value) ? [path] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, field]) => [
    ...(name.includes('_') ? [`${path}/${name}`] : []),
    ...undecoded(field, `${path}/${name}`),
  ]);
}

describe('actions of methods', () => {
  it('every method of the node is Ethereum’s, an alias of one, or has a row', () => {
    const own = definitions
      .map(({ name }) => name)
      .filter((name) => !/^(eth|net|web3|txpool|debug)_/.test(name) && !Object.hasOwn(covered, name));
    const ethereum = new Set(definitions.map(({ name }) => name.replace(/^eth_/, '')));
    expect(own.filter((name) => !ethereum.has(name.replace(/^prime_/, '')))).toEqual([]);
    expect(rows.filter(({ method }) => examplesOf(method).length === 0)).toEqual([]);
  });

  it.each(rows)('$method: asks what its example asks, and takes the answer apart', async ({ method, call, params }) => {
    const [example] = examplesOf(method);
    const { client, asked } = stubNode(() => example!.result);
    const answer = await call(client);
    expect(asked).toEqual([{ method, params: params ?? example!.params }]);
    // Files that the node hands on as they are.
    if (method !== 'prime_getGenesis' && method !== 'rpc.discover') expect(undecoded(answer)).toEqual([]);
  });

  it('all examples of a method are taken apart, not only the first', async () => {
    for (const { method, call } of rows)
      for (const { result } of examplesOf(method))
        await expect(call(stubNode(() => result).client)).resolves.toBeDefined();
  });

  it('null stays null', async () => {
    const { client } = stubNode(() => null);
    expect(await client.getOrder({ owner: address, clientId: `0x${'11'.repeat(16)}` })).toBeNull();
    expect(await client.getCommit({ block: 'latest' })).toBeNull();
    expect(await client.getBlockActions({ block: sample.hash as Hash })).toBeNull();
    expect(await client.getNativeBlock({ block: 'latest' })).toBeNull();
  });
});

describe('reads', () => {
  it('a book has the best price of each side first', async () => {
    const level = (price: number) => ({ price: `0x${price}`, size: '0x1' });
    const { client } = stubNode(() => ({ bids: [level(1), level(2)], asks: [level(3), level(4)] }));
    const { bids, asks } = await client.getOrderBook({ market: { marketId: 1 } });
    expect([bids[0]?.price, asks[0]?.price]).toEqual([2n, 3n]);
  });

  it('a market has the decimals that the node tells, and units that follow from them', async () => {
    const [wire] = examplesOf('primeorders_getMarkets')[0]!.result as readonly object[];
    const { client } = stubNode(() => [{ ...wire, base_decimals: 4, quote_decimals: 6 }]);
    const market = await client.getMarket({ market: 'prm/usd' });
    expect(market).toMatchObject({ baseDecimals: 4, quoteDecimals: 6, base: 'PRM', quote: 'USD' });
    expect(market.price('3012')).toBe(301_200n);
  });

  it('a market that is not there: the error says which are', async () => {
    const { client } = stubNode(() => examplesOf('primeorders_getMarkets')[0]!.result);
    await expect(client.getMarket({ market: 'BTC/USD' })).rejects.toThrow('Markets: PRM/USD');
  });

  it('what a market has only on some networks is there where it is told', async () => {
    const [wire] = examplesOf('primeorders_getMarkets')[0]!.result as readonly object[];
    const more = {
      fees: { taker_ppm: 500, maker_ppm: -100 },
      risk_tiers: [{ above_notional: '0x64', initial_margin_bps: 2000, maintenance_margin_bps: 1000 }],
      funding: { index: '-0x5', rate: '0x1', reference: null },
    };
    const { client } = stubNode(() => [{ ...wire, ...more }]);
    expect((await client.getMarkets())[0]).toMatchObject({
      fees: { takerPpm: 500, makerPpm: -100 },
      riskTiers: [{ aboveNotional: 100n, initialMarginBps: 2000, maintenanceMarginBps: 1000 }],
      funding: { index: -5n, rate: 1n, reference: null },
    });
  });

  it('an event has amounts as bigint, ids and times as numbers; what this version does not know stays', async () => {
    const event = (kind: string, data: object) => ({
      block_number: '0x1',
      block_hash: sample.hash,
      time_ms: '0x1388',
      index: '0x0',
      domain: 'orders',
      kind,
      transaction_hash: null,
      data,
    });
    const { client } = stubNode(() => [
      event('order_reduced', {
        order_id: '0x7',
        market_id: 1,
        owner: address,
        by: 'modify',
        amount: '0x4',
        remaining: '0x6',
      }),
      event('later_kind', { some_amount: '0x4' }),
    ]);
    const events = await client.getDomainEvents({ fromBlock: 1n, toBlock: 'latest' });
    expect(events.map(({ data }) => data)).toEqual([
      { orderId: 7, marketId: 1, owner: address, by: 'modify', amount: 4n, remaining: 6n },
      { someAmount: '0x4' },
    ]);
  });

  it('a quantity that is none is an unreadable answer', async () => {
    const { client } = stubNode(() => ({ bids: [{ price: 'much', size: '0x1' }], asks: [] }));
    await expect(client.getOrderBook({ market: 1 })).rejects.toMatchObject({ code: 'ANSWER_UNREADABLE' });
  });

  it('records of every kind can be asked to be proven', async () => {
    const [example] = examplesOf('primeorders_getProof');
    const { client, asked } = stubNode(() => example!.result);
    await client.getOrdersProof({ orderId: 7 });
    await client.getOrdersProof({ market: 1 });
    await client.getOrdersProof({ market: 1, side: 'buy', price: 100n });
    await client.getOrdersProof({ address });
    expect(asked.map(({ params }) => params[0])).toEqual([
      { order_id: '0x7' },
      { market_id: 1 },
      { market_id: 1, side: 'buy', price: '0x64' },
      { address },
    ]);
  });
});

describe('calls', () => {
  it('options of an order travel under the names of the wire, with the authorization behind', async () => {
    const [example] = examplesOf('primeorders_submitOrder');
    const { client, asked } = stubNode(() => example!.result);
    const clientId = `0x${'11'.repeat(16)}` as const;
    const signature = `0x${'22'.repeat(65)}` as const;
    const options = { tif: 'gtc', postOnly: true, selfTrade: 'decrement', clientId, expiresAtSeconds: 5 } as const;
    const authorization = { nonce: 1, signature, expiresAtMs: 1_750_000_000_000, account: address };
    await client.callSubmitOrder({ owner: address, ...order, ...options, authorization });
    expect(asked[0]!.params).toEqual([
      {
        owner: address,
        market_id: 1,
        side: 'buy',
        price: '0x64',
        size: '0xa',
        tif: 'gtc',
        post_only: true,
        stp: 'decrement',
        client_id: clientId,
        expires_at: 5,
      },
      { nonce: 1, signature, expires_at: 1_750_000_000_000, account: address },
    ]);
  });

  it('a batch gives each item its own result', async () => {
    const refused = { code: -32018, message: 'unknown order 0x7', data: { kind: 'unknown_order', order_id: '0x7' } };
    const { client, asked } = stubNode(() => ({
      results: [{ error: refused }, { order_id: '0x8', remaining: '0x5' }],
      block_number: '0x1',
      hash: sample.hash,
    }));
    const { results } = await client.callBatch({
      owner: address,
      items: [
        { type: 'cancel', orderId: 7 },
        { type: 'cancelByClientId', market: 1, clientId: `0x${'11'.repeat(16)}` },
        { type: 'modify', orderId: 8, price: 1n, size: 2n },
        { type: 'cancelAll' },
      ],
    });
    expect(results).toMatchObject([
      { ok: false, error: { name: 'UnknownOrderError', data: { orderId: 7 } } },
      { ok: true, type: 'cancel', orderId: 8, remaining: 5n },
    ]);
    expect(asked[0]!.params[1]).toEqual([
      { type: 'cancel', order_id: '0x7' },
      { type: 'cancel_by_client_id', market_id: 1, client_id: `0x${'11'.repeat(16)}` },
      { type: 'modify', order_id: '0x8', price: '0x1', size: '0x2' },
      { type: 'cancel_all' },
    ]);
  });
});

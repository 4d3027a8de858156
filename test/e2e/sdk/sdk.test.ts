import { execFile } from 'node:child_process';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  createBatch,
  createNonceManager,
  type Market,
  MethodNotFoundError,
  NonceRefusedError,
  OutcomeUnknownError,
  prime,
  primeWalletActions,
  PriceOffTickError,
  type RefusalError,
  toAgentAccount,
  toClientId,
  UnauthorizedError,
} from '@prime/sdk';
import { createTestnet, type Testnet } from '@prime/testkit';
import { type Account, createWalletClient, http, parseEther } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { alice as maker, bob as taker } from '../../explorer/people.ts';
import { LyingProxy } from './lyingProxy.ts';
import { Clients, rejection } from './wallets.ts';

/** What a developer does with the SDK, against a network of processes that takes signed actions only. */

const symbol = 'ETH/USD';
/** Five cents for one ETH, in wei of the quote for one base unit: that of the local network. */
const tickSize = 5n;

let testnet: Testnet;
let clients: Clients;
let market: Market;
let deposited: { readonly blockNumber: bigint };

const bid = (price: string, size = '1') =>
  ({ market, side: 'buy', price: market.price(price), size: market.size(size) }) as const;
const ask = (price: string, size = '1') => ({ ...bid(price, size), side: 'sell' }) as const;

beforeAll(async () => {
  testnet = await createTestnet({
    validators: 4,
    genesis: (genesis) => {
      genesis['actions'] = 'signed';
      // So little that hundreds of orders are covered.
      Object.assign(genesis['clob'] as object, { initialMarginBps: 100, maintenanceMarginBps: 50 });
      genesis['markets'] = [{ symbol, tickSize: `${tickSize}`, lotSize: '10', baseDecimals: 16, quoteDecimals: 18 }];
    },
  });
  await testnet.startAll();
  clients = new Clients(testnet);
  market = await clients.reader().getMarket({ market: symbol });
  for (const account of [maker, taker])
    deposited = await clients.walletOf(account).depositCollateral({ amount: parseEther('9000') });
});
afterAll(() => testnet.destroy());

describe('trading', () => {
  it('a deposit is collateral, on all nodes', async () => {
    for (let node = 0; node < testnet.count; node++)
      expect(await (await clients.after(deposited, node)).getAccount({ address: maker.address })).toMatchObject({
        collateral: parseEther('9000'),
        withdrawable: parseEther('9000'),
        locked: true,
      });
  });

  it('quotes rest, one is filled, one is cancelled, and positions are what the fills say', async () => {
    const quoting = clients.walletOf(maker);
    const buying = await quoting.placeOrder({ ...bid('3000.05', '2'), postOnly: true, clientId: toClientId('bid') });
    const selling = await quoting.placeOrder({ ...ask('3010', '2'), postOnly: true, clientId: toClientId('ask') });
    expect([buying.status, selling.status]).toEqual(['open', 'open']);
    const { bids, asks } = await (await clients.after(selling, 1)).getOrderBook({ market });
    expect(market.formatPrice(bids[0]!.price)).toBe('3000.05');
    expect(market.formatPrice(asks[0]!.price)).toBe('3010');

    const filled = await clients.walletOf(taker, testnet.url(2)).placeOrder({ ...bid('3010.50'), tif: 'ioc' });
    expect(filled).toMatchObject({
      status: 'filled',
      filled: market.size('1'),
      trades: [{ price: market.price('3010'), size: market.size('1'), makerOrderId: selling.orderId, side: 'buy' }],
    });
    const positions = async (account: Account, carriedOut: { readonly blockNumber: bigint }) =>
      (await (await clients.after(carriedOut, 1)).getAccount({ address: account.address })).positions;
    expect(await positions(taker, filled)).toMatchObject([
      { marketId: market.marketId, size: market.size('1'), entry: parseEther('3010') },
    ]);
    expect(await positions(maker, filled)).toMatchObject([{ size: 0n - market.size('1') }]);

    const cancelled = await quoting.cancelOrder({ orderId: buying.orderId });
    expect(cancelled).toMatchObject({ type: 'cancel', orderId: buying.orderId, remaining: market.size('2') });
    expect(await clients.reader().getOrder({ owner: maker.address, clientId: toClientId('bid') })).toMatchObject({
      orderId: buying.orderId,
      status: 'cancelled',
      reason: 'user',
    });
    expect(await quoting.cancelOrderByClientId({ market, clientId: toClientId('ask') })).toMatchObject({
      remaining: market.size('1'),
    });
    await clients.walletOf(taker).placeOrder({ ...ask('3000', '1') });
    const closed = await quoting.placeOrder({ ...bid('3000'), tif: 'fok' });
    expect([await positions(maker, closed), await positions(taker, closed)]).toEqual([[], []]);
  });

  it('what the chain tells of it afterwards: the action, its result, its trade', async () => {
    const wallet = clients.walletOf(maker);
    const placed = await wallet.placeOrder(ask('3100'));
    const read = await clients.after(placed, 3);
    expect(await wallet.waitForAction<'order'>({ hash: placed.hash })).toEqual(placed);
    const actions = await read.getBlockActions({ block: placed.blockNumber });
    expect(actions!.map(({ hash, status }) => [hash, status])).toContainEqual([placed.hash, 'success']);
    const modified = await wallet.modifyOrder({
      orderId: placed.orderId,
      price: market.price('3090'),
      size: market.size('2'),
    });
    expect(modified).toMatchObject({ status: 'open', remaining: market.size('2') });
    expect(modified.orderId).toBeGreaterThan(placed.orderId);
    await clients.after(modified, 3);
    const events = await read.getDomainEvents({
      fromBlock: 1n,
      toBlock: 'latest',
      kind: 'trade',
      address: taker.address,
    });
    expect(events.map(({ data }) => data)).toContainEqual(
      expect.objectContaining({ price: market.price('3010'), size: market.size('1') }),
    );
    expect((await read.getTrades({ market, limit: 1 }))[0]).toMatchObject({ price: market.price('3000') });
    expect(await wallet.cancelAllOrders()).toMatchObject({ orderIds: [modified.orderId] });
  });

  it('a batch has a result for each item, refused ones too', async () => {
    const wallet = clients.walletOf(maker);
    const { items } = createBatch()
      .order(bid('2000'))
      .order({ ...bid('2000'), price: market.price('2000') + 1n })
      .cancel(999_999)
      .cancelAll(market);
    const { results, blockNumber } = await wallet.submitBatch({ items });
    expect(blockNumber).toBeGreaterThan(0n);
    expect(results).toMatchObject([
      { ok: true, type: 'order', status: 'open' },
      { ok: false, error: { name: 'PriceOffTickError', data: { tickSize } } },
      { ok: false, error: { name: 'UnknownOrderError', data: { orderId: 999_999 } } },
      { ok: true, type: 'cancelAll', orderIds: [expect.any(Number)] },
    ]);
  });

  it('a hundred orders in one batch, by a key that only trades', async () => {
    const agent = privateKeyToAccount(generatePrivateKey());
    const approved = await clients
      .walletOf(maker)
      .approveAgent({ agent: agent.address, permissions: ['trade'], name: 'desk' });
    await clients.after(approved, 1);
    expect(await clients.reader().getAgents({ address: maker.address })).toMatchObject([
      { agent: agent.address.toLowerCase(), name: 'desk', permissions: ['trade'], status: 'live', validUntilMs: 0 },
    ]);
    const desk = clients.walletOf(toAgentAccount(agent, { owner: maker.address }), testnet.url(1));
    const batch = createBatch();
    for (let index = 0; index < 100; index++) batch.order(bid(`${1000 + index}.05`));
    const carriedOut = await desk.submitBatch({ items: batch.items });
    expect(carriedOut.results.filter(({ ok }) => !ok)).toEqual([]);
    expect(await clients.openOrders(maker, carriedOut)).toHaveLength(100);
    // It may not cancel, and never moves money: nodes refuse before a block is used.
    expect(await rejection(desk.cancelAllOrders())).toBeInstanceOf(UnauthorizedError);
    const withdrawal = { amount: 1n, to: agent.address, owner: maker.address };
    expect(await rejection(desk.withdrawCollateral(withdrawal))).toBeInstanceOf(UnauthorizedError);
    await clients.after(await clients.walletOf(maker).revokeAgent({ agent: agent.address }), 1);
    expect(await rejection(desk.placeOrder(bid('1')))).toBeInstanceOf(UnauthorizedError);
    await clients.walletOf(maker).cancelAllOrders({ market });
  });

  it('a wallet that signs typed data is taken like a key that signs hashes', async () => {
    const wallet = clients.walletOf(maker);
    const signatureKind = 'eip712';
    const { items } = createBatch().order({ ...bid('1500'), clientId: toClientId('typed') });
    expect(await wallet.submitBatch({ items, signatureKind })).toMatchObject({ results: [{ ok: true }] });
    expect(await wallet.cancelOrderByClientId({ market, clientId: toClientId('typed'), signatureKind })).toMatchObject({
      remaining: market.size('1'),
    });
  });

  it('money moves between accounts and into the EVM', async () => {
    const receiver = privateKeyToAccount(generatePrivateKey()).address;
    const wallet = clients.walletOf(maker);
    expect(await wallet.transferCollateral({ amount: 5n, to: taker.address })).toMatchObject({ amount: 5n });
    const queued = await wallet.withdrawCollateral({ amount: 7n, to: receiver });
    expect(queued).toMatchObject({ type: 'transferQueued', direction: 'orders_to_evm', amount: 7n });
    expect(await wallet.dequeueOrdersToEvm()).toMatchObject({
      processed: [{ transferId: queued.transferId, status: 'completed' }],
      pending: 0,
    });
    expect(await clients.reader().getBalance({ address: receiver })).toBe(7n);
    expect(await wallet.enqueueEvmToOrders({ amount: 9n, to: receiver })).toMatchObject({ direction: 'evm_to_orders' });
    await wallet.dequeueEvmToOrders();
    expect((await clients.reader().getAccount({ address: receiver })).collateral).toBe(9n);
  });
});

describe('many at once', () => {
  it('200 orders of one key without waiting, of which at most 64 are on their way: none is lost', async () => {
    const wallet = clients.walletOf(maker);
    const placed = await Promise.all(Array.from({ length: 200 }, (_, index) => wallet.placeOrder(bid(`${1 + index}`))));
    expect(new Set(placed.map(({ orderId }) => orderId)).size).toBe(200);
    expect((await wallet.cancelAllOrders()).orderIds).toHaveLength(200);
  });

  it('three programs with one key in lanes of their own, through three nodes', async () => {
    const programs = [0, 1, 2].map((lane) => ({
      wallet: clients.walletOf(taker, testnet.url(lane)),
      nonceManager: createNonceManager({ lane, lanes: 3 }),
    }));
    const placed = await Promise.all(
      programs.flatMap(({ wallet, nonceManager }) =>
        Array.from({ length: 40 }, (_, index) => wallet.placeOrder({ ...bid(`${1 + index}`), nonceManager })),
      ),
    );
    expect(new Set(placed.map(({ orderId }) => orderId)).size).toBe(120);
    await clients.walletOf(taker).cancelAllOrders();
  });
});

describe('outcomes that nobody heard', () => {
  it.each([
    ['before the node gets it', async () => Promise.reject(new Error('cut'))],
    [
      'after the node carried it out',
      async (ask: () => Promise<unknown>) => ask().then(() => Promise.reject(new Error('cut'))),
    ],
  ])('the connection breaks %s: the same bytes are sent again, and there is one order', async (_, cut) => {
    const proxy = await LyingProxy.before(testnet.url(0));
    try {
      const sent: unknown[] = [];
      proxy.lie = async ({ method, params }, ask) => {
        if (method !== 'eth_sendRawTransactionSync') return ask();
        sent.push(params[0]);
        return sent.length <= 2 ? ((await cut(ask)) as never) : ask();
      };
      const wallet = clients.walletOf(maker, proxy.url);
      const placed = await wallet.placeOrder(bid('1234'));
      expect(placed.status).toBe('open');
      expect(new Set(sent).size).toBe(1);
      expect((await clients.openOrders(maker, placed)).map(({ orderId }) => orderId)).toEqual([placed.orderId]);
      await wallet.cancelAllOrders();
    } finally {
      await proxy.close();
    }
  });

  it('a node that is killed: after the time the outcome is unknown; when it is back the kept bytes tell it', async () => {
    const wallet = clients.walletOf(maker, testnet.url(3));
    await testnet.kill(3, 'SIGKILL');
    const unknown = await rejection(wallet.placeOrder({ ...bid('1235'), timeoutMs: 500 }));
    expect(unknown).toBeInstanceOf(OutcomeUnknownError);
    const { raw, hash } = unknown as OutcomeUnknownError;
    await testnet.start(3);
    const placed = await wallet.sendAction({ signed: { raw: raw!, hash } });
    expect(placed).toMatchObject({ type: 'order', status: 'open' });
    // And again, by another node: the outcome is that of the first time.
    expect(await clients.reader(1).sendAction({ signed: { raw: raw!, hash } })).toEqual(placed);
    expect(await clients.openOrders(maker, placed)).toHaveLength(1);
    await wallet.cancelAllOrders();
  });

  it('a node that is killed while it is asked: the next one of the list carries on with the same bytes', async () => {
    const wallet = clients.walletOf(maker, testnet.url(3), testnet.url(0));
    const placing = Array.from({ length: 20 }, (_, index) => wallet.placeOrder(bid(`${1300 + index}`)));
    await testnet.kill(3, 'SIGKILL');
    const placed = await Promise.all(placing);
    const last = placed.toSorted((a, b) => Number(a.blockNumber - b.blockNumber)).at(-1)!;
    expect((await clients.openOrders(maker, last)).map(({ orderId }) => orderId).toSorted((a, b) => a - b)).toEqual(
      placed.map(({ orderId }) => orderId).toSorted((a, b) => a - b),
    );
    await testnet.start(3);
    await wallet.cancelAllOrders();
  });
});

describe('what goes wrong has a type', () => {
  it('a price off the tick that was made by hand', async () => {
    const refused = await rejection(clients.walletOf(maker).placeOrder({ ...bid('1'), price: tickSize + 1n }));
    expect(refused).toBeInstanceOf(PriceOffTickError);
    expect(refused).toMatchObject({
      data: { price: tickSize + 1n, tickSize, nearestBelow: tickSize, nearestAbove: 2n * tickSize },
      hash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
    });
  });

  it('more than the margin, an order of somebody else, a market that is not there', async () => {
    const wallet = clients.walletOf(maker);
    const { orderId } = await wallet.placeOrder(bid('1'));
    const attempts = [
      wallet.placeOrder(bid('3000', '10000')),
      clients.walletOf(taker).cancelOrder({ orderId }),
      wallet.placeOrder({ ...bid('1'), market: 99 }),
    ];
    const names = await Promise.all(attempts.map(rejection));
    expect(names.map((error) => (error as RefusalError).name)).toEqual([
      'InsufficientMarginError',
      'NotOwnerError',
      'UnknownMarketError',
    ]);
    await wallet.cancelAllOrders();
  });

  it('another network, a nonce that is used, an action whose time is past, an unsigned call', async () => {
    const wallet = clients.walletOf(maker);
    const elsewhere = createWalletClient({
      account: maker,
      chain: { ...prime, id: 1 },
      transport: http(testnet.url(0)),
    }).extend(primeWalletActions());
    expect(await rejection(elsewhere.sendNoop())).toMatchObject({ code: 'RPC_ERROR', rpcCode: -32000 });
    const action = { type: 'noop' } as const;
    const first = await wallet.signAction({ action });
    const carriedOut = await wallet.sendAction({ signed: first });
    const same = await wallet.signAction({ action, nonce: first.nonce, expiresAtMs: Date.now() + 60_000 });
    expect(await rejection(wallet.sendAction({ signed: same, retryDelayMs: 1 }))).toBeInstanceOf(NonceRefusedError);
    const past = wallet.placeOrder({ ...bid('1'), expiresAtMs: Date.now() - 60_000 });
    expect(await rejection(past)).toMatchObject({ name: 'ActionExpiredError' });
    // Not the maker’s: nodes of a development network hold that key themselves, and sign for it.
    const unsigned = clients.reader().callSubmitOrder({
      ...bid('1'),
      owner: privateKeyToAccount(generatePrivateKey()).address,
    });
    expect(await rejection(unsigned)).toBeInstanceOf(UnauthorizedError);
    expect(await clients.openOrders(maker, carriedOut)).toEqual([]);
  });

  it('a method that the node does not have, and a key that has nothing', async () => {
    const nothing = clients.walletOf(privateKeyToAccount(generatePrivateKey()));
    expect(await rejection(nothing.placeOrder(bid('1')))).toBeInstanceOf(UnauthorizedError);
    const failure = await rejection(clients.reader().getOrdersProof({ market, side: 'buy', price: tickSize }));
    expect(failure).not.toBeInstanceOf(MethodNotFoundError);
    expect(failure).toMatchObject({ rpcCode: -32000 });
  });
});

describe('administration', () => {
  it('a market is opened with decimals, has margin of its own, and units that follow', async () => {
    const wallet = clients.walletOf(maker);
    const grid = { tickSize: 10n ** 12n, lotSize: 1n, baseDecimals: 4, quoteDecimals: 18 };
    const { marketId } = await wallet.addMarket({ symbol: 'BTC/USD', ...grid });
    await wallet.setMarginParams({ market: marketId, initialMarginBps: 500, maintenanceMarginBps: 250 });
    const opened = await wallet.getMarket({ market: 'BTC/USD' });
    expect(opened).toMatchObject({ marketId, ...grid, initialMarginBps: 500, maintenanceMarginBps: 250 });
    expect(opened.price('64000.01')).toBe(6_400_001n * 10n ** 12n);
    expect(opened.size('0.0001')).toBe(1n);
    expect(await rejection(wallet.addMarket({ symbol: 'BTC/USD', ...grid }))).toMatchObject({
      name: 'MarketExistsError',
      data: { symbol: 'BTC/USD' },
    });
  });
});

describe('reads of the chain', () => {
  it('validators, commit and native block of one height belong together', async () => {
    const carriedOut = await clients.walletOf(maker).sendNoop();
    const { hash, blockNumber } = carriedOut;
    const read = await clients.after(carriedOut, 1);
    const [block, commit, validators, actions] = await Promise.all([
      read.getNativeBlock({ block: blockNumber }),
      read.getCommit({ block: blockNumber }),
      read.getValidators({ block: blockNumber }),
      read.getBlockActions({ block: blockNumber }),
    ]);
    expect(commit).toMatchObject({ height: blockNumber, blockHash: block!.hash });
    expect(commit!.signatures.length).toBeGreaterThanOrEqual(3);
    expect(validators.map(({ address }) => address)).toEqual(
      expect.arrayContaining(commit!.signatures.map(({ validator }) => validator)),
    );
    expect(actions).toContainEqual(expect.objectContaining({ hash }));
    expect(await read.getGenesis()).toMatchObject({ actions: 'signed', chainId: prime.id });
    const proof = await read.getOrdersProof({ market });
    expect(proof).toMatchObject({
      present: true,
      accountProof: { address: '0x0000000000000000000000000000000000000100' },
    });
  });
});

it('the first order of the README is placed, seen and cancelled, as it stands there', async () => {
  const readme = await readFile(new URL('../../../../packages/sdk/README.md', import.meta.url), 'utf8');
  const [, example] = /```ts\n([^]*?)```/.exec(readme)!;
  // Beside this file, where the packages are found; the network has ports of its own.
  const program = fileURLToPath(new URL(`./readme-${process.pid}.mjs`, import.meta.url));
  await writeFile(program, example!.replace('http()', `http('${testnet.url(0)}')`));
  try {
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [program]);
    expect(stderr).toBe('');
    expect(stdout).toMatch(/^\d+ open \[\]\n0.25 at 3012.55\n$/);
  } finally {
    await rm(program);
  }
});

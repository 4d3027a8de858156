import { describe, expect, it } from '@jest/globals';
import { keccakHex } from '@prime/crypto';
import { hexToBytes, type MarketId } from '@prime/primitives';
import { privateKeyToAccount } from 'viem/accounts';
import { bytesToHex } from 'viem';
import { addressOf, hashOf } from '../testing/fakeNode.ts';
import { alice, commit, log, transaction, useGateways } from '../testing/streams.ts';
import { tradeEvent } from '../testing/tradeEvent.ts';
import { devAddress, devKey } from '../testing/testGateway.ts';

const { start, open } = useGateways();
const [maker, taker] = [addressOf('maker'), addressOf('taker')];
const trade = tradeEvent({ marketId: 1 as MarketId, price: 5n, size: 2n, maker, taker });
const joined = {
  domain: 'validators',
  kind: 'joined',
  actionIndex: null,
  data: { validator: alice, stake: 1n, power: 1n },
} as const;
const range = { fromBlock: '0x0', toBlock: 'latest' };

describe('fields that nobody knows', () => {
  it.each([
    ['prime_getDomainEvents', [{ ...range, adress: alice }], 'filter.adress is not a known field'],
    ['eth_getLogs', [{ adress: alice }], 'filter.adress is not a known field'],
    ['prime_getLogs', [{ adress: alice }], 'filter.adress is not a known field'],
    ['eth_newFilter', [{ topic: [] }], 'filter.topic is not a known field'],
  ])('%s %j is refused', async (method, params, words) => {
    const { failure } = await start();
    expect(await failure(method, ...params)).toEqual({ code: -32602, message: `invalid params: ${words}` });
  });

  it.each([
    ['newHeads', { full: true }, 'full', 'takes none'],
    ['syncing', { a: 1 }, 'a', 'takes none'],
    ['commits', { address: alice }, 'address', 'takes none'],
    ['logs', { adress: alice }, 'adress', 'takes fromBlock, toBlock, blockHash, address, topics'],
    ['orderBook', { market_id: 1, depth: 5 }, 'depth', 'takes market_id'],
    ['trades', { market_id: 1, address: alice }, 'address', 'takes market_id'],
    ['orders', { address: alice, market_id: 1 }, 'market_id', 'takes address'],
    ['fills', { address: alice, market_id: null }, 'market_id', 'takes address'],
    ['domainEvents', { adress: alice }, 'adress', 'takes domain, kind, address'],
  ])('a subscription to %s with %j is refused', async (kind, options, field, words) => {
    const client = await open((await start()).url);
    for (const method of ['eth_subscribe', 'prime_subscribe'])
      expect(await client.failure(method, kind, options)).toEqual({
        code: -32602,
        message: `invalid params: options.${field} is not a known field: a subscription to ${kind} ${words}`,
      });
  });

  it.each(['nothing', 'new heads', '', 'x'.repeat(65), '0x1'])(
    'there is no "%s" to subscribe to: one code',
    async (kind) => {
      const client = await open((await start()).url);
      expect(await client.failure('eth_subscribe', kind, {})).toMatchObject({ code: -32601 });
    },
  );
});

describe('domain events by address', () => {
  it('are those that name it, in whatever part, near the head and far from it', async () => {
    const { call, gateway, node } = await start({ limits: { recentBlocks: 1 } });
    for (let block = 0; block < 2; block++) gateway.applyDelta(node.commit({ events: [trade, joined] }));
    const kinds = async (address: unknown): Promise<string[]> =>
      ((await call('prime_getDomainEvents', { ...range, address })) as { kind: string }[]).map(({ kind }) => kind);
    expect(await kinds(maker)).toEqual(['trade', 'trade']);
    expect(await kinds(taker.toUpperCase().replace('0X', '0x'))).toEqual(['trade', 'trade']);
    expect(await kinds([alice])).toEqual(['joined', 'joined']);
    expect(await kinds([alice, taker])).toEqual(['trade', 'joined', 'trade', 'joined']);
    expect(await kinds(addressOf('nobody'))).toEqual([]);
    for (const everybody of [null, []]) expect(await kinds(everybody)).toHaveLength(4);
  });

  it('streams have the same filter', async () => {
    const running = await start();
    const client = await open(running.url);
    const one = await client.call('prime_subscribe', 'domainEvents', { address: taker });
    const both = await client.call('prime_subscribe', 'domainEvents', {
      address: [alice, taker],
      domain: 'validators',
    });
    const commits = await client.call('prime_subscribe', 'commits');
    commit(running, { events: [trade, joined] });
    await client.untilTold(commits, 1);
    expect(client.told(one)).toMatchObject([{ events: [{ kind: 'trade' }] }]);
    expect(client.told(both)).toMatchObject([{ events: [{ kind: 'joined' }] }]);
  });

  it.each([['0x1'], [['0x1']], [7]])('address %j is refused', async (address) => {
    const running = await start();
    expect(await running.failure('prime_getDomainEvents', { ...range, address })).toMatchObject({ code: -32602 });
    expect(await (await open(running.url)).failure('eth_subscribe', 'domainEvents', { address })).toMatchObject({
      code: -32602,
    });
  });
});

describe('calls that mean another chain, or nothing', () => {
  const words = /^chainId does not match node's \(have=1, want=7919\)$/;
  it.each([
    ['eth_call', (call: object) => [call, 'latest']],
    ['prime_call', (call: object) => [call, 'latest']],
    ['eth_estimateGas', (call: object) => [call]],
    ['eth_createAccessList', (call: object) => [call]],
    ['debug_traceCall', (call: object) => [call]],
    ['eth_simulateV1', (call: object) => [{ blockStateCalls: [{ calls: [call] }] }]],
    ['eth_fillTransaction', (call: object) => [call]],
    ['eth_sendTransaction', (call: object) => [call]],
  ])('%s refuses a wrong chainId and an empty authorizationList', async (method, params) => {
    const { call, failure } = await start();
    const request = { from: devAddress, to: alice };
    expect(await failure(method, ...params({ ...request, chainId: '0x1' }))).toMatchObject({
      code: -32000,
      message: expect.stringMatching(words) as never,
    });
    expect(await failure(method, ...params({ ...request, authorizationList: [] }))).toMatchObject({
      code: -32000,
      message: expect.stringMatching(/^EIP-7702 transaction with empty auth list/) as never,
    });
    expect(await call(method, ...params({ ...request, chainId: '0x1eef', authorizationList: null }))).toBeDefined();
  });
});

describe('a new market', () => {
  const market32 = `${'a'.repeat(16)}/${'b'.repeat(15)}`;
  it.each([
    ['PRIMEUSD', '0x1', '0x1', /^invalid params: symbol must be BASE\/QUOTE/],
    ['A/B/C', '0x1', '0x1', /^invalid params: symbol must be/],
    ['Ä/B', '0x1', '0x1', /^invalid params: symbol must be/],
    ['', '0x1', '0x1', /^invalid params: symbol must be/],
    [`${market32}b`, '0x1', '0x1', /^invalid params: symbol must be/],
    ['A/B', '0x0', '0x1', /^invalid params: tickSize must be a hex quantity from 1/],
    ['A/B', '0x1', '0x0', /^invalid params: lotSize must be a hex quantity from 1/],
    ['A/B', `0x1${'0'.repeat(32)}`, '0x1', /^invalid params: tickSize must be/],
  ])('%s with tick %s and lot %s is refused before anybody is asked', async (symbol, tick, lot, words) => {
    const { failure } = await start();
    expect(await failure('primeorders_addMarket', symbol, tick, lot)).toEqual({
      code: -32602,
      message: expect.stringMatching(words) as never,
    });
  });

  it.each([
    [
      { base_decimals: -1, quote_decimals: 18 },
      /^invalid params: decimals\.base_decimals must be a whole number from 0 to 36$/,
    ],
    [
      { base_decimals: 37, quote_decimals: 18 },
      /^invalid params: decimals\.base_decimals must be a whole number from 0 to 36$/,
    ],
    [
      { base_decimals: 0, quote_decimals: -1 },
      /^invalid params: decimals\.quote_decimals must be a whole number from 0 to 36$/,
    ],
    [
      { base_decimals: 0, quote_decimals: 37 },
      /^invalid params: decimals\.quote_decimals must be a whole number from 0 to 36$/,
    ],
    [{ base_decimals: 1.5, quote_decimals: 18 }, /^invalid params: decimals\.base_decimals must be a whole number/],
    [{ base_decimals: '0x8', quote_decimals: 18 }, /^invalid params: decimals\.base_decimals must be a whole number/],
    [{ base_decimals: 8 }, /^invalid params: decimals\.quote_decimals is required$/],
    [{ base_decimals: 8, quote_decimals: 18, nonce: 1 }, /^invalid params: decimals\.nonce is not a known field$/],
    [18, /^invalid params: decimals must be an object \{base_decimals, quote_decimals\}$/],
  ])('with decimals %j is refused before anybody is asked', async (decimals, words) => {
    const { failure } = await start();
    expect(await failure('primeorders_addMarket', 'A/B', '0x1', '0x1', decimals)).toEqual({
      code: -32602,
      message: expect.stringMatching(words) as never,
    });
  });
});

describe('prime_ names of transactions, receipts and logs', () => {
  it('answer exactly what the eth_ names answer', async () => {
    const running = await start();
    const account = privateKeyToAccount(bytesToHex(devKey));
    const raw = hexToBytes(
      await account.signTransaction({ chainId: 7919, nonce: 0, gas: 21_000n, gasPrice: 5n, to: alice as never }),
    );
    commit(running, { transactions: [{ ...transaction(log('a')), raw, from: devAddress as never }] });
    const hash = keccakHex(raw);
    for (const [name, ...params] of [
      ['getTransactionByHash', hash],
      ['getTransactionReceipt', hash],
      ['getTransactionByHash', hashOf('unknown')],
      ['getTransactionReceipt', hashOf('unknown')],
      ['getLogs', range],
    ] as const) {
      const answer = await running.call(`eth_${name}`, ...params);
      expect([name, await running.call(`prime_${name}`, ...params)]).toEqual([name, answer]);
      if (params[0] === hash) expect(answer).toMatchObject({ blockHash: hashOf('block 1') });
    }
  });
});

describe('filters of whole pending transactions', () => {
  it('tell them as they waited, also when a block has them by then, and not what is gone', async () => {
    const running = await start();
    const { call, gateway, node } = running;
    const account = privateKeyToAccount(bytesToHex(devKey));
    const sign = async (nonce: number) =>
      hexToBytes(
        await account.signTransaction({ chainId: 7919, nonce, gas: 21_000n, gasPrice: 5n, to: alice as never }),
      );
    const raws = [await sign(0), await sign(1), await sign(2)];
    const hashes = raws.map((raw) => keccakHex(raw));
    const id = await call('eth_newPendingTransactionFilter', true);
    gateway.applyPending({ missed: 0, transactions: hashes.map((hash) => ({ hash, transaction: null })) });
    commit(running, { transactions: [{ ...transaction(), raw: raws[0]!, from: devAddress as never }] });
    node.pool.set(hashes[1]!, { raw: raws[1]!, hash: hashes[1]!, sender: devAddress as never });
    const waiting = { from: devAddress, blockHash: null, blockNumber: null, transactionIndex: null };
    expect(await call('eth_getFilterChanges', id)).toMatchObject([
      { ...waiting, hash: hashes[0], nonce: '0x0' },
      { ...waiting, hash: hashes[1], nonce: '0x1' },
    ]);
    expect(await call('eth_getFilterChanges', id)).toEqual([]);
    const brief = await call('eth_newPendingTransactionFilter', false);
    gateway.applyPending({ missed: 0, transactions: [{ hash: hashes[2]!, transaction: null }] });
    expect(await call('eth_getFilterChanges', brief)).toEqual([hashes[2]]);
  });
});

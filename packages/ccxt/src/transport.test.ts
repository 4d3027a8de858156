import { describe, expect, it } from '@jest/globals';
import { fakeCcxt, NodeError, RawAnswer } from './testing/fakeCcxt.ts';
import { fakePrime, key, owner } from './testing/fakeNode.ts';
import { isRpcAnswer } from './transport.ts';

const onCancel = (answer: unknown) => (method: string) =>
  method === 'eth_sendRawTransactionSync' ? answer : undefined;
const symbol = 'ETH/USD:USD';

describe('requests', () => {
  it('go through the rate limiter, unless it is off', async () => {
    const { exchange, asked } = fakePrime();
    await exchange.fetchTime();
    await exchange.fetchMarkets();
    expect([exchange.throttled, asked.length]).toEqual([3, 3]);
    const { exchange: free } = fakePrime(undefined, { enableRateLimit: false });
    await free.fetchTime();
    expect(free.throttled).toBe(0);
  });

  it.each([
    [
      'a refusal by its kind',
      new NodeError(-32012, 'unknown order 0x7', { kind: 'unknown_order', order_id: '0x7' }),
      'OrderNotFound',
    ],
    ['a signature that does not count', new NodeError(-32001, 'signer may not act'), 'AuthenticationError'],
    ['a parameter', new NodeError(-32602, 'invalid argument 0'), 'BadRequest'],
    [
      'a limit, and not the status that it comes with',
      new NodeError(-32005, 'limit exceeded', { limit: 'x', maximum: 1 }, 503),
      'RateLimitExceeded',
    ],
    ['a proxy that answers for the node', new RawAnswer('<html>', 503), 'ExchangeNotAvailable'],
    ['a page in place of JSON', new RawAnswer('<html>', 200), 'NetworkError'],
  ] as const)('tell of %s', async (_what, answer, name) => {
    const { exchange } = fakePrime((method) => (method === 'primeorders_getMarkets' ? answer : undefined));
    await expect(exchange.fetchMarkets()).rejects.toBeInstanceOf(fakeCcxt[name]);
  });

  it.each([
    [-32602, 'BadRequest'],
    [-32601, 'NotSupported'],
    [-32005, 'RateLimitExceeded'],
    [-32603, 'ExchangeError'],
  ] as const)('tell of %s to a method of Ethereum', async (code, name) => {
    const answer = new NodeError(code, 'no');
    const { exchange } = fakePrime((method) => (method === 'eth_syncing' ? answer : undefined));
    await expect(exchange.fetchStatus()).rejects.toBeInstanceOf(fakeCcxt[name]);
  });

  it('that ccxt fails with time out as its own error', async () => {
    const late = new fakeCcxt.RequestTimeout('prime POST timed out');
    const { exchange } = fakePrime((method) => (method === 'eth_syncing' ? late : undefined));
    await expect(exchange.fetchStatus()).rejects.toBe(late);
  });

  it('other nodes are asked where one is out of reach', async () => {
    const down = new fakeCcxt.NetworkError('prime fetch failed');
    let asked = 0;
    const { exchange } = fakePrime(
      (method) => (method === 'eth_syncing' ? (asked++ === 0 ? down : false) : undefined),
      {
        urls: { api: { rpc: ['http://a.invalid', 'http://b.invalid'] } },
      },
    );
    expect(await exchange.fetchStatus()).toMatchObject({ status: 'ok' });
    expect(asked).toBe(2);
  });

  it('without a URL are refused', async () => {
    const { exchange } = fakePrime(undefined, { urls: {} });
    await expect(exchange.fetchTime()).rejects.toBeInstanceOf(fakeCcxt.ArgumentsRequired);
  });

  it.each([
    [{ result: null }, true],
    [{ error: { code: 1, message: '' } }, true],
    [{ error: 'busy' }, false],
    ['text', false],
    [undefined, false],
    [null, false],
  ])('%p is an answer of JSON-RPC: %p', (body, is) => {
    expect(isRpcAnswer(body)).toBe(is);
  });
});

describe('signed actions', () => {
  it('are native transactions, sent again as they are while nobody answers', async () => {
    let attempts = 0;
    const { exchange, asked } = fakePrime((method) => {
      if (method === 'eth_getTransactionReceipt') return null;
      if (method !== 'eth_sendRawTransactionSync') return undefined;
      return ++attempts < 2
        ? new fakeCcxt.NetworkError('prime fetch failed')
        : new NodeError(-32012, 'unknown order 0x7', { kind: 'order_filled', order_id: '0x7' });
    });
    exchange.options['outcomeTimeout'] = 2_000;
    const cancel = exchange.cancelOrder('7', symbol);
    // Earlier attempts may have got through, so that the last one's refusal is not the end of it.
    await expect(cancel).rejects.toBeInstanceOf(fakeCcxt.RequestTimeout);
    const sent = asked.filter(({ method }) => method === 'eth_sendRawTransactionSync').map(({ params }) => params[0]);
    expect(new Set(sent).size).toBe(1);
    expect(sent[0]).toMatch(/^0x50/);
    expect(sent.length).toBeGreaterThan(1);
  });

  it('that a node refuses at once are refused', async () => {
    const { exchange, asked } = fakePrime(
      onCancel(new NodeError(-32012, 'order 0x7 is already filled', { kind: 'order_filled', order_id: '0x7' })),
    );
    await expect(exchange.cancelOrder('7', symbol)).rejects.toBeInstanceOf(fakeCcxt.OrderNotFound);
    expect(asked.filter(({ method }) => method === 'eth_sendRawTransactionSync')).toHaveLength(1);
  });

  it.each([
    ['no key', { privateKey: undefined }, 'AuthenticationError'],
    ['a key that is none', { privateKey: '0x12' }, 'AuthenticationError'],
    ['an account that is none', { walletAddress: '0x12' }, 'AuthenticationError'],
  ] as const)('need a key: %s', async (_what, config, name) => {
    const { exchange } = fakePrime(undefined, config);
    await expect(exchange.cancelAllOrders()).rejects.toBeInstanceOf(fakeCcxt[name]);
  });

  it('a key without 0x is one, and reads need an address only', async () => {
    const account = {
      address: owner,
      collateral: '0x0',
      equity: '0x0',
      initial_margin: '0x0',
      maintenance_margin: '0x0',
      free_collateral: '0x0',
      withdrawable: '0x0',
      liquidatable: false,
      locked: false,
      positions: [],
      open_orders: '0x0',
    };
    const answer = (method: string) => (method === 'primeorders_getAccount' ? account : undefined);
    for (const config of [
      { privateKey: key.slice(2) },
      { privateKey: undefined, walletAddress: owner.toUpperCase().replace('0X', '0x') },
    ]) {
      const { exchange, asked } = fakePrime(answer, config);
      expect(await exchange.fetchBalance()).toMatchObject({ USD: { free: '0', total: '0' } });
      expect(asked.at(-1)?.params).toEqual([owner]);
    }
  });
});

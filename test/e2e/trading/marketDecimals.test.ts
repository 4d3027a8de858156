/** Markets that say how people write their amounts, on a network of processes whose administrator adds them by signature. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { junkMnemonic } from '@prime/examples';
import { RpcError, toHex as hex } from '@prime/load/rpc';
import { createTestnet, type Testnet, until } from '@prime/testkit';
import { decodeFunctionResult, encodeFunctionData, type Hex, parseAbi } from 'viem';
import { mnemonicToAccount } from 'viem/accounts';
import { nodesOf } from '../nodes.ts';

// The nodes do not have its key, unlike those of the first ten.
const admin = mnemonicToAccount(junkMnemonic, { addressIndex: 20 });
const trader = '0x00000000000000000000000000000000000000d1';
const seller = '0x00000000000000000000000000000000000000d2';
const orderBook = '0x0000000000000000000000000000000000000100';

let testnet: Testnet;
const validators = [0, 1, 2, 3];
const follower = 4;
beforeAll(async () => {
  testnet = await createTestnet({
    validators: validators.length,
    followers: 1,
    genesis: (genesis) => {
      const address = admin.address.toLowerCase();
      (genesis['clob'] as Record<string, unknown>)['admin'] = address;
      (genesis['alloc'] as Record<string, unknown>)[address] = { balance: '1' };
      // As an operator would write it who knows nothing of decimals.
      (genesis['markets'] as unknown[]).push({ symbol: 'OLD/USD', tickSize: '1', lotSize: '1' });
    },
  });
  await Promise.all(validators.map((index) => testnet.start(index)));
});
afterAll(() => testnet.destroy());

const { call } = nodesOf(() => testnet);

async function refusal(method: string, params: readonly unknown[]): Promise<RpcError> {
  try {
    await call(0, method, params);
  } catch (error) {
    if (error instanceof RpcError) return error;
    throw error;
  }
  throw new Error(`${method} was not refused`);
}

interface Market {
  readonly symbol: string;
  readonly base_decimals: number;
  readonly quote_decimals: number;
}
const decimalsAt = async (index: number): Promise<(string | number)[][]> =>
  (await call<Market[]>(index, 'primeorders_getMarkets')).map((market) => [
    market.symbol,
    market.base_decimals,
    market.quote_decimals,
  ]);

interface Declaration {
  readonly symbol: string;
  readonly tickSize: bigint;
  readonly lotSize: bigint;
  readonly baseDecimals: number;
  readonly quoteDecimals: number;
}
let nonce = Date.now();

/** The authorization that docs/protocol/native-transactions.md asks for. */
async function signed(market: Declaration): Promise<{ nonce: number; signature: Hex; account: string }> {
  nonce++;
  const field = (text: string): { type: string; name: string } => {
    const [type, name] = text.split(' ') as [string, string];
    return { type, name };
  };
  const type =
    'address account,string symbol,uint256 tickSize,uint256 lotSize,uint8 baseDecimals,uint8 quoteDecimals,uint64 nonce,uint64 expiresAt';
  const signature = await admin.signTypedData({
    domain: { name: 'PrimeCLOB', version: '1', chainId: 7919, verifyingContract: orderBook },
    types: { AddMarket: type.split(',').map(field) },
    primaryType: 'AddMarket',
    message: { account: admin.address, ...market, nonce: BigInt(nonce), expiresAt: 0n },
  });
  return { nonce, signature, account: admin.address };
}

const grid = ({ symbol, tickSize, lotSize }: Declaration): string[] => [symbol, hex(tickSize), hex(lotSize)];
const btc = { symbol: 'BTC/USD', tickSize: 10n ** 12n, lotSize: 1n, baseDecimals: 4, quoteDecimals: 18 };

const expected = [
  ['PRM/USD', 16, 18],
  ['ETH/USD', 16, 18],
  ['OLD/USD', 0, 18],
  ['BTC/USD', 4, 18],
  ['ODD/USD', 36, 0],
  ['SAY/NOTHING', 0, 18],
];

describe('decimals of markets', () => {
  it('are the administrator’s to say: without a signature, or over other decimals, nothing is added', async () => {
    const named = { base_decimals: 4, quote_decimals: 18 };
    expect(await refusal('primeorders_addMarket', [...grid(btc), named])).toMatchObject({ code: -32001 });
    const overOthers = await signed({ ...btc, baseDecimals: 5 });
    // A signature over something else is one of somebody else.
    expect(await refusal('primeorders_addMarket', [...grid(btc), named, overOthers])).toMatchObject({ code: -32001 });
    expect(await decimalsAt(0)).toEqual(expected.slice(0, 3));
  });

  it('come with the market, at every node', async () => {
    const odd = { symbol: 'ODD/USD', tickSize: 1n, lotSize: 1n, baseDecimals: 36, quoteDecimals: 0 };
    const silent = { symbol: 'SAY/NOTHING', tickSize: 1n, lotSize: 1n, baseDecimals: 0, quoteDecimals: 18 };
    const named = { base_decimals: 4, quote_decimals: 18 };
    expect(await call(0, 'primeorders_addMarket', [...grid(btc), named, await signed(btc)])).toBe('0x4');
    const extreme = { base_decimals: 36, quote_decimals: 0 };
    expect(await call(1, 'primeorders_addMarket', [...grid(odd), extreme, await signed(odd)])).toBe('0x5');
    expect(await call(2, 'primeorders_addMarket', [...grid(silent), null, await signed(silent)])).toBe('0x6');
    for (const index of validators) {
      await until('the markets are there', async () => (await decimalsAt(index)).length === expected.length);
      expect(await decimalsAt(index)).toEqual(expected);
    }
    const events = await call<{ kind: string; data: unknown }[]>(0, 'prime_getDomainEvents', [
      { fromBlock: '0x1', toBlock: 'latest', domain: 'orders', kind: 'market_added' },
    ]);
    expect(events.map(({ data }) => data)).toMatchObject([
      { market_id: 4, symbol: 'BTC/USD', tick_size: '0xe8d4a51000', lot_size: '0x1', ...named },
      { market_id: 5, symbol: 'ODD/USD', ...extreme },
      { market_id: 6, symbol: 'SAY/NOTHING', base_decimals: 0, quote_decimals: 18 },
    ]);
  });

  it('are what contracts read', async () => {
    const abi = parseAbi([
      'function market(uint32) view returns (string symbol, uint256 tick, uint256 lot, uint32 imBps, uint32 mmBps, uint8 baseDecimals, uint8 quoteDecimals)',
    ]);
    const data = encodeFunctionData({ abi, args: [4] });
    const answer = await call<Hex>(0, 'eth_call', [{ to: orderBook, data }, 'latest']);
    expect(decodeFunctionResult({ abi, data: answer })).toEqual(['BTC/USD', 10n ** 12n, 1n, 1000, 500, 4, 18]);
    // Who was compiled before there were decimals reads what it always did.
    const old = parseAbi([
      'function market(uint32) view returns (string symbol, uint256 tick, uint256 lot, uint32 imBps, uint32 mmBps)',
    ]);
    expect(decodeFunctionResult({ abi: old, data: answer })).toEqual(['BTC/USD', 10n ** 12n, 1n, 1000, 500]);
  });

  it('3012.52 is off the grid of ETH/USD; one of the two prices that the refusal names is taken, and 3012.55 trades', async () => {
    await call(0, 'primeorders_depositCollateral', [trader, hex(10n ** 21n)]);
    const quarter = 25n * 10n ** 14n;
    const order = { owner: trader, market_id: 2, side: 'buy', price: hex(301_252n), size: hex(quarter), tif: 'gtc' };
    const { data } = await refusal('primeorders_submitOrder', [order]);
    expect(data).toMatchObject({
      kind: 'tick',
      price: hex(301_252n),
      tick_size: '0x5',
      nearest_below: hex(301_250n),
      nearest_above: hex(301_255n),
    });
    const { nearest_above: price } = data as { nearest_above: string };
    expect(await call(0, 'primeorders_submitOrder', [{ ...order, price }])).toMatchObject({ status: 'open' });
    await call(0, 'primeorders_depositCollateral', [seller, hex(10n ** 21n)]);
    const sell = { ...order, owner: seller, side: 'sell', price, tif: 'ioc' };
    expect(await call(0, 'primeorders_submitOrder', [sell])).toMatchObject({
      status: 'filled',
      trades: [{ price: hex(301_255n), size: hex(quarter) }],
    });
  });

  it('survive kill -9, and reach a node that comes later', async () => {
    await testnet.kill(3, 'SIGKILL');
    await testnet.start(3);
    await testnet.start(follower);
    for (const index of [3, follower]) {
      await until('the node has the markets', async () => (await decimalsAt(index)).length === expected.length);
      expect(await decimalsAt(index)).toEqual(expected);
    }
  });
});

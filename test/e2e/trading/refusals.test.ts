import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { junkMnemonic } from '@prime/examples';
import { RpcError, rpc } from '@prime/load/rpc';
import { createTestnet, type Testnet } from '@prime/testkit';
import { type Hex, keccak256, parseGwei } from 'viem';
import { mnemonicToAccount } from 'viem/accounts';

let testnet: Testnet;
beforeAll(async () => {
  testnet = await createTestnet({ validators: 4 });
  await testnet.startAll();
});
afterAll(() => testnet.destroy());

const call = <Result>(method: string, params: readonly unknown[] = []): Promise<Result> =>
  rpc(testnet.url(0), method, params);

/** The error that a call answers with. */
async function refusal(method: string, params: readonly unknown[]): Promise<RpcError> {
  try {
    await call(method, params);
  } catch (error) {
    if (error instanceof RpcError) return error;
    throw error;
  }
  throw new Error(`${method} was not refused`);
}

const post = (body: string | Buffer, headers: Record<string, string> = {}): Promise<{ status: number; text: string }> =>
  new Promise((resolve, reject) => {
    const sent = request(
      testnet.url(0),
      { method: 'POST', headers: { 'content-type': 'application/json', ...headers } },
      (response) => {
        let text = '';
        response.on('data', (chunk) => (text += String(chunk)));
        response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });

const account = mnemonicToAccount(junkMnemonic, { addressIndex: 6 });
const nobody = '0x00000000000000000000000000000000000000c7';
const transfer = {
  type: 'eip1559',
  chainId: 7919,
  to: nobody,
  value: 1n,
  gas: 21_000n,
  maxFeePerGas: parseGwei('50'),
  maxPriorityFeePerGas: parseGwei('1'),
} as const;
const order = { owner: nobody, market_id: 1, side: 'buy', price: '0x64', size: '0xa', tif: 'gtc' };

describe('bad input gets a coded error and changes nothing', () => {
  it('a body that is not JSON', async () => {
    const { status, text } = await post('{"jsonrpc":"2.0","id":1,');
    expect(status).toBe(200);
    expect(JSON.parse(text)).toMatchObject({ id: null, error: { code: -32700 } });
  });

  it.each(['null', '1', '"x"', 'true', '[]', '{}'])('a body of %s', async (body) => {
    const { text } = await post(body);
    expect(JSON.parse(text)).toMatchObject({ error: { code: -32600 } });
    expect(await call('eth_chainId')).toBe('0x1eef');
  });

  it('20 000 nested arrays', async () => {
    const { text } = await post('['.repeat(20_000) + ']'.repeat(20_000));
    expect(JSON.parse(text)).toHaveProperty('error.code');
    expect(await call('eth_chainId')).toBe('0x1eef');
  });

  it('a body over the limit: 413', async () => {
    const { status } = await post(Buffer.alloc(6 * 1024 * 1024, 0x20));
    expect(status).toBe(413);
    expect(await call('eth_chainId')).toBe('0x1eef');
  });

  it('an unknown method', async () => {
    expect(await refusal('eth_noSuchThing', [])).toMatchObject({ code: -32601 });
  });

  it('parameters of the wrong type', async () => {
    expect(await refusal('eth_getBalance', [5])).toMatchObject({ code: -32602 });
    expect(await refusal('primeorders_submitOrder', [{ ...order, side: 'up' }])).toMatchObject({ code: -32602 });
    expect(await refusal('primeorders_submitOrder', [{ ...order, typo: 1 }])).toMatchObject({ code: -32602 });
  });

  it('orders: unknown market, no collateral, off the grid', async () => {
    const before = await call<Hex>('eth_getBalance', [nobody, 'latest']);
    const [market, collateral, tick] = await Promise.all([
      refusal('primeorders_submitOrder', [{ ...order, market_id: 4_000_000 }]),
      refusal('primeorders_submitOrder', [await onGrid()]),
      refusal('primeorders_submitOrder', [{ ...(await onGrid()), price: '0x0' }]),
    ]);
    expect(market.message).toContain('unknown market 4000000');
    expect(collateral.message).toContain('insufficient margin');
    expect(tick.message).toContain('price must be positive');
    for (const error of [market, collateral, tick]) {
      expect(error.code).toBeLessThanOrEqual(-32010);
      expect(error.code).toBeGreaterThanOrEqual(-32029);
      expect(error.data).toHaveProperty('kind');
    }
    expect(await call('primeorders_getOpenOrders', [nobody])).toEqual([]);
    expect(await call('eth_getBalance', [nobody, 'latest'])).toBe(before);
  });

  it('raw transactions: garbage, bad signature, nonce too low, no funds, other chain', async () => {
    const nonce = Number(await call<Hex>('eth_getTransactionCount', [account.address, 'latest']));
    const good = await account.signTransaction({ ...transfer, nonce });
    const hash = await call<Hex>('eth_sendRawTransaction', [good]);
    expect(hash).toBe(keccak256(good));
    while ((await call('eth_getTransactionReceipt', [hash])) === null);
    const poor = mnemonicToAccount(junkMnemonic, { addressIndex: 77 });
    const cases: readonly [Hex, RegExp][] = [
      ['0x02c0', /./],
      [await account.signTransaction({ ...transfer, nonce }), /nonce too low|already known/],
      [await account.signTransaction({ ...transfer, nonce, value: 2n }), /nonce too low/],
      [await poor.signTransaction({ ...transfer, nonce: 0 }), /insufficient funds for gas \* price \+ value/],
      [await account.signTransaction({ ...transfer, nonce: nonce + 1, chainId: 1 }), /chain/],
      [await account.signTransaction({ ...transfer, nonce: nonce + 1, gas: 100n }), /intrinsic gas too low/],
    ];
    for (const [raw, words] of cases) {
      const error = await refusal('eth_sendRawTransaction', [raw]);
      expect({ code: error.code, message: error.message }).toEqual({
        code: -32000,
        message: expect.stringMatching(words),
      });
    }
    expect(Number(await call<Hex>('eth_getTransactionCount', [account.address, 'pending']))).toBe(nonce + 1);
    expect(await call('txpool_status')).toEqual({ pending: '0x0', queued: '0x0' });
  });

  it('methods of other nodes that make no sense here are unknown', async () => {
    for (const method of ['eth_getWork', 'miner_start', 'anvil_setBalance'])
      expect(await refusal(method, [])).toMatchObject({
        code: -32601,
        message: expect.stringContaining(`the method ${method} does not exist/is not available`),
      });
  });
});

/** An order that only lacks collateral. */
async function onGrid(): Promise<typeof order> {
  const id = await call<Hex>('primeorders_addMarket', [`R${Date.now()}/USD`, '0x1', '0x1']);
  return { ...order, market_id: Number(id) };
}

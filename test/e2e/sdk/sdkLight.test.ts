import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Market } from '@prime/sdk';
import {
  createLightClient,
  type Genesis,
  LightClientError,
  type LightErrorKind,
  type LightTrust,
  trustGenesis,
  verifyBlock,
} from '@prime/sdk/light';
import { createTestnet, run, type Testnet, until } from '@prime/testkit';
import { parseEther } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { bob as giver, alice as maker, readerOf, walletOf } from '../../explorer/people.ts';
import { type Lie, LyingProxy } from './lyingProxy.ts';

/** What the light client of the SDK makes of real nodes, and of somebody between them and it. */

const stranger = '0x00000000000000000000000000000000000057a4';
const price = 100n;

let testnet: Testnet;
let proxy: LyingProxy;
let genesis: Genesis;
let market: Market;
/** Two orders at one price. */
let orders: readonly { readonly orderId: number; readonly blockNumber: bigint }[];

const lightOf = (node: number, root: Genesis | LightTrust | `0x${string}`) =>
  createLightClient({ client: readerOf(testnet.url(node)), root });
const level = (side: 'buy' | 'sell', at: bigint) => ({ market, side, price: at });

beforeAll(async () => {
  testnet = await createTestnet({
    validators: 4,
    genesis: (json) => {
      json['actions'] = 'signed';
      json['staking'] = {};
      Object.assign(json['clob'] as object, { levelProofs: true });
    },
  });
  await testnet.startAll();
  proxy = await LyingProxy.before(testnet.url(1));
  genesis = JSON.parse(await readFile(join(testnet.home(0), 'genesis.json'), 'utf8')) as Genesis;
  const wallet = walletOf(testnet.url(0), maker);
  [market] = (await wallet.getMarkets()) as [Market];
  await wallet.depositCollateral({ amount: parseEther('1') });
  const order = { market, side: 'buy', price, size: 10n } as const;
  orders = [await wallet.placeOrder(order), await wallet.placeOrder({ ...order, size: 5n })];
});
afterAll(async () => {
  await proxy?.close();
  await testnet.destroy();
});

/** A light client behind the proxy. */
const deceived = (lie: Lie, root: Genesis | LightTrust | `0x${string}` = genesis) => {
  proxy.lie = lie;
  return createLightClient({ client: readerOf(proxy.url), root });
};
const refused = async (promise: Promise<unknown>): Promise<LightErrorKind> => {
  const thrown = await promise.then(
    () => new Error('it was believed'),
    (error: unknown) => error,
  );
  if (thrown instanceof LightClientError) return thrown.kind as LightErrorKind;
  throw thrown;
};

describe('from the hash of genesis', () => {
  const now = () => ({ minBlockNumber: orders.at(-1)!.blockNumber });

  it('is the hash that the network has', async () => {
    const { genesisHash } = trustGenesis(genesis);
    for (const node of [0, 3])
      expect((await readerOf(testnet.url(node)).getBlock({ blockNumber: 0n })).hash).toBe(genesisHash);
  });

  it('an order, its level, its account and its market are proven by any node', async () => {
    const light = lightOf(1, trustGenesis(genesis).genesisHash);
    const [first, second] = orders as [(typeof orders)[number], (typeof orders)[number]];
    const order = await light.verifyRecord({ orderId: first.orderId }, now());
    expect(order.record).toMatchObject({ owner: maker.address.toLowerCase(), remaining: 10n, price, side: 'buy' });
    const shown = await readerOf(testnet.url(2)).getOpenOrders({ address: maker.address });
    expect(order.record).toMatchObject(shown.find(({ orderId }) => orderId === first.orderId)!);
    expect((await light.verifyRecord({ orderId: second.orderId })).record?.size).toBe(5n);
    expect((await light.verifyRecord(level('buy', price))).record).toMatchObject({ size: 15n });
    const account = await light.verifyRecord({ address: maker.address });
    expect(account.record).toEqual({
      address: maker.address.toLowerCase(),
      collateral: parseEther('1'),
      locked: true,
      positions: [],
    });
    const { marketId, symbol, tickSize, lotSize, baseDecimals, quoteDecimals } = market;
    const pair = { marketId, symbol, tickSize, lotSize, baseDecimals, quoteDecimals };
    expect((await light.verifyRecord({ market })).record).toMatchObject(pair);
    expect((await light.verifyRecord({ global: true })).record?.nextOrderId).toBe(second.orderId + 1);
  });

  it('so is that there is none', async () => {
    const light = lightOf(2, genesis);
    const { orderId } = orders[1]!;
    for (const absent of [
      { orderId: orderId + 1 },
      { orderId: 1_000_000 },
      level('sell', price),
      level('buy', price + 1n),
      { address: stranger },
      { market: market.marketId + 100 },
    ] as const)
      expect(await light.verifyRecord(absent, now())).toMatchObject({ present: false, record: null });
  });

  it('what is proven changes with the chain: after a cancel the order is gone', async () => {
    const { orderId, blockNumber } = await walletOf(testnet.url(0), maker).cancelOrder({ orderId: orders[0]!.orderId });
    const light = lightOf(3, genesis);
    const gone = await light.verifyRecord({ orderId }, { minBlockNumber: blockNumber });
    expect(gone.present).toBe(false);
    expect(gone.blockNumber).toBeGreaterThanOrEqual(blockNumber);
    expect((await light.verifyRecord(level('buy', price))).record).toMatchObject({ size: 5n });
  });
});

describe('a set of validators that changes', () => {
  it('is followed, from genesis and from a trust that was kept, also after all nodes were killed', async () => {
    const before = lightOf(1, genesis);
    await before.verifyBlock();
    const kept = JSON.stringify(before.trust);
    const { output } = await run(['key', 'export', testnet.ownerKey(2), '--yes']);
    const owner = privateKeyToAccount(output.trim() as `0x${string}`);
    const [old] = (await readerOf(testnet.url(1)).getValidators({ block: 1n })).map(({ votingPower }) => votingPower);
    await walletOf(testnet.url(0), giver).sendTransaction({ to: owner.address, value: parseEther('200') });
    await until(
      'the owner has the wei',
      async () => (await readerOf(testnet.url(0)).getBalance({ address: owner.address })) >= parseEther('200'),
    );
    await walletOf(testnet.url(0), owner).bondStake({ amount: parseEther('100') });
    const changed = await until('its power counts', async () => {
      const block = await readerOf(testnet.url(1)).getBlockNumber({ cacheTime: 0 });
      const powers = (await readerOf(testnet.url(1)).getValidators({ block })).map(({ votingPower }) => votingPower);
      return powers.includes(old! + 100n) ? block : null;
    });
    for (const node of [0, 1, 2, 3]) await testnet.kill(node, 'SIGKILL');
    await testnet.startAll();
    for (const root of [genesis, JSON.parse(kept) as LightTrust]) {
      const verified = await lightOf(3, root).verifyBlock({ blockNumber: changed });
      const powers = verified.trust.validators.map(({ power }) => BigInt(power));
      expect(powers).toContain(old! + 100n);
      expect(verified.power.total).toBe(4n * old! + 100n);
      // Who has the same root needs no node to see it again.
      expect(verifyBlock(root, { blocks: verified.path })).toEqual(verified);
    }
    const { orderId } = orders[1]!;
    const order = await lightOf(0, JSON.parse(kept) as LightTrust).verifyRecord(
      { orderId },
      { minBlockNumber: changed },
    );
    expect(order.record).toMatchObject({ orderId, remaining: 5n });
  });
});

type Answer = Record<string, unknown>;
/** Changes the answers of one method. */
const changing =
  (method: string, change: (answer: Answer) => unknown): Lie =>
  async (call, ask) => {
    const answered = await ask();
    return call.method === method && answered.result != null ? { result: change(answered.result as Answer) } : answered;
  };

describe('a node that lies', () => {
  const record = () => ({ orderId: orders[1]!.orderId });

  it('is believed as long as it does not', async () => {
    expect((await deceived((_, ask) => ask()).verifyRecord(record())).present).toBe(true);
  });

  it.each<[string, LightErrorKind, string, (answer: Answer) => unknown]>([
    [
      'that an order is not there',
      'wrong_proof',
      'primeorders_getProof',
      (proof) => ({ ...proof, record: null, present: false }),
    ],
    [
      'that nothing is there',
      'wrong_proof',
      'primeorders_getProof',
      (proof) => ({ ...proof, record: null, steps: [] }),
    ],
    [
      'that an old state is a new one',
      'wrong_proof',
      'primeorders_getProof',
      (proof) => ({ ...proof, block_number: '0x2' }),
    ],
    [
      'about the header',
      'wrong_block',
      'prime_getCommit',
      (commit) => ({ ...commit, header: (commit['header'] as string).replace(/..$/, '01') }),
    ],
    [
      'about who signed',
      'not_enough_power',
      'prime_getCommit',
      (commit) => ({ ...commit, signatures: (commit['signatures'] as unknown[]).slice(0, 2) }),
    ],
    ['about the round', 'wrong_signature', 'prime_getCommit', (commit) => ({ ...commit, round: '0x7' })],
    [
      'about who may sign',
      'wrong_validators',
      'prime_validators',
      (validators) => (validators as unknown as Answer[]).map((each) => ({ ...each, voting_power: '0x1' })),
    ],
    ['and sends nonsense', 'malformed', 'prime_getCommit', (commit) => ({ ...commit, header: '0xc0' })],
  ])('%s: found out as %s', async (_, kind, method, change) => {
    expect(await refused(deceived(changing(method, change)).verifyRecord(record()))).toBe(kind);
  });

  it('about genesis: found out by the hash', async () => {
    const lie = changing('prime_getGenesis', (json) => ({ ...json, validators: [] }));
    const other = changing('prime_getGenesis', (json) => ({ ...json, networkName: 'another' }));
    const { genesisHash } = trustGenesis(genesis);
    expect(await refused(deceived(other, genesisHash).verifyRecord(record()))).toBe('wrong_network');
    expect(['malformed', 'wrong_network']).toContain(await refused(deceived(lie, genesisHash).verifyBlock()));
  });

  it('is told apart from one of another network', async () => {
    const another = { ...genesis, networkName: 'another' };
    expect(await refused(deceived((_, ask) => ask(), another).verifyBlock())).toBe('wrong_network');
  });

  it('by showing the past: it proves what was, and says of which block', async () => {
    const old = await readerOf(testnet.url(1)).request({
      method: 'primeorders_getProof' as never,
      params: [{ order_id: `0x${record().orderId.toString(16)}` }] as never,
    });
    const lie = changing('primeorders_getProof', () => old);
    const { blockNumber } = await walletOf(testnet.url(0), maker).cancelOrder(record());
    const shown = await deceived(lie).verifyRecord(record());
    expect(shown.present).toBe(true);
    expect(shown.blockNumber).toBeLessThan(blockNumber);
    const options = { minBlockNumber: blockNumber, timeoutMs: 300, pollingIntervalMs: 50 };
    expect(await refused(deceived(lie).verifyRecord(record(), options))).toBe('stale_proof');
    expect((await deceived((_, ask) => ask()).verifyRecord(record(), { minBlockNumber: blockNumber })).present).toBe(
      false,
    );
  });
});

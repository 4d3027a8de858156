import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { keccakHex } from '@prime/crypto';
import { type Address, bytesToHex, type Hash, hexToBytes } from '@prime/primitives';
import { Ajv, type ValidateFunction } from 'ajv';
import { createPublicClient, http } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { addressOf, type FakeTransaction, hashOf } from '../testing/fakeNode.ts';
import { devAddress, devKey, type RunningGateway, startGateway } from '../testing/testGateway.ts';

/**
 * Answers of the eth_ methods against the official schemas, which test/conformance/executionApis keeps. A live network is held against
 * them there; here are the situations that only a node in memory can be brought into.
 */
const schemaFile = new URL('../../../../test/conformance/executionApis/testdata/schemas.json', import.meta.url);

interface Specification {
  readonly components: { readonly schemas: Record<string, { additionalProperties?: boolean }> };
  readonly methods: Record<string, { readonly result: object }>;
}

const account = privateKeyToAccount(bytesToHex(devKey) as `0x${string}`);
const alice = addressOf('alice');
const common = {
  chainId: 7919,
  nonce: 3,
  gas: 50_000n,
  to: alice as `0x${string}`,
  value: 1n,
  data: '0xabcd',
} as const;
const accessList = [{ address: alice as `0x${string}`, storageKeys: [hashOf('slot') as `0x${string}`] }];

async function signedTransactions(): Promise<FakeTransaction[]> {
  const authorization = await account.signAuthorization({
    contractAddress: alice as `0x${string}`,
    chainId: 7919,
    nonce: 4,
  });
  const fees = { maxFeePerGas: 9_000_000_000n, maxPriorityFeePerGas: 2n };
  const requests = [
    { ...common, type: 'legacy', gasPrice: 5n },
    { ...common, type: 'eip2930', gasPrice: 5n, accessList },
    { ...common, type: 'eip1559', ...fees, to: undefined },
    undefined,
    { ...common, type: 'eip7702', ...fees, accessList, authorizationList: [authorization] },
  ];
  const transactions: FakeTransaction[] = [];
  for (const [type, request] of requests.entries()) {
    if (request === undefined) continue;
    const raw = hexToBytes(await account.signTransaction(request as never));
    const logs = [{ address: alice, topics: [hashOf('topic')], data: Uint8Array.of(1) }];
    transactions.push({
      raw,
      from: devAddress as Address,
      to: type === 2 ? null : alice,
      type,
      effectiveGasPrice: 1_000_000_002n,
      logs,
    });
  }
  return transactions;
}

describe('eth_ answers satisfy the schemas of execution-apis', () => {
  let running: RunningGateway;
  let hashes: Hash[];
  let validatorOf: (method: string) => ValidateFunction;

  beforeAll(async () => {
    running = await startGateway();
    const { gateway, node } = running;
    const transactions = await signedTransactions();
    hashes = transactions.map(({ raw }) => keccakHex(raw));
    gateway.applyDelta(node.commit({ transactions, accounts: [{ address: alice, nonce: 0, balance: 5n }] }));
    gateway.applyDelta(node.commit());
    const pooled = transactions[2]!;
    node.pool.set(hashOf('pooled'), { raw: pooled.raw, hash: hashOf('pooled'), sender: pooled.from });
    const specification = JSON.parse(readFileSync(schemaFile, 'utf8')) as Specification;
    // Our receipts have the fields of the interface document, too.
    delete specification.components.schemas['ReceiptInfo']!.additionalProperties;
    const ajv = new Ajv({ strict: false });
    ajv.addSchema(specification, 'spec');
    const local = (schema: object): object => JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"spec#/')) as object;
    validatorOf = (method) => ajv.compile(local(specification.methods[method]!.result));
  });
  afterAll(async () => running.gateway.close());

  async function expectConformance(method: string, ...params: readonly unknown[]): Promise<void> {
    const result = await running.call(method, ...params);
    expect([method, params, result]).not.toEqual([method, params, null]);
    const validate = validatorOf(method);
    validate(result);
    expect([method, params, validate.errors]).toEqual([method, params, null]);
  }

  describe('answers', () => {
    it('blocks, with hashes and with whole transactions', async () => {
      for (const block of ['0x0', '0x1', 'latest', 'earliest', 'safe', 'finalized'])
        for (const full of [true, false]) await expectConformance('eth_getBlockByNumber', block, full);
      await expectConformance('eth_getBlockByHash', hashOf('block 1'), true);
      await expect(expectConformance('eth_getBlockByHash', hashOf('no block'), true)).rejects.toThrow(/null/);
      for (const method of ['eth_getBlockTransactionCountByNumber', 'eth_getBlockReceipts'])
        await expectConformance(method, '0x1');
      await expectConformance('eth_getBlockTransactionCountByHash', hashOf('block 1'));
    });

    it('transactions of every type, and their receipts', async () => {
      expect(hashes).toHaveLength(4);
      for (const [index, hash] of hashes.entries()) {
        await expectConformance('eth_getTransactionByHash', hash);
        await expectConformance('eth_getTransactionReceipt', hash);
        await expectConformance('eth_getTransactionByBlockNumberAndIndex', '0x1', index);
        await expectConformance('eth_getTransactionByBlockHashAndIndex', hashOf('block 1'), `0x${index}`);
      }
    });

    it('state, fees, logs and what has no parameters', async () => {
      for (const method of ['eth_getBalance', 'eth_getTransactionCount', 'eth_getCode'])
        await expectConformance(method, alice, 'latest');
      await expectConformance('eth_getStorageAt', alice, '0x0', 'latest');
      await expectConformance('eth_call', { to: alice }, 'latest');
      await expectConformance('eth_estimateGas', { to: alice });
      await expectConformance('eth_createAccessList', { to: alice });
      const calls = ['0x0', '0xa', '0x64'].map((value) => ({ from: alice, to: alice, value }));
      await expectConformance('eth_simulateV1', { blockStateCalls: [{ calls }, {}] });
      const withLists = { ...calls[0], accessList: [{ address: alice, storageKeys: [hashOf('slot')] }] };
      const legacy = { ...calls[0], gasPrice: '0x5' };
      const creation = { from: alice, input: '0x00' };
      const blockStateCalls = [{ calls: [...calls, withLists, legacy, creation] }, {}];
      const simulated = (await running.call('eth_simulateV1', { blockStateCalls, returnFullTransactions: true })) as {
        transactions: object[];
      }[];
      await expectConformance('eth_simulateV1', { blockStateCalls, returnFullTransactions: true });
      expect(simulated[0]!.transactions).toMatchObject([
        ...calls.map((call) => ({ ...call, type: '0x2' })),
        { ...withLists, type: '0x2', transactionIndex: '0x3', r: '0x0', s: '0x0' },
        { ...legacy, type: '0x0' },
        { from: alice, to: null },
      ]);
      expect(simulated[1]!.transactions).toEqual([]);
      await expectConformance('debug_traceBlockByNumber', '0x1', { tracer: 'callTracer' });
      await expectConformance('eth_feeHistory', '0x2', 'latest', [10, 90]);
      await expectConformance('eth_getProof', alice, ['0x0', hashOf('slot')], 'latest');
      await expectConformance('eth_getLogs', { fromBlock: '0x0', toBlock: 'latest' });
      const bare = ['chainId', 'blockNumber', 'gasPrice', 'maxPriorityFeePerGas', 'accounts', 'syncing'];
      for (const name of bare) await expectConformance(`eth_${name}`);
      await expectConformance('net_version');
      // The check can fail: a block is no fee history.
      expect(validatorOf('eth_feeHistory')(await running.call('eth_getBlockByNumber', '0x1', false))).toBe(false);
      await expectConformance('txpool_status');
      await expectConformance('eth_sendTransaction', { from: devAddress, to: alice });
      await expectConformance('eth_sendRawTransaction', '0x02c0');
    });
  });

  it('viem reads blocks, transactions, receipts and logs', async () => {
    const client = createPublicClient({ transport: http(running.url) });
    const block = await client.getBlock({ blockNumber: 1n, includeTransactions: true });
    expect(block.transactions.map(({ type }) => type)).toEqual(['legacy', 'eip2930', 'eip1559', 'eip7702']);
    const receipt = await client.getTransactionReceipt({ hash: hashes[0] as `0x${string}` });
    expect(receipt).toMatchObject({ status: 'success', blockNumber: 1n, type: 'legacy', gasUsed: 21_000n });
    expect(await client.getLogs({ fromBlock: 0n, toBlock: 'latest' })).toHaveLength(4);
    expect(await client.getBalance({ address: alice as `0x${string}` })).toBe(5n);
  });

  it('a pooled transaction has no place in the chain', async () => {
    const shown = await running.call('eth_getTransactionByHash', hashOf('pooled'));
    expect(shown).toMatchObject({ blockHash: null, blockNumber: null, transactionIndex: null, type: '0x2', to: null });
  });

  it('prime_ answers have the native names and not the Ethereum ones', async () => {
    const block = (await running.call('prime_getBlockByNumber', '0x1', true)) as object;
    expect(Object.keys(block)).toEqual(
      expect.arrayContaining(['parent_hash', 'timestamp_ms', 'orders_root', 'commit', 'transaction_count']),
    );
    expect(block).not.toHaveProperty('parentHash');
    expect(block).toMatchObject({
      transactions: [{ blockHash: hashOf('block 1') }, {}, {}, {}],
      orders_root: hashOf('orders root'),
    });
  });
});

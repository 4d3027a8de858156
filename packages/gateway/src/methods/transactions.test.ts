import { afterEach, describe, expect, it } from '@jest/globals';
import { decodeNativeTransaction, encodeNativeTransaction, nativeTransactionHash } from '@prime/codec';
import { keccakHex } from '@prime/crypto';
import { type Address, bytesToHex, errorFromObject, type Hex, hexToBytes } from '@prime/primitives';
import {
  createWalletClient,
  defineChain,
  http,
  parseTransaction,
  publicActions,
  recoverMessageAddress,
  recoverTransactionAddress,
  type TransactionSerialized,
} from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { addressOf, hashOf } from '../testing/fakeNode.ts';
import { devAddress, devKey, type RunningGateway, startGateway } from '../testing/testGateway.ts';

type ViemHex = `0x${string}`;
const alice = addressOf('alice') as ViemHex;
const account = privateKeyToAccount(bytesToHex(devKey) as ViemHex);
const running: RunningGateway[] = [];
const start = async (...settings: Parameters<typeof startGateway>): Promise<RunningGateway> => {
  const started = await startGateway(...settings);
  running.push(started);
  return started;
};
afterEach(async () => {
  await Promise.all(running.splice(0).map(({ gateway }) => gateway.close()));
});
const clientOf = ({ url }: RunningGateway) =>
  createWalletClient({
    account,
    chain: defineChain({
      id: 7919,
      name: 'Prime',
      nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
      rpcUrls: { default: { http: [url] } },
    }),
    transport: http(url),
  }).extend(publicActions);

const pooledFrom = async ({ node }: RunningGateway, nonce: number): Promise<ViemHex> => {
  const raw = await account.signTransaction({
    type: 'eip1559',
    chainId: 7919,
    nonce,
    gas: 21_000n,
    to: alice,
    value: 5n,
    maxFeePerGas: 2_000_000_000n,
    maxPriorityFeePerGas: 1n,
  });
  const hash = keccakHex(hexToBytes(raw));
  node.pool.set(hash, { raw: hexToBytes(raw), hash, sender: devAddress as Address });
  return hash as ViemHex;
};

describe('filling and signing', () => {
  it('eth_fillTransaction: viem takes nonce, gas and fees of every type from it, and signs what it says', async () => {
    const started = await start();
    started.node.nonces.set(devAddress as Address, 7);
    const client = clientOf(started);
    const prepared = await client.prepareTransactionRequest({ to: alice, value: 1n });
    expect(prepared).toMatchObject({ nonce: 7, gas: 21_000n, type: 'eip1559', chainId: 7919 });
    const authorization = await account.signAuthorization({ contractAddress: alice, chainId: 7919, nonce: 8 });
    const accessList = [{ address: alice, storageKeys: [hashOf('slot') as ViemHex] }];
    for (const [type, fields] of [
      ['legacy', { gasPrice: '0x9' }],
      ['eip2930', { gasPrice: '0x9', accessList }],
      ['eip1559', { maxFeePerGas: '0x9', maxPriorityFeePerGas: '0x1', accessList }],
      ['eip7702', { authorizationList: [rpcAuthorization(authorization)] }],
    ] as const) {
      const { raw, tx } = (await started.call('eth_fillTransaction', { from: devAddress, to: alice, ...fields })) as {
        raw: ViemHex;
        tx: Record<string, unknown>;
      };
      // A zero signature stands where the real one goes, as go-ethereum has it.
      const parsed = type === 'legacy' ? { type, nonce: 7 } : parseTransaction(raw as TransactionSerialized);
      expect({ type: parsed.type, nonce: parsed.nonce }).toEqual({ type, nonce: 7 });
      expect(tx).toMatchObject({
        nonce: '0x7',
        to: alice,
        from: devAddress,
        r: '0x0',
        s: '0x0',
        hash: keccakHex(hexToBytes(raw)),
      });
      expect(tx).not.toHaveProperty('blockHash');
      expect(tx['gas']).toBe('0x5208');
    }
  });

  it('eth_fillTransaction: another chain, a creation without code and fees that contradict each other are refused', async () => {
    const { failure } = await start();
    expect(await failure('eth_fillTransaction', { from: devAddress, to: alice, chainId: '0x1' })).toEqual({
      code: -32000,
      message: "chainId does not match node's (have=1, want=7919)",
    });
    expect((await failure('eth_fillTransaction', { from: devAddress })).message).toContain(
      'contract creation without any data provided',
    );
    expect(
      (await failure('eth_fillTransaction', { to: alice, maxFeePerGas: '0x1', maxPriorityFeePerGas: '0x2' })).message,
    ).toContain('maxFeePerGas (1) < maxPriorityFeePerGas (2)');
    expect((await failure('eth_fillTransaction', { to: alice, data: '0x01', input: '0x02' })).message).toContain(
      'has both "data" and "input" and they differ',
    );
  });

  it('extra keys of web3.js and equal data and input, as cast sends them, are taken', async () => {
    const { call, node } = await start();
    await call('eth_sendTransaction', {
      from: devAddress,
      to: alice,
      data: '0x01',
      input: '0x01',
      chain: 'mainnet',
      hardfork: 'prague',
      networkId: '0x1eef',
      type: '0x2',
      chainId: '0x1eef',
    });
    expect(parseTransaction(bytesToHex(node.submitted[0]!) as TransactionSerialized).data).toBe('0x01');
  });

  it('eth_signTransaction signs and submits nothing; unknown accounts are refused', async () => {
    const { call, failure, node } = await start();
    const raw = (await call('eth_signTransaction', { from: devAddress, to: alice, nonce: '0x2' })) as ViemHex;
    expect(parseTransaction(raw as TransactionSerialized)).toMatchObject({ nonce: 2, gas: 21_000n, type: 'eip1559' });
    const sender = await recoverTransactionAddress({ serializedTransaction: raw as TransactionSerialized });
    expect(sender.toLowerCase()).toBe(devAddress);
    expect(node.submitted).toEqual([]);
    const unknown = { code: -32000, message: 'unknown account' };
    expect(await failure('eth_signTransaction', { from: alice, to: alice })).toEqual(unknown);
    expect(await failure('eth_sign', alice, '0x00')).toEqual(unknown);
  });

  it('eth_sign makes the EIP-191 signature that viem recovers', async () => {
    const { call } = await start();
    const signature = (await call('eth_sign', devAddress, '0xdeadbeef')) as ViemHex;
    expect(signature).toBe(await account.signMessage({ message: { raw: '0xdeadbeef' } }));
    expect((await recoverMessageAddress({ message: { raw: '0xdeadbeef' }, signature })).toLowerCase()).toBe(devAddress);
  });

  it('eth_signTypedData_v4 makes the EIP-712 signature that viem makes, for a client whose account the node holds', async () => {
    const started = await start();
    const permit = {
      domain: { name: 'Token', version: '1', chainId: 7919, verifyingContract: alice as ViemHex },
      types: {
        Permit: [
          { name: 'spender', type: 'address' },
          { name: 'value', type: 'uint256' },
        ],
      },
      primaryType: 'Permit',
      message: { spender: alice as ViemHex, value: 2n ** 200n },
    } as const;
    const signature = await clientOf(started).signTypedData({ account: devAddress, ...permit });
    expect(signature).toBe(await account.signTypedData(permit));
    const wire = { ...permit, message: { spender: alice, value: `${2n ** 200n}` } };
    expect(await started.call('eth_signTypedData', devAddress, wire)).toBe(signature);
    expect(await started.failure('eth_signTypedData_v4', alice, wire)).toEqual({
      code: -32000,
      message: 'unknown account',
    });
    expect(await started.failure('eth_signTypedData_v4', devAddress, { ...wire, domain: 5 })).toMatchObject({
      code: -32602,
      message: 'invalid params: typedData.domain must be an object',
    });
  });
});

const rpcAuthorization = (signed: {
  chainId: number;
  address: string;
  nonce: number;
  yParity?: number | undefined;
  r: string;
  s: string;
}) => ({
  chainId: `0x${signed.chainId.toString(16)}`,
  address: signed.address,
  nonce: `0x${signed.nonce.toString(16)}`,
  yParity: `0x${(signed.yParity ?? 0).toString(16)}`,
  r: `0x${BigInt(signed.r).toString(16)}`,
  s: `0x${BigInt(signed.s).toString(16)}`,
});

describe('eth_sendRawTransactionSync', () => {
  it('answers with the receipt when the block comes', async () => {
    const started = await start();
    const { gateway, node } = started;
    const raw = hexToBytes(await account.signTransaction({ chainId: 7919, gas: 21_000n, to: alice, gasPrice: 1n }));
    node.onSubmit = () =>
      void setImmediate(() =>
        gateway.applyDelta(
          node.commit({
            transactions: [
              { raw, from: devAddress as Address, to: addressOf('alice'), type: 0, effectiveGasPrice: 1n },
            ],
          }),
        ),
      );
    const receipt = await clientOf(started).sendRawTransactionSync({ serializedTransaction: bytesToHex(raw) as never });
    expect(receipt).toMatchObject({ status: 'success', blockNumber: 1n, transactionHash: keccakHex(raw) });
  });

  it('behind a gap of nonces: code 6 (ENGINE_NONCE_GAP) with the next nonce, as EIP-7966 has it', async () => {
    const { failure, node } = await start();
    node.onSubmit = () => {
      const detail = { code: 'ENGINE_NONCE_GAP', nextNonce: 11, nonce: 13 };
      throw errorFromObject({ code: detail.code, message: 'nonce too high: next nonce 11, tx nonce 13', detail });
    };
    const raw = await account.signTransaction({ chainId: 7919, gas: 21_000n, nonce: 13, to: alice, gasPrice: 1n });
    expect(await failure('eth_sendRawTransactionSync', raw)).toEqual({
      code: 6,
      message: 'nonce too high: next nonce 11, tx nonce 13',
      data: '0xb',
    });
  });

  it('no block in time: code 4 (RPC_TRANSACTION_NOT_MINED) with the hash, as EIP-7966 has it', async () => {
    const { failure } = await start();
    const raw = await account.signTransaction({ chainId: 7919, gas: 21_000n, to: alice, gasPrice: 1n });
    expect(await failure('eth_sendRawTransactionSync', raw, '0x5')).toEqual({
      code: 4,
      message: "The transaction was added to the transaction pool but wasn't processed in 5 ms",
      data: keccakHex(hexToBytes(raw)),
    });
  });
});

describe('native transactions', () => {
  const native = {
    chainId: 7919,
    nonce: 1_800_000_000_000,
    expiresAt: 0,
    account: addressOf('alice'),
    payload: { type: 'deposit', amount: 255n },
    signatureKind: 'raw',
    signature: Uint8Array.from({ length: 65 }, (_, index) => (index === 64 ? 1 : 7)),
  } as const;
  const raw = encodeNativeTransaction(native);
  const hash = nativeTransactionHash(raw);

  it('eth_sendRawTransaction hands them on; by hash they show with receipt and result', async () => {
    const { call, gateway, node } = await start();
    expect(await call('eth_sendRawTransaction', bytesToHex(raw))).toBe(keccakHex(raw));
    expect(node.submitted).toEqual([raw]);
    const value = { type: 'deposit', address: native.account, amount: 255n, collateral: 255n } as const;
    const evm = { raw: Uint8Array.of(0xc0), from: alice as Address, to: null, type: 0, effectiveGasPrice: 1n };
    gateway.applyDelta(node.commit({ transactions: [evm], actions: [{ hash, raw, result: { ok: true, value } }] }));
    expect(await call('eth_getTransactionByHash', hash)).toMatchObject({
      hash,
      type: '0x50',
      from: native.account,
      to: '0x0000000000000000000000000000000000000100',
      nonce: '0x1a3185c5000',
      action: { type: 'deposit', amount: '0xff' },
      blockNumber: '0x1',
      transactionIndex: '0x1',
      yParity: '0x1',
    });
    const receipt = (await call('eth_getTransactionReceipt', hash)) as { output: Hex };
    expect(receipt).toMatchObject({ transactionHash: hash, status: '0x1', gasUsed: '0x0', logs: [], type: '0x50' });
    expect(receipt.output).toMatch(/^0x[0-9a-f]{10,}$/);
    expect(await call('prime_getTransactionReceipt', hash)).toMatchObject({ transaction_index: '0x1', status: '0x1' });
    expect(decodeNativeTransaction(raw)).toEqual(native);
  });

  it('waiting in the pool they are found without a block', async () => {
    const { call, node } = await start();
    node.pool.set(hash, { raw, hash, sender: native.account });
    expect(await call('eth_getTransactionByHash', hash)).toMatchObject({
      hash,
      blockHash: null,
      transactionIndex: null,
    });
  });

  it('longer than 64 KiB: oversized', async () => {
    const { failure } = await start();
    const long = `0x50${'00'.repeat(65_536)}`;
    expect(await failure('eth_sendRawTransaction', long)).toEqual({
      code: -32000,
      message: 'oversized data: transaction size 65537, limit 65536',
    });
  });
});

describe('the pool as go-ethereum shows it', () => {
  it('txpool_content, contentFrom and inspect: by status, sender and nonce', async () => {
    const started = await start();
    const { call } = started;
    const hashes = [await pooledFrom(started, 0), await pooledFrom(started, 1)];
    const byNonce = {
      0: expect.objectContaining({ hash: hashes[0] }),
      1: expect.objectContaining({ hash: hashes[1] }),
    };
    expect(await call('txpool_content')).toEqual({ pending: { [devAddress]: byNonce }, queued: {} });
    expect(await call('txpool_contentFrom', devAddress)).toEqual({ pending: byNonce, queued: {} });
    expect(await call('txpool_contentFrom', alice)).toEqual({ pending: {}, queued: {} });
    expect(await call('txpool_inspect')).toEqual({
      pending: {
        [devAddress]: {
          0: `${alice}: 5 wei + 21000 gas × 2000000000 wei`,
          1: `${alice}: 5 wei + 21000 gas × 2000000000 wei`,
        },
      },
      queued: {},
    });
  });

  it('what does not exist here answers what clients expect: no uncles, the least blob fee', async () => {
    const { call } = await start();
    expect(await call('eth_getUncleByBlockNumberAndIndex', 'latest', '0x0')).toBeNull();
    expect(await call('eth_getUncleByBlockHashAndIndex', hashOf('any'), '0x0')).toBeNull();
    expect(await call('eth_blobBaseFee')).toBe('0x1');
  });
});

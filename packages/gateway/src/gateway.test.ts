import { describe, expect, it } from '@jest/globals';
import {
  type ActionResult,
  defaultClobParams,
  type DomainEvent,
  encodeParametersRecord,
  parametersRecordKey,
} from '@prime/codec';
import { keccakHex } from '@prime/crypto';
import type { Address, Hex, OrderId } from '@prime/primitives';
import { bytesToHex, InvariantError, zeroAddress } from '@prime/primitives';
import { parseTransaction } from 'viem';
import { addressOf, hashOf, refusedBy } from './testing/fakeNode.ts';
import { alice, order, useGateways } from './testing/streams.ts';
import { devAddress } from './testing/testGateway.ts';

const { start } = useGateways();

const parsed = (raw: Uint8Array) => parseTransaction(bytesToHex(raw) as `0x${string}`);
const ok = (value: Extract<ActionResult, { ok: true }>['value']): ActionResult => ({ ok: true, value });
const deposit = ok({ type: 'deposit', address: alice, amount: 5n, collateral: 7n });

describe('actions', () => {
  it('answer after the block that executed them, from the delta', async () => {
    const { call, gateway, node } = await start();
    const hash = hashOf('action 0');
    const admitted = new Promise<void>((resolve) => {
      node.onAction = async () => {
        resolve();
        return hash;
      };
    });
    const answer = call('primeorders_depositCollateral', alice, '0x5');
    await admitted;
    gateway.applyDelta(node.commit());
    gateway.applyDelta(node.commit({ actions: [{ hash, result: deposit }] }));
    expect(await answer).toEqual({ address: alice, amount: '0x5', collateral: '0x7' });
    expect(node.actions).toEqual([{ account: alice, payload: { type: 'deposit', amount: 5n } }]);
  });

  it('answer also when the delta comes before the hash', async () => {
    const { call, gateway, node } = await start();
    const hash = hashOf('early');
    node.onAction = async () => {
      gateway.applyDelta(node.commit({ actions: [{ hash, result: deposit }] }));
      return hash;
    };
    expect(await call('primeorders_depositCollateral', alice, '0x5')).toMatchObject({ collateral: '0x7' });
  });

  it('that are refused answer with the number and kind of the refusal, and their hash', async () => {
    const { failure, gateway, node } = await start();
    const hash = hashOf('refused');
    const error = {
      code: 'CLOB_INSUFFICIENT_MARGIN',
      message: 'insufficient margin: required 0x5, free 0x0',
      data: { required: '0x5' },
    };
    node.onAction = async () => {
      gateway.applyDelta(node.commit({ actions: [{ hash, result: { ok: false, error } }] }));
      return hash;
    };
    const order = { owner: alice, market_id: 1, side: 'buy', price: '0x1', size: '0x1', tif: 'gtc' };
    expect(await failure('primeorders_submitOrder', order)).toEqual({
      code: -32015,
      message: error.message,
      data: { kind: 'insufficient_margin', reason: 'insufficient_margin', required: '0x5', hash },
    });
  });

  it('that no block executes in time answer that the outcome is unknown', async () => {
    const { failure, node } = await start({ limits: { actionTimeoutMs: 20 } });
    const hash = hashOf('lost');
    node.onAction = async () => hash;
    const error = await failure('primeorders_addMarket', 'A/B', '0x1', '0x1');
    expect(error).toMatchObject({ code: -32000, data: { hash } });
    expect(error.message).toContain('not executed within 20 ms');
    expect(node.actions[0]?.account).toBe(addressOf('admin'));
  });

  it.each([
    ['another account', addressOf('next admin'), addressOf('next admin')],
    ['nobody', null, zeroAddress],
  ])('that name no account are made for the admin as it is now, after a change to %s', async (_, admin, account) => {
    const { failure, gateway, node } = await start({ limits: { actionTimeoutMs: 20 } });
    const value = encodeParametersRecord({ ...defaultClobParams, admin });
    gateway.applyDelta(node.commit({ records: [{ key: parametersRecordKey(), value }] }));
    node.onAction = async () => hashOf('lost');
    await failure('primeorders_addMarket', 'A/B', '0x1', '0x1');
    await failure('primeorders_setMarginParams', { initialMarginBps: 1000, maintenanceMarginBps: 500 });
    expect(node.actions.map((action) => action.account)).toEqual([account, account]);
  });

  it('whose block left memory are looked up before the outcome is called unknown', async () => {
    const { call, gateway, node } = await start({ limits: { actionTimeoutMs: 20, recentBlocks: 1 } });
    const hash = hashOf('slow answer');
    node.onAction = async () => {
      gateway.applyDelta(node.commit({ actions: [{ hash, result: deposit }] }));
      gateway.applyDelta(node.commit());
      return hash;
    };
    expect(await call('primeorders_depositCollateral', alice, '0x5')).toMatchObject({ collateral: '0x7' });
  });

  it('cancel in the name of the owner, also of an order that this node hears of only after asking', async () => {
    const { call, gateway, node } = await start();
    const refused = { ok: false, error: { code: 'CLOB_NOT_OWNER', message: 'not yours', data: {} } } as const;
    const cancelled = ok({ type: 'cancel', orderId: 9 as OrderId, remaining: 1n });
    node.onAction = async (request, index) => {
      const hash = hashOf(`cancel ${index}`);
      const records = index === 0 ? [order(9, 'buy', 1n, 1n)] : [];
      const result = request.account === alice ? cancelled : refused;
      gateway.applyDelta(node.commit({ records, actions: [{ hash, result }] }));
      return hash;
    };
    expect(await call('primeorders_cancelOrder', '0x9')).toBe(true);
    expect(node.actions.map(({ account }) => account)).toEqual([`0x${'0'.repeat(40)}`, alice]);
    expect(await call('primeorders_getOpenOrders', alice)).toMatchObject([
      { order_id: '0x9', filled: '0x0', created_block: '0x1' },
    ]);
  });
});

describe('eth_sendTransaction', () => {
  it('gives 20 parallel calls of one account 20 consecutive nonces', async () => {
    const { call, node } = await start();
    node.onSubmit = () => node.nonces.set(devAddress as Address, (node.nonces.get(devAddress as Address) ?? 0) + 1);
    const send = (_: unknown, index: number) =>
      call('eth_sendTransaction', { from: devAddress, to: alice, value: `0x${index.toString(16)}` });
    const hashes = await Promise.all(Array.from({ length: 20 }, send));
    expect(hashes.length).toBe(20);
    const nonces = node.submitted.map((raw) => parsed(raw).nonce ?? 0);
    expect(nonces).toEqual(Array.from({ length: 20 }, (_, nonce) => nonce));
  });

  it('leaves no gap behind a transaction that is refused', async () => {
    const { call, failure, node } = await start();
    node.onSubmit = () => {
      throw refusedBy('MEMPOOL_INSUFFICIENT_FUNDS', 'insufficient funds for gas * price + value');
    };
    expect(await failure('eth_sendTransaction', { from: devAddress, to: alice })).toMatchObject({
      code: -32000,
      message: 'insufficient funds for gas * price + value',
    });
    node.onSubmit = () => undefined;
    await call('eth_sendTransaction', { from: devAddress, to: alice });
    expect(parsed(node.submitted[0]!).nonce ?? 0).toBe(0);
  });

  it('fills in gas and fees, keeps what is given, and refuses accounts it does not hold', async () => {
    const { call, failure, node } = await start();
    expect(await call('eth_accounts')).toEqual([devAddress]);
    await call('eth_sendTransaction', { from: devAddress, to: alice });
    expect(parsed(node.submitted[0]!)).toMatchObject({
      gas: 21_000n,
      maxFeePerGas: 3_000_000_000n,
      maxPriorityFeePerGas: 1_000_000_000n,
      chainId: 7919,
    });
    await call('eth_sendTransaction', {
      from: devAddress,
      to: alice,
      gas: '0x7530',
      gasPrice: '0x77359400',
      nonce: '0x5',
    });
    expect(parsed(node.submitted[1]!)).toMatchObject({
      type: 'legacy',
      gas: 30_000n,
      gasPrice: 2_000_000_000n,
      nonce: 5,
    });
    expect(await failure('eth_sendTransaction', { from: alice, to: alice })).toMatchObject({
      code: -32000,
      message: 'unknown account',
    });
    expect(await failure('eth_sendTransaction', { from: devAddress })).toMatchObject({ code: -32602 });
  });
});

describe('read models', () => {
  const transaction = (name: string) => ({
    raw: Uint8Array.from([
      0xc0,
      ...hashOf(name)
        .slice(2)
        .match(/../g)!
        .map((byte) => Number.parseInt(byte, 16)),
    ]),
    from: alice,
    to: alice,
    type: 0,
    effectiveGasPrice: 2_000_000_000n,
    logs: [{ address: addressOf(name), topics: [hashOf('topic'), hashOf(name)], data: new Uint8Array(0) }],
  });

  it('answer for recent blocks without a read, and readers for older ones', async () => {
    const { call, gateway, node } = await start({ limits: { recentBlocks: 2 } });
    for (let block = 0; block < 5; block++)
      gateway.applyDelta(node.commit({ transactions: [transaction(`t${block}`)] }));
    expect(await call('eth_blockNumber')).toBe('0x5');
    for (const height of [4, 5])
      expect(await call('eth_getBlockReceipts', height)).toMatchObject([{ blockNumber: `0x${height}` }]);
    expect(node.asked).toEqual({});
    expect(await call('eth_getBlockReceipts', '0x2')).toMatchObject([{ blockNumber: '0x2' }]);
    expect(node.asked).toEqual({ block: 1, receipts: 1 });
    expect(await call('eth_getTransactionReceipt', keccakHex(transaction('t1').raw))).toMatchObject({
      block_number: '0x2',
      status: '0x1',
    });
    expect(await call('eth_getBlockByNumber', '0x6', false)).toBeNull();
    expect(await call('eth_getTransactionReceipt', hashOf('none'))).toBeNull();
  });

  it('join logs of memory and disk, filtered and in order', async () => {
    const { call, gateway, node } = await start({ limits: { recentBlocks: 2 } });
    for (let block = 0; block < 5; block++)
      gateway.applyDelta(node.commit({ transactions: [transaction(`t${block}`), transaction(`u${block}`)] }));
    const logs = async (filter: object) =>
      ((await call('eth_getLogs', filter)) as { blockNumber: string; logIndex: string }[]).map(
        (log) => `${log.blockNumber}/${log.logIndex}`,
      );
    const all = ['0x1', '0x2', '0x3', '0x4', '0x5'].flatMap((height) => [`${height}/0x0`, `${height}/0x1`]);
    expect(await logs({ fromBlock: 'earliest', toBlock: 'latest' })).toEqual(all);
    expect(node.asked).toEqual({ logs: 1 });
    expect(await logs({ fromBlock: '0x4' })).toEqual(all.slice(6));
    expect(node.asked).toEqual({ logs: 1 });
    expect(await logs({ fromBlock: 0, address: [addressOf('t1'), addressOf('u4')] })).toEqual(['0x2/0x0', '0x5/0x1']);
    expect(await logs({ fromBlock: 0, topics: [null, [hashOf('t2'), hashOf('t4')]] })).toEqual(['0x3/0x0', '0x5/0x0']);
    expect(await logs({ fromBlock: 0, topics: [hashOf('topic'), null, null] })).toEqual([]);
    expect(await logs({ blockHash: node.deltas[2]!.hash })).toEqual(['0x3/0x0', '0x3/0x1']);
  });

  it('keep hot accounts true across blocks', async () => {
    const { call, gateway, node } = await start();
    gateway.applyDelta(node.commit({ accounts: [{ address: alice, nonce: 1, balance: 10n }] }));
    expect(await call('eth_getBalance', alice)).toBe('0xa');
    expect(await call('eth_getTransactionCount', alice, 'latest')).toBe('0x1');
    expect(node.asked).toEqual({ account: 1 });
    gateway.applyDelta(node.commit({ accounts: [{ address: alice, nonce: 2, balance: 20n }] }));
    expect(await call('eth_getBalance', alice)).toBe('0x14');
    expect(node.asked).toEqual({ account: 1 });
    await call('eth_getBalance', alice, '0x1');
    expect(node.asked).toEqual({ account: 2 });
  });

  it('ignore a block that they have, and stop at one that is missing', async () => {
    const { call, gateway, node } = await start();
    const first = node.commit();
    node.commit();
    const third = node.commit();
    gateway.applyDelta(first);
    gateway.applyDelta(first);
    expect(await call('eth_blockNumber')).toBe('0x1');
    expect(() => gateway.applyDelta(third)).toThrow(InvariantError);
  });

  it('show domain events in blocks and by range, with exact filters', async () => {
    const { call, gateway, node } = await start({ limits: { recentBlocks: 1 } });
    const account = addressOf('alice');
    const event = (kind: string, data: DomainEvent['data']) =>
      ({ domain: 'orders', kind, actionIndex: 0, data }) as const;
    const paid = event('funding_paid', {
      address: account,
      market_id: 1,
      size: 255n,
      amount: -1n,
      index: 0n,
      insurance: 0n,
    });
    const refused = event('action_rejected', { account, hash: null, ticket: 3, reason: 'margin' });
    for (let block = 0; block < 3; block++)
      gateway.applyDelta(
        node.commit({
          actions: [{ hash: hashOf(`a${block}`), result: deposit }],
          events: [paid, refused],
        }),
      );
    const events = (await call('prime_getDomainEvents', {
      fromBlock: '0x1',
      toBlock: 'latest',
      kind: 'funding_paid',
    })) as object[];
    expect(events.map((shown) => (shown as { block_number: string }).block_number)).toEqual(['0x1', '0x2', '0x3']);
    expect(events[2]).toEqual({
      block_number: '0x3',
      block_hash: node.deltas[2]!.hash,
      time_ms: '0x18bcfe573b8',
      index: '0x0',
      domain: 'orders',
      kind: 'funding_paid',
      transaction_hash: hashOf('a2'),
      data: { address: account, market_id: 1, size: '0xff', amount: '-0x1', index: '0x0', insurance: '0x0' },
    });
    expect(await call('prime_getDomainEvents', { fromBlock: '0x1', toBlock: '0x3', domain: 'Orders' })).toEqual([]);
    expect(await call('prime_getBlockByNumber', 'latest', false)).toMatchObject({
      domain_events: [{ kind: 'funding_paid' }, { kind: 'action_rejected', data: { hash: null, ticket: '0x3' } }],
      actions: [hashOf('a2')],
    });
  });

  it('bound the range and number of logs', async () => {
    const { failure, gateway, node } = await start();
    gateway.applyDelta(node.commit());
    expect(await failure('eth_getLogs', { fromBlock: '0x5', toBlock: '0x1' })).toMatchObject({ code: -32602 });
    expect(await failure('eth_getLogs', { blockHash: hashOf('none') })).toMatchObject({
      code: -32000,
      message: 'unknown block',
    });
    const addresses = Array.from({ length: 1001 }, () => alice);
    expect(await failure('eth_getLogs', { address: addresses })).toMatchObject({
      code: -32005,
      data: { limit: 'filterAlternatives' },
    });
  });
});

describe('state and fees', () => {
  it('answers a revert with its data and another failure in its own words', async () => {
    const { call, failure, node } = await start();
    node.onCall = () => ({ status: 'revert', output: '0x08c379a0' as Hex, gasUsed: 1n });
    expect(await failure('eth_call', { to: alice })).toEqual({
      code: -32000,
      message: 'execution reverted',
      data: '0x08c379a0',
    });
    expect(await failure('eth_estimateGas', { to: alice })).toMatchObject({
      message: 'execution reverted',
      data: '0x08c379a0',
    });
    node.onCall = () => ({ status: 'failure', message: 'out of gas', gasUsed: 1n });
    expect(await failure('eth_call', { to: alice })).toEqual({ code: -32000, message: 'out of gas' });
    let gas: bigint | null = null;
    node.onCall = (request) => {
      gas = request.gas;
      return { status: 'success', output: '0x01' as Hex, gasUsed: 1n };
    };
    expect(await call('eth_call', { to: alice, gas: '0xffffffffffff' })).toBe('0x01');
    expect(gas).toBe(50_000_000n);
  });

  it('answers for an unknown block what go-ethereum says', async () => {
    const { failure } = await start();
    expect(await failure('eth_getBalance', alice, '0x99')).toEqual({ code: -32000, message: 'header not found' });
    expect(await failure('eth_call', {}, { blockHash: hashOf('none') })).toMatchObject({
      message: 'header for hash not found',
    });
  });

  it('tells the pending nonce, pool and pending block', async () => {
    const { call, node } = await start();
    const raw = Uint8Array.from([0xc0]);
    node.pool.set(keccakHex(raw), { raw, hash: keccakHex(raw), sender: alice });
    node.nonces.set(alice, 4);
    expect(await call('eth_getTransactionCount', alice, 'pending')).toBe('0x4');
    expect(await call('txpool_status')).toEqual({ pending: '0x1', queued: '0x1' });
    expect(await call('eth_getBlockByNumber', 'pending', false)).toMatchObject({
      number: '0x1',
      hash: null,
      nonce: null,
      parentHash: hashOf('genesis'),
      transactions: [keccakHex(raw)],
    });
  });

  it('suggests the tip that recent blocks took, and shows the history of fees', async () => {
    const { call, gateway, node } = await start();
    expect(await call('eth_maxPriorityFeePerGas')).toBe('0x3b9aca00');
    const paying = (tip: bigint, seed: number) => ({
      raw: Uint8Array.from([0xc1, seed]),
      from: alice,
      to: alice,
      type: 2,
      effectiveGasPrice: 1_000_000_000n + tip,
    });
    gateway.applyDelta(node.commit({ transactions: [paying(30n, 1), paying(10n, 2), paying(20n, 3)] }));
    gateway.applyDelta(node.commit());
    expect(await call('eth_maxPriorityFeePerGas')).toBe('0x14');
    expect(await call('eth_feeHistory', '0x2', 'latest', [0, 50, 100])).toEqual({
      oldestBlock: '0x1',
      baseFeePerGas: ['0x3b9aca00', '0x3b9aca00', '0x3b9aca00'],
      gasUsedRatio: [63_000 / 30_000_000, 0],
      baseFeePerBlobGas: ['0x1', '0x1', '0x1'],
      blobGasUsedRatio: [0, 0],
      reward: [
        ['0xa', '0x14', '0x1e'],
        ['0x0', '0x0', '0x0'],
      ],
    });
    expect(await call('eth_blobBaseFee')).toBe('0x1');
    expect(await call('eth_feeHistory', 5, '0x0')).toMatchObject({ oldestBlock: '0x0', gasUsedRatio: [0] });
  });
});

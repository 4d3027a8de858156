/**
 * Answers of a live network against the official schemas: blocks with every type of transaction, with native actions, failed and
 * creating transactions; pending ones; and what does not exist. And the fields of the interface document beside them.
 */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { rpc, RpcError } from '@prime/load/rpc';
import { definitions } from '@prime/rpc';
import { createTestnet, type Testnet } from '@prime/testkit';
import { account, type FilledChain, fillChain, other, signedNext, totalSupply, zeroSlot } from './filledChain.ts';
import { type CallAnswer, comparable, simulations } from './simulations.ts';
import { exchanges, specifiedMethods, violations } from './specification.ts';

type Json = Record<string, unknown>;

const otherBlocks = 'blocks and headers of this chain have an encoding of their own, docs/protocol/encoding.md';
const accessLists = 'block access lists (EIP-7928) come after Prague';
const draft = 'a draft that no client of the conformance suite asks for';
/** Of the specified methods, what Prime does not have, and why. */
const notOffered: Readonly<Record<string, string>> = {
  debug_getBadBlocks: 'a block that breaks the rules is never kept',
  debug_getRawBlock: otherBlocks,
  debug_getRawBlockAccessList: accessLists,
  debug_getRawHeader: otherBlocks,
  debug_getRawReceipts: 'the trie of receipts is not the one of Ethereum, so their encoding proves nothing',
  debug_getRawTransaction: 'no client of the conformance suite asks for it; eth_getTransactionByHash has all of it',
  eth_baseFee: draft,
  eth_capabilities: draft,
  eth_coinbase: 'gone from go-ethereum with mining; the proposer of a block is its miner',
  eth_config: 'EIP-7910 tells of forks by time, and this chain has none',
  eth_getBlockAccessList: accessLists,
  eth_getStorageValues: draft,
};
/** ADR 0058: viem, ethers and cast want the bare encoding, which other nodes give them; the schema has it inside of an object. */
const asClientsWant = ['eth_signTransaction'];
const offered = specifiedMethods.filter((method) => definitions.some(({ name }) => name === method));
const checked = offered.filter((method) => !asClientsWant.includes(method));

let testnet: Testnet;
const call = <Result = unknown>(method: string, params: readonly unknown[] = []): Promise<Result> =>
  rpc(testnet.url(0), method, params);

let chain: FilledChain;
const unknownHash = `0x${'00'.repeat(31)}01`;

beforeAll(async () => {
  // Simulations of hundreds of blocks on a machine that has other things to do.
  testnet = await createTestnet({ validators: 4, environment: { PRIME_LIMITS_CALL_MS: '60000' } });
  await testnet.startAll();
  chain = await fillChain(testnet.url(0));
});
afterAll(() => testnet.destroy());

const receiptOf = (name: string) => call<Json>('eth_getTransactionReceipt', [chain.sent[name]]);
const blockHashOf = async (name: string): Promise<unknown> => (await receiptOf(name))['blockHash'];

/** What a method is asked, more than once where its answers differ in shape. */
async function questions(): Promise<Readonly<Record<string, readonly (readonly unknown[])[]>>> {
  const hashes = Object.values(chain.sent);
  const receipts = await Promise.all(Object.keys(chain.sent).map(receiptOf));
  const numbers = receipts.map((receipt) => receipt['blockNumber']);
  const transfer = { from: account.address, to: other.address, value: '0x1' };
  const fill = { ...transfer, gas: '0x5208' };
  const filters = await Promise.all([
    call('eth_newFilter', [{ fromBlock: '0x0', address: chain.token }]),
    call('eth_newBlockFilter'),
    call('eth_newPendingTransactionFilter'),
  ]);
  const blocks = [...numbers, chain.actionBlock, '0x0', 'latest', 'earliest', 'safe', 'finalized', '0x3b9aca00'];
  const places = receipts.map((receipt) => [receipt['blockNumber'], receipt['transactionIndex']]);
  const atHash = receipts.map((receipt) => [receipt['blockHash'], receipt['transactionIndex']]);
  const states = [['latest'], ['0x1'], ['pending'], []];
  const of = (...values: readonly unknown[]) => states.map((state) => [...values, ...state]);
  const tracers = [[], [{ tracer: 'callTracer' }]];
  return {
    debug_traceBlockByHash: [[receipts[0]!['blockHash']]],
    debug_traceBlockByNumber: [[numbers[0]]],
    debug_traceTransaction: hashes.flatMap((hash) => tracers.slice(0, 1).map((tracer) => [hash, ...tracer])),
    eth_accounts: [[]],
    eth_baseFee: [[]],
    eth_blobBaseFee: [[]],
    eth_blockNumber: [[]],
    eth_call: of({ to: chain.token, data: totalSupply }),
    eth_chainId: [[]],
    eth_createAccessList: [[{ from: account.address, to: chain.token, data: totalSupply }]],
    eth_estimateGas: [[transfer], [transfer, 'latest']],
    eth_feeHistory: [
      ['0x8', 'latest', [10, 50, 90]],
      ['0x2', 'latest', []],
      ['0x2', 'latest'],
    ],
    eth_fillTransaction: [[fill], [{ ...fill, gasPrice: '0x77359400' }]],
    eth_gasPrice: [[]],
    eth_getBalance: of(account.address),
    eth_getBlockByHash: [...receipts.map((receipt) => [receipt['blockHash'], true]), [unknownHash, true]],
    eth_getBlockByNumber: blocks.flatMap((block) => [true, false].map((full) => [block, full])),
    eth_getBlockReceipts: [...numbers, '0x0', 'latest', unknownHash].map((block) => [block]),
    eth_getBlockTransactionCountByHash: [[receipts[0]!['blockHash']], [unknownHash]],
    eth_getBlockTransactionCountByNumber: [[numbers[0]], ['0x0'], ['0x3b9aca00']],
    eth_getCode: [...of(chain.token), [account.address], [unknownHash.slice(0, 42)]],
    eth_getFilterChanges: filters.map((filter) => [filter]),
    eth_getFilterLogs: [[filters[0]]],
    eth_getLogs: [[{ fromBlock: '0x0', toBlock: 'latest' }], [{ blockHash: await blockHashOf('dynamic fee') }], [{}]],
    eth_getProof: [
      [chain.token, [zeroSlot, '0x1'], 'latest'],
      [unknownHash.slice(0, 42), [], 'latest'],
    ],
    eth_getStorageAt: of(chain.token, '0x0'),
    eth_getTransactionByBlockHashAndIndex: [...atHash, [atHash[0]![0], '0x99']],
    eth_getTransactionByBlockNumberAndIndex: [...places, ['0x0', '0x0']],
    eth_getTransactionByHash: [...hashes, unknownHash].map((hash) => [hash]),
    eth_getTransactionCount: of(account.address),
    eth_getTransactionReceipt: [...hashes, unknownHash, chain.waiting].map((hash) => [hash]),
    eth_maxPriorityFeePerGas: [[]],
    eth_newBlockFilter: [[]],
    eth_newFilter: [[{ address: chain.token }]],
    eth_newPendingTransactionFilter: [[]],
    eth_sendRawTransaction: [[await signedNext(testnet.url(0))]],
    eth_sendTransaction: [[{ ...transfer, from: other.address }]],
    eth_sign: [[account.address, '0x1234']],
    eth_simulateV1: [[{ blockStateCalls: [{ calls: [transfer] }] }, 'latest']],
    eth_syncing: [[]],
    eth_uninstallFilter: [[await call('eth_newBlockFilter')], ['0x1234']],
    net_version: [[]],
    txpool_content: [[]],
    txpool_contentFrom: [[account.address]],
    txpool_status: [[]],
  };
}

describe('answers of a live network satisfy the official schemas', () => {
  let asked: Awaited<ReturnType<typeof questions>>;
  beforeAll(async () => {
    asked = await questions();
  });

  it('every specified method is offered or known not to be', () => {
    const missing = specifiedMethods.filter((method) => !offered.includes(method));
    expect(missing.toSorted()).toEqual(Object.keys(notOffered));
  });

  it.each(checked)('%s', async (method) => {
    const params = asked[method];
    expect([method, params === undefined ? 'is not asked' : 'is asked']).toEqual([method, 'is asked']);
    for (const each of params!) {
      const result = await call(method, each);
      expect([each, violations(method, result)]).toEqual([each, []]);
    }
  });

  it('the check can fail: a block is no fee history, a receipt no transaction', async () => {
    expect(violations('eth_feeHistory', await call('eth_getBlockByNumber', ['latest', false]))).not.toEqual([]);
    expect(violations('eth_getTransactionByHash', await receiptOf('legacy'))).not.toEqual([]);
  });

  it('what was sent is there in all its types, and failed where it should', async () => {
    const receipts = await Promise.all(
      Object.keys(chain.sent).map(async (name) => [name, await receiptOf(name)] as const),
    );
    expect(Object.fromEntries(receipts.map(([name, { type, status }]) => [name, [type, status]]))).toEqual({
      creation: ['0x2', '0x1'],
      legacy: ['0x0', '0x1'],
      'legacy creation': ['0x0', '0x1'],
      'access list': ['0x1', '0x1'],
      'dynamic fee': ['0x2', '0x1'],
      failed: ['0x2', '0x0'],
      'failed creation': ['0x0', '0x0'],
      'set code': ['0x4', '0x1'],
    });
  });

  it('a native transaction and its receipt are as others, but for the type, which Ethereum does not know', async () => {
    const receipt = await call<Json>('eth_getTransactionReceipt', [chain.native]);
    expect(receipt).toMatchObject({ type: '0x50', status: '0x1', gasUsed: '0x0' });
    expect(violations('eth_getTransactionReceipt', receipt)).toEqual([]);
    const transaction = await call<Json>('eth_getTransactionByHash', [chain.native]);
    expect(transaction).toMatchObject({ type: '0x50', hash: chain.native, blockHash: receipt['blockHash'] });
    expect(violations('eth_getTransactionByHash', { ...transaction, type: '0x0' })).toEqual([]);
    for (const full of [true, false])
      expect(violations('eth_getBlockByHash', await call('eth_getBlockByHash', [receipt['blockHash'], full]))).toEqual(
        [],
      );
    expect(violations('eth_getBlockReceipts', await call('eth_getBlockReceipts', [receipt['blockNumber']]))).toEqual(
      [],
    );
  });

  it('the pending block and a waiting transaction are as the others, without a place in the chain', async () => {
    const block = await call<Json>('eth_getBlockByNumber', ['pending', true]);
    expect(block).toMatchObject({ hash: null, nonce: null });
    const placed = { ...block, hash: unknownHash, nonce: '0x0000000000000000' };
    expect(violations('eth_getBlockByNumber', placed)).toEqual([]);
    const transaction = await call<Json>('eth_getTransactionByHash', [chain.waiting]);
    expect(transaction).toMatchObject({ blockHash: null, blockNumber: null, transactionIndex: null });
    const place = { blockHash: unknownHash, blockNumber: '0x1', blockTimestamp: '0x1', transactionIndex: '0x0' };
    expect(violations('eth_getTransactionByHash', { ...transaction, ...place })).toEqual([]);
  });
});

describe('the fields of the interface document stand beside them, with the same values', () => {
  /** Name in the document and name in execution-apis. */
  const blockFields = {
    number: 'number',
    hash: 'hash',
    proposer: 'miner',
    gas_limit: 'gasLimit',
    gas_used: 'gasUsed',
    base_fee: 'baseFeePerGas',
    state_root: 'stateRoot',
    transactions: 'transactions',
  };
  const receiptFields = {
    transaction_hash: 'transactionHash',
    block_hash: 'blockHash',
    block_number: 'blockNumber',
    transaction_index: 'transactionIndex',
    status: 'status',
    gas_used: 'gasUsed',
    logs: 'logs',
    contract_address: 'contractAddress',
  };
  const twins = (value: Json, names: Readonly<Record<string, string>>): void => {
    for (const [own, ethereum] of Object.entries(names)) {
      expect([own, value[own]]).not.toEqual([own, undefined]);
      expect([own, value[own]]).toEqual([own, value[ethereum]]);
    }
  };

  it('blocks', async () => {
    for (const block of [chain.actionBlock, '0x0', 'latest', (await receiptOf('creation'))['blockNumber']])
      for (const full of [true, false]) {
        const shown = await call<Json>('eth_getBlockByNumber', [block, full]);
        twins(shown, blockFields);
        expect(Array.isArray(shown['domain_events'])).toBe(true);
      }
    const shown = await call<Json>('eth_getBlockByNumber', [chain.actionBlock, false]);
    expect(shown['domain_events']).not.toEqual([]);
  });

  it('receipts, with the output of the execution', async () => {
    for (const name of Object.keys(chain.sent)) twins(await receiptOf(name), receiptFields);
    expect(await receiptOf('dynamic fee')).toMatchObject({ output: `0x${'00'.repeat(31)}01` });
    expect(await receiptOf('failed')).toMatchObject({ output: expect.stringMatching(/^0xe450d38c/) });
  });

  it('transactions', async () => {
    const shown = await call<Json>('eth_getTransactionByHash', [chain.sent['dynamic fee']]);
    for (const name of ['hash', 'from', 'to', 'value', 'gas', 'gasPrice', 'input', 'blockNumber', 'blockHash'])
      expect([name, shown[name]]).toEqual([name, expect.stringMatching(/^0x/)]);
  });
});

describe('the recorded exchanges of execution-apis', () => {
  const noSuchBlock = 'a block of the other chain';
  const noSuchContract = 'a contract of the other chain reverts';
  const otherFee = 'the base fee is another';
  const noFunds = 'the sender has no funds';
  /** Where this chain answers otherwise, and why. */
  const otherwise: Readonly<Record<string, string>> = {
    'eth_call/call-callenv-options-eip1559.io': otherFee,
    'eth_call/call-revert-abi-error.io': noSuchContract,
    'eth_call/call-revert-abi-panic.io': noSuchContract,
    'eth_createAccessList/create-al-contract-eip1559.io': otherFee,
    'eth_createAccessList/create-al-contract.io': otherFee,
    'eth_createAccessList/create-al-value-transfer.io': noFunds,
    'eth_estimateGas/estimate-call-abi-error.io': noSuchContract,
    'eth_estimateGas/estimate-failed-call.io': noSuchContract,
    'eth_estimateGas/estimate-with-eip4844.io': 'there are no blobs',
    'eth_estimateGas/estimate-with-eip7702.io': noFunds,
    'eth_feeHistory/fee-history.io': noSuchBlock,
    'eth_getBalance/get-balance-blockhash.io': noSuchBlock,
    'eth_getLogs/contract-addr.io': noSuchBlock,
    'eth_getLogs/filter-with-blockHash-and-topics.io': noSuchBlock,
    'eth_getLogs/filter-with-blockHash.io': noSuchBlock,
    'eth_getLogs/topic-exact-match.io': noSuchBlock,
    'eth_getLogs/topic-null-wildcard.io': noSuchBlock,
    'eth_getLogs/topic-wildcard.io': noSuchBlock,
    'eth_getProof/get-account-proof-blockhash.io': noSuchBlock,
  };
  /** The head of the other chain was 0x36; what is asked for beyond it has to be beyond the head here, too. */
  const beyondHead = /future/;
  const farAway = (params: readonly unknown[]): readonly unknown[] =>
    JSON.parse(JSON.stringify(params).replace(/"0x(3[7-9a-f])"/g, '"0xffff$1"')) as readonly unknown[];
  const applicable = exchanges.filter(([, [first]]) => offered.includes(first!.request.method));

  it('there are many', () => {
    expect(applicable.length).toBeGreaterThan(80);
  });

  it.each(applicable)('%s', async (name, pairs) => {
    for (const { request, answer, error } of pairs) {
      const recorded = request.params ?? [];
      const params = beyondHead.test(name) ? farAway(recorded) : recorded;
      const outcome = await call(request.method, params).catch((thrown: unknown) => thrown);
      const kind = outcome instanceof RpcError ? 'error' : outcome === null ? 'null' : 'result';
      if (otherwise[name] === undefined) {
        // What is a block there may be none here, and the other way round.
        const expected = answer === 'error' ? ['error'] : answer === 'null' ? ['null'] : ['result', 'null'];
        expect([name, String(outcome), expected]).toEqual([name, String(outcome), expect.arrayContaining([kind])]);
        if (outcome instanceof RpcError) expect([name, outcome.code]).toEqual([name, error!.code]);
      }
      if (outcome instanceof RpcError)
        expect([name, [-32000, -32602]]).toEqual([name, expect.arrayContaining([outcome.code])]);
      else expect([name, violations(request.method, outcome)]).toEqual([name, []]);
    }
  });
});

describe('the recorded simulations of execution-apis', () => {
  const simulate = (payload: object): Promise<{ calls: CallAnswer[] }[] | RpcError> =>
    call<{ calls: CallAnswer[] }[]>('eth_simulateV1', [payload, 'latest']).catch((thrown: RpcError) => thrown);

  it.each(simulations)('$name', async ({ payload, answer, otherwise }) => {
    const outcome = await simulate(payload);
    if (outcome instanceof RpcError) {
      expect(outcome.code).not.toBe(-32603);
      if (otherwise === null) expect(answer).toMatchObject({ error: { code: outcome.code } });
      return;
    }
    expect(violations('eth_simulateV1', outcome)).toEqual([]);
    if (otherwise !== null) return;
    expect(answer).toHaveProperty('calls');
    const recorded = (answer as { calls: CallAnswer[][] }).calls;
    expect(outcome.map(({ calls }) => calls.map(comparable))).toEqual(recorded.map((calls) => calls.map(comparable)));
  });

  it('most of them can be compared', () => {
    expect(simulations.filter(({ otherwise }) => otherwise === null).length).toBeGreaterThan(60);
  });
});

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { compileContract } from '@prime/examples';
import { type RpcError, rpc } from '@prime/load/rpc';
import { createTestnet, type Testnet, until } from '@prime/testkit';
import {
  type Address,
  concat,
  createPublicClient,
  defineChain,
  encodeDeployData,
  getContractAddress,
  type Hex,
  http,
  parseEther,
  zeroHash,
} from 'viem';

/** Traces, simulations and the contracts of genesis: what is computed from history has to be the same on every node. */

const multicall3 = '0xcA11bde05977b3631167028862bE2a173976CA11';
const deployer = '0x4e59b44847b379578588920cA78FbF26c0B4956C';
const simulatedBlocks = 3;

let testnet: Testnet;
beforeAll(async () => {
  const environment = { PRIME_LIMITS_SIMULATED_BLOCKS: `${simulatedBlocks}` };
  testnet = await createTestnet({ validators: 4, environment });
  await testnet.startAll();
});
afterAll(() => testnet.destroy());

interface Receipt {
  readonly transactionHash: Hex;
  readonly blockNumber: Hex;
  readonly blockHash: Hex;
  readonly transactionIndex: Hex;
  readonly contractAddress: Address | null;
  readonly status: Hex;
}

const call = <Result>(node: number, method: string, ...params: unknown[]): Promise<Result> =>
  rpc(testnet.url(node), method, params);
const nodes = [0, 1, 2, 3];

/** The answer that all nodes give. */
async function everywhere<Result>(method: string, ...params: unknown[]): Promise<Result> {
  const answers = await Promise.all(nodes.map((node) => call<Result>(node, method, ...params)));
  for (const answer of answers.slice(1)) expect(answer).toEqual(answers[0]);
  return answers[0]!;
}

/** Sends a transaction through one node and waits until all of them have its block. */
async function send(node: number, from: Address, fields: { to?: Address; data: Hex }): Promise<Receipt> {
  const hash = await call<Hex>(node, 'eth_sendTransaction', { from, ...fields });
  const receipts = await Promise.all(
    nodes.map((other) =>
      until('the receipt on every node', () => call<Receipt | null>(other, 'eth_getTransactionReceipt', hash)),
    ),
  );
  return receipts[0]!;
}

it('contracts of genesis serve deployers and clients: CREATE2 at the foretold address, many reads in one call', async () => {
  const [from] = await call<[Address]>(0, 'eth_accounts');
  const { abi, bytecode } = compileContract('DemoToken.sol', 'DemoToken');
  const initCode = encodeDeployData({ abi, bytecode, args: [parseEther('7')] });
  const token = getContractAddress({ opcode: 'CREATE2', from: deployer, salt: zeroHash, bytecode: initCode });
  const { status } = await send(1, from, { to: deployer, data: concat([zeroHash, initCode]) });
  expect(status).toBe('0x1');
  for (const node of nodes) {
    const url = testnet.url(node);
    const chain = defineChain({
      id: 7919,
      name: 'Prime',
      nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
      rpcUrls: { default: { http: [url] } },
      contracts: { multicall3: { address: multicall3 } },
    });
    const client = createPublicClient({ chain, transport: http(url) });
    const read = { address: token, abi, functionName: 'balanceOf' };
    const contracts = [deployer, from].map((holder) => ({ ...read, args: [holder] }));
    expect(await client.multicall({ contracts, allowFailure: false })).toEqual([parseEther('7'), 0n]);
  }
});

describe('transactions that depend on each other', () => {
  const methods = [
    ['callTracer', { tracer: 'callTracer' }],
    ['prestateTracer', { tracer: 'prestateTracer', tracerConfig: { diffMode: true } }],
    ['structLogger', {}],
  ] as const;
  let counter: Address;
  let receipts: Receipt[];
  let senders: Address[];
  beforeAll(async () => {
    senders = (await call<Address[]>(0, 'eth_accounts')).slice(0, 4);
    // storage[0]++ and returns it; before it the code that deploys 17 bytes.
    const data = '0x601180600a5f395ff3005f546001018060005560005260206000f3';
    counter = (await send(0, senders[0]!, { data })).contractAddress!;
    receipts = await Promise.all(senders.map((from, node) => send(node, from, { to: counter, data: '0x' })));
  });

  interface Frame {
    readonly from: Address;
    readonly output: Hex;
  }
  /** All that there is to ask about them, from every node. */
  async function traces(): Promise<unknown[]> {
    const answers: unknown[] = [];
    for (const [, config] of methods)
      for (const { transactionHash, blockNumber, blockHash } of receipts)
        answers.push(
          await everywhere('debug_traceTransaction', transactionHash, config),
          await everywhere('debug_traceBlockByNumber', blockNumber, config),
          await everywhere('debug_traceBlockByHash', blockHash, config),
        );
    return answers;
  }

  it('are traced alike by every node, and by one that was killed and came back', async () => {
    const before = await traces();
    const frames = await Promise.all(
      receipts.map(({ transactionHash }) =>
        everywhere<Frame>('debug_traceTransaction', transactionHash, { tracer: 'callTracer' }),
      ),
    );
    expect(frames.map(({ output }) => Number(output)).toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4]);
    await testnet.kill(2, 'SIGKILL');
    await testnet.start(2);
    expect(await traces()).toEqual(before);
  });

  it('a call in the place of one of them finds what it found', async () => {
    for (const [index, { transactionHash, blockNumber, transactionIndex }] of receipts.entries()) {
      const config = { tracer: 'callTracer' };
      const { output } = await everywhere<Frame>('debug_traceTransaction', transactionHash, config);
      const request = { from: senders[index], to: counter };
      const placed = { ...config, txIndex: transactionIndex };
      expect(await everywhere('debug_traceCall', request, blockNumber, placed)).toMatchObject({ output });
    }
  });

  it('a simulation goes on from a block, with whole transactions where they are wanted', async () => {
    const { blockNumber, blockHash } = receipts.at(-1)!;
    const calls = [{ from: senders[0], to: counter }];
    const simulate = (count: number, returnFullTransactions: boolean) => [
      { blockStateCalls: Array.from({ length: count }, () => ({ calls })), returnFullTransactions },
      blockNumber,
    ];
    const full = await everywhere<{ hash: Hex; parentHash: Hex }[]>('eth_simulateV1', ...simulate(2, true));
    const transactions = [{ ...calls[0], type: '0x2', transactionIndex: '0x0', r: '0x0', s: '0x0' }];
    expect(full).toMatchObject([
      { parentHash: blockHash, transactions },
      { parentHash: full[0]!.hash, transactions },
    ]);
    const hashes = full.map((block) => (block as unknown as { transactions: { hash: Hex }[] }).transactions[0]!.hash);
    const brief = await everywhere('eth_simulateV1', ...simulate(2, false));
    expect(brief).toEqual(full.map((block, index) => ({ ...block, transactions: [hashes[index]] })));
    const refusal = await call(0, 'eth_simulateV1', ...simulate(simulatedBlocks + 1, false)).catch((error) => error);
    expect(refusal as RpcError).toMatchObject({
      code: -38026,
      message: expect.stringMatching(/too many blocks: at most 3/),
    });
  });
});

/** The audit of a network from outside, on real validators: what they tell is what they have on disk, and a node that lies is named. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  agreement,
  Audit,
  type AuditedNode,
  balancesFinding,
  bookFinding,
  type Call,
  type DecidedBlock,
  EvmLedger,
  type Finding,
  progress,
  readAccounts,
  readBlocksByRpc,
  readChainViews,
  readGenesisByRpc,
  roots,
  TokenLedger,
  tokensFinding,
} from '@prime/audit';
import { type Genesis, genesisHash } from '@prime/codec';
import { homePaths, parseGenesis } from '@prime/config';
import { compileContract, junkMnemonic } from '@prime/examples';
import { rpc } from '@prime/load/rpc';
import { type Address, parseAddress } from '@prime/primitives';
import { createTestnet, run, type Testnet, until } from '@prime/testkit';
import { type Abi, encodeDeployData, encodeFunctionData, type Hex, parseEther, parseGwei } from 'viem';
import { type HDAccount, mnemonicToAccount } from 'viem/accounts';
import { readText } from '../../repo/repository.ts';
import { readStoredChain } from '../../soak/decidedBlocks.ts';
import { PrimeProcess } from './program.ts';

const book = parseAddress('0x0000000000000000000000000000000000000100');
const { abi: bookAbi } = JSON.parse(readText('packages/contracts/artifacts/PrimeOrders.json')) as { abi: Abi };
const token = compileContract('DemoToken.sol', 'DemoToken');
const accounts = [5, 6, 7].map((addressIndex) => mnemonicToAccount(junkMnemonic, { addressIndex }));
const [alice, bob, carol] = accounts.map(({ address }) => parseAddress(address)) as [Address, Address, Address];
/** Whoever makes blocks while nothing else does. */
const dave = mnemonicToAccount(junkMnemonic, { addressIndex: 8 });
const hex = (value: number | bigint): Hex => `0x${value.toString(16)}`;

let testnet: Testnet;
let nodes: AuditedNode[];
let genesis: Genesis;
let contract: Address;

const ask = <Result>(method: string, params: readonly unknown[] = [], node = 0): Promise<Result> =>
  rpc(testnet.url(node), method, params);

interface Plan {
  readonly to?: Hex;
  readonly data?: Hex;
  readonly value?: bigint;
}

/** Signs, sends and waits for the block. */
async function send(
  account: HDAccount,
  plan: Plan,
): Promise<{ readonly status: Hex; readonly contractAddress: Hex | null }> {
  const nonce = Number(await ask<Hex>('eth_getTransactionCount', [account.address, 'latest']));
  const raw = await account.signTransaction({
    ...plan,
    gas: 2_000_000n,
    type: 'eip1559',
    chainId: genesis.chainId,
    nonce,
    maxFeePerGas: parseGwei('500'),
    maxPriorityFeePerGas: parseGwei('1'),
  });
  return ask('eth_sendRawTransactionSync', [raw]);
}

const order = (owner: Address, side: 'buy' | 'sell', price: number, size: number): Promise<unknown> =>
  ask('primeorders_submitOrder', [{ owner, market_id: 1, side, price: hex(price), size: hex(size), tif: 'gtc' }]);

/** Money, orders and contracts in every way that a ledger and the model have to follow. */
async function use(): Promise<void> {
  const [a, b, c] = accounts as [HDAccount, HDAccount, HDAccount];
  await send(a, { to: b.address, value: parseEther('1') });
  const deployed = await send(a, {
    data: encodeDeployData({ abi: token.abi, bytecode: token.bytecode, args: [parseEther('1000')] }),
  });
  contract = parseAddress(deployed.contractAddress!);
  const tokenCall = (functionName: string, args: readonly unknown[]): Plan => ({
    to: contract as Hex,
    data: encodeFunctionData({ abi: token.abi, functionName, args } as never),
  });
  await send(a, tokenCall('transfer', [b.address, parseEther('7')]));
  // More than it has: reverts.
  const failed = await send(c, tokenCall('transfer', [a.address, 1n]));
  expect(failed.status).toBe('0x0');
  const bookCall = (functionName: string, args: readonly unknown[], value = 0n): Plan => ({
    to: book as Hex,
    data: encodeFunctionData({ abi: bookAbi, functionName, args } as never),
    value,
  });
  await send(c, bookCall('deposit', [], 10n ** 15n));
  await send(c, bookCall('submitOrder', [1, true, 900n, 2n, 0, 0, 0n]));
  for (const owner of [alice, bob]) await ask('primeorders_depositCollateral', [owner, hex(10n ** 15n)]);
  await order(alice, 'sell', 1000, 10);
  await order(bob, 'buy', 1000, 4);
  await order(bob, 'buy', 950, 3);
  await ask('primeorders_batch', [
    alice,
    [
      { type: 'order', market_id: 1, side: 'sell', price: hex(1100), size: hex(1), tif: 'gtc' },
      { type: 'cancel', order_id: hex(999) },
    ],
  ]);
  await ask('primebridge_enqueueOrdersToEvm', [{ from: bob, to: bob, amount: hex(12_345) }]);
  await ask('primebridge_dequeueOrdersToEvm', []);
  await ask('primebridge_enqueueEvmToOrders', [{ from: accounts[0]!.address, to: bob, amount: hex(77) }]);
  await expect(ask('primeorders_cancelOrder', [hex(12_345)])).rejects.toThrow('order');
}

/** A second market that follows prices of validators. */
function withOracle(genesis: Record<string, unknown>): void {
  Object.assign(genesis['clob'] as object, { oracle: {} });
  (genesis['markets'] as { oracle?: boolean }[])[1]!.oracle = true;
}

/** `prime` with the key of a validator's owner. */
const asOwner = (node: number, args: readonly string[]): Promise<{ readonly output: string }> =>
  run([...args, '--rpc', testnet.url(node), '--json']);
const gov = (node: number, ...args: readonly string[]) =>
  asOwner(node, ['gov', ...args, '--key-file', testnet.ownerKey(node)]);
const validator = (node: number, ...args: readonly string[]) =>
  run(['validator', ...args, '--home', testnet.home(node), '--rpc', testnet.url(node)]);

/** Validators with another stake, another key and prices, and a vote that changes a parameter. */
async function govern(): Promise<void> {
  const symbol = genesis.markets[1]!.symbol;
  const feeder = join(testnet.directory, 'prices.toml');
  await writeFile(
    feeder,
    `interval_ms = 1000\n[[markets]]\nsymbol = "${symbol}"\n[[markets.sources]]\nkind = "sim"\nprice = 2\nseed = 7\n`,
  );
  const url = testnet.url(0);
  const feed = new PrimeProcess(['oracle', 'feed', '--config', feeder, '--rpc', url, '--network', testnet.directory]);
  try {
    await Promise.all([
      validator(0, 'set-oracle-key', '--key', alice),
      validator(1, 'stake', '--remove', `${parseEther('3')}`),
    ]);
    await until('there is an index', async () => {
      const markets = await ask<{ oracle?: { index_price: string | null } }[]>('primeorders_getMarkets');
      return markets[1]!.oracle!.index_price !== null;
    });
    const head = Number(await ask<Hex>('eth_blockNumber'));
    const { output } = await gov(0, 'propose', 'maxOpenOrders', '77', '--at', `${head + 80}`);
    const { proposal } = JSON.parse(output) as { proposal: string };
    await Promise.all([1, 2, 3].map((voter) => gov(voter, 'vote', proposal, 'yes')));
    await until('the change is made', async () => {
      await send(dave, { to: dave.address });
      const { clob } = await ask<{ clob: { max_open_orders: number } }>('prime_getParameters');
      return clob.max_open_orders === 77;
    });
  } finally {
    await feed.end('SIGTERM');
  }
}

const heads = (): Promise<number[]> =>
  Promise.all(nodes.map(async ({ call }) => Number(await call('eth_blockNumber'))));

async function blocksOf(call: Call, to: number): Promise<DecidedBlock[]> {
  const blocks: DecidedBlock[] = [];
  for await (const block of readBlocksByRpc(call, { chainId: genesis.chainId, from: 1, to })) blocks.push(block);
  return blocks;
}

/** A node whose answers are changed on the way. */
const liar = (
  node: number,
  change: (method: string, params: readonly unknown[], result: unknown) => unknown,
): AuditedNode => ({
  name: `validator${node}`,
  call: async (method, params = []) => change(method, params, structuredClone(await nodes[node]!.call(method, params))),
});

/** All rules over the chain up to a height that every node has. */
async function audited(of: readonly AuditedNode[]): Promise<Finding[]> {
  const head = Math.min(...(await heads()));
  const audit = new Audit(genesis);
  const ledger = new EvmLedger(await readAccounts(nodes[0]!.call, [alice, bob, carol], 0), genesis.faucet);
  const tokens = new TokenLedger([{ address: contract }]);
  const blocks = await blocksOf(of[0]!.call, head);
  for (const block of blocks) {
    audit.replay([block]);
    ledger.add(block);
    tokens.add(block);
  }
  const names = of.map(({ name }) => name);
  const views = await readChainViews(of, { from: 1, to: head });
  return [
    agreement({ names, views }),
    roots({ names, views }),
    progress(
      blocks.map(({ height, timeMs: atMs }) => ({ height, atMs })),
      60_000,
    ),
    await bookFinding({ nodes: of, audit, genesis }),
    await balancesFinding(ledger, of, head),
    await tokensFinding(tokens, of, head),
  ];
}
const violations = (findings: readonly Finding[]): string[] =>
  findings.flatMap((each) => each.violations.map((words) => `${each.rule}: ${words}`));

beforeAll(async () => {
  // All of the chain is read for each test: how long it is must not depend on how long they take.
  testnet = await createTestnet({ validators: 4, genesis: withOracle, idlePace: 'still' });
  await testnet.startAll();
  nodes = [0, 1, 2, 3].map((index) => ({
    name: `validator${index}`,
    call: (method, params = []) => rpc(testnet.url(index), method, params),
  }));
  genesis = await readGenesisByRpc(nodes[3]!.call);
  await use();
  await govern();
  const head = Number(await ask<Hex>('eth_blockNumber'));
  await until('everything is done everywhere', async () => Math.min(...(await heads())) >= head);
});
afterAll(() => testnet.destroy());

describe('an audit over JSON-RPC', () => {
  it('reads the genesis that is in the file', async () => {
    const file = parseGenesis(await readFile(homePaths(testnet.home(0)).genesis, 'utf8'));
    expect(genesis).toEqual(file);
    expect(genesisHash(genesis)).toBe(genesisHash(file));
  });

  it('finds nothing wrong with validators that are right, and has looked at all of it', async () => {
    const findings = await audited(nodes);
    expect(violations(findings)).toEqual([]);
    const seen = Object.fromEntries(findings.map((each) => [each.rule, each.seen]));
    expect(seen['order book']).toMatch(/^\d+ accounts, [3-9] open orders, \d+ books on 4 nodes/);
    expect(seen['balances and nonces']).toMatch(/^3 accounts with [5-9] transactions on 4 nodes/);
    expect(seen['token sums']).toMatch(/^1 tokens, 2 holders, 2 transfers on 4 nodes/);
  });

  it.each<[string, string, (method: string, params: readonly unknown[], result: never) => unknown]>([
    [
      'a balance',
      'balances and nonces',
      (method, [address], result) =>
        method === 'eth_getBalance' && address === bob ? hex(BigInt(result) + 1n) : result,
    ],
    [
      'a nonce',
      'balances and nonces',
      (method, [address], result) => (method === 'eth_getTransactionCount' && address === alice ? '0x0' : result),
    ],
    [
      'a token balance',
      'token sums',
      (method, _params, result) => (method === 'eth_call' ? `0x${'0'.repeat(63)}9` : result),
    ],
    [
      'a collateral',
      'order book',
      (method, [address], result) =>
        method === 'primeorders_getAccount' && address === bob ? { ...(result as object), collateral: '0x1' } : result,
    ],
    [
      'an open order too few',
      'order book',
      (method, [address], result) =>
        method === 'primeorders_getOpenOrders' && address === bob ? (result as unknown[]).slice(1) : result,
    ],
    [
      'a book',
      'order book',
      (method, _params, result) => (method === 'primeorders_getOrderBook' ? { bids: [], asks: [] } : result),
    ],
    [
      'a block of its own',
      'agreement',
      (method, [height], result) =>
        method === 'eth_getBlockByNumber' && height === '0x2'
          ? { ...(result as object), hash: `0x${'7'.repeat(64)}` }
          : result,
    ],
    [
      'a state root of its own',
      'state and orders roots',
      (method, [height], result) =>
        method === 'eth_getBlockByNumber' && height === '0x2'
          ? { ...(result as object), stateRoot: `0x${'7'.repeat(64)}` }
          : result,
    ],
  ])('names the node that tells %s wrongly', async (_what, rule, change) => {
    const findings = await audited([nodes[0]!, nodes[1]!, liar(2, change as never), nodes[3]!]);
    const told = violations(findings);
    expect(told.length).toBeGreaterThan(0);
    expect(told.filter((line) => !line.startsWith(`${rule}:`))).toEqual([]);
    expect(told.join()).toContain('validator2');
  });

  it('tells the action whose result is another one, from the blocks alone', async () => {
    let changed = 0;
    const source = liar(0, (method, _params, result) => {
      if (method !== 'prime_getBlockActions') return result;
      // Every refusal turns into `done`: rlp([1, 8]).
      return (result as { status: string; output: string }[]).map((action) =>
        action.status === '0x0' && ++changed > 0 ? { ...action, output: '0xc20108' } : action,
      );
    });
    const audit = new Audit(genesis);
    audit.replay(await blocksOf(source.call, Math.min(...(await heads()))));
    expect(changed).toBeGreaterThan(0);
    expect(audit.faults).toHaveLength(changed);
    expect(audit.faults[0]).toContain('model "CLOB_UNKNOWN_ORDER"');
  });

  it('a node that does not answer is told, and does not end the audit', async () => {
    const gone: AuditedNode = { name: 'validator2', call: () => Promise.reject(new Error('connection refused')) };
    const told = violations(await audited([nodes[0]!, nodes[1]!, gone, nodes[3]!]));
    expect(told.join('\n')).toMatch(/agreement: validator2 did not answer in the end/);
    expect(told.join('\n')).toMatch(/order book: validator2 did not answer: connection refused/);
    expect(told.join('\n')).toMatch(/balances and nonces: validator2 did not answer: connection refused/);
  });

  // Ends a validator: it is the last one.
  it('reads the same blocks as are on the disk of a validator', async () => {
    await testnet.kill(1, 'SIGTERM');
    const stored = await readStoredChain(testnet.home(1), genesis, { from: 1, whole: true });
    expect(stored.head).toBeGreaterThan(5);
    await until('the others have them', async () => Number(await ask<Hex>('eth_blockNumber')) >= stored.head);
    const told = await blocksOf(nodes[0]!.call, stored.head);
    expect(told).toEqual(stored.blocks);
    const kinds = new Set(told.flatMap(({ actions }) => actions.map(({ transaction }) => transaction.payload.type)));
    expect([...kinds]).toEqual(expect.arrayContaining(['deposit', 'order', 'batch', 'withdraw', 'bridgeDequeue']));
    expect([...kinds]).toEqual(expect.arrayContaining(['oracleReport', 'propose', 'vote', 'validatorUnbond']));
    expect(told.flatMap(({ writes }) => writes.map(({ payload }) => payload.type))).toEqual(['deposit', 'order']);
    expect(
      told.flatMap(({ events }) => events.filter(({ contract: cause }) => cause !== undefined)).length,
    ).toBeGreaterThan(0);
  });
});

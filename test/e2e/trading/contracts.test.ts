/** Contracts that use the order book, on a network of processes: the examples from deployment to payout, and reads on every node. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Artifact, compileContract, junkMnemonic } from '@prime/examples';
import { createTestnet, type Testnet, until } from '@prime/testkit';
import { type Abi, createPublicClient, createWalletClient, decodeFunctionResult, encodeFunctionData, http } from 'viem';
import { mnemonicToAccount, nonceManager } from 'viem/accounts';
import { readText, root } from '../../repo/repository.ts';
import { nodesOf } from '../nodes.ts';

type Hex = `0x${string}`;
const orders = '0x0000000000000000000000000000000000000100';
const { abi } = JSON.parse(readText('packages/contracts/artifacts/PrimeOrders.json')) as { abi: Abi };
const sources = new URL('packages/contracts/', `file://${root}/`);
const all = [0, 1, 2, 3];
const ether = 10n ** 18n;
const marketId = 1;

let testnet: Testnet;
let examples: Record<'MarketMakerVault' | 'LiquidatorBot' | 'TwapExecutor', Artifact>;
beforeAll(async () => {
  const compiled = (name: string): Artifact => compileContract(`examples/${name}.sol`, name, sources);
  examples = {
    MarketMakerVault: compiled('MarketMakerVault'),
    LiquidatorBot: compiled('LiquidatorBot'),
    TwapExecutor: compiled('TwapExecutor'),
  };
  testnet = await createTestnet({
    validators: 4,
    // A busy machine takes its time for a call, too.
    environment: { PRIME_LIMITS_CALL_MS: '60000', PRIME_LIMITS_TRACE_MS: '60000' },
    genesis: (genesis) => {
      // Who is liquidated here is left to a contract.
      Object.assign(genesis['clob'] as object, { autoDequeue: true, autoLiquidatePerBlock: 0 });
      // Reads and rounds need a few blocks each.
      Object.assign(genesis['consensus'] as object, { emptyBlockIntervalMs: 200 });
    },
  });
  await testnet.startAll();
});
afterAll(() => testnet.destroy());

const { call, heightOf } = nodesOf(() => testnet);
const hex = (value: number | bigint): Hex => `0x${value.toString(16)}`;

/** An account with a key of its own, which sends to one of the nodes. */
function person(addressIndex: number) {
  const transport = http(testnet.url(addressIndex % all.length));
  const account = mnemonicToAccount(junkMnemonic, { addressIndex, nonceManager });
  const chain = {
    id: 7919,
    name: 'prime',
    nativeCurrency: { name: 'wei', symbol: 'PRM', decimals: 18 },
    rpcUrls: { default: { http: [] } },
  };
  const wallet = createWalletClient({ account, chain, transport, pollingInterval: 50 });
  const node = createPublicClient({ chain, transport, pollingInterval: 50 });
  const mined = async (hash: Hex) => {
    const receipt = await node.waitForTransactionReceipt({ hash });
    expect(receipt.status).toBe('success');
    // Whoever goes on may ask another node.
    for (const index of all)
      await until(`node ${index} has the block`, async () => (await heightOf(index)) >= Number(receipt.blockNumber));
    return receipt;
  };
  return {
    address: account.address,
    node,
    deploy: async ({ abi: of, bytecode }: Artifact, args: readonly unknown[], value = 0n) => {
      const receipt = await mined(await wallet.deployContract({ abi: of, bytecode, args, value } as never));
      return receipt.contractAddress as Hex;
    },
    send: async (to: Hex, of: Abi, functionName: string, args: readonly unknown[] = [], value = 0n) => {
      const { request } = await node.simulateContract({ address: to, abi: of, functionName, args, value, account });
      return mined(await wallet.writeContract(request as never));
    },
  };
}

/** What the order book's contract answers. */
async function read<Result>(index: number, functionName: string, args: readonly unknown[], block = 'latest') {
  const data = encodeFunctionData({ abi, functionName, args } as never);
  const answer = await call<Hex>(index, 'eth_call', [{ to: orders, data }, block]);
  return decodeFunctionResult({ abi, functionName, data: answer } as never) as Result;
}

const native = (owner: string, side: 'buy' | 'sell', price: number, size: number): Promise<{ status: string }> =>
  call(0, 'primeorders_submitOrder', [
    { owner, market_id: marketId, side, price: hex(price), size: hex(size), tif: 'gtc' },
  ]);
const named = (name: string): Hex => `0x${Buffer.from(name).toString('hex').padStart(40, '0')}`;
const [seller, buyer, rescuer] = [named('seller'), named('buyer'), named('rescuer')] as const;

/** The same block and state root on every validator; by its parent hashes a block says the same of all before it. */
async function expectOneChain(): Promise<void> {
  const head = Math.max(...(await Promise.all(all.map(heightOf))));
  for (const index of all) await until(`node ${index} reaches ${head}`, async () => (await heightOf(index)) >= head);
  const blocks = await Promise.all(
    all.map((index) => call<{ hash: string; stateRoot: string }>(index, 'eth_getBlockByNumber', [hex(head), false])),
  );
  for (const { hash, stateRoot } of blocks)
    expect({ hash, stateRoot }).toEqual({ hash: blocks[0]!.hash, stateRoot: blocks[0]!.stateRoot });
}

describe('contracts on the order book', () => {
  it('a vault makes a market: joined, quoted, filled, unwound, paid out', async () => {
    for (const owner of [seller, buyer]) await call(0, 'primeorders_depositCollateral', [owner, hex(ether)]);
    await native(seller, 'sell', 1000, 10);
    await native(buyer, 'buy', 1000, 10);
    const [operator, member] = [person(0), person(1)];
    const of = examples.MarketMakerVault.abi;
    const vault = await operator.deploy(examples.MarketMakerVault, [marketId, operator.address, 100n]);
    await member.send(vault, of, 'join', [], ether);
    await operator.send(vault, of, 'startRound');
    await until('the money is collateral', async () => (await read<bigint[]>(1, 'account', [vault]))[0] === ether);
    const quoted = await operator.send(vault, of, 'quote', [100n, 5n]);
    // In the book of the next block, on every node.
    for (const index of all) {
      await until('the quotes rest', async () => (await heightOf(index)) > Number(quoted.blockNumber));
      const [bid, ask] = await read<bigint[]>(index, 'bestPrices', [marketId]);
      expect([bid, ask]).toEqual([990n, 1010n]);
    }
    const before = await read<bigint[]>(2, 'bestPrices', [marketId], hex(quoted.blockNumber));
    expect(before.slice(0, 2)).toEqual([0n, 0n]);
    await native(buyer, 'buy', 1010, 5);
    await until('its ask is filled', async () => (await read<bigint[]>(3, 'position', [vault, marketId]))[0] === -5n);
    await native(seller, 'sell', 1005, 5);
    await operator.send(vault, of, 'unwind', [1010n]);
    await until('flat', async () => (await read<bigint[]>(0, 'position', [vault, marketId]))[0] === 0n);
    // Profit leaves the book as soon as who lost it has realized it.
    await native(buyer, 'sell', 1000, 15);
    await native(seller, 'buy', 1000, 15);
    await expectOneChain();
    await operator.send(vault, of, 'endRound');
    // A gift that nobody can refuse does not keep the round open.
    await member.send(orders, abi, 'depositFor', [vault], 1n);
    await until(
      'the money is back',
      async () => BigInt(await call<string>(1, 'eth_getBalance', [vault, 'latest'])) > 0n,
    );
    await until('the round can end', () =>
      member.send(vault, of, 'settleRound').then(
        () => true,
        () => false,
      ),
    );
    await expectOneChain();
    // Sold 5 at 1010 and bought them back at 1005.
    expect(BigInt(await call<string>(1, 'eth_getBalance', [vault, 'latest']))).toBe(ether + 25n);
    const shares = (await member.node.readContract({
      address: vault,
      abi: of,
      functionName: 'sharesOf',
      args: [member.address],
    })) as bigint;
    await member.send(vault, of, 'leave', [shares]);
    await expectOneChain();
    expect(BigInt(await call<string>(1, 'eth_getBalance', [vault, 'latest'])) < 1000n).toBe(true);
  });

  it("a contract's own position is liquidated by another contract, which pays the keeper afterwards", async () => {
    const [owner, keeper] = [person(2), person(3)];
    // 10 000 buy 100 at 1000 with 10 % initial margin.
    const twap = await owner.deploy(examples.TwapExecutor, [marketId, true, 100n, 50n, 1000n, 2n], 10_000n);
    await native(seller, 'sell', 1000, 100);
    const of = examples.TwapExecutor.abi;
    for (let slice = 1; slice <= 2; slice++) {
      await until('a slice is due', () =>
        keeper.send(twap, of, 'execute').then(
          () => true,
          () => false,
        ),
      );
      const filled = async () => (await read<bigint[]>(1, 'orderByClientId', [twap, BigInt(slice)]))[2];
      await until(`slice ${slice} is filled`, async () => (await filled()) === 50n);
    }
    await expectOneChain();
    expect(await read<bigint[]>(2, 'position', [twap, marketId])).toEqual([100n, 100_000n]);
    const bot = await owner.deploy(examples.LiquidatorBot, [ether, [keeper.address]], ether);
    const botAbi = examples.LiquidatorBot.abi;
    expect(await read<boolean>(0, 'isLiquidatable', [twap])).toBe(false);
    await call(0, 'primeorders_depositCollateral', [rescuer, hex(ether)]);
    for (const [side, price] of [
      ['buy', 940],
      ['sell', 940],
    ] as const)
      await native(side === 'buy' ? rescuer : seller, side, price, 1);
    await native(rescuer, 'buy', 930, 200);
    await until('it is in trouble', () => read<boolean>(1, 'isLiquidatable', [twap]));
    const poked = await keeper.send(bot, botAbi, 'poke', [[twap]]);
    await until('liquidated', async () => (await read<bigint[]>(3, 'position', [twap, marketId]))[0] === 0n);
    const events = await call<{ kind: string; ticket?: string; transaction_hash: string }[]>(
      3,
      'prime_getDomainEvents',
      [{ fromBlock: hex(poked.blockNumber), toBlock: hex(poked.blockNumber + 1n), domain: 'orders' }],
    );
    const liquidation = events.find(({ kind }) => kind === 'liquidation')!;
    expect(liquidation).toMatchObject({
      transaction_hash: poked.transactionHash,
      ticket: expect.stringMatching(/^0x/),
    });
    expect(events).toContainEqual(
      expect.objectContaining({
        kind: 'liquidation_reward',
        data: expect.objectContaining({ address: twap, liquidator: bot.toLowerCase(), amount: hex(93) }),
      }),
    );
    const rich = await keeper.node.getBalance({ address: keeper.address });
    await until('the bounty can be claimed', () =>
      owner.send(bot, botAbi, 'claim', [twap]).then(
        () => true,
        () => false,
      ),
    );
    expect(await keeper.node.getBalance({ address: keeper.address })).toBe(rich + ether);
  });

  it('a transaction that read the book gives the same again when it is traced, and all nodes read alike at all heights', async () => {
    const reader = person(4);
    const data = encodeFunctionData({ abi, functionName: 'book', args: [marketId, 10] } as never);
    const gas = await call<Hex>(0, 'eth_estimateGas', [{ from: reader.address, to: orders, data }]);
    expect(Number(gas)).toBeGreaterThan(21_000 + 2_000);
    const head = await heightOf(0);
    for (const height of [0, 5, Math.floor(head / 2), head - 3]) {
      const answers = await Promise.all(
        all.map((index) => call<Hex>(index, 'eth_call', [{ to: orders, data }, hex(height)])),
      );
      expect(new Set(answers).size).toBe(1);
      const trace = await call<{ output: Hex }>(1, 'debug_traceCall', [
        { to: orders, data },
        hex(height),
        { tracer: 'callTracer' },
      ]);
      expect(trace.output).toBe(answers[0]);
    }
    const receipt = await reader.send(orders, abi, 'submitOrder', [marketId, true, 1n, 1n, 0, 0, 77n]);
    await until('the block is everywhere', async () => (await heightOf(2)) >= Number(receipt.blockNumber));
    const trace = await call<{ logs: unknown[]; output: Hex }>(2, 'debug_traceTransaction', [
      receipt.transactionHash,
      { tracer: 'callTracer', tracerConfig: { withLog: true } },
    ]);
    expect(trace.logs).toHaveLength(1);
  });

  it('all four killed behind a write: it is carried out by whoever comes back', async () => {
    const trader = person(5);
    await trader.send(orders, abi, 'deposit', [], ether);
    const { blockNumber } = await trader.send(orders, abi, 'submitOrder', [marketId, true, 500n, 3n, 0, 0, 4242n]);
    await Promise.all(all.map((index) => testnet.kill(index, 'SIGKILL')));
    await testnet.startAll();
    for (const index of all) {
      await until('the next block', async () => (await heightOf(index)) > Number(blockNumber));
      const [id, status] = await read<[bigint, number]>(index, 'orderByClientId', [trader.address, 4242n]);
      expect(status).toBe(1);
      expect((await read<unknown[]>(index, 'order', [id])).slice(1)).toEqual([marketId, true, 500n, 3n]);
    }
    // Refused later on, where nobody can be told any more: a memory says so.
    await trader.send(orders, abi, 'submitOrder', [marketId, true, 500n, 2n ** 127n, 0, 0, 4243n]);
    await until(
      'refused',
      async () => (await read<[bigint, number]>(1, 'orderByClientId', [trader.address, 4243n]))[1] === 4,
    );
    await expectOneChain();
  });
});

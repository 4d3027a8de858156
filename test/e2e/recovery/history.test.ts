import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { decodeNativeTransaction } from '@prime/codec';
import { type RpcError, toHex as hex } from '@prime/load/rpc';
import { type Hex, hexToBytes } from '@prime/primitives';
import { createTestnet, type Testnet, until } from '@prime/testkit';
import { nodesOf } from '../nodes.ts';

/** An archive and a node that keeps recent states and blocks only, on real processes: the same answers within the window. */

const recentStates = 128;
const recentBlocks = 256;
const archive = 0;
const pruned = 1;
/** Without it there are no blocks. */
const third = 2;
const ordersAddress = '0x0000000000000000000000000000000000000100';
const slotZero = '0x0';

let testnet: Testnet;
beforeAll(async () => {
  testnet = await createTestnet({
    validators: 3,
    environment: { PRIME_STORAGE_STATE_SYNC_BLOCKS: '1' },
    genesis: (genesis) => {
      Object.assign(genesis['clob'] as object, { orderMemoryBlocks: 4 });
      // Heights are what this test needs, also where nothing happens.
      Object.assign(genesis['consensus'] as object, { minBlockIntervalMs: 20, emptyBlockIntervalMs: 20 });
    },
  });
  const config = join(testnet.home(pruned), 'config.toml');
  const text = (await readFile(config, 'utf8')).replace(/^\[history\]\n/m, '');
  await writeFile(config, text);
  await appendFile(
    config,
    `\n[history]\nstates = "recent"\nrecent_states = ${recentStates}\nblocks = "recent"\nrecent_blocks = ${recentBlocks}\n`,
  );
  await testnet.startAll();
});
afterAll(() => testnet.destroy());

const { call, heightOf } = nodesOf(() => testnet);
const reach = (index: number, height: number): Promise<true> =>
  until(`validator${index} reaches ${height}`, async () => (await heightOf(index)) >= height);
const receiver = (name: number): string => `0x${name.toString(16).padStart(40, 'b')}`;

const seller = receiver(80);

const refusal = (index: number, method: string, params: readonly unknown[]): Promise<RpcError | null> =>
  call(index, method, params).then(
    () => null,
    (error: unknown) => error as RpcError,
  );

/** A transfer to somebody new and an order, then a few blocks. */
async function step(name: number): Promise<void> {
  const [from] = await call<string[]>(archive, 'eth_accounts');
  await call(archive, 'eth_sendTransaction', [{ from, to: receiver(name), value: hex(name + 1) }]);
  await call(archive, 'primeorders_depositCollateral', [receiver(name), '0xde0b6b3a7640000']);
  const order = { owner: receiver(name), market_id: 1, side: 'buy', price: hex(name + 1), size: '0x5', tif: 'gtc' };
  await call(archive, 'primeorders_submitOrder', [order]);
  await call(archive, 'primeorders_depositCollateral', [seller, '0xde0b6b3a7640000']);
  const trade = { ...order, owner: seller, side: 'sell', size: '0x1', tif: 'ioc' };
  await call(archive, 'primeorders_submitOrder', [trade]);
}

/** An order that its owner cancelled at once. @returns its id */
async function endedOrder(owner: string): Promise<string> {
  await call(archive, 'primeorders_depositCollateral', [owner, '0xde0b6b3a7640000']);
  const order = { owner, market_id: 1, side: 'buy', price: '0x2', size: '0x5', tif: 'gtc' };
  const { order_id: id } = await call<{ order_id: string }>(archive, 'primeorders_submitOrder', [order]);
  await call(archive, 'primeorders_cancelOrder', [id]);
  return id;
}

/** Candles from the oldest on that the pruned node has, which says of its own accord which one that is. */
async function expectSameCandles(): Promise<void> {
  for (const interval of ['1s', '1m', '5m', '15m', '1h', '4h', '1d']) {
    const ask = (index: number, range: object) =>
      call<{ open_time_ms: string; mark: unknown }[]>(index, 'primeorders_getCandles', [1, interval, range]);
    const all = await ask(archive, { from_time_ms: 0 });
    expect(all.some(({ mark }) => mark !== null)).toBe(true);
    const refused = await refusal(pruned, 'primeorders_getCandles', [1, interval, { from_time_ms: 0, limit: 1000 }]);
    // A day that began before the chain did is whole.
    const { oldest_ms: oldest } = (refused?.data ?? { oldest_ms: '0x0' }) as { readonly oldest_ms: string };
    if (interval === '1s') expect(refused).toMatchObject({ code: 4444, data: { oldest_ms: expect.any(String) } });
    const kept = all.filter(({ open_time_ms: open }) => Number(open) >= Number(oldest));
    for (const range of [{}, { from_time_ms: oldest }])
      expect([interval, range, await ask(pruned, range)]).toEqual([interval, range, kept]);
  }
}

/** Everything that is asked of both at a height. */
const questions = (height: number): readonly (readonly [method: string, params: readonly unknown[]])[] => [
  ...[0, 3, 6].map((name) => ['eth_getBalance', [receiver(name), hex(height)]] as const),
  ['eth_getStorageAt', [ordersAddress, slotZero, { blockNumber: hex(height) }]],
  ['eth_getProof', [ordersAddress, [slotZero], hex(height)]],
  ['eth_getProof', [receiver(3), [], hex(height)]],
  ['eth_call', [{ to: receiver(3), value: '0x0' }, hex(height)]],
  ['eth_getBlockByNumber', [hex(height), true]],
  ['eth_getBlockReceipts', [hex(height)]],
  ['prime_getDomainEvents', [{ fromBlock: hex(height), toBlock: hex(height), domain: 'orders' }]],
];

interface Listed {
  readonly roles: readonly string[];
  readonly status: string;
  readonly transaction: { readonly hash: string; readonly blockNumber: string };
}
interface ListedPage {
  readonly transactions: readonly Listed[];
  readonly next: object | null;
  readonly oldest_block: string;
}

/** All that a node tells of an account, page by page. */
async function listed(index: number, account: string, limit: number): Promise<{ list: Listed[]; oldest: number }> {
  const list: Listed[] = [];
  for (let before: object | null = null; ; ) {
    const page: ListedPage = await call(index, 'prime_getAccountTransactions', [account, { limit, before }]);
    list.push(...page.transactions);
    before = page.next;
    if (before === null) return { list, oldest: Number(page.oldest_block) };
  }
}

interface Concerned {
  readonly hash: string;
  readonly accounts: readonly (string | null)[];
}

/** Everything in all blocks, the last first, with the accounts that it concerns. */
async function everything(): Promise<readonly Concerned[]> {
  const found: Concerned[] = [];
  for (let height = await heightOf(archive); height > 0; height--) {
    type Block = { readonly transactions: readonly { hash: string; from: string; to: string | null }[] };
    const [{ transactions }, receipts, actions] = await Promise.all([
      call<Block>(archive, 'eth_getBlockByNumber', [hex(height), true]),
      call<readonly { contractAddress: string | null }[]>(archive, 'eth_getBlockReceipts', [hex(height)]),
      call<readonly { hash: string; raw: Hex }[]>(archive, 'prime_getBlockActions', [hex(height)]),
    ]);
    const owners = new Map(actions.map(({ hash, raw }) => [hash, decodeNativeTransaction(hexToBytes(raw)).account]));
    const ofBlock = transactions
      .filter(({ hash }) => !owners.has(hash))
      .map(({ hash, from, to }, index) => ({ hash, accounts: [from, to, receipts[index]!.contractAddress] }));
    const ofActions = [...owners].map(([hash, owner]) => ({ hash, accounts: [owner] }));
    found.push(...[...ofBlock, ...ofActions].reverse());
  }
  return found;
}

/** The whole history of accounts at an archive; of it at the pruned node what is not older than it says. */
async function expectSameTransactions(accounts: readonly string[]): Promise<void> {
  const all = await everything();
  for (const account of accounts) {
    const whole = await listed(archive, account, 3);
    expect(whole.oldest).toBe(1);
    const concerning = all.filter((one) => one.accounts.includes(account)).map(({ hash }) => hash);
    expect([account, whole.list.map(({ transaction }) => transaction.hash)]).toEqual([account, concerning]);
    const kept = await listed(pruned, account, 100);
    expect(kept.oldest).toBeGreaterThan(1);
    const isKept = ({ transaction }: Listed): boolean => Number(transaction.blockNumber) >= kept.oldest;
    expect([account, kept.list]).toEqual([account, whole.list.filter(isKept)]);
  }
}

/** Makes a contract that does nothing. @returns its address */
async function created(): Promise<string> {
  const [from] = await call<string[]>(archive, 'eth_accounts');
  const hash = await call<string>(archive, 'eth_sendTransaction', [{ from, data: '0x00' }]);
  const receipt = (): Promise<{ contractAddress: string } | null> => call(archive, 'eth_getTransactionReceipt', [hash]);
  await until('the contract is there', async () => (await receipt()) !== null);
  return (await receipt())!.contractAddress;
}

/** No new block for a while, so that windows do not move while they are looked at. */
async function standingStill(look: () => Promise<void>): Promise<void> {
  await testnet.kill(third, 'SIGTERM');
  await until('both have the same', async () => (await heightOf(pruned)) === (await heightOf(archive)));
  await look();
  await testnet.start(third);
}

async function expectSameWindow(): Promise<void> {
  const head = await heightOf(pruned);
  for (let height = head - recentStates + 20; height <= head; height += 9)
    for (const [method, params] of questions(height)) {
      const [whole, part] = await Promise.all([call(archive, method, params), call(pruned, method, params)]);
      expect([height, method, part]).toEqual([height, method, whole]);
    }
}

describe('a node that keeps recent states and blocks', () => {
  it('answers as an archive does within its window, and tells what it does not keep; so it does after kill -9', async () => {
    const early = await endedOrder(receiver(90));
    const contract = await created();
    for (let name = 0; name < 7; name++) {
      await step(name);
      await reach(pruned, (await heightOf(pruned)) + 5);
    }
    await reach(pruned, recentStates + 60);
    await standingStill(expectSameWindow);
    // Nobody remembers it any more; both have the block in which it ended.
    for (const node of [archive, pruned])
      expect(await call(node, 'primeorders_getOrder', [early])).toMatchObject({ status: 'cancelled', price: '0x2' });
    await testnet.kill(pruned, 'SIGKILL');
    await testnet.start(pruned);
    await reach(pruned, recentBlocks + 40);
    await standingStill(async () => {
      await expectSameWindow();

      const words = /missing trie node [0-9a-f]{64} .*is not available/;
      // Between the two windows.
      const between = (await heightOf(pruned)) - Math.floor((recentStates + recentBlocks) / 2);
      expect(await refusal(pruned, 'eth_getBalance', [receiver(3), hex(between)])).toMatchObject({
        code: -32000,
        message: expect.stringMatching(words),
      });
      expect(await refusal(pruned, 'eth_getBlockByNumber', [hex(5), false])).toMatchObject({ code: 4444 });
      expect(await refusal(pruned, 'prime_getCommits', [hex(5), '0x2'])).toMatchObject({ code: 4444 });
      const unknown = await refusal(pruned, 'primeorders_getOrder', [early]);
      expect(unknown).toMatchObject({ code: 4444, message: expect.stringContaining('it ended before block') });
      await expectSameCandles();
      const [funder] = await call<string[]>(archive, 'eth_accounts');
      await expectSameTransactions([funder!, seller, receiver(3), receiver(90), contract, receiver(91)]);
      expect((await listed(archive, contract, 1)).list).toMatchObject([{ roles: ['created'], status: '0x1' }]);
      expect((await listed(archive, receiver(91), 1)).list).toEqual([]);
      expect(await refusal(pruned, 'eth_getLogs', [{ fromBlock: '0x1', toBlock: 'latest' }])).toMatchObject({
        code: 4444,
      });
    });
    expect(await call(archive, 'primeorders_getOrder', [early])).toMatchObject({ status: 'cancelled', size: '0x5' });
    for (const node of [archive, pruned]) expect(await call(node, 'primeorders_getOrder', [hex(10 ** 9)])).toBeNull();
    expect(await call(archive, 'eth_getBalance', [receiver(3), hex(1)])).toBe('0x0');
    expect(await call(archive, 'eth_getBlockByNumber', [hex(5), false])).toMatchObject({ number: hex(5) });

    const commits = await call<{ block_number: string }[]>(archive, 'prime_getCommits', [hex(5), '0x100']);
    expect(commits.map(({ block_number: number }) => Number(number))).toEqual(commits.map((_, index) => 5 + index));
    expect(commits.length).toBe(256);

    const markets = (index: number) =>
      call<unknown[]>(index, 'prime_getDomainEvents', [{ fromBlock: '0x0', toBlock: '0x0', kind: 'market_added' }]);
    expect(await markets(pruned)).toEqual(await markets(archive));
    expect((await markets(pruned)).length).toBeGreaterThan(0);
  });
});

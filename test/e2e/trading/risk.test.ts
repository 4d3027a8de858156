/** Liquidation, who pays for it, and transfers between the domains, on a network of processes that are killed in between. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { toHex as hex } from '@prime/load/rpc';
import { createTestnet, type Testnet, until } from '@prime/testkit';
import { nodesOf } from '../nodes.ts';
import { addressesOf } from './trading.ts';

let testnet: Testnet;
beforeAll(async () => {
  testnet = await createTestnet({
    validators: 4,
    genesis: (genesis) => {
      // Asked for by a call, whose block is known; by slices of a position that is worth little.
      const liquidation = { sliceBps: 2_000, bandBps: 500, rewardBps: 1_000 };
      Object.assign(genesis['clob'] as object, { autoLiquidatePerBlock: 0, liquidation });
    },
  });
  await testnet.startAll();
});
afterAll(() => testnet.destroy());

const all = [0, 1, 2, 3];
const { call, heightOf } = nodesOf(() => testnet);
const [alice, bob, carol, makerA, makerB] = addressesOf('alice', 'bob', 'carol', 'makera', 'makerb');
const [dave, erin, frank] = addressesOf('dave', 'erin', 'frank');
const escrow = '0x0000000000000000000000000000000000000100';

const balanceOf = async (index: number, address: string): Promise<bigint> =>
  BigInt(await call<string>(index, 'eth_getBalance', [address, 'latest']));

interface Account {
  readonly collateral: string;
  readonly equity: string;
  readonly liquidatable: boolean;
  readonly positions: readonly { readonly market_id: number; readonly size: string }[];
}
const account = (index: number, address: string): Promise<Account> => call(index, 'primeorders_getAccount', [address]);

const debtsOf = (index: number): Promise<readonly object[]> => call(index, 'primeorders_getMarketDebts');

const order = (
  index: number,
  owner: string,
  side: 'buy' | 'sell',
  price: number,
  size: number,
  market = 1,
): Promise<unknown> =>
  call(index, 'primeorders_submitOrder', [
    { owner, market_id: market, side, price: hex(price), size: hex(size), tif: 'gtc' },
  ]);

/** The same block and state root at every height, on every validator. */
async function expectOneChain(): Promise<void> {
  const head = Math.max(...(await Promise.all(all.map(heightOf))));
  for (const index of all)
    await until(`validator${index} reaches ${head}`, async () => (await heightOf(index)) >= head);
  for (let height = 1; height <= head; height++) {
    const blocks = await Promise.all(
      all.map((index) =>
        call<{ hash: string; stateRoot: string }>(index, 'eth_getBlockByNumber', [hex(height), false]),
      ),
    );
    for (const { hash, stateRoot } of blocks)
      expect({ height, hash, stateRoot }).toEqual({ height, hash: blocks[0]!.hash, stateRoot: blocks[0]!.stateRoot });
  }
}

/** Stops a validator the hard way, lets the others go on, and starts it again. */
async function killAndRestart(index: number): Promise<void> {
  await testnet.kill(index, 'SIGKILL');
  const survivor = (index + 1) % all.length;
  const before = await heightOf(survivor);
  await until('the others go on', async () => (await heightOf(survivor)) > before);
  await testnet.start(index);
  await until('it is back', async () => (await heightOf(index)) > before);
}

interface Closed {
  readonly positions: readonly {
    readonly trades: readonly { readonly price: string; readonly size: string }[];
    readonly fee: string;
    readonly adl: readonly { readonly address: string; readonly size: string; readonly value: string }[];
    readonly remaining: string;
  }[];
  readonly collateral: string;
  readonly bad_debt: string;
  readonly reward: string;
  readonly block_number: string;
}
const liquidate = (index: number, address: string): Promise<Closed> => call(index, 'primeorders_liquidate', [address]);

/** Kinds of events of the order book in a block, as each node has them. */
async function expectKinds(height: number, kinds: readonly string[]): Promise<void> {
  for (const index of all) {
    await until('the block is there', async () => (await heightOf(index)) >= height);
    const events = await call<{ kind: string }[]>(index, 'prime_getDomainEvents', [
      { fromBlock: hex(height), toBlock: hex(height), domain: 'orders' },
    ]);
    expect(events.map(({ kind }) => kind)).toEqual(kinds);
  }
}

/** A price is made by two who have enough. */
async function print(market: number, price: number, size = 1): Promise<void> {
  await order(2, makerA, 'buy', price, size, market);
  await order(3, makerB, 'sell', price, size, market);
}

describe('liquidation on a network', () => {
  it('an account with equity is closed by slices in the book until it is healthy, and nobody else is touched', async () => {
    await call(0, 'primeorders_depositCollateral', [alice, hex(1000)]);
    for (const address of [bob, carol, makerA, makerB])
      await call(1, 'primeorders_depositCollateral', [address, hex(1_000_000)]);
    // Alice buys 100 at 100 with 1000; then the price falls to 94, where she has 400 and needs 470.
    await order(0, bob, 'sell', 100, 100);
    await order(1, alice, 'buy', 100, 100);
    const refusal = await call(2, 'primeorders_liquidate', [alice]).catch((error: Error) => error.message);
    expect(refusal).toMatch(/is not liquidatable/);
    await print(1, 94);
    await order(0, carol, 'buy', 93, 50);
    for (const index of all)
      await until('every node knows it', () => call<boolean>(index, 'primeorders_isLiquidatable', [alice]));
    await killAndRestart(3);

    const result = await liquidate(3, alice);
    // A fifth at a time. After two of them she has 400 − 2 · (20 + 18) = 324, and needs 282 for the other 60 at 94.
    const slice = { price: hex(93), size: hex(20) };
    expect(result.positions).toMatchObject([{ trades: [slice, slice], fee: hex(36), adl: [], remaining: hex(60) }]);
    expect(result).toMatchObject({ collateral: hex(684), bad_debt: '0x0', reward: '0x0' });
    await expectKinds(Number(result.block_number), ['trade', 'trade', 'liquidation', 'insurance_changed']);
    for (const index of all) {
      expect(await account(index, alice)).toMatchObject({ collateral: hex(684), positions: [{ size: hex(60) }] });
      expect(await account(index, bob)).toMatchObject({ positions: [{ size: '-0x64' }] });
      expect(await call(index, 'primeorders_getInsolvent')).toEqual([]);
    }
    await call(0, 'primeorders_cancelAll', [carol]);
  });

  it('one with less than nothing is paid for by the fund, then by profits on the other side', async () => {
    // At 85 she has 684 − 900. The fund has 36 of it, and Bob won 15 with each of the 60.
    await print(1, 85);
    for (const index of all)
      await until('every node knows it', async () => {
        const found = await call<object[]>(index, 'primeorders_getInsolvent');
        if (found.length === 0) return false;
        expect(found).toEqual([{ address: alice, equity: '-0xd8', collateral: hex(684) }]);
        return true;
      });
    // Others withdraw meanwhile.
    await call(1, 'primebridge_enqueueOrdersToEvm', [{ from: carol, to: carol, amount: '0x7' }]);
    await call(1, 'primebridge_dequeueOrdersToEvm');
    expect(await balanceOf(1, carol)).toBe(7n);

    const result = await liquidate(0, alice);
    expect(result.positions).toMatchObject([
      { trades: [], fee: '0x0', adl: [{ address: bob, size: hex(60), value: hex(60 * 85 + 180) }], remaining: '0x0' },
    ]);
    expect(result).toMatchObject({ collateral: '0x0', bad_debt: '0x0' });
    await expectKinds(Number(result.block_number), ['liquidation', 'debt_covered', 'insurance_changed', 'deleveraged']);
    for (const index of all) {
      expect(await account(index, alice)).toMatchObject({ collateral: '0x0', liquidatable: false, positions: [] });
      expect(await call(index, 'primeorders_getInsolvent')).toEqual([]);
      // What she lost is there for profits: she brought 1000, and 36 of it went through the fund.
      expect(await debtsOf(index)).toEqual([{ market_id: 1, debt: '0x0', profit_pool: hex(1000) }]);
    }
  });

  it('what nobody pays is the debt of its market: there, profit is paid out as far as there are losses', async () => {
    for (const [address, amount] of [
      [dave, 110],
      [erin, 1000],
      [frank, 1000],
    ] as const)
      await call(1, 'primeorders_depositCollateral', [address, hex(amount)]);
    // Frank sells to Dave at 100 and buys back at 85 from Erin, who wins nothing of what Dave owes.
    await order(0, frank, 'sell', 100, 10, 2);
    await order(1, dave, 'buy', 100, 10, 2);
    await order(0, erin, 'sell', 85, 10, 2);
    await order(1, frank, 'buy', 85, 10, 2);
    const result = await liquidate(2, dave);
    expect(result.positions).toMatchObject([
      { trades: [], adl: [{ address: erin, size: hex(10), value: hex(850) }], remaining: '0x0' },
    ]);
    expect(result).toMatchObject({ collateral: '0x0', bad_debt: hex(40) });
    await expectKinds(Number(result.block_number), ['liquidation', 'deleveraged', 'bad_debt', 'market_debt']);
    for (const index of all)
      expect(await debtsOf(index)).toEqual([
        { market_id: 1, debt: '0x0', profit_pool: hex(1000) },
        { market_id: 2, debt: hex(40), profit_pool: hex(110) },
      ]);
    const withdraw = (amount: number): Promise<unknown> =>
      call(3, 'primebridge_enqueueOrdersToEvm', [{ from: frank, to: frank, amount: hex(amount) }]);
    const refusal = await withdraw(1111).catch((error: Error) => error.message);
    expect(refusal).toMatch(/profit/);
    await withdraw(1110);
    await call(3, 'primebridge_dequeueOrdersToEvm');
    expect(await balanceOf(3, frank)).toBe(1110n);
    await expectOneChain();
    for (const index of all) {
      expect(await account(index, frank)).toMatchObject({ collateral: hex(40), positions: [] });
      expect(await account(index, erin)).toMatchObject({ collateral: hex(1000), positions: [] });
      expect(await debtsOf(index)).toContainEqual({ market_id: 2, debt: hex(40), profit_pool: '0x0' });
    }
  });
});

describe('transfers between the domains', () => {
  it('both ways, with validators killed while they wait: every wei is in one place at any time', async () => {
    const sender = (await call<string[]>(0, 'eth_accounts'))[7]!;
    const begin = 1 + Math.max(...(await Promise.all(all.map(heightOf))));
    const sum = async (index: number): Promise<bigint> => {
      const balances = await Promise.all([sender, bob, escrow].map((address) => balanceOf(index, address)));
      return balances.reduce((total, balance) => total + balance);
    };
    const supply = await sum(0);
    const amount = 5_000_000n;
    const queued = await call<{ transfer_id: string; status: string }>(1, 'primebridge_enqueueEvmToOrders', [
      { from: sender, to: bob, amount: hex(amount) },
    ]);
    expect(queued.status).toBe('queued');
    const before = BigInt((await account(1, bob)).collateral);
    await killAndRestart(1);
    await until('it has the queue again', async () => (await sum(1)) === supply);
    expect(await call(1, 'primebridge_dequeueEvmToOrders')).toMatchObject({
      processed: [{ transfer_id: queued.transfer_id, status: 'completed' }],
      pending: '0x0',
    });
    expect(BigInt((await account(1, bob)).collateral) - before).toBe(amount);

    await call(2, 'primebridge_enqueueOrdersToEvm', [{ from: bob, to: sender, amount: hex(amount) }]);
    // One that can not arrive: it goes back to Bob.
    await call(2, 'primebridge_enqueueOrdersToEvm', [{ from: bob, to: escrow, amount: '0x7' }]);
    await Promise.all(all.map((index) => testnet.kill(index, 'SIGKILL')));
    await testnet.startAll();
    const done = await call<{ processed: { status: string; reason: string | null }[] }>(
      3,
      'primebridge_dequeueOrdersToEvm',
    );
    expect(done.processed.map(({ status }) => status)).toEqual(['completed', 'failed']);
    await expectOneChain();
    for (const index of all) {
      expect(await sum(index)).toBe(supply);
      expect(BigInt((await account(index, bob)).collateral)).toBe(before);
      const kinds = await call<{ kind: string }[]>(index, 'prime_getDomainEvents', [
        { fromBlock: hex(begin), toBlock: 'latest', domain: 'bridge' },
      ]);
      expect(kinds.map(({ kind }) => kind)).toEqual([
        'transfer_queued',
        'transfer_completed',
        'transfer_queued',
        'transfer_queued',
        'transfer_completed',
        'transfer_failed',
      ]);
    }
    const refusal = await call(0, 'primebridge_enqueueOrdersToEvm', [{ from: alice, to: alice, amount: '0x1' }]).catch(
      (error: Error) => error.message,
    );
    expect(refusal).toMatch(/insufficient collateral/);
  });
});

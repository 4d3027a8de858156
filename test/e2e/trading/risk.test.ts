/** Liquidation against a real book and transfers between the domains, on a network of processes that are killed in between. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { toHex as hex } from '@prime/load/rpc';
import { createTestnet, type Testnet, until } from '@prime/testkit';
import { nodesOf } from '../nodes.ts';
import { addressesOf } from './trading.ts';

let testnet: Testnet;
beforeAll(async () => {
  testnet = await createTestnet({ validators: 4 });
  await testnet.startAll();
});
afterAll(() => testnet.destroy());

const all = [0, 1, 2, 3];
const { call, heightOf } = nodesOf(() => testnet);
const [alice, bob, carol, makerA, makerB] = addressesOf('alice', 'bob', 'carol', 'makera', 'makerb');
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

const order = (index: number, owner: string, side: 'buy' | 'sell', price: number, size: number): Promise<unknown> =>
  call(index, 'primeorders_submitOrder', [
    { owner, market_id: 1, side, price: hex(price), size: hex(size), tif: 'gtc' },
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

describe('liquidation on a network', () => {
  it('a breached account is closed against the book and by deleveraging, alike on every node', async () => {
    await call(0, 'primeorders_depositCollateral', [alice, hex(1000)]);
    for (const address of [bob, carol, makerA, makerB])
      await call(1, 'primeorders_depositCollateral', [address, hex(1_000_000)]);
    // Alice buys 100 at 100 with 1000; then the price falls to 94, where she has 400 and needs 470.
    await order(0, bob, 'sell', 100, 100);
    await order(1, alice, 'buy', 100, 100);
    const refusal = await call(2, 'primeorders_liquidate', [alice]).catch((error: Error) => error.message);
    expect(refusal).toMatch(/is not liquidatable/);
    await order(2, makerA, 'buy', 94, 1);
    await order(3, makerB, 'sell', 94, 1);
    await order(0, carol, 'buy', 93, 40);
    for (const index of all)
      await until('every node knows it', () => call<boolean>(index, 'primeorders_isLiquidatable', [alice]));
    await killAndRestart(3);

    const result = await call<{
      positions: { trades: { price: string; size: string }[]; fee: string; adl: { address: string; size: string }[] }[];
      collateral: string;
      bad_debt: string;
      block_number: string;
    }>(3, 'primeorders_liquidate', [alice]);
    // 40 at 93 and the rest at the bankruptcy price of 90; the fee is 1 % of 3720.
    expect(result.positions).toMatchObject([
      { trades: [{ price: hex(93), size: hex(40) }], fee: hex(37), adl: [{ address: bob, size: hex(60) }] },
    ]);
    expect(result).toMatchObject({ collateral: hex(83), bad_debt: '0x0' });
    const height = Number(result.block_number);
    for (const index of all) {
      await until('the block is there', async () => (await heightOf(index)) >= height);
      expect(await account(index, alice)).toMatchObject({ collateral: hex(83), liquidatable: false, positions: [] });
      const events = await call<{ kind: string }[]>(index, 'prime_getDomainEvents', [
        { fromBlock: hex(height), toBlock: hex(height), domain: 'orders' },
      ]);
      expect(events.map(({ kind }) => kind)).toEqual(['trade', 'liquidation', 'insurance_changed', 'deleveraged']);
    }
    await expectOneChain();
  });
});

describe('transfers between the domains', () => {
  it('both ways, with validators killed while they wait: every wei is in one place at any time', async () => {
    const sender = (await call<string[]>(0, 'eth_accounts'))[7]!;
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
        { fromBlock: '0x0', toBlock: 'latest', domain: 'bridge' },
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
    const refusal = await call(0, 'primebridge_enqueueOrdersToEvm', [
      { from: alice, to: alice, amount: hex(84) },
    ]).catch((error: Error) => error.message);
    expect(refusal).toMatch(/insufficient collateral/);
  });
});

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type Market,
  RefusalError,
  SubAccountError,
  subAccountAddress,
  SubAccountExistsError,
  toAgentAccount,
  TooManySubAccountsError,
  UnauthorizedError,
} from '@prime/sdk';
import { createTestnet, type Testnet } from '@prime/testkit';
import { parseEther } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { alice, bob, carol } from '../../explorer/people.ts';
import { Clients, rejection } from '../sdk/wallets.ts';

/** Sub-accounts from outside: on four validators, of which one is killed and comes back. */

const most = 3;
const everyNode = [0, 1, 2, 3];
const owner = alice.address.toLowerCase() as `0x${string}`;
const [hedge, trend] = [subAccountAddress(owner, 1), subAccountAddress(owner, 4_294_967_295)];

let testnet: Testnet;
let clients: Clients;
let market: Market;

const order = (side: 'buy' | 'sell', price: string, size = '1') =>
  ({ market, side, price: market.price(price), size: market.size(size) }) as const;

beforeAll(async () => {
  testnet = await createTestnet({
    validators: 4,
    genesis: (genesis) => {
      genesis['actions'] = 'signed';
      Object.assign(genesis['clob'] as object, { subAccountsMax: most, ownersOnly: true, autoDequeue: true });
    },
  });
  await testnet.startAll();
  clients = new Clients(testnet);
  market = await clients.reader().getMarket({ market: 'ETH/USD' });
  for (const account of [alice, bob, carol])
    await clients.walletOf(account).depositCollateral({ amount: parseEther('9000') });
});
afterAll(() => testnet.destroy());

describe('an owner', () => {
  it('makes sub-accounts, which every node knows', async () => {
    const wallet = clients.walletOf(alice);
    const created = await wallet.createSubAccount({ index: 1 });
    expect(created).toMatchObject({ type: 'createSubAccount', address: hedge, owner, index: 1 });
    const last = await wallet.createSubAccount({ index: 4_294_967_295, signatureKind: 'eip712' });
    expect(last.address).toBe(trend);
    for (const node of everyNode) {
      const reader = await clients.after(last, node);
      expect(await reader.getSubAccounts({ owner })).toEqual([
        { address: hedge, index: 1 },
        { address: trend, index: 4_294_967_295 },
      ]);
      expect(await reader.getAccount({ address: hedge })).toMatchObject({
        collateral: 0n,
        locked: true,
        subAccount: { owner, index: 1 },
      });
      expect((await reader.getAccount({ address: owner })).subAccount).toBeUndefined();
    }
  });

  it('makes none twice, and no more than genesis says', async () => {
    const wallet = clients.walletOf(alice);
    const twice = await rejection(wallet.createSubAccount({ index: 1 }));
    expect(twice).toBeInstanceOf(SubAccountExistsError);
    expect((twice as SubAccountExistsError).data).toEqual({ address: hedge, owner, index: 1 });
    await wallet.createSubAccount({ index: 77 });
    const tooMany = await rejection(wallet.createSubAccount({ index: 78 }));
    expect(tooMany).toBeInstanceOf(TooManySubAccountsError);
    expect((tooMany as TooManySubAccountsError).data).toEqual({ limit: most });
  });

  it('trades with them apart, also with itself, and each has its own margin', async () => {
    const wallet = clients.walletOf(alice);
    await wallet.transferCollateral({ amount: parseEther('1000'), to: hedge });
    const resting = await wallet.placeOrder(order('sell', '2000'));
    expect(resting.status).toBe('open');
    const filled = await wallet.placeOrder({ ...order('buy', '2000'), owner: hedge, tif: 'ioc' });
    expect(filled).toMatchObject({ status: 'filled', trades: [{ maker: owner, taker: hedge }] });
    const reader = await clients.after(filled, 2);
    expect((await reader.getAccount({ address: hedge })).positions).toMatchObject([{ size: market.size('1') }]);
    expect((await reader.getAccount({ address: owner })).positions).toMatchObject([{ size: -1n * market.size('1') }]);
    const [event] = await reader.getDomainEvents({
      fromBlock: filled.blockNumber,
      toBlock: filled.blockNumber,
      kind: 'trade',
      address: hedge,
    });
    expect(event!.data).toMatchObject({ maker: owner, taker: hedge });
  });

  it('takes money out by way of itself', async () => {
    const wallet = clients.walletOf(alice);
    const refused = await rejection(wallet.withdrawCollateral({ owner: hedge, amount: 1n, to: owner }));
    expect(refused).toBeInstanceOf(SubAccountError);
    expect((refused as SubAccountError).data).toEqual({ account: hedge, owner });
    const { withdrawable } = await clients.reader().getAccount({ address: hedge });
    const tooMuch = { owner: hedge, amount: withdrawable + 1n, to: owner };
    expect(await rejection(wallet.transferCollateral(tooMuch))).toBeInstanceOf(RefusalError);
    const moved = await wallet.transferCollateral({ owner: hedge, amount: withdrawable, to: owner });
    expect(moved).toMatchObject({ from: hedge, to: owner, amount: withdrawable });
    expect(await wallet.withdrawCollateral({ amount: withdrawable, to: owner })).toMatchObject({
      type: 'transferQueued',
      amount: withdrawable,
    });
    await wallet.transferCollateral({ amount: withdrawable, to: hedge });
  });
});

describe('others', () => {
  it('sign nothing for a sub-account: no stranger, and no agent of the owner without the permission', async () => {
    expect(await rejection(clients.walletOf(bob).cancelAllOrders({ owner: hedge }))).toBeInstanceOf(UnauthorizedError);
    expect(
      await rejection(clients.walletOf(bob).transferCollateral({ owner: hedge, amount: 1n, to: owner })),
    ).toBeInstanceOf(UnauthorizedError);
    const agent = privateKeyToAccount(generatePrivateKey());
    const wallet = clients.walletOf(alice);
    const desk = clients.walletOf(toAgentAccount(agent, { owner: hedge }));
    await wallet.approveAgent({ agent: agent.address, permissions: ['trade'] });
    expect(await rejection(desk.placeOrder(order('buy', '1000')))).toBeInstanceOf(UnauthorizedError);
    await wallet.approveAgent({ agent: agent.address, permissions: ['trade', 'sub_accounts'] });
    const placed = await desk.placeOrder(order('buy', '1000', '0.1'));
    expect(placed.status).toBe('open');
    expect(await clients.reader().getOpenOrders({ address: hedge })).toHaveLength(1);
    expect(await rejection(desk.cancelAllOrders())).toBeInstanceOf(UnauthorizedError);
    expect(await rejection(desk.transferCollateral({ amount: 1n, to: owner }))).toBeInstanceOf(UnauthorizedError);
    await wallet.revokeAgent({ agent: agent.address });
    expect(await rejection(desk.placeOrder(order('buy', '1001')))).toBeInstanceOf(UnauthorizedError);
  });

  it('pay into one that is not made yet; only its owner can get it', async () => {
    const early = subAccountAddress(carol.address, 9);
    const paid = await clients.walletOf(bob).transferCollateral({ amount: 500n, to: early });
    const wallet = clients.walletOf(carol);
    await clients.after(paid, 0);
    const back = { owner: early, amount: 500n, to: carol.address };
    expect(await rejection(wallet.transferCollateral(back))).toBeInstanceOf(UnauthorizedError);
    await wallet.createSubAccount({ index: 9 });
    expect(await wallet.transferCollateral(back)).toMatchObject({ amount: 500n });
  });
});

describe('a validator that is killed', () => {
  it('has the sub-accounts, their orders and who signs for them when it is back', async () => {
    const killed = 3;
    await testnet.kill(killed, 'SIGKILL');
    const wallet = clients.walletOf(alice);
    await wallet.transferCollateral({ amount: parseEther('500'), to: trend });
    const placed = await wallet.placeOrder({ ...order('buy', '900', '0.5'), owner: trend });
    await testnet.start(killed);
    const reader = await clients.after(placed, killed);
    expect(await reader.getSubAccounts({ owner })).toHaveLength(most);
    expect(await reader.getOpenOrders({ address: trend })).toMatchObject([{ orderId: placed.orderId }]);
    // The node that was away judges signatures by its own records.
    const back = clients.walletOf(alice, testnet.url(killed));
    const cancelled = await back.cancelAllOrders({ owner: trend });
    expect(cancelled.orderIds).toEqual([placed.orderId]);
    expect(await rejection(back.withdrawCollateral({ owner: trend, amount: 1n, to: owner }))).toBeInstanceOf(
      SubAccountError,
    );
    for (const node of everyNode) {
      const shown = await (await clients.after(cancelled, node)).getAccount({ address: trend });
      expect(shown).toMatchObject({ collateral: parseEther('500'), openOrders: 0, subAccount: { owner } });
    }
  });
});

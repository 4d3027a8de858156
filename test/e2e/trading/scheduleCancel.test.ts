/** The dead man's switch on a network of processes, whose time comes while a validator is away that was killed after it was set. */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { RpcError, toHex as hex } from '@prime/load/rpc';
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
const [alice, bob] = addressesOf('alice', 'bob');

const rest = (index: number, owner: string, price: number): Promise<{ order_id: string }> =>
  call(index, 'primeorders_submitOrder', [
    { owner, market_id: 1, side: 'buy', price: hex(price), size: hex(10), tif: 'gtc' },
  ]);
const schedule = (
  index: number,
  owner: string,
  atMs: number,
): Promise<{ at_ms: string | null; block_number: string }> => call(index, 'primeorders_scheduleCancel', [owner, atMs]);
const openOrders = async (index: number, owner: string): Promise<number> =>
  (await call<unknown[]>(index, 'primeorders_getOpenOrders', [owner])).length;
const scheduledFor = async (index: number, owner: string): Promise<string | undefined> =>
  (await call<{ scheduled_cancel_ms?: string }>(index, 'primeorders_getAccount', [owner])).scheduled_cancel_ms;
const events = (index: number): Promise<{ kind: string; data: Record<string, unknown> }[]> =>
  call(index, 'prime_getDomainEvents', [{ fromBlock: '0x0', toBlock: 'latest', domain: 'orders' }]);

it('ends all orders of who does not set a later time, and nobody else', async () => {
  for (const owner of [alice, bob]) {
    await call(0, 'primeorders_depositCollateral', [owner, hex(100_000)]);
    for (const price of [90, 91]) await rest(1, owner, price);
  }
  const inSeconds: unknown = await schedule(2, alice, Math.floor(Date.now() / 1000) + 60).catch(
    (error: unknown) => error,
  );
  expect(inSeconds).toMatchObject({ code: -32602, message: expect.stringContaining('in milliseconds') as never });
  const refused: unknown = await schedule(2, alice, Date.now() - 60_000).catch((error: unknown) => error);
  expect(String(refused)).toMatch(/is scheduled for/);
  expect(refused).toBeInstanceOf(RpcError);
  expect((refused as RpcError).data).toMatchObject({ kind: 'bad_schedule', earliest_ms: expect.any(Number) });

  // Bob takes his back.
  const bobs = Date.now() + 20_000;
  expect(await schedule(3, bob, bobs)).toMatchObject({ at_ms: hex(bobs) });
  await until('it is shown everywhere', async () => (await scheduledFor(0, bob)) === hex(bobs));
  expect(await schedule(1, bob, 0)).toMatchObject({ at_ms: null });

  const atMs = Date.now() + 15_000;
  const { block_number: setAt } = await schedule(0, alice, atMs);
  await until('the node to be killed knows it', async () => (await heightOf(3)) >= Number(setAt));
  await testnet.kill(3, 'SIGKILL');
  await until('the time has come', async () => (await openOrders(0, alice)) === 0);
  expect(Date.now()).toBeGreaterThanOrEqual(atMs - 500);
  await testnet.start(3);
  await until('the node that was away knows it', async () => (await scheduledFor(3, bob)) === undefined);
  for (const index of all) {
    await until('the orders are gone', async () => (await openOrders(index, alice)) === 0);
    expect(await openOrders(index, bob)).toBe(2);
    expect(await scheduledFor(index, alice)).toBeUndefined();
    const told = await events(index);
    const ended = told.filter(({ kind, data }) => kind === 'order_cancelled' && data['owner'] === alice);
    expect(ended.map(({ data }) => data['reason'])).toEqual(['scheduled', 'scheduled']);
    expect(told.filter(({ kind }) => kind === 'scheduled_cancel').map(({ data }) => data)).toEqual([
      { account: alice, at_ms: hex(atMs) },
    ]);
  }
  const [order] = (await events(0)).filter(({ kind, data }) => kind === 'order_cancelled' && data['owner'] === alice);
  expect(await call(2, 'primeorders_getOrder', [order!.data['order_id']])).toMatchObject({ status: 'cancelled' });
});

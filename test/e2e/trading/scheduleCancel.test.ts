/** What the chain does by itself for traders, on a network of processes: a dead man's switch whose time comes while a validator is away, and stops that fire behind a restart, one of its own and one of a bracket. */
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
const [alice, bob, carol] = addressesOf('alice', 'bob', 'carol');

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

it('closes a position by a stop, which waits through the restart of a validator', async () => {
  const trade = (owner: string, side: string, price: number, size: number, tif: string): Promise<unknown> =>
    call(0, 'primeorders_submitOrder', [{ owner, market_id: 1, side, price: hex(price), size: hex(size), tif }]);
  await call(0, 'primeorders_depositCollateral', [carol, hex(100_000)]);
  await trade(carol, 'sell', 100, 10, 'gtc');
  await trade(alice, 'buy', 100, 10, 'gtc');
  const stop = { owner: alice, market_id: 1, side: 'sell', kind: 'stop', trigger_price: hex(95), position: true };
  const { order_id: id } = await call<{ order_id: string }>(1, 'primeorders_placeTrigger', [stop]);
  const waiting = async (index: number): Promise<unknown[]> =>
    (await call<{ order_id: string; kind?: string }[]>(index, 'primeorders_getOpenOrders', [alice])).filter(
      ({ order_id: of, kind }) => of === id && kind === 'stop',
    );
  await until('it waits where the node will be killed', async () => (await waiting(3)).length === 1);
  await testnet.kill(3, 'SIGKILL');
  await testnet.start(3);
  await until('it waits still', async () => (await waiting(3)).length === 1);

  // Bob bids 91 and 90. What Carol sells him brings the mark to 91.
  await trade(carol, 'sell', 91, 5, 'ioc');
  for (const index of all) {
    await until('it has fired', async () => (await waiting(index)).length === 0);
    expect(await call(index, 'primeorders_getOrder', [id])).toMatchObject({
      status: 'cancelled',
      reason: 'fired',
      kind: 'stop',
      trigger_price: hex(95),
    });
    expect(await call(index, 'primeorders_getAccount', [alice])).toMatchObject({ positions: [] });
    const fired = (await events(index)).filter(({ kind }) => kind === 'trigger_fired');
    expect(fired.map(({ data }) => data['order_id'])).toEqual([id]);
  }
});

it('wakes the stop of a bracket when its order fills while a validator is away', async () => {
  interface Waiting {
    readonly order_id: string;
    readonly parent_order_id?: string;
    readonly asleep?: boolean;
    readonly size: string;
  }
  const place = (owner: string, side: string, price: number, more: object): Promise<{ order_id: string }> =>
    call(0, 'primeorders_submitOrder', [
      { owner, market_id: 1, side, price: hex(price), size: hex(4), tif: 'gtc', ...more },
    ]);
  const [dave] = addressesOf('dave');
  await call(0, 'primeorders_depositCollateral', [dave, hex(100_000)]);
  const legs = { stop: { trigger_price: hex(85) }, take_profit: { trigger_price: hex(120), limit_price: hex(119) } };
  const refused: unknown = await place(dave, 'sell', 95, legs).catch((error: unknown) => error);
  expect((refused as RpcError).data).toMatchObject({ kind: 'bad_flags' });
  const { order_id: parent } = await place(dave, 'buy', 89, legs);
  const attached = async (index: number): Promise<Waiting[]> =>
    (await call<Waiting[]>(index, 'primeorders_getOpenOrders', [dave])).filter(
      ({ parent_order_id: of }) => of === parent,
    );
  await until('both sleep where the node will be killed', async () => (await attached(3)).length === 2);
  expect((await attached(3)).map(({ asleep, size }) => [asleep, size])).toEqual([
    [true, '0x0'],
    [true, '0x0'],
  ]);
  await testnet.kill(3, 'SIGKILL');
  // Bob's bids at 90 and 91 are in front of it.
  await call(0, 'primeorders_cancelAll', [bob, null]);
  await place(carol, 'sell', 89, {});
  await testnet.start(3);
  for (const index of all) {
    await until('both are awake', async () => (await attached(index)).every(({ asleep }) => asleep === false));
    expect((await attached(index)).map(({ size }) => size)).toEqual([hex(4), hex(4)]);
  }
  // A bid and a trade at 84 bring the mark there.
  await place(bob, 'buy', 84, { size: hex(20) });
  await place(carol, 'sell', 84, { size: hex(1), tif: 'ioc' });
  for (const index of all) {
    await until('one has fired and the other is gone', async () => (await attached(index)).length === 0);
    expect(await call(index, 'primeorders_getAccount', [dave])).toMatchObject({ positions: [] });
    const ended = (await events(index)).filter(({ kind, data }) => kind === 'trigger_ended' && data['owner'] === dave);
    expect(ended.map(({ data }) => data['reason'])).toEqual(['group']);
  }
});

/** Limits of markets on a network of processes: each is refused where it is crossed, and holds when a validator is killed in between. */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { RpcError, toHex as hex } from '@prime/load/rpc';
import { createTestnet, type Testnet, until } from '@prime/testkit';
import { nodesOf } from '../nodes.ts';
import { addressesOf } from './trading.ts';

const limits = { positionMax: '100', priceBandBps: 1000, orderNotionalMax: '20000' };
let testnet: Testnet;
beforeAll(async () => {
  testnet = await createTestnet({
    validators: 4,
    genesis: (genesis) => {
      Object.assign(genesis['clob'] as object, { limits });
      Object.assign((genesis['markets'] as object[])[0]!, { limits: { openInterestMax: '150' } });
    },
  });
  await testnet.startAll();
});
afterAll(() => testnet.destroy());

const { call, heightOf } = nodesOf(() => testnet);
const [alice, bob, carol, dave] = addressesOf('alice', 'bob', 'carol', 'dave');

const send = (
  index: number,
  owner: string,
  side: 'buy' | 'sell',
  [price, size]: readonly [number, number],
  more: object = {},
): Promise<{ status: string; filled: string; block_number: string }> =>
  call(index, 'primeorders_submitOrder', [
    { owner, market_id: 1, side, price: hex(price), size: hex(size), tif: 'gtc', ...more },
  ]);

/** What a refused order is told. */
async function refusalOf(sent: Promise<unknown>): Promise<unknown> {
  const error: unknown = await sent.then(
    () => 'taken',
    (reason: unknown) => reason,
  );
  if (!(error instanceof RpcError)) throw new Error(`the order was not refused: ${String(error)}`);
  return { code: error.code, ...(error.data as object) };
}
const openInterest = async (index: number): Promise<string> =>
  (await call<{ open_interest: string }[]>(index, 'primeorders_getTickers', [1]))[0]!.open_interest;

it('refuses what is beyond a limit with the bound, before and after a crash, and never what reduces', async () => {
  for (const owner of [alice, bob, carol, dave])
    await call(0, 'primeorders_depositCollateral', [owner, hex(1_000_000)]);
  const [market] = await call<{ limits: unknown }[]>(1, 'primeorders_getMarkets');
  expect(market!.limits).toEqual({
    open_interest_max: hex(150),
    position_max: hex(100),
    price_band_bps: 1000,
    order_notional_max: hex(20_000),
  });
  expect(await refusalOf(send(0, alice, 'buy', [201, 100]))).toMatchObject({
    code: -32029,
    kind: 'order_notional',
    notional: hex(20_100),
    order_notional_max: hex(20_000),
  });
  // Alice is long by 100, Bob short.
  await send(0, bob, 'sell', [100, 100]);
  expect((await send(1, alice, 'buy', [100, 100])).status).toBe('filled');
  const { block_number: tradedAt } = await send(1, carol, 'buy', [95, 1]);
  expect(await refusalOf(send(2, carol, 'buy', [111, 1]))).toMatchObject({ kind: 'price_band', highest: hex(110) });
  expect(await refusalOf(send(2, carol, 'sell', [89, 1]))).toMatchObject({ kind: 'price_band', lowest: hex(90) });
  expect(await refusalOf(send(3, alice, 'buy', [100, 1]))).toMatchObject({
    kind: 'position_limit',
    possible: hex(101),
    position_max: hex(100),
  });

  await until('the node to be killed has the trade', async () => (await heightOf(3)) >= Number(tradedAt));
  await testnet.kill(3, 'SIGKILL');
  // 50 more may be open.
  await send(0, dave, 'sell', [101, 50]);
  await testnet.start(3);
  await until('the node that was away is there again', async () => (await heightOf(3)) >= (await heightOf(0)) - 1);
  const beyond = { kind: 'open_interest', open_interest: hex(100), opened: hex(51), open_interest_max: hex(150) };
  expect(await refusalOf(send(3, carol, 'buy', [101, 51]))).toMatchObject(beyond);
  expect((await send(3, carol, 'buy', [101, 50])).status).toBe('filled');
  for (const index of [0, 1, 2, 3]) {
    await until('open interest is the same everywhere', async () => (await openInterest(index)) === hex(150));
    expect(await refusalOf(send(index, carol, 'buy', [90, 1]))).toMatchObject({ kind: 'open_interest', opened: '0x1' });
  }
  // Alice closes at a price outside of the band, against who came before the cap was reached and against Bob, who closes too.
  await send(2, bob, 'buy', [90, 100]);
  const closed = await send(3, alice, 'sell', [50, 100], { tif: 'ioc' });
  expect(closed.filled).toBe(hex(100));
  for (const index of [0, 1, 2, 3])
    await until('who closed is gone', async () => (await openInterest(index)) === hex(51));
});

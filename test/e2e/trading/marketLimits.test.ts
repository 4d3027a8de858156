/** Limits and life of markets on a network of processes: what is beyond a limit, what votes change, and how a market ends; a validator is killed in between. */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { RpcError, toHex as hex } from '@prime/load/rpc';
import { createTestnet, run, type Testnet, until } from '@prime/testkit';
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

interface Position {
  readonly market_id: number;
  readonly size: string;
}
const accountOf = (index: number, owner: string): Promise<{ collateral: string; positions: Position[] }> =>
  call(index, 'primeorders_getAccount', [owner]);
const statusOf = async (index: number): Promise<string> =>
  (await call<{ status: string }[]>(index, 'primeorders_getMarkets'))[0]!.status;

/** `prime gov …` with the key of a validator's owner. */
async function gov<Answer>(validator: number, ...args: readonly string[]): Promise<Answer> {
  const signed = ['--key-file', testnet.ownerKey(validator), '--rpc', testnet.url(validator), '--json'];
  const { output } = await run(['gov', ...args, ...signed]);
  return JSON.parse(output) as Answer;
}

it('changes a parameter and settles a market by votes, through a restart', async () => {
  const before = { carol: await accountOf(0, carol), dave: await accountOf(0, dave) };
  expect(before).toMatchObject({
    carol: { positions: [{ market_id: 1, size: hex(51) }] },
    dave: { positions: [{ market_id: 1, size: `-${hex(50)}` }] },
  });
  const at = (await heightOf(0)) + 200;
  const heights = ['--at', String(at)];
  const settlement = JSON.stringify({ status: 'settling', price: '103' });
  const { proposal: one } = await gov<{ proposal: string }>(0, 'propose', 'maxOpenOrders', '7', ...heights);
  const ofMarket = ['--market', '1', ...heights];
  const { proposal: two } = await gov<{ proposal: string }>(1, 'propose', 'status', settlement, ...ofMarket);
  await gov(0, 'vote', one, 'yes');
  for (const voter of [1, 2]) for (const proposal of [one, two]) await gov(voter, 'vote', proposal, 'yes');
  expect(await call<object[]>(2, 'prime_getProposals')).toMatchObject(
    expect.arrayContaining([
      expect.objectContaining({ proposal: one, parameter: 'maxOpenOrders', value: '7', has_passed: true }),
      expect.objectContaining({ proposal: two, has_passed: false }),
    ]),
  );
  await gov(0, 'vote', two, 'yes');
  await testnet.kill(3, 'SIGKILL');
  const { block_number: restedAt } = await send(0, bob, 'buy', [90, 1]);
  expect(Number(restedAt)).toBeLessThan(at);
  while ((await heightOf(0)) < at + 2) await call(0, 'primeorders_depositCollateral', [alice, hex(1)]);
  await testnet.start(3);
  await until('the node that was away is there again', async () => (await heightOf(3)) >= at + 2);
  for (const index of [0, 1, 2, 3]) {
    await until('the market is over', async () => (await statusOf(index)) === 'delisted');
    expect(await call<{ clob: object }>(index, 'prime_getParameters')).toMatchObject({
      clob: { max_open_orders: 7 },
      markets: expect.arrayContaining([expect.objectContaining({ market_id: 1, status: 'delisted' })]),
    });
    expect(await call(index, 'primeorders_getOpenOrders', [bob])).toEqual([]);
    expect(await refusalOf(send(index, bob, 'buy', [90, 1]))).toMatchObject({ kind: 'market_delisted' });
    const after = { carol: await accountOf(index, carol), dave: await accountOf(index, dave) };
    expect(after).toMatchObject({ carol: { positions: [] }, dave: { positions: [] } });
    // Dave sold 50 at 101 and pays 2 for each.
    expect(BigInt(after.dave.collateral) - BigInt(before.dave.collateral)).toBe(-100n);
    expect(await call<object[]>(index, 'prime_getProposals')).toEqual([]);
  }
  expect(await call<{ clob: object }>(0, 'prime_getParameters', [hex(at - 1)])).toMatchObject({
    clob: { max_open_orders: 10_000 },
    markets: expect.arrayContaining([expect.objectContaining({ market_id: 1, status: 'trading' })]),
  });
});

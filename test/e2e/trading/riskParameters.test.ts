/** Fees, risk tiers and funding on a network of processes whose genesis has them, with a validator that is killed in between. */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { toHex as hex } from '@prime/load/rpc';
import { createTestnet, type Testnet, until } from '@prime/testkit';
import { nodesOf } from '../nodes.ts';
import { addressesOf } from './trading.ts';

const treasury = `0x${'7e'.repeat(20)}`;
let testnet: Testnet;
beforeAll(async () => {
  testnet = await createTestnet({
    validators: 4,
    genesis: (genesis) => {
      (genesis['consensus'] as Record<string, number>)['emptyBlockIntervalMs'] = 500;
      Object.assign(genesis['clob'] as object, {
        fees: { takerPpm: 10_000, makerPpm: -4000, treasury, treasuryShareBps: 5000 },
        riskTiers: [{ aboveNotional: '20000', initialMarginBps: 5000, maintenanceMarginBps: 2500 }],
        funding: { intervalSeconds: 2, maxRateBps: 1000, premiumIntervals: 1, referenceWeight: 32 },
      });
    },
  });
  await testnet.startAll();
});
afterAll(() => testnet.destroy());

const all = [0, 1, 2, 3];
const { call, heightOf } = nodesOf(() => testnet);
const [alice, bob, carol] = addressesOf('alice', 'bob', 'carol');

interface Account {
  readonly collateral: string;
  readonly equity: string;
  readonly unsettled_funding: string;
}
interface Market {
  readonly risk_tiers: unknown;
  readonly fees: unknown;
  readonly funding?: { readonly index: string; readonly reference: string | null };
}
const account = (index: number, address: string): Promise<Account> => call(index, 'primeorders_getAccount', [address]);
const market = async (index: number): Promise<Market> => (await call<Market[]>(index, 'primeorders_getMarkets'))[0]!;
const events = (index: number): Promise<{ kind: string; data: Record<string, string | number> }[]> =>
  call(index, 'prime_getDomainEvents', [{ fromBlock: '0x0', toBlock: 'latest', domain: 'orders' }]);

const order = (
  index: number,
  owner: string,
  side: 'buy' | 'sell',
  price: number,
  size: number,
): Promise<{ block_number: string; trades: { fee: string }[] }> =>
  call(index, 'primeorders_submitOrder', [
    { owner, market_id: 1, side, price: hex(price), size: hex(size), tif: 'gtc' },
  ]);

it('trades cost what genesis says, large positions need more margin, and longs pay for a mark that runs ahead', async () => {
  for (const owner of [alice, bob, carol]) await call(0, 'primeorders_depositCollateral', [owner, hex(100_000)]);
  expect(await market(1)).toMatchObject({
    fees: { taker_ppm: 10_000, maker_ppm: -4000 },
    risk_tiers: [{ above_notional: hex(20_000), initial_margin_bps: 5000, maintenance_margin_bps: 2500 }],
  });
  await order(0, bob, 'sell', 100, 200);
  const { trades, block_number: tradedAt } = await order(1, alice, 'buy', 100, 200);
  // 1 % of 20000; 80 of it to the maker, 60 to the fund, 60 to the treasury.
  expect(trades).toMatchObject([{ fee: hex(200) }]);
  for (const index of all) {
    await until('the trade is there', async () => (await heightOf(index)) >= Number(tradedAt));
    expect((await account(index, treasury)).collateral).toBe(hex(60));
    const paid = (await events(index)).filter(({ kind }) => kind === 'trade_fees').map(({ data }) => data);
    expect(paid).toMatchObject([
      { taker: alice, taker_fee: hex(200), maker: bob, maker_fee: '-0x50', insurance: hex(60), treasury: hex(60) },
    ]);
  }
  // 10 % up to 20000, half of what is above: 3000 units would need 142000.
  const refusal = await order(2, alice, 'buy', 100, 2800).catch((error: Error) => error.message);
  expect(refusal).toMatch(/insufficient margin/);

  const referenceIs = (index: number) => async (): Promise<boolean> => (await market(index)).funding?.reference != null;
  await until('an interval is over', referenceIs(0));
  await order(0, bob, 'sell', 105, 1);
  await order(1, carol, 'buy', 105, 1);
  await testnet.kill(3, 'SIGKILL');
  await until('longs owe', async () => (await account(0, alice)).unsettled_funding.startsWith('-0x'));
  await testnet.start(3);
  await until('the node that was away knows it', async () =>
    (await account(3, alice)).unsettled_funding.startsWith('-0x'),
  );
  // Closing settles.
  await order(2, bob, 'buy', 105, 201);
  await order(3, alice, 'sell', 105, 200);
  const { block_number: closedAt } = await order(0, carol, 'sell', 105, 1);
  const seen: string[] = [];
  for (const index of all) {
    await until('all is closed', async () => (await heightOf(index)) >= Number(closedAt));
    const paid = (await events(index)).filter(({ kind }) => kind === 'funding_paid');
    const amountOf = (owner: string): bigint =>
      paid.filter(({ data }) => data['address'] === owner).reduce((sum, { data }) => sum + signed(data['amount']!), 0n);
    expect([amountOf(alice) < 0n, amountOf(bob) > 0n]).toEqual([true, true]);
    const owners = [alice, bob, carol, treasury];
    const collateral = await Promise.all(owners.map(async (owner) => signed((await account(index, owner)).collateral)));
    const fund = (await events(index)).reduce((sum, { data }) => sum + signed(data['insurance'] ?? 0), 0n);
    // Everybody is flat: what came in is in the accounts and in the fund.
    expect(collateral.reduce((sum, amount) => sum + amount, fund)).toBe(300_000n);
    seen.push(JSON.stringify(await call(index, 'eth_getBlockByNumber', [closedAt, false])));
  }
  expect(new Set(seen).size).toBe(1);
});

function signed(quantity: string | number): bigint {
  const text = String(quantity);
  return text.startsWith('-') ? -BigInt(text.slice(1)) : BigInt(text);
}

import { describe, expect, it } from '@jest/globals';
import type { MarginAccount } from '@prime/sdk';
import { type KnownMarket, unitsOf } from '../desk.ts';
import type { CcxtMarket, Structure } from '../library.ts';
import { fakePrime, owner } from '../testing/fakeNode.ts';
import { parseMarginBalance, parsePosition } from './account.ts';
import { statusOf } from './order.ts';

async function loaded(config: object = {}) {
  const { exchange } = fakePrime(undefined, config);
  await exchange.loadMarkets();
  const [eth, btc] = [exchange.market('ETH/USD:USD'), exchange.markets_by_id!['2']![0]!];
  return { exchange, eth, btc };
}

describe('markets', () => {
  it('have their grid, margin and fees as people write them', async () => {
    const { eth, btc } = await loaded();
    expect(eth).toMatchObject({
      id: '1',
      symbol: 'ETH/USD:USD',
      active: true,
      taker: 0.0005,
      maker: -0.0001,
      contractSize: 1,
      precision: { amount: 1e-15, price: 0.05 },
      limits: { leverage: { min: 1, max: 10 }, amount: { min: 1e-15 }, price: { min: 0.05 }, cost: { min: 0.01 } },
    });
    expect(btc).toMatchObject({ symbol: 'BTC/USD:USD', active: false, taker: 0, precision: { amount: 1, price: 1 } });
  });

  it('survive being written to a file', async () => {
    const { eth } = await loaded();
    const copy = JSON.parse(JSON.stringify(eth)) as CcxtMarket;
    const functions = (units: KnownMarket) => [units.price('3000.05'), units.size('0.25'), units.formatPrice(300_005n)];
    expect(functions(unitsOf(copy))).toEqual([300_005n, 2_500_000_000_000_000n, '3000.05']);
  });

  it('settle in one currency, that of the first market or of the options', async () => {
    const options = { collateral: 'PRIME', collateralDecimals: 18 };
    const { exchange } = await fakePrimeWith(options);
    expect(Object.keys(exchange.markets!)).toEqual(['ETH/USD:PRIME', 'BTC/USD:PRIME']);
    const currencies = await exchange.fetchCurrencies();
    expect(Object.entries(currencies).map(([code, { active, precision }]) => [code, active, precision])).toEqual([
      ['ETH', false, 1e-16],
      ['USD', false, 1e-18],
      ['BTC', false, 1],
      ['PRIME', true, 1e-18],
    ]);
  });
});

async function fakePrimeWith(options: object) {
  const { exchange } = fakePrime();
  Object.assign(exchange.options, options);
  await exchange.loadMarkets();
  return { exchange };
}

const account = (fields: Partial<MarginAccount>): MarginAccount => ({
  address: owner,
  collateral: 0n,
  equity: 0n,
  initialMargin: 0n,
  maintenanceMargin: 0n,
  freeCollateral: 0n,
  withdrawable: 0n,
  liquidatable: false,
  locked: true,
  positions: [],
  openOrders: 0,
  scheduledCancelMs: null,
  ...fields,
});
const e18 = 10n ** 18n;

describe('accounts', () => {
  it('a balance is equity and free collateral, rounded down to eight decimals', async () => {
    const { exchange } = await loaded();
    const shown = (equity: bigint, freeCollateral: bigint): unknown =>
      parseMarginBalance(exchange, account({ equity, freeCollateral }))['USD'];
    expect(shown((3n * e18) / 2n, e18)).toEqual({ total: '1.5', free: '1' });
    expect(shown(10n ** 10n - 1n, 1n)).toEqual({ total: '0', free: '0' });
    expect(shown(10n ** 10n, 0n)).toEqual({ total: '0.00000001', free: '0' });
    // Below zero down is further away; what is not free is nothing.
    expect(shown(-1n, -e18)).toEqual({ total: '-0.00000001', free: '0' });
  });

  it('a short position has its margin at the mark, rounded up', async () => {
    const { exchange, eth } = await loaded();
    const size = 15n * 10n ** 15n;
    const position = { marketId: 1, size: -size, entry: 301_000n * size, unrealized: 1_000n * size };
    const parsed = parsePosition(exchange, eth, {
      position,
      account: account({ equity: 10n * e18, maintenanceMargin: e18 }),
    });
    expect(parsed).toMatchObject({
      side: 'short',
      contracts: 1.5,
      entryPrice: 3010,
      markPrice: 3000,
      notional: 4500,
      initialMargin: 450,
      initialMarginPercentage: 0.1,
      maintenanceMargin: 225,
      unrealizedPnl: 15,
      marginRatio: 0.1,
      collateral: 10,
    });
  });

  it('without a mark nothing is said of what it is worth', async () => {
    const { exchange, btc } = await loaded();
    const position = { marketId: 2, size: 2n, entry: 7n * e18, unrealized: null };
    const parsed: Structure = parsePosition(exchange, btc, { position, account: account({}) });
    expect(parsed).toMatchObject({
      side: 'long',
      contracts: 2,
      entryPrice: 3.5,
      markPrice: undefined,
      notional: undefined,
      initialMargin: undefined,
    });
    expect(parsed['marginRatio']).toBeUndefined();
  });
});

describe('orders', () => {
  it.each([
    ['open', null, 'open'],
    ['partially_filled', null, 'open'],
    ['filled', null, 'closed'],
    ['cancelled', 'user', 'canceled'],
    ['cancelled', 'expired', 'expired'],
    ['killed', 'fok', 'canceled'],
  ])('%s for %p is %s', (status, reason, wanted) => {
    expect(statusOf(status, reason)).toBe(wanted);
  });
});

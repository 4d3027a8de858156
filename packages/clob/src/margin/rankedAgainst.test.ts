import { describe, expect, it } from '@jest/globals';
import { type ActionResult, defaultMarketDecimals, type LiquidationValue } from '@prime/codec';
import { type Address, createPrng } from '@prime/primitives';
import { ensureAccount } from '../state/changes.ts';
import { isLiquidatable, liquidationState } from './margin.ts';
import { addressOf, createHarness, type Harness, marketId, order, type Step, wordsOf } from '../testing/harness.ts';

const makers = [addressOf(0x31), addressOf(0x32)] as const;
const people = Array.from({ length: 24 }, (_, index) => addressOf(0x1000 + index));
const caller = addressOf(0xca11);

const liquidation = (address: Address): Step => ({ account: caller, payload: { type: 'liquidate', address } });

function valueOf(result: ActionResult): LiquidationValue {
  if (!result.ok || result.value.type !== 'liquidate') throw new Error(`no liquidation: ${wordsOf(result)}`);
  return result.value;
}

/** Who was closed against whom, and for what. */
const closedOf = (result: ActionResult): unknown =>
  valueOf(result).positions.map(({ marketId: market, size, adl }) => ({ market, size, adl }));

const liquidatable = ({ state }: Harness): Address[] =>
  people.filter((address) => isLiquidatable(liquidationState(ensureAccount(state, address), state.marginMarket)));

/** Everybody holds something in two markets against everybody, at many prices; then the marks move, and nobody makes a price. */
function scene(seed: number, scale = 1n): Harness {
  const random = createPrng(seed);
  const markets = ['A/USD', 'B/USD'].map((symbol) => ({ symbol, tickSize: 1n, lotSize: 1n, ...defaultMarketDecimals }));
  const harness = createHarness({ markets, params: { initialMarginBps: 100, maintenanceMarginBps: 50 } });
  for (const address of people) harness.deposit(address, BigInt(400 + random.below(2000)) * scale);
  for (const address of makers) harness.deposit(address, 10n ** 9n * scale);
  for (let trade = 0; trade < 200; trade++) {
    const market = { marketId: marketId(1 + random.below(2)) };
    const terms = [BigInt(95 + random.below(11)), BigInt(1 + random.below(40)) * scale] as const;
    harness.act(people[random.below(people.length)]!, order('sell', ...terms, market));
    harness.act(people[random.below(people.length)]!, order('buy', ...terms, { ...market, tif: 'ioc' }));
    harness.block(people.map((account) => ({ account, payload: { type: 'cancelAll', marketId: null } })));
  }
  for (const [market, price] of [
    [1, 80n],
    [2, 117n],
  ] as const) {
    const where = { marketId: marketId(market) };
    harness.block([
      { account: makers[0], payload: order('buy', price, 1n, where) },
      { account: makers[1], payload: order('sell', price, 1n, where) },
    ]);
    expect(harness.state.market(market)!.markPrice).toBe(price);
  }
  return harness;
}

describe('rankings of a block', () => {
  it.each([1, 2, 3, 4, 5])('many liquidations close against whom each would in a block of its own: seed %d', (seed) => {
    const [together, apart] = [scene(seed), scene(seed)];
    const transfers = createPrng(seed + 100);
    const steps = liquidatable(together).flatMap((address): Step[] => [
      liquidation(address),
      // Changes the equity, and so the rank, of somebody in between.
      {
        account: makers[0],
        payload: {
          type: 'transfer',
          to: people[transfers.below(people.length)]!,
          amount: BigInt(1 + transfers.below(900)),
        },
      },
    ]);
    expect(steps.length).toBeGreaterThan(8);
    // What is taken back leaves nothing behind in what the next block asks.
    together.drop(steps.slice(0, 5));
    const results = together.block(steps).results;
    const single = steps.map((step) => apart.block([step]).results[0]!);
    expect(results.map(wordsOf)).toEqual(single.map(wordsOf));
    const closed = (all: readonly ActionResult[]): unknown[] =>
      all.flatMap((result) => (result.ok && result.value.type === 'liquidate' ? [closedOf(result)] : []));
    expect(closed(results)).toEqual(closed(single));
    expect(closed(results).length).toBeGreaterThan(3);
    const counterparties = results.flatMap((result) =>
      result.ok && result.value.type === 'liquidate'
        ? result.value.positions.flatMap(({ adl }) => adl.map(({ address }) => address))
        : [],
    );
    // Some are met more than once: then what they have left ranks anew.
    expect(new Set(counterparties).size).toBeLessThan(counterparties.length);
  });

  it('ranks are exact where numbers can not tell them apart, and ties go by address', () => {
    const scale = 10n ** 24n;
    const run = (extra: readonly bigint[]): Address[] => {
      const harness = createHarness();
      const [weak, ...others] = people;
      harness.deposit(weak!, 1000n * scale);
      for (const address of makers) harness.deposit(address, 10n ** 6n * scale);
      for (const [index, wei] of extra.entries()) {
        harness.deposit(others[index]!, 10n ** 6n * scale + wei);
        harness.act(others[index]!, order('sell', 100n, 20n * scale));
        expect(wordsOf(harness.act(weak!, order('buy', 100n, 20n * scale)))).toBe('');
      }
      harness.act(makers[0], order('buy', 80n, 1n));
      harness.act(makers[1], order('sell', 80n, 1n));
      return valueOf(harness.block([liquidation(weak!)]).results[0]!).positions[0]!.adl.map(({ address }) => address);
    };
    const [, a, b, c] = people;
    expect(run([0n, 0n, 0n])).toEqual([a, b, c]);
    // The less somebody has beside the same profit, the higher is the leverage.
    expect(run([2n, 1n, 0n])).toEqual([c, b, a]);
    expect(run([1n, 2n, 0n])).toEqual([c, a, b]);
  });
});

import { describe, expect, it } from '@jest/globals';
import { type ActionPayload, defaultClobParams, defaultMarketDecimals } from '@prime/codec';
import { type Address, createPrng, type MarketId, type OrderId, type Prng } from '@prime/primitives';
import { Model } from './model.ts';
import type { ModelAction } from './state.ts';
import { Undo } from './undo.ts';
import { openOrders } from './view.ts';

describe('writes', () => {
  it('of every kind are taken back to the mark, the newest first, and not beyond', () => {
    const undo = new Undo();
    const state = { count: 1n, by: { a: 1 } as Readonly<Record<string, number>>, map: new Map([['x', 1]]) };
    undo.add(state, 'count', 4n);
    const mark = undo.mark();
    undo.add(state, 'count', -10n);
    undo.set(state, 'count', 99n);
    undo.set(state.by, 'a', 2);
    undo.set(state.by, 'b', 3);
    undo.remove(state.by, 'a');
    undo.remove(state.by, 'nothing');
    undo.put(state.map, 'y', 2);
    undo.put(state.map, 'x', 5);
    undo.drop(state.map, 'x');
    undo.drop(state.map, 'z');
    expect(state).toEqual({ count: 99n, by: { b: 3 }, map: new Map([['y', 2]]) });
    undo.back(mark);
    expect(state).toEqual({ count: 5n, by: { a: 1 }, map: new Map([['x', 1]]) });
    expect(Object.keys(state.by)).toEqual(['a']);
  });

  it('that were forgotten stay', () => {
    const undo = new Undo();
    const state = { count: 1n };
    undo.set(state, 'count', 2n);
    undo.forget();
    undo.back(undo.mark());
    undo.set(state, 'count', 3n);
    undo.back(0);
    expect(state.count).toBe(2n);
  });
});

const owners = [1, 2, 3, 4].map((digit) => `0x${String(digit).padStart(40, '0')}` as Address);
const params = {
  ...defaultClobParams,
  maxOpenOrders: 5,
  fees: { takerPpm: 5000, makerPpm: -2000, treasury: owners[3]!, treasuryShareBps: 3000 },
  funding: { intervalSeconds: 2, maxRateBps: 400, premiumIntervals: 2, referenceWeight: 30 },
};
const pick = <T>(random: Prng, of: readonly T[]): T => of[random.below(of.length)]!;

/** Little money and many orders, so that much is refused after it began to change something. */
function payload(random: Prng, model: Model): ActionPayload {
  const dice = random.below(20);
  const known = openOrders(model).map(({ id }) => id);
  const orderId = (known.length > 0 && random.chance(4, 5) ? pick(random, known) : 1 + random.below(90)) as OrderId;
  const [price, size] = [BigInt(90 + random.below(21)), BigInt(1 + random.below(60))];
  if (dice < 3) return { type: 'modify', orderId, price, size };
  if (dice < 5) return { type: 'cancel', orderId };
  if (dice < 6) return { type: 'withdraw', to: pick(random, owners), amount: BigInt(random.below(900)) };
  if (dice < 7) return { type: 'transfer', to: pick(random, owners), amount: BigInt(random.below(900)) };
  if (dice < 8) return { type: 'deposit', amount: BigInt(random.below(700)) };
  if (dice < 9) return { type: 'liquidate', address: pick(random, owners) };
  return {
    type: 'order',
    marketId: 1 as MarketId,
    side: pick(random, ['buy', 'sell']),
    price,
    size,
    tif: pick(random, ['gtc', 'gtc', 'ioc', 'fok']),
    postOnly: false,
    reduceOnly: false,
    selfTrade: pick(random, ['cancel_maker', 'cancel_taker', 'cancel_both', 'decrement']),
    clientId: null,
    expiresAt: 0,
  };
}

function action(random: Prng, model: Model): ModelAction {
  const account = pick(random, owners);
  if (!random.chance(1, 5)) return { account, payload: payload(random, model) };
  const items = Array.from({ length: 3 }, () => payload(random, model)).filter(({ type }) =>
    ['order', 'modify', 'cancel'].includes(type),
  );
  return { account, payload: { type: 'batch', items } as ActionPayload };
}

/** The actions without those that were refused, and batches without their refused items. */
const carriedOut = (actions: readonly ModelAction[], results: readonly unknown[]): ModelAction[] =>
  actions.flatMap((each, index): ModelAction[] => {
    const result = results[index];
    if (typeof result === 'string') return [];
    if (each.payload.type !== 'batch') return [each];
    const { results: items } = result as { readonly results: readonly unknown[] };
    const kept = each.payload.items.filter((_, place) => typeof items[place] !== 'string');
    return [{ ...each, payload: { type: 'batch', items: kept } as ActionPayload }];
  });

describe('what is refused', () => {
  it.each([1, 2, 3, 4, 5, 6])('leaves the state as if nobody had asked for it: seed %d', (seed) => {
    const random = createPrng(seed);
    const markets = [{ symbol: 'A/USD', tickSize: 1n, lotSize: 1n, ...defaultMarketDecimals }];
    const [asked, spared] = [new Model(params, markets), new Model(params, markets)];
    const codes = new Set<unknown>();
    let refused = 0;
    for (let height = 1; height <= 150; height++) {
      const timeMs = 1_700_000_000_000 + height * 700;
      const actions =
        height === 1
          ? owners.map((account): ModelAction => ({ account, payload: { type: 'deposit', amount: 2500n } }))
          : Array.from({ length: 1 + random.below(4) }, () => action(random, asked));
      const results = asked.block(actions, timeMs);
      for (const code of results.filter((result) => typeof result === 'string')) codes.add(code);
      // Cancels and deposits are carried out first: the same order, whoever is left out.
      const kept = carriedOut(actions, results);
      refused += actions.length - kept.length;
      spared.block(kept, timeMs);
      expect(spared.state).toEqual(asked.state);
    }
    expect(refused).toBeGreaterThan(40);
    expect(asked.state.nextTrade).toBeGreaterThan(10);
    expect([...codes]).toEqual(expect.arrayContaining(['CLOB_INSUFFICIENT_MARGIN', 'CLOB_INSUFFICIENT_COLLATERAL']));
  });
});

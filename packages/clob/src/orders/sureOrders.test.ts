import { describe, expect, it } from '@jest/globals';
import {
  decodeEventFrames,
  type ActionPayload,
  type ActionResult,
  type ClobParams,
  defaultClobParams,
  noMarketLimits,
  type OrderFields,
  type SelfTradeMode,
  type TimeInForce,
} from '@prime/codec';
import { createPrng, type OrderId, type Prng } from '@prime/primitives';
import { drawsOf } from '@prime/testkit/draws';
import { hasRooms } from './sureOrders.ts';
import type { Account } from '../state/accounts.ts';
import { roomOf } from '../margin/room.ts';
import {
  addressOf,
  alice,
  bob,
  carol,
  createHarness,
  type Harness,
  marketId,
  order,
  orderId,
  orderValue,
  startMs,
  type Step,
} from '../testing/harness.ts';
import type { ClobOutcome } from '../ports.ts';
import { brokenInvariants } from '../testing/invariants.ts';
import { quoters, quoting, randomQuotes } from '../testing/streams.ts';

const traders = Array.from({ length: 6 }, (_, index) => addressOf(0x100 + index));
/** Wei; the rich never come near their margin, the others always do. */
const purses = [10n ** 24n, 10n ** 15n, 3000n] as const;

const fees = { takerPpm: 5000, makerPpm: -2000, treasury: traders[0]!, treasuryShareBps: 3000 };
const makersPay = { ...fees, makerPpm: 20_000 };
const funding = { intervalSeconds: 2, maxRateBps: 400, premiumIntervals: 2, referenceWeight: 30 };
const riskTiers = [
  { aboveNotional: 500n, initialMarginBps: 1500, maintenanceMarginBps: 700 },
  { aboveNotional: 6000n, initialMarginBps: 6000, maintenanceMarginBps: 3000 },
];

const limits = { openInterestMax: 2000n, positionMax: 700n, priceBandBps: 1500, orderNotionalMax: 19_000n };

function trading(wideBooks: boolean, markPrices = true, params: Partial<ClobParams> = {}): Harness {
  const harness = createHarness({ wideBooks, params: { maxOpenOrders: 1000, orderMemoryBlocks: 2, ...params } });
  traders.forEach((trader, index) => {
    harness.deposit(trader, purses[index % purses.length]!);
  });
  for (const owner of [alice, bob]) harness.deposit(owner, 10n ** 24n);
  if (!markPrices) return harness;
  // Both sides of both markets, so that they have a mark.
  for (const market of [1, 2])
    for (const side of ['buy', 'sell'] as const)
      harness.act(alice, {
        ...order(side, side === 'buy' ? 95n : 105n, 10n),
        marketId: marketId(market),
      } as ActionPayload);
  return harness;
}

const pick = <T>(random: Prng, items: readonly T[]): T => items[random.below(items.length)]!;

/** What a market maker does, around a price that moves; huge ones leave the exact range of entries. */
function randomStep(random: Prng, newest: number, center: number, scale: bigint): Step {
  const account = pick(random, traders);
  const id = orderId(1 + Math.max(0, newest - random.below(40)));
  const price = BigInt(center - 6 + random.below(13)) * 5n;
  const size = BigInt(1 + random.below(20)) * 10n * scale;
  const dice = random.below(10);
  if (dice < 2) return { account, payload: { type: 'cancel', orderId: id } };
  if (dice < 4) return { account, payload: { type: 'modify', orderId: id, price, size } };
  const tif = pick<TimeInForce>(random, ['gtc', 'gtc', 'gtc', 'ioc', 'fok']);
  const more: Partial<OrderFields> = {
    marketId: marketId(1 + random.below(2)),
    tif,
    postOnly: tif === 'gtc' && random.chance(1, 4),
    selfTrade: pick<SelfTradeMode>(random, ['cancel_maker', 'cancel_taker', 'cancel_both', 'decrement']),
    clientId: random.chance(1, 4) ? `0x${'0'.repeat(31)}${random.below(5)}` : null,
  };
  const payload = order(random.chance(1, 2) ? 'buy' : 'sell', price, size, more);
  return { account, payload: random.chance(1, 5) ? { type: 'batch', items: [payload, payload] } : payload };
}

/** Events without the hashes of actions, which the harness makes ever new. */
const told = ({ events }: ClobOutcome): unknown =>
  decodeEventFrames(events).map((event) => ({ ...event, data: { ...event.data, hash: null } }));

/** Codes of a batch's items. */
function codesOf(result: ActionResult): string[] {
  if (!result.ok || result.value.type !== 'batch') throw new Error('not the result of a batch');
  return result.value.results.map((item) => (item.ok ? 'ok' : item.error.code));
}

const hasRoom = ({ state }: Pick<Harness, 'state'>, account: Account): boolean =>
  Number.isFinite(roomOf(state, account));

describe('orders that are sure of their room', () => {
  it.each([
    { seed: 1, scale: 1n },
    { seed: 2, scale: 1n },
    { seed: 3, scale: 10n ** 11n },
    { seed: 4, scale: 10n ** 9n },
    { seed: 5, scale: 1n, params: { fees } },
    { seed: 6, scale: 1n, params: { fees: makersPay, riskTiers } },
    { seed: 7, scale: 1n, params: { funding } },
    { seed: 8, scale: 1n, params: { riskTiers } },
    { seed: 9, scale: 1n, params: { fees, funding, riskTiers } },
    // Around where notional is beyond exact numbers, so that takers are handed over between two trades.
    { seed: 10, scale: 10n ** 11n, params: { fees, funding } },
    { seed: 11, scale: 3n * 10n ** 10n, params: { fees: makersPay, funding } },
    { seed: 13, scale: 1n, params: { limits } },
    { seed: 14, scale: 1n, params: { limits, fees, funding } },
    {
      seed: 15,
      scale: 10n ** 9n,
      params: { limits: { ...noMarketLimits, positionMax: 3n * 10n ** 11n, openInterestMax: 10n ** 12n } },
    },
    { seed: 12, scale: 10n ** 9n, params: { fees: { ...fees, makerPpm: -5000, treasuryShareBps: 10_000 }, riskTiers } },
  ])('says and does what the general one does: seed $seed, scale $scale', ({ seed, scale, params }) => {
    const random = createPrng(seed);
    const [short, general] = [trading(false, true, params), trading(true, true, params)];
    let [center, rooms] = [20, 0];
    const { state } = short;
    for (let block = 1; block <= drawsOf(30); block++) {
      center += random.below(3) - 1;
      const newest = state.globals.nextOrderId;
      const steps = Array.from({ length: 1 + random.below(15) }, () => randomStep(random, newest, center, scale));
      const timeMs = startMs + 60_000 + block * 700;
      if (random.chance(1, 5)) short.drop(steps, timeMs);
      const [a, b] = [short.block(steps, timeMs), general.block(steps, timeMs)];
      expect(a.results).toEqual(b.results);
      expect(told(a)).toEqual(told(b));
      expect(a.writes).toEqual(b.writes);
      expect(a.ordersRoot).toBe(b.ordersRoot);
      expect(brokenInvariants(state)).toEqual([]);
      rooms += state.accounts.filter((account) => hasRoom(short, account)).length;
      expect(general.state.accounts.some((account) => hasRoom(general, account))).toBe(false);
    }
    expect(rooms).toBeGreaterThan(drawsOf(30));
  });

  it('are plain ones and their replacements, and none before there is a mark', () => {
    const harness = trading(false);
    const isSure = (payload: ActionPayload, { state, engine, propose } = harness): boolean => {
      const account = state.accountOf.get(bob)!;
      account.room.regime = 0;
      propose([{ account: bob, payload }]);
      const found = hasRoom({ state }, account);
      engine.commit();
      return found;
    };
    const id = orderId(harness.state.globals.nextOrderId);
    expect(isSure(order('buy', 90n, 10n))).toBe(true);
    expect(isSure({ type: 'modify', orderId: id, price: 91n, size: 10n })).toBe(true);
    expect(isSure(order('buy', 110n, 15n, { tif: 'fok' }))).toBe(true);
    expect(isSure(order('buy', 110n, 5n, { tif: 'ioc' }))).toBe(true);
    expect(isSure(order('sell', 90n, 10n, { reduceOnly: true, tif: 'ioc' }))).toBe(false);
    expect(isSure(order('buy', 90n, 10n), trading(false, false))).toBe(false);
  });

  it('takes trades with fees, and those that settle funding', () => {
    const params = {
      fees: { takerPpm: 350, makerPpm: -50, treasury: addressOf(0x7ea), treasuryShareBps: 3333 },
      funding,
    };
    const [short, general] = [trading(false, true, params), trading(true, true, params)];
    const kinds = new Set<string>();
    for (let round = 0; round < 6; round++) {
      // The mark follows the last price, so that the index of funding moves.
      const price = 96n + BigInt(round);
      const steps: Step[] = [
        // Three makers, so that the taker's fee is rounded over several trades; the second half closes what the first opened.
        ...[7n, 11n, 5n].map((size) => ({ account: alice, payload: order(round < 3 ? 'sell' : 'buy', price, size) })),
        { account: bob, payload: order(round < 3 ? 'buy' : 'sell', price, 23n, { tif: 'ioc' }) },
      ];
      const timeMs = startMs + 60_000 + round * 2000;
      const [a, b] = [short.block(steps, timeMs), general.block(steps, timeMs)];
      expect([a.results, told(a), a.writes]).toEqual([b.results, told(b), b.writes]);
      expect(short.state.log.answerCount).toBe(steps.length);
      for (const { kind } of decodeEventFrames(a.events)) kinds.add(kind);
    }
    expect([...kinds]).toEqual(expect.arrayContaining(['trade', 'trade_fees', 'funding_paid']));
  });

  const bid = (price: bigint, size: bigint): ActionPayload => order('buy', price, size);
  it.each<readonly [gone: string, leaves: (id: OrderId) => ActionPayload[]]>([
    ['is cancelled', (id) => [{ type: 'cancel', orderId: id }, bid(104n, 4n)]],
    ['is made smaller', (id) => [{ type: 'modify', orderId: id, price: 60n, size: 1n }, bid(104n, 4n)]],
    ['is replaced', (id) => [{ type: 'modify', orderId: id, price: 104n, size: 4n }]],
  ])('asks for the loss of an older order again when what made up for it %s', (_, leaves) => {
    for (const wideBooks of [false, true]) {
      const harness = trading(wideBooks);
      harness.deposit(carol, 306n);
      expect(harness.state.market(2)!.markPrice).toBe(100n);
      const id = harness.state.globals.nextOrderId;
      // The first would lose 80 at the mark, the second gain 80. For the third, free collateral is looked at with both of them.
      const items = [bid(104n, 20n), bid(60n, 2n), bid(96n, 1n), ...leaves(orderId(id + 1))];
      const [result] = harness.block([{ account: carol, payload: { type: 'batch', items } }]).results;
      expect(codesOf(result!)).toEqual([...items.slice(1).map(() => 'ok'), 'CLOB_INSUFFICIENT_MARGIN']);
      expect(brokenInvariants(harness.state)).toEqual([]);
    }
  });

  it.each([
    { seed: 1, wei: 20_000n, params: {} },
    { seed: 3, wei: 20_000n, params: {} },
    { seed: 12, wei: 6000n, params: {} },
    { seed: 7, wei: 20_000n, params: { fees } },
  ])(
    'says and does what the general one does where marks stay behind: seed $seed, $wei wei',
    ({ seed, wei, params }) => {
      const random = createPrng(seed);
      const [short, general] = [false, true].map((wideBooks) => quoting({ wideBooks, params }, wei));
      const { state } = short!;
      let center = 100;
      for (let block = 1; block <= drawsOf(30); block++) {
        center = Math.min(160, Math.max(40, center + random.below(9) - 4));
        const steps = randomQuotes(random, 1 + random.below(8), { state, accounts: quoters, center });
        const timeMs = startMs + 60_000 + block * 700;
        const [a, b] = [short!.block(steps, timeMs), general!.block(steps, timeMs)];
        expect(a.results).toEqual(b.results);
        expect(a.ordersRoot).toBe(b.ordersRoot);
        expect(brokenInvariants(state)).toEqual([]);
      }
    },
  );

  it('do not keep a room that was measured with trades that are taken back', () => {
    const harness = trading(false);
    harness.deposit(carol, 1200n);
    harness.act(alice, order('sell', 100n, 50n));
    harness.act(carol, order('buy', 100n, 50n));
    for (const size of [30n, 10n]) harness.act(carol, order('sell', 200n, size));
    harness.act(bob, order('sell', 200n, 10n));
    // Half of what she is long by is more than Carol has: she may only reduce, until her first sale has brought enough.
    harness.act(alice, { type: 'setMargin', marketId: null, initialMarginBps: 5000, maintenanceMarginBps: 500 });
    // The last ten that it needs are Bob's own.
    const outcome = harness.propose([{ account: bob, payload: order('buy', 200n, 60n, { tif: 'fok' }) }]);
    expect(orderValue(outcome.results[0]!).status).toBe('killed');
    expect(brokenInvariants(harness.state)).toEqual([]);
  });

  it('is closed where a parameter that it does not know is set', () => {
    expect(hasRooms(defaultClobParams)).toBe(true);
    expect(hasRooms({ ...defaultClobParams, fees, riskTiers, funding })).toBe(true);
    expect(hasRooms({ ...defaultClobParams, levy: 1 } as ClobParams)).toBe(false);
  });
});

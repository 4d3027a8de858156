import { describe, expect, it } from '@jest/globals';
import { createClobEngine } from '@prime/clob';
import {
  factsOf,
  type ActionPayload,
  type ActionResult,
  encodeEventFrames,
  type ClobParams,
  defaultClobParams,
  defaultMarketDecimals,
  type OrderFields,
} from '@prime/codec';
import { createPrng, type Hash, type Height, type MarketId, type Prng, type TimestampMs } from '@prime/primitives';
import { addressOf } from '../testing/fakeNode.ts';
import { tradeEvent } from '../testing/tradeEvent.ts';
import { OrderBookModel } from './orderBooks.ts';
import { defaultTerms } from '../testing/defaultTerms.ts';

const traders = ['alice', 'bob', 'carol'].map(addressOf);
const genesisMs = 1_700_000_000_000;
const pick = <T>(random: Prng, values: readonly T[]): T => values[random.below(values.length)]!;

const order = (fields: Partial<OrderFields>): ActionPayload => ({
  type: 'order',
  marketId: 1 as MarketId,
  side: 'buy',
  price: 100n,
  size: 1n,
  ...defaultTerms,
  ...fields,
});

/** The order book itself and the read model behind it. */
function createPair(minTrades: number, risk: Partial<ClobParams> = {}) {
  const mark = { ...defaultClobParams.mark, minTrades };
  const engine = createClobEngine({ ...defaultClobParams, mark, orderMemoryBlocks: 3, ...risk }, 'open');
  const model = new OrderBookModel({ minTrades, fees: risk.fees });
  const genesis = engine.genesis([
    { symbol: 'A/USD', tickSize: 1n, lotSize: 1n, ...defaultMarketDecimals },
    { symbol: 'B/USD', tickSize: 1n, lotSize: 1n, ...defaultMarketDecimals },
  ]);
  engine.commit();
  model.apply(genesis.writes, 0);
  let height = 0;
  let nonce = 0;
  /** One action in a block; a tried one is taken back. */
  const act = (account: (typeof traders)[number], payload: ActionPayload, tried = false): ActionResult => {
    const transaction = {
      chainId: 1,
      nonce: ++nonce,
      expiresAt: 0,
      account,
      payload,
      signatureKind: 'gateway',
      signature: new Uint8Array(65),
    } as const;
    const action = {
      raw: new Uint8Array(0),
      hash: `0x${'0'.repeat(64)}` as Hash,
      signer: addressOf('node'),
      facts: factsOf(payload),
      transaction,
    };
    const outcome = engine.execute({
      height: (height + 1) as Height,
      timestampMs: (genesisMs + 1000 * height) as TimestampMs,
      actions: [action],
      deposits: payload.type === 'deposit' ? [{ actionIndex: 0, funded: true, faucetAmount: 0n }] : [],
    });
    if (tried) engine.rollback();
    else {
      engine.commit();
      height++;
      model.apply(outcome.writes, height);
      model.addEvents(height as Height, height as TimestampMs, outcome.events);
    }
    return outcome.results[0]!;
  };
  /** Whether funding moves on with the next block, which nobody can see before. */
  const endsInterval = (): boolean => {
    const second = genesisMs / 1000 + height;
    return risk.funding !== undefined && second % risk.funding.intervalSeconds === 0;
  };
  return { act, model, endsInterval };
}

function randomAction(random: Prng): ActionPayload {
  const dice = random.below(10);
  if (dice < 2) return { type: 'deposit', amount: BigInt(random.below(3000)) };
  if (dice < 3) return { type: 'cancelAll', marketId: null };
  return order({
    marketId: (1 + random.below(2)) as MarketId,
    side: pick(random, ['buy', 'sell']),
    price: BigInt(80 + random.below(40)),
    size: BigInt(1 + random.below(40)),
    tif: pick(random, ['gtc', 'gtc', 'ioc']),
  });
}

const risk: Partial<ClobParams> = {
  fees: { takerPpm: 5000, makerPpm: -1000, treasury: null, treasuryShareBps: 0 },
  riskTiers: [{ aboveNotional: 1500n, initialMarginBps: 2000, maintenanceMarginBps: 1500 }],
  funding: { intervalSeconds: 7, maxRateBps: 300, premiumIntervals: 1, referenceWeight: 60 },
};

describe('accounts as the read model shows them', () => {
  it.each([1, 2, 3, 4])('agree with what the order book does: seed %d', async (seed) => {
    const { act, model, endsInterval } = createPair(seed === 3 ? 2 : 0, seed === 4 ? risk : {});
    const random = createPrng(seed);
    const seen = { liquidatable: 0, withdrawable: 0, positions: 0 };
    for (let step = 0; step < 400; step++) {
      act(pick(random, traders), randomAction(random));
      const address = pick(random, traders);
      if (endsInterval()) act(address, { type: 'noop' });
      const account = await model.account(address);
      expect(act(address, { type: 'liquidate', address }, true).ok).toBe(account.isLiquidatable);
      const withdraw = (amount: bigint): ActionResult => act(address, { type: 'withdraw', amount, to: address }, true);
      const refusedFor = (amount: bigint): string => {
        const result = withdraw(amount);
        return result.ok ? '' : result.error.code;
      };
      const tooMuch = refusedFor(account.withdrawable + 1n);
      expect(['CLOB_INSUFFICIENT_COLLATERAL', 'CLOB_PROFIT_UNPAID']).toContain(tooMuch);
      if (account.withdrawable > 0n) expect(refusedFor(account.withdrawable)).toBe('');
      // Whoever takes out all that he can stands at the edge.
      if (account.withdrawable > 0n && random.chance(1, 3))
        act(address, { type: 'withdraw', amount: account.withdrawable, to: address });
      if (account.isLiquidatable) seen.liquidatable++;
      if (account.withdrawable > 0n) seen.withdrawable++;
      if (account.positions.length > 0) seen.positions++;
    }
    expect(Math.min(seen.liquidatable, seen.withdrawable, seen.positions)).toBeGreaterThan(0);
  });

  it('fees, tiers and funding are shown where a network has them, and only there', async () => {
    const { act, model } = createPair(0, risk);
    const [alice, bob] = [traders[0]!, traders[1]!];
    for (const account of [alice, bob]) act(account, { type: 'deposit', amount: 10_000n });
    const trade = (price: bigint): void => {
      act(alice, order({ price, size: 10n }));
      act(bob, order({ side: 'sell', price, size: 10n }));
    };
    trade(100n);
    for (let block = 0; block < 8; block++) act(alice, { type: 'noop' });
    trade(140n);
    for (let block = 0; block < 8; block++) act(alice, { type: 'noop' });
    const [market] = await model.allMarkets();
    expect(market).toMatchObject({ fees: risk.fees, riskTiers: risk.riskTiers });
    const { index, reference } = market!.funding!;
    expect([index > 0n, reference !== null]).toEqual([true, true]);
    const account = await model.account(alice);
    expect(account.unsettledFunding! < 0n).toBe(true);
    expect(account.positions[0]!.funding).toBe(account.unsettledFunding);

    const plain = createPair(0);
    plain.act(alice, { type: 'deposit', amount: 1n });
    expect(Object.keys((await plain.model.allMarkets())[0]!)).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/^(fees|riskTiers|funding)$/)]),
    );
    expect(Object.keys(await plain.model.account(alice))).not.toContain('unsettledFunding');
  });

  it('an account that was never there has nothing', async () => {
    const { model } = createPair(0);
    const address = addressOf('nobody');
    expect(await model.account(address)).toEqual({
      address,
      collateral: 0n,
      equity: 0n,
      initialMargin: 0n,
      maintenanceMargin: 0n,
      freeCollateral: 0n,
      withdrawable: 0n,
      isLiquidatable: false,
      isLocked: false,
      positions: [],
      openOrders: 0,
    });
  });
});

describe('orders and trades as the read model shows them', () => {
  const [alice, bob] = [traders[0]!, traders[1]!];
  const clientId = `0x${'ab'.repeat(16)}`;

  it('an order is found by id and client id while it is open, and how it ended while that is remembered', async () => {
    const { act, model } = createPair(0);
    for (const account of [alice, bob]) act(account, { type: 'deposit', amount: 10_000n });
    act(alice, order({ clientId, size: 5n }));
    const keys = [{ orderId: 1 as never }, { owner: alice, clientId }];
    for (const key of keys) expect(await model.order(key)).toMatchObject({ isOpen: true, order: { remaining: 5n } });
    act(bob, order({ side: 'sell', size: 2n }));
    act(alice, { type: 'cancelAll', marketId: null });
    for (const key of keys)
      expect(await model.order(key)).toMatchObject({
        isOpen: false,
        order: { orderId: 1, end: 'user', filled: 2n, remaining: 3n, closedHeight: 5 },
      });
    expect(await model.order({ orderId: 2 as never })).toMatchObject({ isOpen: false, order: { end: 'filled' } });
    // A client id may be used again: the live order is the one that is meant.
    act(alice, order({ clientId, size: 7n }));
    expect(await model.order(keys[1]!)).toMatchObject({ isOpen: true, order: { orderId: 3 } });
    for (let block = 0; block < 3; block++) act(bob, { type: 'noop' });
    expect(await model.order({ orderId: 1 as never })).toBe(null);
    expect(await model.order({ orderId: 3 as never })).toMatchObject({ isOpen: true });
  });

  it('trades come newest first, of their market only', async () => {
    const { act, model } = createPair(0);
    for (const account of [alice, bob]) act(account, { type: 'deposit', amount: 100_000n });
    for (const price of [100n, 101n, 102n]) {
      act(alice, order({ price, size: 1n }));
      act(bob, order({ side: 'sell', price, size: 1n }));
    }
    expect((await model.trades(1 as MarketId, 2)).map(({ price, tradeId }) => [price, tradeId])).toEqual([
      [102n, 3],
      [101n, 2],
    ]);
    expect(await model.trades(2 as MarketId, 2)).toEqual([]);
    expect(await model.allMarkets()).toMatchObject([
      { marketId: 1, lastPrice: 102n, markPrice: 102n, initialMarginBps: 1000 },
      { marketId: 2, lastPrice: null, markPrice: null, maintenanceMarginBps: 500 },
    ]);
  });

  it('of a busy market only the latest are kept', async () => {
    const model = new OrderBookModel({ minTrades: 0 });
    for (let tradeId = 1; tradeId <= 2500; tradeId++)
      model.addEvents(
        tradeId as Height,
        tradeId as TimestampMs,
        encodeEventFrames([tradeEvent({ marketId: 1 as MarketId, tradeId })]),
      );
    const latest = await model.trades(1 as MarketId, 1000);
    expect([latest.length, latest[0]!.tradeId, latest.at(-1)!.tradeId]).toEqual([1000, 2500, 1501]);
  });
});

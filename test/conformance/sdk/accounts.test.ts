import { describe, expect, it } from '@jest/globals';
import { addressOf, createHarness, randomBlock, startMs, traders } from '@prime/clob/testing';
import {
  decodeEventFrames,
  type ClobParams,
  decodeAccountRecord,
  decodeOrderRecord,
  type DomainEvent,
  recordKind,
} from '@prime/codec';
import { createPrng, type Height, type MarketId } from '@prime/primitives';
import {
  compareLedgers,
  createLedger,
  type DomainEventOf,
  type HeldPosition,
  type Ledger,
  type OpenOrder,
  stepLedger,
} from '@prime/sdk';

/** Who follows an account as the SDK does has what the order book has, after each block of long random runs. */

const camel = (name: string): string => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** An event of the engine, as the SDK reads it from a node. */
function eventOf({ domain, kind, data }: DomainEvent, index: number, blockNumber: bigint): DomainEventOf {
  const shown = Object.fromEntries(Object.entries(data).map(([name, value]) => [camel(name), value]));
  const place = { blockNumber, blockHash: '0x00', index, domain, transactionHash: null, ticket: null };
  return { ...place, kind, data: shown } as unknown as DomainEventOf;
}

/** What the records of the order book say of an account. */
function recorded(records: Iterable<readonly [Uint8Array, Uint8Array]>, address: string, height: bigint): Ledger {
  let [collateral, positions]: [bigint, readonly HeldPosition[]] = [0n, []];
  const orders: OpenOrder[] = [];
  for (const [key, value] of records)
    if (recordKind(key) === 'account') {
      const account = decodeAccountRecord(value);
      if (account.address !== address) continue;
      ({ collateral } = account);
      positions = account.positions.map(({ marketId, size, entry }) => ({ marketId, size, entry }));
    } else if (recordKind(key) === 'order') {
      const order = decodeOrderRecord(value);
      if (order.owner !== address) continue;
      const { orderId, marketId, owner, side, price, size, remaining, tif } = order;
      orders.push({
        orderId,
        marketId,
        side,
        price,
        size,
        remaining,
        tif,
        owner: owner as OpenOrder['owner'],
        filled: size - remaining,
        clientId: order.clientId as OpenOrder['clientId'],
        createdBlock: BigInt(order.createdBlock),
        expiresAtSeconds: order.expiresAt,
      });
    }
  return createLedger(height, collateral, positions, orders);
}

interface Run {
  readonly seed: number;
  readonly params: Partial<ClobParams>;
  readonly priceStep?: number;
  /** Whether a market ends late in the run. */
  readonly settles?: boolean;
}
const admin = addressOf(0xad);
/** Ends market 2, whose orders and positions go with it. */
const settlement: Parameters<ReturnType<typeof createHarness>['block']>[0][number] = {
  account: admin,
  payload: {
    type: 'change',
    change: { parameter: 'status', marketId: 2 as MarketId, value: { status: 'settling', price: 90n } },
    atHeight: 0 as Height,
  },
  signatureKind: 'raw',
};
const fees = { takerPpm: 5000, makerPpm: -2000, treasury: addressOf(3), treasuryShareBps: 3000 };
const funding = { intervalSeconds: 2, maxRateBps: 400, premiumIntervals: 2, referenceWeight: 30 };
const runs: readonly Run[] = [
  { seed: 1, params: {} },
  { seed: 2, params: { autoLiquidatePerBlock: 2, autoDequeue: true }, priceStep: 80 },
  { seed: 3, params: { fees, autoLiquidatePerBlock: 1 }, priceStep: 80 },
  { seed: 4, params: { fees, funding, autoLiquidatePerBlock: 1 }, priceStep: 80 },
  { seed: 5, params: { orderChangesPerBlock: 9 } },
  { seed: 6, params: { fees, funding, admin }, settles: true },
];

describe('an account that is followed', () => {
  it.each(runs)('is the account of the order book after each block: seed $seed', (run) => {
    const { seed, params, priceStep = 5, settles = false } = run;
    const random = createPrng(seed);
    const harness = createHarness({ params: { maxOpenOrders: 6, ...params } });
    const treasury = (params.fees?.treasury ?? null) as `0x${string}` | null;
    const ledgers = new Map<string, Ledger>(traders.map((address) => [address, createLedger(0n, 0n, [], [])]));
    const counts = { settled: 0, trades: 0, deleveraged: 0, liquidations: 0, fills: 0, updates: 0, cancelled: 0 };
    let center = 100;
    for (let block = 1; block <= 120; block++) {
      center = Math.min(400, Math.max(10, center + random.below(2 * priceStep + 1) - priceStep));
      const timeMs = startMs + block * 700;
      const newestOrder = harness.state.globals.nextOrderId;
      const options = { nowSeconds: Math.floor(timeMs / 1000), center, risky: true, newestOrder };
      const steps = randomBlock(random, 1 + random.below(12), options);
      const outcome = harness.block(settles && block === 100 ? [...steps, settlement] : steps, timeMs);
      const height = BigInt(harness.given()!.height);
      const events = decodeEventFrames(outcome.events).map((event, index) => eventOf(event, index, height));
      for (const [address, ledger] of ledgers) {
        const followed = { address: address as `0x${string}`, treasury };
        // As a node selects them for a subscription.
        const own = events.filter(({ data }) => Object.values(data).includes(address as never));
        const step = stepLedger(
          ledger,
          address === treasury ? events : own,
          { blockNumber: height, blockHash: '0x00', timeMs: 0 },
          followed,
        );
        ledgers.set(address, step.ledger);
        const differences = compareLedgers(step.ledger, recorded(harness.records.values(), address, height));
        expect({ block, address, differences, told: step.differences }).toEqual({
          block,
          address,
          differences: [],
          told: [],
        });
        counts.fills += step.fills.length;
        counts.updates += step.orders.length;
        counts.cancelled += step.orders.filter(({ status }) => status === 'cancelled').length;
        // Of one that rests, or did, what was decremented is off the size already.
        for (const { status, size, filled, remaining, decremented } of step.orders)
          expect([filled + remaining, filled + remaining + (status === 'open' ? 0n : decremented)]).toContain(size);
      }
      for (const { kind } of events)
        if (kind === 'trade') counts.trades++;
        else if (kind === 'deleveraged') counts.deleveraged++;
        else if (kind === 'liquidation') counts.liquidations++;
        else if (kind === 'position_settled') counts.settled++;
    }
    // A run that tests nothing is noticed. All trade among each other, so each trade is two fills.
    expect(counts.fills).toBe(2 * counts.trades + 2 * counts.deleveraged);
    for (const [what, atLeast] of [
      ['trades', 30],
      ['updates', 150],
      ['cancelled', 25],
    ] as const)
      expect([what, counts[what] >= atLeast]).toEqual([what, true]);
    expect(counts.settled > 0).toBe(settles);
    if (priceStep > 5) expect(Math.min(counts.liquidations, counts.deleveraged)).toBeGreaterThan(0);
  });
});

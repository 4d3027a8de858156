import {
  type Address,
  type Hash,
  bytesToAddress,
  bytesToHash,
  bytesToHex,
  type Height,
  type Hex,
  type MarketId,
  noRound,
  type OrderId,
  type Round,
  type TimestampMs,
} from '@prime/primitives';
import fc from 'fast-check';
import { orderEnds } from '../actions/orderEnds.ts';
import { selfTradeModes, sides, timesInForce, triggerKinds } from '../actions/orderWords.ts';
import { marketDecimalsMax } from '../genesis/marketDecimals.ts';
import { marketStatuses } from '../genesis/marketStatuses.ts';
import type { ClosedOrder, MarginParams, MarketRecord } from '../records/clobRecords.ts';
import type { ActionPayload, Log, Proposal, SelfTradeMode, Side, TimeInForce, Vote } from '../types.ts';

/** Values that tests draw, each over the whole range that its encoding has. */

/** Exactly so many bytes. */
export const bytes = (length: number): fc.Arbitrary<Uint8Array> =>
  fc.uint8Array({ minLength: length, maxLength: length });
/** From 0, in so many bits. */
export const uint = (bits: number): fc.Arbitrary<bigint> => fc.bigInt({ min: 0n, max: (1n << BigInt(bits)) - 1n });
/** Of either sign, in so many bits besides. */
export const signedInteger = (bits: number): fc.Arbitrary<bigint> =>
  fc.bigInt({ min: -(1n << BigInt(bits)) + 1n, max: (1n << BigInt(bits)) - 1n });

export const address: fc.Arbitrary<Address> = bytes(20).map(bytesToAddress);
export const hash: fc.Arbitrary<Hash> = bytes(32).map(bytesToHash);
export const signature: fc.Arbitrary<Uint8Array> = bytes(65);
export const height: fc.Arbitrary<Height> = fc.maxSafeNat().map((value) => value as Height);
export const round: fc.Arbitrary<Round> = fc.nat(0x7fffffff).map((value) => value as Round);
/** Ids and tickets, from 1. */
export const counter: fc.Arbitrary<number> = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER });
export const orderId: fc.Arbitrary<OrderId> = counter.map((value) => value as OrderId);
export const marketId: fc.Arbitrary<MarketId> = fc
  .integer({ min: 1, max: 0xffffffff })
  .map((value) => value as MarketId);
export const uint32: fc.Arbitrary<number> = fc.nat(0xffffffff);
export const amount: fc.Arbitrary<bigint> = uint(128);
export const wei: fc.Arbitrary<bigint> = uint(256);
/** Amounts that tests of writers draw: as often small, as a book has them, as of any size. */
export const bookAmount: fc.Arbitrary<bigint> = fc.oneof(fc.bigInt({ min: 0n, max: 1000n }), amount);
export const clientId: fc.Arbitrary<Hex | null> = fc.option(bytes(16).map(bytesToHex));
export const decimals: fc.Arbitrary<number> = fc.nat(marketDecimalsMax);
const bps: fc.Arbitrary<number> = fc.nat(10_000);
const margin: fc.Arbitrary<MarginParams> = fc.record({ initialMarginBps: bps, maintenanceMarginBps: bps });
export const side: fc.Arbitrary<Side> = fc.constantFrom(...sides);
export const timeInForce: fc.Arbitrary<TimeInForce> = fc.constantFrom(...timesInForce);
export const selfTradeMode: fc.Arbitrary<SelfTradeMode> = fc.constantFrom(...selfTradeModes);
/** An order that waits for a mark. @param names client ids that it may have */
export const trigger = (names: fc.Arbitrary<Hex>): fc.Arbitrary<Extract<ActionPayload, { readonly type: 'trigger' }>> =>
  fc.record({
    type: fc.constant('trigger' as const),
    marketId,
    side,
    kind: fc.constantFrom(...triggerKinds),
    triggerPrice: amount,
    limitPrice: amount,
    size: amount,
    tif: fc.constantFrom('gtc' as const, 'ioc' as const),
    reduceOnly: fc.boolean(),
    position: fc.boolean(),
    selfTrade: selfTradeMode,
    clientId: fc.option(names),
    expiresAt: fc.maxSafeNat(),
    group: uint32,
  });
/** What an order and one with triggers attached have. @param names client ids that it may have */
export const entry = (names: fc.Arbitrary<Hex>) => ({
  marketId,
  side,
  price: amount,
  size: amount,
  tif: timeInForce,
  postOnly: fc.boolean(),
  reduceOnly: fc.boolean(),
  selfTrade: selfTradeMode,
  clientId: fc.option(names),
  expiresAt: fc.maxSafeNat(),
});
/** An order with triggers attached. @param names client ids that it may have */
export const bracket = (names: fc.Arbitrary<Hex>): fc.Arbitrary<Extract<ActionPayload, { readonly type: 'bracket' }>> =>
  fc.record({
    type: fc.constant('bracket' as const),
    ...entry(names),
    stop: fc.option(bracketLeg),
    takeProfit: fc.option(bracketLeg),
  });
/** A price of 0 is one that typed data has no form for. */
const bracketLeg = fc.record({ triggerPrice: amount.filter((price) => price > 0n), limitPrice: amount });
/** A log with as few or as many topics as it may have. */
export const log: fc.Arbitrary<Log> = fc.record({
  address,
  topics: fc.array(hash, { maxLength: 4 }),
  data: fc.uint8Array({ maxLength: 80 }),
});
export const vote: fc.Arbitrary<Vote> = fc.record({
  type: fc.constantFrom('prevote' as const, 'precommit' as const),
  height,
  round,
  blockHash: fc.option(hash),
  validator: address,
  signature,
});
export const proposal: fc.Arbitrary<Proposal> = fc.record({
  height,
  round,
  polRound: fc.oneof(fc.constant(noRound), round),
  blockHash: hash,
  proposer: address,
  signature,
});

/** An amount as the book's own writers take it: a number where that is exact. */
export const counted = (value: bigint): number | bigint => (value <= Number.MAX_SAFE_INTEGER ? Number(value) : value);

/** An order that is gone. @param of prices and sizes */
export const closedOrder = (of: fc.Arbitrary<bigint>): fc.Arbitrary<ClosedOrder> =>
  fc.record({
    orderId,
    marketId,
    owner: address,
    side,
    price: of,
    size: of,
    tif: timeInForce,
    end: fc.constantFrom(...orderEnds),
    filled: of,
    remaining: of,
    clientId,
    createdBlock: fc.maxSafeNat(),
    expiresAt: fc.maxSafeNat(),
    trigger: fc.option(fc.record({ kind: fc.constantFrom(...triggerKinds), triggerPrice: of }), { nil: undefined }),
  });

/** Fields that the record of every market has. @param of prices and sizes */
export const marketFields = (of: fc.Arbitrary<bigint>) => ({
  marketId,
  symbol: fc.string({ maxLength: 32 }),
  tickSize: of,
  lotSize: of,
  baseDecimals: decimals,
  quoteDecimals: decimals,
  lastPrice: fc.option(of),
  markPrice: fc.option(of),
  margin: fc.option(margin),
  status: fc.constantFrom(...marketStatuses),
  tradeBlocks: uint32,
});

const timestamp = fc.maxSafeNat().map((ms) => ms as TimestampMs);
const signedWei = signedInteger(256);
/** A market's record, with and without all that it may have. */
export const marketRecord: fc.Arbitrary<MarketRecord> = fc.record(
  {
    ...marketFields(amount),
    riskTiers: fc.array(fc.record({ aboveNotional: wei, initialMarginBps: bps, maintenanceMarginBps: bps }), {
      minLength: 1,
      maxLength: 16,
    }),
    funding: fc.record({
      index: signedWei,
      change: signedWei,
      reference: fc.option(wei),
      markSum: wei,
      markMs: fc.maxSafeNat(),
      countedMs: fc.maxSafeNat(),
    }),
    oracle: fc.record({
      index: fc.option(amount),
      premium: signedWei,
      staleSinceMs: fc.option(timestamp),
      resumesAtMs: timestamp,
      toldIndex: amount,
      toldAtMs: timestamp,
      indexSum: wei,
      premiumSum: signedWei,
    }),
    limits: fc.record({ openInterestMax: amount, positionMax: amount, priceBandBps: bps, orderNotionalMax: wei }),
    profitPool: wei,
    debt: wei,
  },
  {
    requiredKeys: Object.keys(marketFields(amount)) as (keyof ReturnType<typeof marketFields>)[],
  },
);

/** Fields that every global record has. @param of amounts */
export const globalFields = (of: fc.Arbitrary<bigint>) => ({
  nextOrderId: orderId,
  nextTradeId: counter,
  nextMarketId: marketId,
  nextTransferId: counter,
  insurance: of,
  totalDeposits: of,
  totalWithdrawals: of,
  defaultMargin: margin,
});

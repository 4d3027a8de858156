import type { Height, MarketId, OrderId, Round, TimestampMs } from '@prime/primitives';
import {
  byteString,
  integer,
  oneOf,
  quantity,
  signedQuantity,
  struct,
  type FieldsOf,
  type ValueOf,
  text,
  hash,
} from './fieldCodecs.ts';
import { selfTradeModes, sides, timesInForce } from '../actions/orderWords.ts';

/** Field types with the protocol's ranges. docs/protocol/encoding.md lists them. */

/** Any safe integer from 0; 8 bytes where a layout is fixed. */
export const height = integer<Height>();
/** Milliseconds since the Unix epoch. */
export const timestampMs = integer<TimestampMs>();
/** 31 bits, so that sign bytes hold it as a signed 32-bit integer. */
export const round = integer<Round>(0, 0x7fffffff);
/** 32 bits, from 1. */
export const marketId = integer<MarketId>(1, 0xffffffff);
/** A safe integer from 1. */
export const orderId = integer<OrderId>(1);
/** Basis points, below 2^32; the rules that use them set narrower bounds. */
export const bps = integer(0, 0xffffffff);
/** Counts, and bounds of counts. */
export const uint32 = integer(0, 0xffffffff);

/** Prices and sizes. */
export const amount = quantity(128);
/** Gas; 64 bits as in the EVM's headers. */
export const gas = quantity(64);
/** Value of the chain. */
export const wei = quantity(256);
/** Debts and payments in both directions. */
export const signedWei = signedQuantity(256);
/** A position: a sum of sizes, so it has more room than one of them. */
export const signedSize = signedQuantity(256);

/** SEC 1, 33 bytes. Whether it is a point of the curve is not checked. */
export const compressedKey = byteString({ length: 33 });

/** The place in {@link sides}. */
export const side = oneOf(sides);
/** The place in {@link timesInForce}. */
export const timeInForce = oneOf(timesInForce);
/** 0 leaves the order book, 1 enters it. */
export const transferDirection = oneOf(['orders_to_evm', 'evm_to_orders']);
/** The place in {@link selfTradeModes}. */
export const selfTradeMode = oneOf(selfTradeModes);

/** Longest name in DNS. */
const hostBytesMax = 253;

/** In genesis and in the record of a market. */
export const riskTier = struct({
  /** Wei; ascending from tier to tier. */
  aboveNotional: wei,
  /** At least that of the tier before, as the other. */
  initialMarginBps: bps,
  maintenanceMarginBps: bps,
});
/** Margin of the part of a position's notional that is above a bound. */
export interface RiskTier extends ValueOf<typeof riskTier> {}

/** Most tiers of one list. */
export const riskTiersMax = 16;

/** In genesis and in the record of a market. */
export const marketLimits = struct({
  /** What longs of the market may hold together, base units. */
  openInterestMax: amount,
  /** What an account may hold on one side, open orders of that side included, base units. */
  positionMax: amount,
  /** Furthest that the limit of a buy is above the mark, and that of a sell below it. */
  priceBandBps: bps,
  /** Largest price * size of an order, wei. */
  orderNotionalMax: wei,
});
/** What orders of a market may at most lead to; 0 is no bound. See docs/protocol/clob.md, Limits. */
export interface MarketLimits extends ValueOf<typeof marketLimits> {}

/** Bytes of UTF-8. */
export const symbolBytesMax = 32;
/** BASE/QUOTE; a regular expression for whole symbols. */
export const marketSymbolPattern = '^[A-Za-z0-9._-]+/[A-Za-z0-9._-]+$';
/** Bytes of UTF-8. */
export const monikerBytesMax = 64;
/** Bytes of UTF-8. */
export const agentNameBytesMax = 64;

/** In actions, in the staking state and in what is declared before genesis, in this order. */
export const endpointFields = {
  host: text(hostBytesMax),
  port: integer(1, 0xffff),
  /** Pin of its TLS key: SHA-256 of the SubjectPublicKeyInfo. */
  spki: hash,
} as const;
/** Where a validator that joined can be reached by the others. */
export interface ValidatorEndpoint extends FieldsOf<typeof endpointFields> {}

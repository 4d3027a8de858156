/**
 * Branded types: a `Height` is a number at run time and a type of its own at compile time, so that a round can not be
 * passed where a height is meant. Values are made only by the parsing functions and constructors of this package;
 * everything past the edge trusts the type.
 */
declare const brand: unique symbol;
/** Brands add up, so that an address is also a hex string. */
export type Brand<T, Name extends string> = T & { readonly [brand]: { readonly [Key in Name]: true } };

/** Lower-case hex with the 0x prefix and an even number of digits. */
export type Hex = Brand<string, 'Hex'>;
/** 20 bytes as lower-case hex. */
export type Address = Hex & Brand<string, 'Address'>;
/** 32 bytes as lower-case hex. */
export type Hash = Hex & Brand<string, 'Hash'>;
/** Block number, 0 for genesis; a safe integer. */
export type Height = Brand<number, 'Height'>;
/** Attempt at a height, from 0; -1 stands for "no round" (nil polRound, lockedRound). */
export type Round = Brand<number, 'Round'>;
/** Milliseconds since the Unix epoch; a safe integer. */
export type TimestampMs = Brand<number, 'TimestampMs'>;
/** Market id, from 1; fits in 32 bits. */
export type MarketId = Brand<number, 'MarketId'>;
/** Order id, from 1, one counter for all markets; a safe integer. */
export type OrderId = Brand<number, 'OrderId'>;

/** The round before the first: no polka, no lock. */
export const noRound = -1 as Round;
/** Block number. @throws RangeError unless a safe integer of at least 0 */
export const toHeight = (value: number): Height => checkedInteger(value, 0, 'height') as Height;
/** Round of a height, or {@link noRound}. @throws RangeError unless a safe integer of at least -1 */
export const toRound = (value: number): Round => checkedInteger(value, -1, 'round') as Round;
/** Milliseconds since the Unix epoch. @throws RangeError unless a safe integer of at least 0 */
export const toTimestampMs = (value: number): TimestampMs => checkedInteger(value, 0, 'timestamp') as TimestampMs;
/** Counts from 1. @throws RangeError unless a safe integer of at least 1; the bound of 32 bits is not checked */
export const toMarketId = (value: number): MarketId => checkedInteger(value, 1, 'market id') as MarketId;
/** Counts from 1. @throws RangeError unless a safe integer of at least 1 */
export const toOrderId = (value: number): OrderId => checkedInteger(value, 1, 'order id') as OrderId;

function checkedInteger(value: number, minimum: number, name: string): number {
  if (!Number.isSafeInteger(value) || value < minimum)
    throw new RangeError(`${name} must be an integer of at least ${minimum}, got ${value}`);
  return value;
}

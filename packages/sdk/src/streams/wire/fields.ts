import { sides, timesInForce } from '@prime/codec';
import type { Hex, Side, TimeInForce } from '../../types/primitives.ts';
import { malformed } from '../errors.ts';

/** Readers of JSON fields. Each throws a StreamError `STREAM_MESSAGE_MALFORMED` that names the field. */

/** A JSON object that was not looked into yet. */
export type Json = Readonly<Record<string, unknown>>;

const shownLength = 60;
const shown = (value: unknown): string => (JSON.stringify(value) ?? String(value)).slice(0, shownLength);

const wrong = (name: string, expected: string, value: unknown): never => {
  throw malformed(`${name} has to be ${expected}, it is ${shown(value)}`);
};

/** @param name the field's name in the error */
export function toObject(value: unknown, name: string): Json {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return wrong(name, 'an object', value);
  return value as Json;
}

/** @param name the field's name in the error */
export function toList(value: unknown, name: string): readonly unknown[] {
  return Array.isArray(value) ? value : wrong(name, 'a list', value);
}

const quantityPattern = /^-?0x(?:0|[1-9a-f][0-9a-f]*)$/;

/** A hex quantity, with a sign where it is negative. */
export function toBigInt(value: unknown, name: string): bigint {
  if (typeof value !== 'string' || !quantityPattern.test(value)) return wrong(name, 'a hex quantity', value);
  return value.startsWith('-') ? -BigInt(value.slice(1)) : BigInt(value);
}

/** A hex quantity that is not negative. */
export function toAmount(value: unknown, name: string): bigint {
  const amount = toBigInt(value, name);
  return amount < 0n ? wrong(name, 'a hex quantity that is not negative', value) : amount;
}

/** A JSON number or a hex quantity, whole and exact. */
export function toNumber(value: unknown, name: string): number {
  const number = typeof value === 'string' ? Number(toBigInt(value, name)) : value;
  return Number.isSafeInteger(number) ? (number as number) : wrong(name, 'a whole number below 2^53', value);
}

/** @param name the field's name in the error */
export const toText = (value: unknown, name: string): string =>
  typeof value === 'string' ? value : wrong(name, 'text', value);

/** @param name the field's name in the error */
export const toFlag = (value: unknown, name: string): boolean =>
  typeof value === 'boolean' ? value : wrong(name, 'true or false', value);

const hexPattern = /^0x[0-9a-f]*$/;

/** Bytes in lower-case hex: an address, a hash, a client id. */
export function toHex(value: unknown, name: string): Hex {
  return typeof value === 'string' && hexPattern.test(value) ? (value as Hex) : wrong(name, 'hex', value);
}

/**
 * Text that is one of some words.
 *
 * @param name the field's name in the error
 */
export function toWord<word extends string>(words: readonly word[], value: unknown, name: string): word {
  return words.includes(value as word) ? (value as word) : wrong(name, `one of ${words.join(', ')}`, value);
}

type Reader<T> = (value: unknown, name: string) => T;

/** A reader of a field that may be null or left out. */
export const orNull =
  <T>(read: Reader<T>): Reader<T | null> =>
  (value, name) =>
    value === null || value === undefined ? null : read(value, name);

/** A side of the book, or the taker's of a trade. */
export const toSide: Reader<Side> = (value, name) => toWord(sides, value, name);
/** How long an order lives. */
export const toTif: Reader<TimeInForce> = (value, name) => toWord(timesInForce, value, name);

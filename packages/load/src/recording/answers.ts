import { type Address, type Hash, hexToBytes, parseAddress, parseHash, parseHex } from '@prime/primitives';
import { malformedAnswer } from '../errors.ts';

/** One JSON-RPC call to a node. @throws what the node refused */
export type Call = (method: string, params: readonly unknown[]) => Promise<unknown>;

/** A JSON object that was not looked into yet. */
export type Json = Readonly<Record<string, unknown>>;

/** Readers of what a node answered. @throws LoadError `LOAD_ANSWER_MALFORMED` */

/**
 * @param what the value's name in the error
 * @throws LoadError `LOAD_ANSWER_MALFORMED` for anything but a JSON object
 */
export function objectOf(value: unknown, what: string): Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Json)
    : malformedAnswer(`${what} is no object`);
}

/**
 * @param what the value's name in the error
 * @throws LoadError `LOAD_ANSWER_MALFORMED` for anything but a list
 */
export function listOf(value: unknown, what: string): readonly unknown[] {
  return Array.isArray(value) ? value : malformedAnswer(`${what} is no list`);
}

/**
 * A field that holds text, as it came.
 *
 * @throws LoadError `LOAD_ANSWER_MALFORMED`
 */
export function textOf(object: Json, name: string): string {
  const value = object[name];
  return typeof value === 'string' ? value : malformedAnswer(`${name} is no text`);
}

/** A hex quantity of at least 0. */
export function quantityOf(object: Json, name: string): bigint {
  const text = textOf(object, name);
  return /^0x[0-9a-f]+$/.test(text) ? BigInt(text) : malformedAnswer(`${name} is no quantity: ${text.slice(0, 40)}`);
}

/** A hex quantity or a JSON number that is a safe integer of at least 0. */
export function numberOf(object: Json, name: string): number {
  const value = object[name];
  const number = typeof value === 'number' ? value : Number(quantityOf(object, name));
  return Number.isSafeInteger(number) && number >= 0 ? number : malformedAnswer(`${name} is no number of that size`);
}

/**
 * A field of `0x` and pairs of hex digits, of any length.
 *
 * @throws LoadError `LOAD_ANSWER_MALFORMED`
 */
export const bytesOf = (object: Json, name: string): Uint8Array =>
  parsed(name, () => hexToBytes(parseHex(textOf(object, name))));
/**
 * A field with an address, in lower case.
 *
 * @throws LoadError `LOAD_ANSWER_MALFORMED`
 */
export const addressOf = (object: Json, name: string): Address =>
  parsed(name, () => parseAddress(textOf(object, name)));
/**
 * A field with 32 bytes.
 *
 * @throws LoadError `LOAD_ANSWER_MALFORMED`
 */
export const hashOf = (object: Json, name: string): Hash => parsed(name, () => parseHash(textOf(object, name)));
/**
 * A field with an address; null where it is null or left out.
 *
 * @throws LoadError `LOAD_ANSWER_MALFORMED` for anything else
 */
export const addressOrNull = (object: Json, name: string): Address | null =>
  object[name] === null || object[name] === undefined ? null : addressOf(object, name);

function parsed<T>(name: string, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    return malformedAnswer(`${name}: ${(error as Error).message}`);
  }
}

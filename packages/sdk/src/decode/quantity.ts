import { AnswerUnreadableError } from '../errors/own.ts';
import type { Address, Hex } from '../types/primitives.ts';

const signedPattern = /^-?0x[0-9a-fA-F]+$/;

/** A hex quantity, negative ones with the sign in front, as a bigint. @throws AnswerUnreadableError */
export function toBigint(hex: string): bigint {
  if (typeof hex !== 'string' || !signedPattern.test(hex))
    throw new AnswerUnreadableError(`${String(hex)} is no quantity`);
  return hex.startsWith('-') ? -BigInt(hex.slice(1)) : BigInt(hex);
}

/** A hex quantity that fits into a number: ids, counts, times. @throws AnswerUnreadableError */
export function toNumber(hex: string): number {
  const value = Number(toBigint(hex));
  if (!Number.isSafeInteger(value)) throw new AnswerUnreadableError(`${hex} is beyond 2^53`);
  return value;
}

/** A hex quantity of a field that may be null. */
export const toBigintOrNull = (hex: string | null): bigint | null => (hex === null ? null : toBigint(hex));

/** The same of one that fits into a number. @throws AnswerUnreadableError */
export const toNumberOrNull = (hex: string | null): number | null => (hex === null ? null : toNumber(hex));

/** A quantity as JSON-RPC takes it. */
export const toQuantity = (value: bigint | number): Hex => `0x${value.toString(16)}`;

/** Addresses travel in lower case, whatever case (EIP-55) they are written in. */
export const lowerCase = <text extends Hex>(hex: text): Address => hex.toLowerCase() as Address;

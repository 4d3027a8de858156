import { bpsMax } from '@prime/codec';
import { Type } from '@sinclair/typebox';
import type { ValueError } from '@sinclair/typebox/value';

/** Types of values in genesis.json; the title is what a refusal says is allowed. */

/** Option of every object: a key that is not known is a mistake, and mostly a misspelt one. */
export const strict = { additionalProperties: false } as const;
/** 20 bytes. Any case: the checksum of EIP-55 is not checked. */
export const address = Type.String({ pattern: '^0x[0-9a-fA-F]{40}$', title: '0x and 40 hex digits' });
/** 32 bytes, in hex of any case. */
export const hash = Type.String({ pattern: '^0x[0-9a-fA-F]{64}$', title: '0x and 64 hex digits' });
/** A key of secp256k1 in 33 bytes; whether it is a point of the curve is checked elsewhere. */
export const publicKey = Type.String({
  pattern: '^0x0[23][0-9a-fA-F]{64}$',
  title: 'a compressed public key, 0x and 66 hex digits',
});
/** Any number of bytes in hex, also none. */
export const bytes = Type.String({ pattern: '^0x([0-9a-fA-F]{2})*$', title: '0x and an even number of hex digits' });
/**
 * An unsigned integer as text, because numbers of JSON end at 2^53. The form bounds it to 78 digits, or 256 bits in
 * hex.
 */
export const amount = Type.String({
  pattern: '^(0|[1-9][0-9]{0,77}|0x[0-9a-fA-F]{1,64})$',
  title: 'an unsigned integer as a decimal or 0x string',
});
/** A JSON number without fraction. @param maximum included; the greatest safe integer when absent */
export const whole = (minimum: number, maximum: number = Number.MAX_SAFE_INTEGER) => Type.Integer({ minimum, maximum });
/** Basis points from 0 to 10 000, which is all of something. */
export const bps = whole(0, bpsMax);
/** Whole numbers below 2^32. */
export const uint32 = whole(0, 0xffffffff);
/** Milliseconds that a node may have to wait: a day at most. Timers of Node that are longer than 24 days fire at once. */
export const waitMs = whole(0, 86_400_000);

/** What a value that does not fit may be instead: the title of its schema, else its range. */
export function allowedBy({ schema, message }: Pick<ValueError, 'schema' | 'message'>): string {
  const { minimum, maximum, title } = schema as { minimum?: number; maximum?: number; title?: string };
  return title ?? (schema['type'] === 'integer' ? `a whole number from ${minimum} to ${maximum}` : message);
}

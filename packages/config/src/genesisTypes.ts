import { Type } from '@sinclair/typebox';

/** Types of values in genesis.json; the title is what a refusal says is allowed. */

export const strict = { additionalProperties: false } as const;
export const address = Type.String({ pattern: '^0x[0-9a-fA-F]{40}$', title: '0x and 40 hex digits' });
export const hash = Type.String({ pattern: '^0x[0-9a-fA-F]{64}$', title: '0x and 64 hex digits' });
export const publicKey = Type.String({
  pattern: '^0x0[23][0-9a-fA-F]{64}$',
  title: 'a compressed public key, 0x and 66 hex digits',
});
export const bytes = Type.String({ pattern: '^0x([0-9a-fA-F]{2})*$', title: '0x and an even number of hex digits' });
export const amount = Type.String({
  pattern: '^(0|[1-9][0-9]{0,77}|0x[0-9a-fA-F]{1,64})$',
  title: 'an unsigned integer as a decimal or 0x string',
});
export const whole = (minimum: number, maximum: number = Number.MAX_SAFE_INTEGER) => Type.Integer({ minimum, maximum });
export const bps = whole(0, 10_000);
export const uint32 = whole(0, 0xffffffff);
/** Milliseconds that a node may have to wait: a day at most. Timers of Node that are longer than 24 days fire at once. */
export const waitMs = whole(0, 86_400_000);

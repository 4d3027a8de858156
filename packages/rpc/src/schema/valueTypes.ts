import { type TSchema, Type } from '@sinclair/typebox';
import { type Address, type Hash, type Hex, parseHash, parseHex } from '@prime/primitives';

/**
 * How a value looks on the wire and what it becomes inside: a JSON Schema that ajv and OpenRPC read, and a function that turns
 * a value that passed it into the working form.
 */
export interface ValueType<T> {
  readonly schema: TSchema;
  /** Called with values that satisfy the schema only. */
  readonly parse: (value: never) => T;
}

/**
 * Vocabulary of parameters. Each schema carries the words that an error says about it under {@link hintKey}; they are chosen
 * over ajv's own because "must match pattern ^0x…" helps nobody.
 */
export const hintKey = 'x-hint';

const hint = (text: string): Record<string, string> => ({ [hintKey]: text });

/** Schema and parser of one kind of value. */
export const valueType = <T, Wire = never>(schema: TSchema, parse: (value: Wire) => T): ValueType<T> => ({
  schema,
  parse: parse as (value: never) => T,
});

const quantityPattern = '^0x(0|[1-9a-fA-F][0-9a-fA-F]{0,63})$';

/** An address in any mixture of cases; the checksum of EIP-55 is not checked. */
export const addressSchema = Type.String({ pattern: '^0x[0-9a-fA-F]{40}$', ...hint('must be 0x and 40 hex digits') });

/** 32 bytes in any mixture of cases. */
export const hashSchema = Type.String({ pattern: '^0x[0-9a-fA-F]{64}$', ...hint('must be 0x and 64 hex digits') });

/** Bytes of any number, none included. */
export const dataSchema = Type.String({
  pattern: '^0x(?:[0-9a-fA-F]{2})*$',
  ...hint('must be 0x and an even number of hex digits'),
});

/** Unsigned, at most 256 bits, without leading zeros. */
export const quantitySchema = Type.String({
  pattern: quantityPattern,
  ...hint('must be a hex quantity of at most 256 bits without leading zeros'),
});
/** Gas and nonces. */
export const quantity64Schema = Type.String({
  pattern: '^0x(0|[1-9a-fA-F][0-9a-fA-F]{0,15})$',
  ...hint('must be a hex quantity of at most 64 bits without leading zeros'),
});
const slotSchema = Type.String({ pattern: '^0x[0-9a-fA-F]{1,64}$', ...hint('must be 0x and 1 to 64 hex digits') });

/** An address, in lower case inside. */
// The schema has seen to their form.
export const address: ValueType<Address> = valueType(addressSchema, (value: string) => value.toLowerCase() as Address);

/** 32 bytes, in lower case inside. */
export const hash: ValueType<Hash> = valueType(hashSchema, (value: string) => value.toLowerCase() as Hash);

/** Bytes of any number, in lower case inside. */
export const data: ValueType<Hex> = valueType(dataSchema, parseHex);
/** Unsigned, at most 256 bits. */
export const quantity: ValueType<bigint> = valueType(quantitySchema, (value: string) => BigInt(value));
/** A storage slot, with or without its leading zeros. */
export const slot: ValueType<Hash> = valueType(
  slotSchema,
  (value: string) => `0x${value.slice(2).toLowerCase().padStart(64, '0')}` as Hash,
);

/** A JSON boolean; no text and no number passes for one. */
export const boolean: ValueType<boolean> = valueType(
  Type.Boolean(hint('must be true or false')),
  (value: boolean) => value,
);

/** A list of values of one type. */
export const listOf = <T>(item: ValueType<T>): ValueType<readonly T[]> =>
  valueType(Type.Array(item.schema, hint('must be a list')), (values: readonly never[]) => values.map(item.parse));

/** A safe integer as hex quantity or JSON number. */
export const index: ValueType<number> = valueType(
  Type.Union(
    [
      Type.String({ pattern: '^0x(0|[1-9a-fA-F][0-9a-fA-F]{0,12})$' }),
      Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
    ],
    hint('must be a hex quantity below 2^52 or an integer'),
  ),
  (value: string | number) => Number(value),
);

type BlockTag = 'latest' | 'pending' | 'earliest' | 'safe' | 'finalized';

/** How a call names a block: tag, number or hash (EIP-1898). */
export type BlockSelector =
  | { readonly kind: 'tag'; readonly tag: BlockTag }
  | { readonly kind: 'height'; readonly height: number }
  | { readonly kind: 'hash'; readonly hash: Hash };

const tags: readonly BlockTag[] = ['latest', 'pending', 'earliest', 'safe', 'finalized'];
/** Made once: nearly every request has one. */
const tagSelectors = new Map<string | number, BlockSelector>(tags.map((tag) => [tag, { kind: 'tag', tag }]));

const heightSchema = Type.Union([
  Type.String({ pattern: '^0x(0|[1-9a-fA-F][0-9a-fA-F]{0,15})$' }),
  Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
]);
const tagSchema = Type.Union(tags.map((tag) => Type.Literal(tag)));
const selectorHint = 'must be a hex block number or one of latest, pending, earliest, safe, finalized';

type Height = string | number;
const parseNumber = (value: Height): BlockSelector =>
  tagSelectors.get(value) ?? { kind: 'height', height: Number(value) };

/** A height as hex or JSON number, or a tag. */
export const blockNumber: ValueType<BlockSelector> = valueType(
  Type.Union([tagSchema, heightSchema], hint(selectorHint)),
  parseNumber,
);

interface Eip1898 {
  readonly blockNumber?: Height;
  readonly blockHash?: string;
}

/** {@link blockNumber}, a block hash, or an EIP-1898 object. */
export const blockSelector: ValueType<BlockSelector> = valueType(
  Type.Union(
    [
      tagSchema,
      heightSchema,
      hashSchema,
      Type.Object({ blockNumber: Type.Union([tagSchema, heightSchema]) }, { additionalProperties: false }),
      Type.Object(
        { blockHash: hashSchema, requireCanonical: Type.Optional(Type.Boolean()) },
        { additionalProperties: false },
      ),
    ],
    hint(`${selectorHint}, a block hash, {blockNumber} or {blockHash, requireCanonical}`),
  ),
  (value: Height | Eip1898): BlockSelector => {
    if (typeof value === 'string' && value.length === 66) return { kind: 'hash', hash: parseHash(value) };
    if (typeof value !== 'object') return parseNumber(value);
    if (value.blockHash !== undefined) return { kind: 'hash', hash: parseHash(value.blockHash) };
    return parseNumber(value.blockNumber ?? 'latest');
  },
);

/** What methods of the state read where no block is named: the newest committed block. */
export const latest: BlockSelector = { kind: 'tag', tag: 'latest' };

/** A schema that also takes null, which clients send for an optional value that they do not have. */
export const nullable = (schema: TSchema): TSchema => {
  const words = schema[hintKey];
  return Type.Union([schema, Type.Null()], typeof words === 'string' ? hint(words) : {});
};
